#pragma once
#include <vector>

namespace headscope {

/// Of every head of a block, by layer and head.
using OfHeads = std::vector<std::vector<double>>;

/// What is known of heads from their matrices alone: see Circuits::numbers().
struct CircuitNumbers {
  OfHeads copying_score, qk_effective_rank, ov_effective_rank;
};

}  // namespace headscope
