#include "core/source/trace.h"

#include <algorithm>

namespace headscope {

Extent BlockTrace::extent(int layer, int head) const {
  if (const auto known = maps->known_extent(layer, head)) return *known;
  constexpr Index rows_at_once = 256;
  const std::uint8_t* blocked = mask.head(head);
  Extent all;
  for (Index row = 0; row < n_q(); row += rows_at_once) {
    const Index end = std::min(row + rows_at_once, n_q());
    all.extend(headscope::extent(MapRows(*maps, layer, head, row, end).row(row),
                                 blocked == nullptr ? nullptr : blocked + row * n_k(), (end - row) * n_k()));
  }
  return all;
}

std::shared_ptr<const BlockTrace> block_of(std::shared_ptr<const Trace> trace, BlockKind kind) {
  const auto found = std::ranges::find(trace->blocks, kind, [](const BlockTrace& b) { return b.shape.kind; });
  const BlockTrace& block = found == trace->blocks.end() ? trace->blocks.front() : *found;
  return {std::move(trace), &block};
}

}  // namespace headscope
