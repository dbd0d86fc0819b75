#pragma once
#include <cstddef>
#include <stop_token>
#include <string>

#include "core/base/error.h"

namespace headscope {

/// A budget was exceeded. The message names the file.
class OverBudget : public Error {
 public:
  using Error::Error;
};

/// Limits the memory, and thereby the time, that reading one file may take, however well it is compressed.
/// Readers charge every item before they create it: a value of JSON, a run of cells, a decompressed byte.
class Budget {
 public:
  /// `source` names the file in messages.
  Budget(std::string source, std::size_t file_bytes);

  /// Throws OverBudget (input) if `items` of `bytes_each` exceed what is left.
  void charge(std::size_t items, std::size_t bytes_each = 1);
  std::size_t left() const { return left_; }

 private:
  std::string source_;
  std::size_t all_, left_;
};

/// A budget that also counts work caused by a file after it is read: what its patterns match, its rules write
/// and its lesson runs. Counted in steps, not timed, so that rejecting a file does not depend on the machine.
class WorkBudget : public Budget {
 public:
  /// For a file (or a text) of `file_bytes`. After a stop request no steps are left.
  WorkBudget(std::string source, std::size_t file_bytes, std::stop_token stop = {});

  /// A step takes about 50 ns: one iteration of a pattern's loop, rewriting a few characters. steps_of()
  /// converts multiply–adds to steps.
  static std::size_t steps_of(double multiply_adds);
  /// Throws OverBudget (input) if `steps` exceeds what is left.
  void spend(std::size_t steps);
  /// The same for code that must not throw: false if no steps are left.
  bool take(std::size_t steps);
  /// Approximate duration of all its steps.
  std::size_t seconds() const;
  std::size_t steps_left() const { return left_; }

 private:
  std::string source_;
  std::size_t all_, left_;
  std::stop_token stop_;
};

}  // namespace headscope
