#include "core/scene/signs.h"

#include "core/scene/scene.h"

namespace headscope {

std::vector<ExplainedSign> explained(const Translator& tr, const Signs& signs) {
  std::vector<ExplainedSign> legend;
  if (signs.blocked) legend.push_back({"blocked", "", tr("blocked")});
  if (signs.small) legend.push_back({"small", std::string(Signs::of_small), tr("rounds to 0")});
  if (signs.undefined) legend.push_back({"undefined", std::string(Signs::of_undefined), tr("undefined")});
  if (signs.no_key) legend.push_back({"no key", "", empty_row_text(tr, true), true});
  if (signs.uniform_row) legend.push_back({"uniform", "", empty_row_text(tr, false), true});
  if (signs.below_zero) legend.push_back({"below zero", "- -", tr("below 0")});
  if (signs.off) legend.push_back({"off", tr("off"), tr("ablated head")});
  return legend;
}

}  // namespace headscope
