#pragma once
#include <memory>
#include <stop_token>
#include <vector>

#include "core/source/trace.h"

namespace headscope {

/// A head and its weight on one cell, layer and head from 0.
struct HeadAtCell {
  int layer = 0, head = 0;
  float weight = 0;
  bool operator==(const HeadAtCell&) const = default;
};

/// The heads of all layers that attend most from this query to this key: the largest weight first, ties by
/// layer and head. nullptr if stopped.
std::shared_ptr<const std::vector<HeadAtCell>> heads_at_cell(const BlockTrace& block, Index query, Index key,
                                                             const std::stop_token& stop = {});

}  // namespace headscope
