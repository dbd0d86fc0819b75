#include "core/source/trace.h"

#include <algorithm>

namespace headscope {

const std::uint8_t* BlockTrace::weightless(int layer, int head) const {
  const Mask& blocked = mask_of(layer);
  return fills_with_infinity() ? blocked.head(head) : blocked.outside_empty_rows(head);
}

bool BlockTrace::weightless(int layer, int head, Index query, Index key) const {
  const std::uint8_t* cells = weightless(layer, head);
  return cells != nullptr && cells[query * n_k() + key] != 0;
}

Extent BlockTrace::extent(int layer, int head) const {
  if (const auto known = maps->known_extent(layer, head)) return *known;
  const std::uint8_t* blocked = weightless(layer, head);
  Extent all;
  for_each_row(*maps, layer, head, [&](Index query, const float* row) {
    all.extend(headscope::extent(row, blocked == nullptr ? nullptr : blocked + query * n_k(), n_k()));
  });
  return all;
}

std::optional<Error> trouble_of(const Trace& trace) {
  for (const BlockTrace& block : trace.blocks)
    if (auto trouble = block.maps ? block.maps->trouble() : std::nullopt) return trouble;
  return trace.predictions ? trace.predictions->trouble() : std::nullopt;
}

std::shared_ptr<const BlockTrace> block_of(std::shared_ptr<const Trace> trace, BlockKind kind) {
  const auto found = std::ranges::find(trace->blocks, kind, [](const BlockTrace& b) { return b.shape.kind; });
  const BlockTrace& block = found == trace->blocks.end() ? trace->blocks.front() : *found;
  return {std::move(trace), &block};
}

}  // namespace headscope
