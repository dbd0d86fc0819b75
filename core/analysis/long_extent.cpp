#include "core/analysis/long_extent.h"

#include <algorithm>
#include <bit>

namespace headscope {
namespace {

constexpr Index few_keys = 4;      // a query has few keys if another has more than 4 times as many
constexpr Index few_cells = 4096;  // one cell in this many may be left out
constexpr int first_bits = 16;     // sign, exponent and the largest seven of the fraction

/// The last token of a pooled row, in the block's units: the one that can see most under a causal mask.
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

std::vector<bool> rows_of_colors(const FilteredLayer& shown, int head) {
  const auto rows = static_cast<std::size_t>(shown.n_q());
  const Mask& mask = shown.block->mask_of(shown.layer);
  if (!mask.any()) return std::vector<bool>(rows, true);
  const std::vector<Index> counts = key_counts(shown, mask, head);
  const Index maximum = counts.empty() ? 0 : *std::ranges::max_element(counts);
  std::vector<bool> counted(rows);
  for (std::size_t row = 0; row < rows; ++row) counted[row] = counts[row] * few_keys >= maximum;
  return counted;
}

void CellSizes::add(const float* numbers, const std::uint8_t* states, Index n) {
  for (Index i = 0; i < n; ++i) {
    if (states != nullptr && states[i] != cell_shown) continue;
    ++cells_;
    if (numbers[i] > 0) ++counts_[std::bit_cast<std::uint32_t>(numbers[i]) >> first_bits];
  }
}

float CellSizes::end_of_colors(float largest) const {
  Index left = cells_ / few_cells;
  for (std::size_t i = counts_.size(); i-- > 0;) {
    if ((left -= counts_[i]) >= 0) continue;
    const float others = std::bit_cast<float>(static_cast<std::uint32_t>(i + 1) << first_bits);
    return largest > 2 * others ? others : largest;
  }
  return largest;
}

LongExtent long_extent(const FilteredLayer& shown, int head) {
  const float* weights = shown.weights(head);
  if (weights == nullptr) return {};
  const std::uint8_t* states = shown.state(head);
  const Index n_k = shown.n_k();
  const std::vector<bool> counted = rows_of_colors(shown, head);
  LongExtent found;
  found.from_zero = true;
  CellSizes sizes;
  for (Index row = 0; row < shown.n_q(); ++row) {
    const Extent one = extent(weights + row * n_k, states == nullptr ? nullptr : states + row * n_k, n_k);
    found.all.extend(one);
    if (!counted[static_cast<std::size_t>(row)]) continue;
    found.of_colors.extend(one);
    sizes.add(weights + row * n_k, states == nullptr ? nullptr : states + row * n_k, n_k);
  }
  if (!found.of_colors.any()) found.of_colors = found.all;
  if (found.of_colors.any()) found.of_colors.high = sizes.end_of_colors(found.of_colors.high);
  return found;
}

}  // namespace headscope
