#include "core/source/maps/computed_maps.h"

#include <algorithm>
#include <utility>

#include "core/attention/streamed_rows.h"
#include "core/attention/visible_spans.h"
#include "core/base/round_up.h"
#include "core/source/maps/streamed_groups.h"

namespace headscope {
namespace {

// Rows of scores computed at once: as many as the kernels process before they read the keys again.
constexpr Index rows_of_scores = 56;

// Index of a head's map among the kept ones, or -1.
Index kept_place(const ComputedMaps::Layer& layer, int head) {
  const auto found = std::ranges::lower_bound(layer.kept_heads, head);
  return found != layer.kept_heads.end() && *found == head ? found - layer.kept_heads.begin() : -1;
}

}  // namespace

DropoutDraws::DropoutDraws(TorchRandom& random, double probability, Index heads, Index n_q, Index n_k,
                           float* out)
    : kept_(1 - probability), n_q_(n_q), n_k_(n_k) {
  const Index all = share_out(heads, heads * n_q);
  for (Index row = 0; row < all; row += stride_) {
    states_.push_back(random);
    out = draw(random, std::min(stride_, all - row), out);
  }
}

DropoutDraws::DropoutDraws(TorchRandom& random, double probability, Index heads, Index n_q, Index n_k)
    : kept_(1 - probability), n_q_(n_q), n_k_(n_k) {
  constexpr Index max_states = 16384;
  const Index all = share_out(heads, max_states);
  for (Index row = 0; row < all; row += stride_) {
    states_.push_back(random);
    random.skip_bernoulli(std::min(stride_, all - row) * n_k_);
  }
}

// Sets the number of rows, and after how many of them a state of 2.5 kB is kept.
Index DropoutDraws::share_out(Index heads, Index max_states) {
  constexpr Index draws_apart = Index{1} << 16;
  const Index all = heads * n_q_;
  stride_ =
      std::max({Index{1}, draws_apart / std::max<Index>(1, n_k_), all / std::max<Index>(1, max_states)});
  return all;
}

float* DropoutDraws::draw(TorchRandom& random, Index rows, float* out) const {
  random.bernoulli(out, rows * n_k_, kept_, kept_ > 0 ? static_cast<float>(1 / kept_) : 0.0F);
  return out + rows * n_k_;
}

void DropoutDraws::rows(Index head, Index begin, Index end, float* out) const {
  const Index first = head * n_q_ + begin;
  TorchRandom random = states_[static_cast<std::size_t>(first / stride_)];
  random.skip_bernoulli(first % stride_ * n_k_);
  draw(random, end - begin, out);
}

ComputedMaps::ComputedMaps(const Size& size, std::vector<Layer> layers, std::vector<Mask> masks,
                           const Softmax& softmax, const ComputeContext& context)
    : MapSource(size),
      layers_(std::move(layers)),
      masks_(std::move(masks)),
      softmax_(softmax),
      kernels_(context.kernels),
      threads_(context.threads),
      memory_(context.memory) {}

template <typename Use>
void ComputedMaps::for_scores(int layer, int head, Index begin, Index end, bool seen_alone,
                              const Use& use) const {
  const Tensor &q = at(layer).q, &k = at(layer).k;
  const Index n_k = size().n_k, d_k = q.dim(2), kv = head * k.dim(0) / q.dim(0);
  const Index panel = kernels_.panel, padded = round_up(n_k, panel);
  const auto parts_of = [&](Index first, Index last) {
    return visible_spans(seen_alone ? &mask_of(layer) : nullptr, head, first, last, softmax_.fill, n_k,
                         kernels_);
  };
  const auto pack = [&](Index first, Index last, float* packed) {
    const Index from = first * panel, to = std::min(last * panel, n_k);
    kernels_.pack_rows(k.at(kv) + from * d_k, d_k, to - from, d_k, packed);
  };
  Tensor scores = memory_.take({std::min(rows_of_scores, end - begin), padded});
  if (end - begin <= rows_of_scores) {
    // Keys are read once: pack only a few panels at a time, which stay in the cache.
    constexpr Index panels_at_once = 16;
    Tensor keys = memory_.take({packed_size(kernels_, panels_at_once * panel, d_k)});
    const std::vector<ColumnSpan> parts = parts_of(begin, end);
    for_panels(parts, kernels_, [&](Index first, Index last) {
      for (Index from = first; from < last; from += panels_at_once) {
        const Index to = std::min(from + panels_at_once, last);
        pack(from, to, keys.data());
        kernels_.multiply(q.at(head) + begin * d_k, d_k, keys.data(), nullptr, softmax_.scale,
                          scores.data() + from * panel, padded, end - begin, d_k, to - from);
      }
    });
    for (Index r = 0; r < end - begin; ++r) use(begin + r, scores.at(r), parts);
    return;
  }
  Tensor keys = memory_.take({packed_size(kernels_, n_k, d_k)});
  for_panels(parts_of(begin, end), kernels_,
             [&](Index first, Index last) { pack(first, last, keys.data() + first * panel * d_k); });
  for (Index first = begin; first < end; first += rows_of_scores) {
    const Index rows = std::min(rows_of_scores, end - first);
    const std::vector<ColumnSpan> parts = parts_of(first, first + rows);
    for_panels(parts, kernels_, [&](Index from, Index to) {
      kernels_.multiply(q.at(head) + first * d_k, d_k, keys.data() + from * panel * d_k, nullptr,
                        softmax_.scale, scores.data() + from * panel, padded, rows, d_k, to - from);
    });
    for (Index r = 0; r < rows; ++r) use(first + r, scores.at(r), parts);
  }
}

void ComputedMaps::rows(int layer, int head, Index begin, Index end, float* out) const {
  const Index n_k = size().n_k;
  if (const Tensor kept = resident(layer, head); !kept.empty()) {
    std::copy_n(kept.at(begin), (end - begin) * n_k, out);
    return;
  }
  std::vector<std::uint8_t> scratch;
  for_scores(layer, head, begin, end, true, [&](Index query, float* row, const auto& parts) {
    const std::uint8_t* blocked = mask_of(layer).blocked_row(head, query, scratch);
    float* const weights = out + (query - begin) * n_k;
    float share = 0;
    const bool done = !are_all(parts, n_k) &&
                      kernels_.softmax_parts(row, blocked, softmax_.fill, softmax_.inverse_temperature, n_k,
                                             parts.data(), std::ssize(parts), weights, &share);
    if (!done)
      kernels_.softmax(row, blocked, softmax_.fill, softmax_.inverse_temperature, n_k, nullptr, weights,
                       false);
  });
  if (!at(layer).dropout) return;
  Tensor factors = memory_.take({end - begin, n_k});
  at(layer).dropout->rows(head, begin, end, factors.data());
  std::transform(out, out + factors.size(), factors.data(), out, std::multiplies<>());
}

bool ComputedMaps::score_rows(int layer, int head, Index begin, Index end, float* out) const {
  const Index n_k = size().n_k;
  for_scores(layer, head, begin, end, false, [&](Index query, const float* row, const auto&) {
    std::copy_n(row, n_k, out + (query - begin) * n_k);
  });
  return true;
}

bool ComputedMaps::dropout_rows(int layer, int head, Index begin, Index end, float* out) const {
  if (!at(layer).dropout) return false;
  at(layer).dropout->rows(head, begin, end, out);
  return true;
}

AttentionRule ComputedMaps::rule(int layer) const {
  AttentionRule rule;
  rule.scale = softmax_.scale;
  rule.inverse_temperature = softmax_.inverse_temperature;
  rule.fill = softmax_.fill;
  rule.mask = std::shared_ptr<const Mask>(std::shared_ptr<void>(), &mask_of(layer));
  return rule;
}

bool ComputedMaps::row_numbers(int layer, int head, const RowQuestion& question,
                               std::span<RowNumbers> rows) const {
  if (!resident(layer, head).empty()) return false;
  std::function<void(Index, Index, float*)> dropout;
  if (at(layer).dropout)
    dropout = [&](Index begin, Index end, float* factors) {
      at(layer).dropout->rows(head, begin, end, factors);
    };
  stream_rows(HeadRows(at(layer).q), HeadRows(at(layer).k), rule(layer), head, question, dropout,
              {kernels_, threads_, memory_}, rows);
  return true;
}

Tensor ComputedMaps::pooled(int layer, int head, const Groups& groups) const {
  if (!resident(layer, head).empty()) return MapSource::pooled(layer, head, groups);
  const HeadRows q(at(layer).q), k(at(layer).k);
  const AttentionRule own = rule(layer);
  StreamedGroups::Head which{layer, head, q, k, own};
  if (at(layer).dropout)
    which.dropout = [&](Index begin, Index end, float* factors) {
      at(layer).dropout->rows(head, begin, end, factors);
    };
  return groups_.read(which, groups, {kernels_, threads_, memory_});
}

Tensor ComputedMaps::resident(int layer, int head) const {
  const Index place = kept_place(at(layer), head);
  return place < 0 ? Tensor() : at(layer).weights.part(place);
}

std::optional<Extent> ComputedMaps::known_extent(int layer, int head) const {
  const Index place = kept_place(at(layer), head);
  if (place < 0) return {};
  return at(layer).extents[static_cast<std::size_t>(place)];
}

Tensor ComputedMaps::take() const {
  return memory_.take({size().n_q, size().n_k});
}

}  // namespace headscope
