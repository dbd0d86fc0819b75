#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <tuple>
#include <vector>

#include "core/attention/map_requests.h"
#include "core/base/error.h"
#include "core/base/extent.h"
#include "core/base/recent.h"
#include "core/base/tensor.h"

namespace headscope {

/// The cost of reading a head's map.
struct ReadingCost {
  std::int64_t cells = 0;  ///< number of scores computed, of n_q n_k
  double seconds = 0;
};

/// The attention maps of one block of a trace: of every head of every layer, n_q rows (queries) by n_k
/// columns (keys). The only interface through which views, statistics, comparison and figures read attention,
/// whether it is in memory, computed on demand, or in a file. Numbers do not depend on the way they are read.
/// Thread-safe.
class MapSource {
 public:
  struct Size {
    int layers = 0, heads = 0;
    Index n_q = 0, n_k = 0;
    bool operator==(const Size&) const = default;
  };

  static constexpr Index rows_at_once = 256;  ///< for reading a whole map

  explicit MapSource(const Size& size) : size_(size) {}
  virtual ~MapSource() = default;
  MapSource(const MapSource&) = delete;
  MapSource& operator=(const MapSource&) = delete;

  const Size& size() const { return size_; }

  /// Writes the weights of rows [begin, end) to `out` [end - begin, n_k], which may be any memory.
  virtual void rows(int layer, int head, Index begin, Index end, float* out) const = 0;
  /// The same for the scores, scaled, before the mask. False if the source has none.
  virtual bool score_rows(int layer, int head, Index begin, Index end, float* out) const;
  /// What of the weights of rows [begin, end) goes to no token, to `out` [end - begin]. False where each
  /// row's weights sum to 1.
  virtual bool no_token(int layer, int head, Index begin, Index end, float* out) const;
  /// The same for the dropout factors of the weights, 0 or 1 / (1 - p). False without dropout.
  virtual bool dropout_rows(int layer, int head, Index begin, Index end, float* out) const;
  /// The map of a head [n_q, n_k] if it is in memory, otherwise an empty tensor.
  virtual Tensor resident(int layer, int head) const;
  /// The extent of the weights not blocked by the mask, if it is known without reading them.
  virtual std::optional<Extent> known_extent(int layer, int head) const;

  using Pools = MapPools;
  /// The pooled map, or a part of it, [blocks of queries, blocks of keys], in one pass without storing the
  /// map.
  virtual Tensor pooled(int layer, int head, const Pools& pools) const;

  /// Pooled maps are read whole, at their first request or in advance by this; `progress` in queries. False
  /// if stopped.
  virtual bool read_ahead(int /*layer*/, int /*head*/, const std::stop_token& /*stop*/,
                          const std::function<void(Index done, Index all)>& /*progress*/) const {
    return true;
  }
  /// What reading the head's pooled map took; nothing until it has been read.
  virtual std::optional<ReadingCost> reading_cost(int /*layer*/, int /*head*/) const { return {}; }
  /// Marks the maps as no longer needed: threads waiting for a pooled one get zeros at once.
  virtual void abandon() const {}

  /// Statistics of the rows of a head [n_q], in one pass without storing them; rows it cannot handle stay
  /// marked as not read. False if the source has no faster way than reading the weights.
  virtual bool row_numbers(int layer, int head, const RowQuestion& question,
                           std::span<RowNumbers> rows) const;

  /// Whether the weights were computed elsewhere, so that recomputing them need not reproduce them.
  virtual bool given() const { return false; }

  /// A warning to show with the numbers, as far as they have been read: rows that do not sum to 1.
  virtual std::optional<Error> warning() const { return {}; }
  /// The error if some numbers could not be read or are not valid weights or scores: they are replaced by 0,
  /// and a view must report the error with them.
  virtual std::optional<Error> error() const { return {}; }

  /// The whole maps [n_q, n_k] of some heads; computed in parallel if they are not in memory. Throws Stopped.
  std::vector<Tensor> maps(int layer, std::span<const int> heads, const std::stop_token& stop = {}) const;
  float weight(int layer, int head, Index query, Index key) const;
  /// The weights of one row [n_k]; the last few computed rows are cached, since a selected cell's row is
  /// queried repeatedly.
  Tensor row(int layer, int head, Index query) const;
  /// Nothing if the source has none.
  std::optional<float> score(int layer, int head, Index query, Index key) const;

 protected:
  /// Memory for a map [n_q, n_k].
  virtual Tensor take() const { return Tensor({size_.n_q, size_.n_k}); }

 private:
  using RowKey = std::tuple<bool, int, int, Index>;  // of scores, layer, head, query
  /// A cached row, or computed by `compute`, which returns whether there is such a row.
  Tensor kept_row(const RowKey& which, const std::function<bool(float* out)>& compute) const;

  Size size_;
  mutable Recent<RowKey, Tensor> kept_rows_;
};

/// Rows [begin, end) of one head, in memory while this lives: in place, or copied.
class MapRows {
 public:
  MapRows(const MapSource& maps, int layer, int head, Index begin, Index end);
  const float* row(Index query) const { return first_ + (query - begin_) * columns_; }

 private:
  Tensor memory_;
  const float* first_ = nullptr;
  Index begin_ = 0, columns_ = 0;
};

/// Calls use(query, row) for rows [n_k] from first to last of a head's map, which need not be in memory.
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
