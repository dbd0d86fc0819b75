#pragma once
#include <cstddef>
#include <stop_token>
#include <utility>

namespace headscope::tokenizers {

/// What patterns may still do on a text: one for all of its pieces and all patterns of a file, so that no
/// file holds a program up. Counted, not timed: whether a text is refused does not depend on the machine.
class Steps {
 public:
  /// Asked to stop, there are no more.
  explicit Steps(std::size_t text_bytes, std::stop_token stop = {})
      : left_(20'000'000 + 50 * text_bytes), stop_(std::move(stop)) {}
  std::size_t left() const { return left_; }
  /// False where there are no more.
  bool take(std::size_t steps) {
    left_ -= steps < left_ && !stop_.stop_requested() ? steps : left_;
    return left_ > 0;
  }

 private:
  std::size_t left_;
  std::stop_token stop_;
};

}  // namespace headscope::tokenizers
