#include "core/source/map_source.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <vector>

#include "core/base/parallel.h"
#include "core/base/round_up.h"
#include "core/base/stopped.h"

namespace headscope {

bool MapSource::score_rows(int, int, Index, Index, float*) const {
  return false;
}

bool MapSource::no_token(int, int, Index, Index, float*) const {
  return false;
}

bool MapSource::dropout_rows(int, int, Index, Index, float*) const {
  return false;
}

Tensor MapSource::resident(int, int) const {
  return {};
}

std::optional<Extent> MapSource::known_extent(int, int) const {
  return {};
}

bool MapSource::row_numbers(int, int, const RowQuestion&, std::span<RowNumbers>) const {
  return false;
}

std::vector<Tensor> MapSource::maps(int layer, std::span<const int> heads,
                                    const std::stop_token& stop) const {
  constexpr Index cost_of_a_cell = 16;
  std::vector<Tensor> result;
  std::vector<std::size_t> missing;
  for (const int head : heads) {
    result.push_back(resident(layer, head));
    if (!result.back().empty()) continue;
    missing.push_back(result.size() - 1);
    result.back() = take();
  }
  const Index blocks = divide_up(size_.n_q, rows_at_once), pieces = std::ssize(missing) * blocks;
  parallel_for(pieces, cost_of_a_cell * std::ssize(missing) * size_.n_q * size_.n_k, [&](Index piece) {
    check_stop(stop);
    const std::size_t i = missing[piece / blocks];
    const Index begin = piece % blocks * rows_at_once, end = std::min(begin + rows_at_once, size_.n_q);
    rows(layer, heads[i], begin, end, result[i].data() + begin * size_.n_k);
  });
  return result;
}

namespace {

Index group_count(Index n, Index pool) {
  return divide_up(n, pool);
}

// Adds a part of a row of a map to its pooled cells.
void add_row(const float* row, Index keys, const MapSource::Pools& pools, float* cells) {
  for (Index key = 0; key < keys; ++key) {
    float& cell = cells[key / pools.keys];
    if (pools.mean)
      cell += row[key];
    else if (std::abs(row[key]) > std::abs(cell))
      cell = row[key];
  }
}

}  // namespace

Tensor MapSource::pooled(int layer, int head, const Pools& pools) const {
  constexpr Index cost_of_a_cell = 16;
  const Index every = pools.every, query_end = pools.query_end > 0 ? pools.query_end : size_.n_q,
              queries = query_end - pools.query_begin,
              keys = (pools.key_end > 0 ? pools.key_end : size_.n_k) - pools.key_begin;
  Tensor result({group_count(queries, pools.queries), group_count(keys, pools.keys)});
  std::fill_n(result.data(), result.size(), 0.0F);
  // Sampled queries are read one by one, otherwise as many as there is room for.
  const Index at_once = every > 1 ? 1 : rows_at_once;
  std::mutex mutex;
  Index reported = 0;
  parallel_for(result.dim(0), cost_of_a_cell * queries / every * size_.n_k, [&](Index pool) {
    const Index first = pools.query_begin + pool * pools.queries,
                end = std::min(first + pools.queries, query_end);
    Index read = 0;
    for (Index begin = group_count(first, every) * every; begin < end && !stop_requested(pools.stop);
         begin += std::max(every, at_once)) {
      const Index last = std::min(begin + at_once, end);
      const MapRows rows(*this, layer, head, begin, last);
      for (Index query = begin; query < last; ++query, ++read)
        add_row(rows.row(query) + pools.key_begin, keys, pools, result.at(pool));
    }
    for (Index g = 0; g < result.dim(1) && pools.mean; ++g)
      result.at(pool)[g] /=
          static_cast<float>(std::max<Index>(1, read) * std::min(pools.keys, keys - g * pools.keys));
    if (pools.cells != nullptr) *pools.cells += std::int64_t{read} * size_.n_k;
    if (!pools.progress) return;
    const std::lock_guard lock(mutex);
    pools.progress(reported += read, group_count(query_end, every) - group_count(pools.query_begin, every));
  });
  return result;
}

Tensor MapSource::kept_row(const RowKey& which, const std::function<bool(float* out)>& compute) const {
  constexpr std::size_t max_rows = 8;
  if (const Tensor known = kept_rows_.find(which); !known.empty()) return known;
  Tensor row({size_.n_k});
  if (!compute(row.data())) return {};
  kept_rows_.keep(which, row, max_rows);
  return row;
}

Tensor MapSource::row(int layer, int head, Index query) const {
  return kept_row({false, layer, head, query}, [&](float* out) {
    rows(layer, head, query, query + 1, out);
    return true;
  });
}

float MapSource::weight(int layer, int head, Index query, Index key) const {
  return MapRows(*this, layer, head, query, query + 1).row(query)[key];
}

std::optional<float> MapSource::score(int layer, int head, Index query, Index key) const {
  const Tensor row = kept_row({true, layer, head, query},
                              [&](float* out) { return score_rows(layer, head, query, query + 1, out); });
  return row.empty() ? std::nullopt : std::optional(row.data()[key]);
}

MapRows::MapRows(const MapSource& maps, int layer, int head, Index begin, Index end)
    : memory_(maps.resident(layer, head)), begin_(begin), columns_(maps.size().n_k) {
  if (!memory_.empty()) {
    first_ = memory_.data() + begin * columns_;
    return;
  }
  if (end - begin == 1) {
    memory_ = maps.row(layer, head, begin);
  } else {
    memory_ = Tensor({end - begin, columns_});
    maps.rows(layer, head, begin, end, memory_.data());
  }
  first_ = memory_.data();
}

}  // namespace headscope
