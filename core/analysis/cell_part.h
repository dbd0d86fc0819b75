#pragma once
#include "core/base/tensor.h"

namespace headscope {

/// The cells [query_begin, query_end) x [key_begin, key_end) of a map and parts of them.
struct CellPart {
  double query_begin = 0, query_end = 0, key_begin = 0, key_end = 0;
  bool operator==(const CellPart&) const = default;
};

/// Which part of a long map is shown, and how many neighbouring tokens stand for one row and one column.
struct LongPart {
  Index query_begin = 0, query_end = 0, key_begin = 0, key_end = 0;
  Index query_group = 1, key_group = 1;
  bool sampled = false;  ///< of each group of queries one is read
  bool means = false;    ///< a cell is the mean of its group, else the largest
  bool operator==(const LongPart&) const = default;

  bool grouped() const { return query_group > 1 || key_group > 1; }
  bool contains(const CellPart& seen) const;
};

}  // namespace headscope
