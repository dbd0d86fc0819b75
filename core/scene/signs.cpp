#include "core/scene/signs.h"

namespace headscope {

std::vector<ExplainedSign> explained(const Translator& tr, const Signs& signs) {
  std::vector<ExplainedSign> legend;
  if (signs.blocked) legend.push_back({"blocked", "", tr("blocked")});
  if (signs.small) legend.push_back({"small", std::string(Signs::of_small), tr("rounds to 0")});
  if (signs.undefined) legend.push_back({"undefined", std::string(Signs::of_undefined), tr("undefined")});
  if (signs.off) legend.push_back({"off", tr("off"), tr("ablated head")});
  return legend;
}

}  // namespace headscope
