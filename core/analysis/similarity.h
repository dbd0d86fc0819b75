#pragma once
#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/tensor.h"
#include "core/source/trace.h"

namespace headscope {

/// How alike the heads of all layers of a block look.
struct HeadSimilarity {
  struct Head {
    int layer = 0, head = 0;  ///< from 0
  };
  /// Two clusters that were merged; numbers below heads.size() are heads, others the merges before (from
  /// heads.size()).
  struct Merge {
    int left = 0, right = 0;
    double distance = 0;  ///< average linkage
  };
  std::vector<Head> heads;  ///< layer by layer
  /// [heads, heads]: Jensen–Shannon distance, the square root of the mean over rows of the divergence in
  /// bits; 0 same, 1 nothing in common.
  Tensor distance;
  std::vector<Merge> merges;  ///< heads.size() - 1 of them, nearest first
  std::vector<int> order;     ///< leaf order of the tree: similar heads are adjacent
};

/// Compares all pairs; O(heads² n_q n_k), so not within a frame. nullptr if stopped.
std::shared_ptr<const HeadSimilarity> head_similarity(const BlockTrace& block, std::stop_token stop = {});

}  // namespace headscope
