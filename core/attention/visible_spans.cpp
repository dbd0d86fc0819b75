#include "core/attention/visible_spans.h"

#include <algorithm>
#include <cmath>

#include "core/base/round_up.h"

namespace headscope {

std::vector<ColumnSpan> visible_spans(const Mask* mask, int head, Index begin, Index end, float fill,
                                      Index n_k, const Kernels& kernels) {
  const std::vector<ColumnSpan> all{{0, n_k}};
  if (mask == nullptr || !mask->any(head)) return all;
  const Index chunk = softmax_chunk(kernels);
  std::vector<std::uint8_t> seen(divide_up(n_k, chunk), 0);
  KeySpans scratch;
  for (Index query = begin; query < end; ++query) {
    const auto row = mask->row(head, query, scratch);
    if (row.empty() && !std::isinf(fill)) return all;
    for (const KeySpan& span : row)
      std::fill(seen.begin() + span.begin / chunk, seen.begin() + (span.end - 1) / chunk + 1,
                std::uint8_t{1});
  }
  std::vector<ColumnSpan> parts;
  KeySpans chunks;
  add_spans_of(seen, 1, chunks);
  for (const KeySpan& span : chunks) parts.push_back({span.begin * chunk, std::min(span.end * chunk, n_k)});
  return parts;
}

void clear_outside(const std::vector<ColumnSpan>& parts, Index n_k, float* row) {
  Index done = 0;
  for (const ColumnSpan& part : parts) {
    std::fill(row + done, row + part.begin, 0.0F);
    done = part.end;
  }
  std::fill(row + done, row + n_k, 0.0F);
}

}  // namespace headscope
