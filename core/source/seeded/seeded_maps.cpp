#include "core/source/seeded/seeded_maps.h"

#include <algorithm>

namespace headscope {
namespace {

// Index of a head's map among the kept ones, or -1.
Index kept_place(const SeededMaps::Layer& layer, int head) {
  const auto found = std::ranges::lower_bound(layer.kept_heads, head);
  return found != layer.kept_heads.end() && *found == head ? found - layer.kept_heads.begin() : -1;
}

}  // namespace

DropoutDraws::DropoutDraws(TorchRandom& random, double probability, Index heads, Index n_q, Index n_k,
                           float* out)
    : kept_(1 - probability), n_q_(n_q), n_k_(n_k) {
  // A state has 2.5 kB.
  constexpr Index draws_apart = Index{1} << 16, max_states = 16384;
  const Index all = heads * n_q;
  stride_ =
      std::max({Index{1}, draws_apart / std::max<Index>(1, n_k), out == nullptr ? all / max_states : 1});
  for (Index row = 0; row < all; row += stride_) {
    const Index rows = std::min(stride_, all - row);
    states_.push_back(random);
    if (out == nullptr)
      random.skip_bernoulli(rows * n_k_);
    else
      out = draw(random, rows, out);
  }
}

float* DropoutDraws::draw(TorchRandom& random, Index rows, float* out) const {
  random.bernoulli(out, rows * n_k_, kept_, kept_ > 0 ? static_cast<float>(1 / kept_) : 0.0F);
  return out + rows * n_k_;
}

void DropoutDraws::rows(Index head, Index begin, Index end, float* out) const {
  const Index first = head * n_q_ + begin;
  TorchRandom random = states_[first / stride_];
  random.skip_bernoulli(first % stride_ * n_k_);
  draw(random, end - begin, out);
}

bool SeededMaps::dropout_rows(int layer, int head, Index begin, Index end, float* out) const {
  const auto& dropout = at(layer).rule.dropout;
  if (dropout) dropout(head, begin, end, out);
  return static_cast<bool>(dropout);
}

Tensor SeededMaps::resident(int layer, int head) const {
  const Index place = kept_place(at(layer), head);
  return place < 0 ? Tensor() : at(layer).weights.part(place);
}

std::optional<Extent> SeededMaps::known_extent(int layer, int head) const {
  const Index place = kept_place(at(layer), head);
  if (place < 0) return {};
  return at(layer).extents[place];
}

}  // namespace headscope
