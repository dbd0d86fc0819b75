#pragma once
#include <algorithm>
#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "core/attention/row_numbers.h"
#include "core/base/error.h"
#include "core/base/extent.h"
#include "core/base/tensor.h"

namespace headscope {

/// The attention maps of one block of a trace: of every head of every layer, n_q rows (queries) by n_k
/// columns (keys). The only way that views, statistics, comparison and figures read attention, wherever it
/// lies: in memory, to be computed, in a file. Numbers do not depend on how they are asked for. Any thread
/// may ask.
class MapSource {
 public:
  struct Size {
    int layers = 0, heads = 0;
    Index n_q = 0, n_k = 0;
    bool operator==(const Size&) const = default;
  };

  static constexpr Index rows_at_once = 256;  ///< for who goes through a whole map

  explicit MapSource(const Size& size) : size_(size) {}
  virtual ~MapSource() = default;
  MapSource(const MapSource&) = delete;
  MapSource& operator=(const MapSource&) = delete;

  const Size& size() const { return size_; }

  /// The weights of rows [begin, end) to `out` [end - begin, n_k]. `out` may be anywhere.
  virtual void rows(int layer, int head, Index begin, Index end, float* out) const = 0;
  /// Likewise the scores, scaled, before the mask. False where the source knows none.
  virtual bool score_rows(int layer, int head, Index begin, Index end, float* out) const;
  /// Likewise the factors of dropout on the weights, 0 or 1 / (1 - p). False where there is none.
  virtual bool dropout_rows(int layer, int head, Index begin, Index end, float* out) const;
  /// The map of a head [n_q, n_k] where it lies in memory, else an empty tensor.
  virtual Tensor resident(int layer, int head) const;
  /// The extent of the weights that the block's mask shows, where that is known without reading them.
  virtual std::optional<Extent> known_extent(int layer, int head) const;

  /// How a map of any size is read in groups of its cells, the last ones of as many as there are.
  struct Groups {
    Index queries = 1, keys = 1;  ///< of a group
    /// The part of the map that is read, each up to `end`, which 0 leaves at the last.
    Index query_begin = 0, query_end = 0, key_begin = 0, key_end = 0;
    Index every = 1;         ///< 2: every other query is read, and so on: a sample, one or more of each group
    bool mean = false;       ///< what a group counts as: its mean, or the largest of its weights
    std::stop_token stop{};  ///< asked to: the result is not complete
    std::function<void(Index done, Index all)> progress{};  ///< in queries, told by one thread at a time
    std::atomic<Index>* cells = nullptr;                    ///< grows by the scores that were computed
  };
  /// A map, or a part of it, in groups, [groups of queries, groups of keys], in one pass and without memory
  /// for it.
  virtual Tensor in_groups(int layer, int head, const Groups& groups) const;

  /// What the rows of a head [n_q] have to say, in one pass and without memory for them; others are left as
  /// not read. False where the source knows no better way than by its weights.
  virtual bool row_numbers(int layer, int head, const RowQuestion& question,
                           std::span<RowNumbers> rows) const;

  /// Whether the weights were computed elsewhere: what they should follow from need not give them.
  virtual bool given() const { return false; }

  /// What must be said wherever the numbers are shown, as far as they have been read: rows that do not sum to
  /// 1.
  virtual std::optional<Error> doubt() const { return {}; }
  /// What of the numbers that were read could not be, or is no weight or score: there is 0 in its place, and
  /// whoever shows them must not do so without telling.
  virtual std::optional<Error> trouble() const { return {}; }

  /// The whole maps [n_q, n_k] of some heads; computed, over the processors, where they do not lie in memory.
  /// Throws Stopped.
  std::vector<Tensor> maps(int layer, std::span<const int> heads, const std::stop_token& stop = {}) const;
  float weight(int layer, int head, Index query, Index key) const;
  /// The weights of one row [n_k]; those of the last few that were computed are kept, for whoever looks at a
  /// cell asks for its row again and again.
  Tensor row(int layer, int head, Index query) const;
  /// Nothing where the source knows none.
  std::optional<float> score(int layer, int head, Index query, Index key) const;

 protected:
  /// Memory for a map [n_q, n_k].
  virtual Tensor take() const { return Tensor({size_.n_q, size_.n_k}); }

 private:
  struct KeptRow {
    bool scores = false;
    int layer = 0, head = 0;
    Index query = 0;
    bool operator==(const KeptRow&) const = default;
  };
  /// Computed by `compute`, which says whether there is such a row, unless it is kept.
  template <typename Compute>
  Tensor kept_row(const KeptRow& which, const Compute& compute) const;

  Size size_;
  mutable std::mutex kept_mutex_;
  mutable std::deque<std::pair<KeptRow, Tensor>> kept_rows_;  // the last ones first
};

/// Rows of one head from begin to end, in memory while it lives: where they lie, or copied.
class MapRows {
 public:
  MapRows(const MapSource& maps, int layer, int head, Index begin, Index end);
  const float* row(Index query) const { return first_ + (query - begin_) * columns_; }

 private:
  Tensor memory_;
  const float* first_ = nullptr;
  Index begin_ = 0, columns_ = 0;
};

/// Calls use(query, row) for the rows [n_k] from first to last of a head's map, which need not lie in memory.
template <typename Use>
void for_rows(const MapSource& maps, int layer, int head, Index first, Index last, const Use& use) {
  for (Index begin = first; begin < last; begin += MapSource::rows_at_once) {
    const Index end = std::min(begin + MapSource::rows_at_once, last);
    const MapRows rows(maps, layer, head, begin, end);
    for (Index query = begin; query < end; ++query) use(query, rows.row(query));
  }
}

/// The same for each row.
template <typename Use>
void for_each_row(const MapSource& maps, int layer, int head, const Use& use) {
  for_rows(maps, layer, head, 0, maps.size().n_q, use);
}

}  // namespace headscope
