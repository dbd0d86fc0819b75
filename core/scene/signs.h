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
  bool off = false;                          ///< an ablated head
  bool below_zero = false;                   ///< a dashed line
  bool no_key = false, uniform_row = false;  ///< a stroke at a row whose keys are all blocked, without words

  void add(const Signs& other) {
    blocked |= other.blocked;
    small |= other.small;
    undefined |= other.undefined;
    off |= other.off;
    below_zero |= other.below_zero;
    no_key |= other.no_key;
    uniform_row |= other.uniform_row;
  }
  void note_number(std::string_view number) {
    small |= number == of_small;
    undefined |= number == of_undefined;
  }
};

struct ExplainedSign {
  const char* name;
  std::string sign;  ///< empty: the hatch, or the stroke
  std::string meaning;
  bool stroke = false;
};
/// A legend of those that occur.
std::vector<ExplainedSign> explained(const Translator& tr, const Signs& signs);

}  // namespace headscope
