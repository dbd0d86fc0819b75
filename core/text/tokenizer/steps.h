#pragma once
#include <cstddef>

namespace headscope::tokenizers {

/// What patterns may still do on a text: one for all of its pieces and all patterns of a file, so that no
/// file holds a program up. Counted, not timed: whether a text is refused does not depend on the machine.
class Steps {
 public:
  explicit Steps(std::size_t text_bytes) : left_(20'000'000 + 50 * text_bytes) {}
  std::size_t left() const { return left_; }
  /// False where there are no more.
  bool take(std::size_t steps) {
    left_ -= steps < left_ ? steps : left_;
    return left_ > 0;
  }

 private:
  std::size_t left_;
};

}  // namespace headscope::tokenizers
