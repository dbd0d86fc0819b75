#pragma once
#include <cstddef>
#include <string>

#include "core/base/error.h"

namespace headscope {

/// What exceeds a budget; it names the file itself.
class OverBudget : public Error {
 public:
  using Error::Error;
};

/// What reading one file may take of memory, and with it of time, however much is packed into it. Readers
/// charge every item before they make it: a value of JSON, a run of cells, a byte that was compressed.
class Budget {
 public:
  /// For a file of so many bytes, which `source` names in messages.
  Budget(std::string source, std::size_t file_bytes);

  /// Throws OverBudget (input) where `items` of so many bytes are more than what is left.
  void charge(std::size_t items, std::size_t bytes_each = 1);
  std::size_t left() const { return left_; }

 private:
  std::string source_;
  std::size_t all_, left_;
};

}  // namespace headscope
