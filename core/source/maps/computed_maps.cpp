#include "core/source/maps/computed_maps.h"

#include <algorithm>

#include "core/attention/streamed_rows.h"
#include "core/base/flush_denormals.h"
#include "core/base/stopped.h"

namespace headscope {

void ComputedMaps::rows(int layer, int head, Index begin, Index end, float* out) const {
  if (const Tensor kept = resident(layer, head); !kept.empty()) {
    std::copy_n(kept.at(begin), (end - begin) * size().n_k, out);
    return;
  }
  const FlushDenormals flush;
  qkv(layer)->rows(head, begin, end, out, nullptr, kernels_, memory_);
}

bool ComputedMaps::score_rows(int layer, int head, Index begin, Index end, float* out) const {
  const FlushDenormals flush;
  qkv(layer)->rows(head, begin, end, nullptr, out, kernels_, memory_);
  return true;
}

bool ComputedMaps::no_token(int layer, int head, Index begin, Index end, float* out) const {
  const FlushDenormals flush;
  const auto known = qkv(layer);
  if (known->rule.sinks.empty()) return false;
  Tensor weights = memory_.take({end - begin, size().n_k});
  known->rows(head, begin, end, weights.data(), nullptr, kernels_, memory_, out);
  return true;
}

bool ComputedMaps::row_numbers(int layer, int head, const RowQuestion& question,
                               std::span<RowNumbers> rows) const {
  if (!resident(layer, head).empty()) return false;
  const FlushDenormals flush;
  const auto known = qkv(layer);
  stream_rows(HeadRows(known->q), HeadRows(known->k), known->rule, head, question,
              {kernels_, threads_, memory_}, rows);
  return true;
}

Tensor ComputedMaps::pooled(int layer, int head, const Pools& pools) const {
  if (!resident(layer, head).empty()) return MapSource::pooled(layer, head, pools);
  constexpr std::size_t max_heads = 32;
  const FlushDenormals flush;
  const auto known = qkv(layer);
  const std::pair of(layer, head);
  StreamedRequest request{pools};
  const auto sums = sums_.find(of);
  request.known = sums.get();
  StreamedMap map = stream_map(HeadRows(known->q), HeadRows(known->k), known->rule, head, request,
                               {kernels_, threads_, memory_});
  if (pools.cells != nullptr) *pools.cells += map.cells;
  Tensor overview = std::move(map.overview);
  const bool whole =
      pools.every == 1 && pools.query_begin == 0 && (pools.query_end == 0 || pools.query_end == size().n_q);
  if (!sums && whole && !stop_requested(pools.stop))
    sums_.keep(of, std::make_shared<const StreamedMap>(std::move(map)), max_heads);
  return overview;
}

}  // namespace headscope
