#pragma once
#include <cstddef>
#include <stop_token>
#include <string>

#include "core/base/budget.h"

namespace headscope {

/// A budget that also counts work, for what comes of a file once it is read: what its patterns find, its
/// rules write and its lesson runs. Counted in steps, not timed: whether a file is refused does not depend on
/// the machine.
class WorkBudget : public Budget {
 public:
  /// For a file (or a text) of so many bytes. Asked to stop, there are no more steps.
  WorkBudget(std::string source, std::size_t file_bytes, std::stop_token stop = {});

  /// A step takes some 50 ns: a pass of a pattern's loop, a handful of characters that are rewritten,
  /// steps_of() so many multiply–adds.
  static std::size_t steps_of(double multiply_adds);
  /// Throws OverBudget (input) where so many steps are more than what is left.
  void spend(std::size_t steps);
  /// The same where nothing may be thrown: false where there are no more.
  bool take(std::size_t steps);
  /// About what all of its steps take.
  std::size_t seconds() const;
  std::size_t steps_left() const { return left_; }

 private:
  std::string source_;
  std::size_t all_, left_;
  std::stop_token stop_;
};

}  // namespace headscope
