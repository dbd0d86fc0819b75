#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/tensor.h"

namespace headscope {

/// Keys [begin, end).
struct KeySpan {
  int begin = 0, end = 0;
  bool operator==(const KeySpan&) const = default;
};
using KeySpans = std::vector<KeySpan>;

/// Sorts spans, merges adjacent or overlapping ones and removes empty ones.
void merge_spans(KeySpans& spans);
/// Writes `from` minus `what`, both ascending without overlap, to `result`, which must not alias them.
void subtract_spans(std::span<const KeySpan> from, std::span<const KeySpan> what, KeySpans& result);
/// Whether a key is in spans that are ascending without overlap.
bool contains(std::span<const KeySpan> spans, Index key);

/// Keys of each query, [n_q, n_k] cells as spans: ascending, neither adjacent nor overlapping. A mask's
/// visible cells in memory proportional to its edges, not its area.
class RowSpans {
 public:
  explicit RowSpans(Index n_k) : n_k_(n_k) {}
  /// From the cells [n_q, n_k] equal to `value`.
  static RowSpans of_bytes(std::span<const std::uint8_t> cells, Index n_k, std::uint8_t value);

  /// Appends the next query's spans, merged.
  void add_row(std::span<const KeySpan> spans);

  std::span<const KeySpan> row(Index query) const {
    const std::size_t at = query;
    return std::span(spans_).subspan(ends_[at], ends_[at + 1] - ends_[at]);
  }
  Index n_q() const { return std::ssize(ends_) - 1; }
  Index n_k() const { return n_k_; }
  std::int64_t cells() const { return cells_; }
  Index spans() const { return std::ssize(spans_); }
  bool operator==(const RowSpans& other) const { return ends_ == other.ends_ && spans_ == other.spans_; }

 private:
  Index n_k_;
  std::int64_t cells_ = 0;
  std::vector<std::size_t> ends_{0};  // [n_q + 1] into spans_
  KeySpans spans_;
};

/// Appends spans of the cells of a row equal to `value` to `spans`.
void add_spans_of(std::span<const std::uint8_t> row, std::uint8_t value, KeySpans& spans);

}  // namespace headscope
