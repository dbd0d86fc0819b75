#pragma once
#include <vector>

#include "core/attention/kernels/kernels.h"
#include "core/attention/mask.h"
#include "core/base/round_up.h"

namespace headscope {

/// The keys that queries [begin, end) of a head may see, as ranges of whole softmax_chunk()s, the last one
/// ending at n_k: keys outside are blocked for each of these queries. All keys if nothing is blocked, or if a
/// finite `fill` gives a query without visible keys a weight on each.
std::vector<ColumnSpan> visible_spans(const Mask* mask, int head, Index begin, Index end, float fill,
                                      Index n_k, const Kernels& kernels);

/// Whether they are all n_k keys.
inline bool are_all(const std::vector<ColumnSpan>& parts, Index n_k) {
  return parts.size() == 1 && parts.front() == ColumnSpan{0, n_k};
}

/// Calls use(begin, end) for the panels of a range.
template <typename Use>
void for_panels(const std::vector<ColumnSpan>& parts, const Kernels& kernels, const Use& use) {
  for (const ColumnSpan& part : parts) use(part.begin / kernels.panel, divide_up(part.end, kernels.panel));
}

/// Zeroes a row [n_k] outside of the parts.
void clear_outside(const std::vector<ColumnSpan>& parts, Index n_k, float* row);

}  // namespace headscope
