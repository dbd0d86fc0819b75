#pragma once
#include <vector>

#include "core/attention/kernels/kernels.h"
#include "core/attention/mask.h"

namespace headscope {

/// The keys that queries [begin, end) of a head may see, as stretches of whole softmax_chunk()s, the last one
/// ending at n_k: what lies outside of them is blocked for each of these queries. All keys where nothing is
/// blocked, and where a finite `fill` gives a query without a key a weight on each.
std::vector<ColumnSpan> seen_parts(const Mask* mask, int head, Index begin, Index end, float fill, Index n_k,
                                   const Kernels& kernels);

/// Whether they are all n_k keys.
inline bool are_all(const std::vector<ColumnSpan>& parts, Index n_k) {
  return parts.size() == 1 && parts.front() == ColumnSpan{0, n_k};
}

/// Calls use(begin, end) for the panels of a stretch.
template <typename Use>
void for_panels(const std::vector<ColumnSpan>& parts, const Kernels& kernels, const Use& use) {
  for (const ColumnSpan& part : parts)
    use(part.begin / kernels.panel, (part.end + kernels.panel - 1) / kernels.panel);
}

/// Zeros to what of a row [n_k] lies outside of the parts.
void clear_outside(const std::vector<ColumnSpan>& parts, Index n_k, float* row);

}  // namespace headscope
