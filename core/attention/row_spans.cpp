#include "core/attention/row_spans.h"

#include <algorithm>
#include <cstring>

namespace headscope {

void merge_spans(KeySpans& spans) {
  std::erase_if(spans, [](const KeySpan& span) { return span.begin >= span.end; });
  if (!std::ranges::is_sorted(spans, {}, &KeySpan::begin)) std::ranges::sort(spans, {}, &KeySpan::begin);
  std::size_t kept = 0;
  for (const KeySpan span : spans) {
    if (kept > 0 && span.begin <= spans[kept - 1].end)
      spans[kept - 1].end = std::max(spans[kept - 1].end, span.end);
    else
      spans[kept++] = span;
  }
  spans.resize(kept);
}

void subtract_spans(std::span<const KeySpan> from, std::span<const KeySpan> what, KeySpans& result) {
  result.clear();
  auto cut = what.begin();
  for (KeySpan span : from) {
    while (cut != what.end() && cut->end <= span.begin) ++cut;
    for (auto c = cut; c != what.end() && c->begin < span.end; ++c) {
      if (c->begin > span.begin) result.push_back({span.begin, c->begin});
      span.begin = std::max(span.begin, c->end);
    }
    if (span.begin < span.end) result.push_back(span);
  }
}

bool contains(std::span<const KeySpan> spans, Index key) {
  const auto after =
      std::ranges::upper_bound(spans, key, {}, [](const KeySpan& span) { return Index{span.begin}; });
  return after != spans.begin() && key < (after - 1)->end;
}

void add_spans_of(std::span<const std::uint8_t> row, std::uint8_t value, KeySpans& spans) {
  const auto other = static_cast<std::uint8_t>(value ^ 1U);
  const std::uint8_t* const all = row.data();
  const auto next = [&](std::size_t from, std::uint8_t sought) {
    const void* found = from < row.size() ? std::memchr(all + from, sought, row.size() - from) : nullptr;
    return found == nullptr ? row.size()
                            : static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - all);
  };
  for (std::size_t begin = next(0, value); begin < row.size();) {
    const std::size_t end = next(begin, other);
    spans.push_back({static_cast<int>(begin), static_cast<int>(end)});
    begin = next(end, value);
  }
}

RowSpans RowSpans::of_bytes(std::span<const std::uint8_t> cells, Index n_k, std::uint8_t value) {
  RowSpans result(n_k);
  KeySpans row;
  const std::size_t keys = n_k;
  for (std::size_t at = 0; keys > 0 && at < cells.size(); at += keys) {
    row.clear();
    add_spans_of(cells.subspan(at, keys), value, row);
    result.add_row(row);
  }
  return result;
}

void RowSpans::add_row(std::span<const KeySpan> spans) {
  spans_.insert(spans_.end(), spans.begin(), spans.end());
  ends_.push_back(spans_.size());
  for (const KeySpan& span : spans) cells_ += span.end - span.begin;
}

}  // namespace headscope
