#include "core/analysis/long_extent.h"

#include <algorithm>

namespace headscope {
namespace {

constexpr Index few_keys = 4;  // of as many that another query has, one

/// The last token of a row's group, in the units of the block: the one that a causal mask lets see most.
Index last_query(const FilteredLayer& shown, Index row) {
  if (row + 1 < shown.n_q()) return shown.queries[static_cast<std::size_t>(row + 1)] - 1;
  return shown.part ? shown.part->query_end - 1 : shown.block->n_q() - 1;
}

/// How many keys each row may attend to.
std::vector<Index> key_counts(const FilteredLayer& shown, const Mask& mask, int head) {
  std::vector<Index> counts(static_cast<std::size_t>(shown.n_q()));
  KeySpans scratch;
  for (Index row = 0; row < shown.n_q(); ++row)
    for (const KeySpan& span : mask.row(head, last_query(shown, row), scratch))
      counts[static_cast<std::size_t>(row)] += span.end - span.begin;
  return counts;
}

}  // namespace

LongExtent long_extent(const FilteredLayer& shown, int head) {
  const float* weights = shown.weights(head);
  if (weights == nullptr) return {};
  const std::uint8_t* states = shown.state(head);
  const Index n_k = shown.n_k();
  const Mask& mask = shown.block->mask_of(shown.layer);
  const std::vector<Index> counts =
      mask.any() ? key_counts(shown, mask, head) : std::vector<Index>(static_cast<std::size_t>(shown.n_q()));
  const Index most = counts.empty() ? 0 : *std::ranges::max_element(counts);
  LongExtent found;
  for (Index row = 0; row < shown.n_q(); ++row) {
    const Extent one = extent(weights + row * n_k, states == nullptr ? nullptr : states + row * n_k, n_k);
    found.all.extend(one);
    if (counts[static_cast<std::size_t>(row)] * few_keys >= most) found.of_colors.extend(one);
  }
  if (!found.of_colors.any()) found.of_colors = found.all;
  if (found.of_colors.any()) found.of_colors.low = std::min(found.of_colors.low, 0.0F);
  return found;
}

}  // namespace headscope
