#pragma once
#include "core/base/tensor.h"

namespace headscope {

/// The cells [query_begin, query_end) x [key_begin, key_end) of a map and parts of them.
struct CellPart {
  double query_begin = 0, query_end = 0, key_begin = 0, key_end = 0;
  bool operator==(const CellPart&) const = default;
};

/// Which part of a long map is shown, and how many adjacent tokens are pooled into one row and one column.
struct LongPart {
  Index query_begin = 0, query_end = 0, key_begin = 0, key_end = 0;
  Index query_pool = 1, key_pool = 1;
  bool sampled = false;  ///< only one query of each pooled row is read
  bool means = false;    ///< a pooled cell is the mean of its cells, otherwise the largest
  bool operator==(const LongPart&) const = default;

  bool pooled() const { return query_pool > 1 || key_pool > 1; }
  bool contains(const CellPart& seen) const;
};

}  // namespace headscope
