#include "core/scene/thumbnails.h"

#include <algorithm>
#include <cmath>

#include "core/base/parallel.h"
#include "core/scene/range.h"

namespace headscope {
namespace {

// The first cell of an axis of n that belongs to position i of `small` ones.
Index first_cell(Index i, Index n, Index small) {
  return i * n / small;
}

// The largest shown weight of the cells that one small cell represents; their common state if none is shown.
void pool_cell(const FilteredLayer& shown, int head, Index q0, Index q1, Index k0, Index k1, float& weight,
               std::uint8_t& state) {
  const float* weights = shown.weights(head);
  const std::uint8_t* states = shown.state(head);
  weight = 0;
  if (weights == nullptr) return void(state = cell_shown);  // of a head that the layer lacks
  state = states ? states[q0 * shown.n_k() + k0] : std::uint8_t{cell_shown};
  for (Index q = q0; q < q1; ++q) {
    for (Index k = k0; k < k1; ++k) {
      const Index at = q * shown.n_k() + k;
      if (states && states[at] != cell_shown) continue;
      state = cell_shown;
      if (std::abs(weights[at]) > std::abs(weight)) weight = weights[at];
    }
  }
}

Thumbnails::Layer make_small(const FilteredLayer& shown, Index size) {
  Thumbnails::Layer small;
  if (shown.cells() == 0) return small;
  const Index heads = shown.heads(), n_q = shown.n_q(), n_k = shown.n_k();
  small.n_q = std::min(n_q, size);
  small.n_k = std::min(n_k, size);
  small.weights = Tensor({heads, small.n_q, small.n_k});
  const Index cells = small.n_q * small.n_k;
  const bool any_state = shown.state(0) != nullptr || shown.states.size() > 1;
  if (any_state) small.states.resize(heads);
  parallel_for(heads, heads * n_q * n_k, [&](Index h) {
    std::vector<std::uint8_t> states(cells);
    float* weights = small.weights.at(h);
    for (Index i = 0; i < cells; ++i) {
      const Index q = i / small.n_k, k = i % small.n_k;
      pool_cell(shown, static_cast<int>(h), first_cell(q, n_q, small.n_q), first_cell(q + 1, n_q, small.n_q),
                first_cell(k, n_k, small.n_k), first_cell(k + 1, n_k, small.n_k), weights[i], states[i]);
    }
    if (any_state) small.states[h] = std::move(states);
  });
  return small;
}

const HeldRange* held_of(const BlockTrace& block, int layer, int head, const RangeChoice& range) {
  const HeldMap map = block.cells.rollout == Rollout::off ? HeldMap::a : HeldMap::rollout;
  return range.find_held(map, block.shape.kind, layer, head);
}

Thumbnails::Layer small_layer(const std::shared_ptr<const BlockTrace>& block, int layer, const Filter& filter,
                              const RangeChoice& range, Index size, const std::stop_token& stop) {
  const auto shown = filter_layer(block, layer, filter, stop);
  Thumbnails::Layer small = make_small(*shown, size);
  if (range.kind != Range::row || shown->cells() == 0) {
    small.ranges = color_ranges(*shown, range);
    return small;
  }
  for (int head = 0; head < shown->heads(); ++head)
    small.ranges.push_back(
        row_range(small.weights.at(head), small.state(head), small.n_q, small.n_k, block->is_signed(layer),
                  kept_rows(held_of(*block, layer, head, range), shown->queries, small.n_q)));
  return small;
}

// The heads of both, which have the same cells.
Thumbnails::Layer joined(const Thumbnails::Layer& a, const Thumbnails::Layer& b) {
  Thumbnails::Layer both;
  both.n_q = a.n_q;
  both.n_k = a.n_k;
  both.weights = Tensor({a.weights.dim(0) + b.weights.dim(0), a.n_q, a.n_k});
  std::copy_n(a.weights.data(), a.weights.size(), both.weights.data());
  std::copy_n(b.weights.data(), b.weights.size(), both.weights.data() + a.weights.size());
  const std::vector<std::uint8_t> shown(a.n_q * a.n_k, cell_shown);
  for (const Thumbnails::Layer* one : {&a, &b}) {
    for (int head = 0; head < one->weights.dim(0); ++head) {
      const std::uint8_t* const state = one->state(head);
      both.states.emplace_back(state ? std::vector(state, state + shown.size()) : shown);
    }
    both.ranges.insert(both.ranges.end(), one->ranges.begin(), one->ranges.end());
  }
  if (a.states.empty() && b.states.empty()) both.states.clear();
  return both;
}

void share_range(Thumbnails& thumbnails) {
  ColorRange all;
  bool first = true;
  for (const auto& layer : thumbnails.layers) {
    for (const ColorRange& range : layer.ranges) {
      all.logarithm = range.logarithm;
      all.low = first ? range.low : std::min(all.low, range.low);
      all.high = first ? range.high : std::max(all.high, range.high);
      all.below |= range.below;
      all.above |= range.above;
      first = false;
    }
  }
  for (auto& layer : thumbnails.layers)
    for (ColorRange& range : layer.ranges) {
      all.cells_beyond = range.cells_beyond;
      range = all;
    }
}

}  // namespace

const std::uint8_t* Thumbnails::Layer::state(int head) const {
  if (states.empty()) return nullptr;
  return states[std::min(static_cast<std::size_t>(head), states.size() - 1)].data();
}

int Thumbnails::heads() const {
  std::size_t most = 0;
  for (const Layer& layer : layers) most = std::max(most, layer.ranges.size());
  return static_cast<int>(most);
}

std::vector<ColorRange> all_ranges(const Thumbnails& thumbnails) {
  std::vector<ColorRange> all;
  for (const Thumbnails::Layer& layer : thumbnails.layers)
    all.insert(all.end(), layer.ranges.begin(), layer.ranges.end());
  return all;
}

std::optional<ColorRange> shared_range(const std::vector<ColorRange>& ranges) {
  if (ranges.empty()) return std::nullopt;
  ColorRange shared = ranges.front();
  for (const ColorRange& range : ranges) {
    if (range.low != shared.low || range.high != shared.high) return std::nullopt;
    shared.below |= range.below;
    shared.above |= range.above;
  }
  return shared;
}

std::shared_ptr<const Thumbnails> make_thumbnails(const std::shared_ptr<const BlockTrace>& block,
                                                  const Filter& filter, const RangeChoice& range, Index size,
                                                  std::stop_token stop) {
  auto thumbnails = std::make_shared<Thumbnails>();
  for (int l = 0; l < block->layer_count(); ++l) {
    Thumbnails::Layer layer = small_layer(block, l, filter, range, size, stop);
    if (block->rolled && layer.n_q > 0)
      layer = joined(small_layer(block->rolled, l, filter, range, size, stop), layer);
    thumbnails->layers.push_back(std::move(layer));
  }
  // Maps of one sign and maps of two have colours of their own.
  if (!is_per_head(range.kind) && block->shape.mixers.empty()) share_range(*thumbnails);
  return thumbnails;
}

}  // namespace headscope
