#include "core/source/trace.h"

#include <algorithm>

namespace headscope {

bool BlockTrace::score_rows(int layer, int head, Index begin, Index end, float* out) const {
  if (maps->score_rows(layer, head, begin, end, out)) return true;
  if (!computed_layers) return false;
  for (Index query = begin; query < end; ++query, out += n_k())
    if (!computed_layers->score_row(layer, head, query, out)) return false;
  return true;
}

Tensor BlockTrace::values(int layer, int head) const {
  const Index kv_head = shape.is_softmax(layer) ? kv_head_of(layer, head) : head;
  if (computed_layers) return computed_layers->values(layer, kv_head);
  return layers[layer].v.part(kv_head);
}

const std::uint8_t* BlockTrace::weightless(int layer, int head) const {
  const Mask& blocked = mask_of(layer);
  return fills_with_infinity() ? blocked.head(head) : blocked.outside_empty_rows(head);
}

const std::uint8_t* BlockTrace::weightless_row(int layer, int head, Index query,
                                               std::vector<std::uint8_t>& scratch) const {
  const Mask& blocked = mask_of(layer);
  if (!fills_with_infinity() && std::ranges::binary_search(blocked.empty_queries(head), query))
    return nullptr;
  return blocked.blocked_row(head, query, scratch);
}

bool BlockTrace::weightless(int layer, int head, Index query, Index key) const {
  const Mask& blocked = mask_of(layer);
  if (!blocked.blocked(head, query, key)) return false;
  return fills_with_infinity() || !std::ranges::binary_search(blocked.empty_queries(head), query);
}

Extent BlockTrace::extent(int layer, int head) const {
  if (const auto known = shown_maps().known_extent(layer, head)) return *known;
  std::vector<std::uint8_t> scratch;
  Extent all;
  for_each_row(shown_maps(), layer, head, [&](Index query, const float* row) {
    all.extend(headscope::extent(row, weightless_row(layer, head, query, scratch), n_k()));
  });
  return all;
}

std::optional<Error> error_of(const Trace& trace) {
  for (const BlockTrace& block : trace.blocks)
    if (auto error = block.maps ? block.maps->error() : std::nullopt) return error;
  return trace.predictions ? trace.predictions->error() : std::nullopt;
}

std::shared_ptr<const BlockTrace> block_of(std::shared_ptr<const Trace> trace, BlockKind kind) {
  const auto found = std::ranges::find(trace->blocks, kind, [](const BlockTrace& b) { return b.shape.kind; });
  const BlockTrace& block = found == trace->blocks.end() ? trace->blocks.front() : *found;
  return {std::move(trace), &block};
}

}  // namespace headscope
