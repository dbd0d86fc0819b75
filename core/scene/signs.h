#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/translate.h"

namespace headscope {

/// Signs that stand for what has no number, and whether they occur in a view or figure.
struct Signs {
  static constexpr std::string_view of_small = "·", of_undefined = "–";
  bool blocked = false;  ///< hatched cells
  bool small = false, undefined = false;
  bool off = false;  ///< an ablated head

  void note_number(std::string_view number) {
    small |= number == of_small;
    undefined |= number == of_undefined;
  }
};

struct ExplainedSign {
  const char* name;
  std::string sign;  ///< empty: the hatch
  std::string meaning;
};
/// A legend of those that occur.
std::vector<ExplainedSign> explained(const Translator& tr, const Signs& signs);

}  // namespace headscope
