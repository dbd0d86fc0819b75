#pragma once
#include <cstddef>
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

}  // namespace headscope
