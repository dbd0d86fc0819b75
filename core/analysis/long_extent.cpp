#include "core/analysis/long_extent.h"

#include <algorithm>
#include <bit>

namespace headscope {
namespace {

constexpr Index few_keys = 4;      // of as many that another query has, one
constexpr Index few_cells = 4096;  // likewise

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

/// How often weights of about the same size occur, told apart by the first bits of their floats.
class WeightSizes {
 public:
  void add(const float* weights, const std::uint8_t* states, Index n) {
    for (Index i = 0; i < n; ++i) {
      if (states != nullptr && states[i] != cell_shown) continue;
      ++cells_;
      if (weights[i] > 0) ++counts_[place(weights[i])];
    }
  }
  /// About the largest weight but those of one cell in few_cells.
  float but_a_few() const {
    Index left = cells_ / few_cells;
    for (std::size_t i = counts_.size(); i-- > 0;)
      if ((left -= counts_[i]) < 0) return std::bit_cast<float>(static_cast<std::uint32_t>(i + 1) << shift);
    return 0;
  }

 private:
  static constexpr int shift = 16;
  static std::size_t place(float weight) { return std::bit_cast<std::uint32_t>(weight) >> shift; }

  std::vector<Index> counts_ = std::vector<Index>(std::size_t{1} << (31 - shift));
  Index cells_ = 0;
};

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
  found.from_zero = true;
  WeightSizes sizes;
  for (Index row = 0; row < shown.n_q(); ++row) {
    const Extent one = extent(weights + row * n_k, states == nullptr ? nullptr : states + row * n_k, n_k);
    found.all.extend(one);
    if (counts[static_cast<std::size_t>(row)] * few_keys < most) continue;
    found.of_colors.extend(one);
    sizes.add(weights + row * n_k, states == nullptr ? nullptr : states + row * n_k, n_k);
  }
  if (!found.of_colors.any()) found.of_colors = found.all;
  if (const float others = sizes.but_a_few(); others > 0 && found.of_colors.high > 2 * others)
    found.of_colors.high = others;
  return found;
}

}  // namespace headscope
