#include "core/source/map_source.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "core/base/parallel.h"

namespace headscope {

bool MapSource::score_rows(int, int, Index, Index, float*) const {
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

std::vector<Tensor> MapSource::maps(int layer, std::span<const int> heads) const {
  constexpr Index cost_of_a_cell = 16;
  std::vector<Tensor> result;
  std::vector<std::size_t> missing;
  for (const int head : heads) {
    result.push_back(resident(layer, head));
    if (!result.back().empty()) continue;
    missing.push_back(result.size() - 1);
    result.back() = take();
  }
  const Index blocks = (size_.n_q + rows_at_once - 1) / rows_at_once, pieces = std::ssize(missing) * blocks;
  parallel_for(
      pieces, cost_of_a_cell * std::ssize(missing) * size_.n_q * size_.n_k, [&](Index piece) noexcept {
        const std::size_t i = missing[static_cast<std::size_t>(piece / blocks)];
        const Index begin = piece % blocks * rows_at_once, end = std::min(begin + rows_at_once, size_.n_q);
        rows(layer, heads[i], begin, end, result[i].data() + begin * size_.n_k);
      });
  return result;
}

Tensor MapSource::largest_of_groups(int layer, int head, const GroupedPass& pass) const {
  constexpr Index cost_of_a_cell = 16;
  const Index query_group = pass.query_group, key_group = pass.key_group;
  std::mutex telling;
  Index done = 0;
  const auto groups = [](Index n, Index group) { return (n + group - 1) / group; };
  Tensor result({groups(size_.n_q, query_group), groups(size_.n_k, key_group)});
  std::fill_n(result.data(), result.size(), 0.0F);
  // Whole groups of queries, of as many rows as are read at once.
  const Index at_once = std::max<Index>(1, rows_at_once / query_group) * query_group;
  parallel_for(groups(size_.n_q, at_once), cost_of_a_cell * size_.n_q * size_.n_k, [&](Index block) noexcept {
    const Index first = block * at_once, last = std::min(first + at_once, size_.n_q);
    if (pass.stop.stop_requested()) return;
    for (Index begin = first; begin < last; begin += rows_at_once) {
      const Index end = std::min(begin + rows_at_once, last);
      const auto add = [&](Index query, const float* row) {
        float* const cells = result.at(query / query_group);
        for (Index key = 0; key < size_.n_k; ++key)
          cells[key / key_group] = std::max(cells[key / key_group], row[key]);
      };
      if (pass.every > 1) {
        for (Index query = begin + (pass.every - begin % pass.every) % pass.every; query < end;
             query += pass.every)
          add(query, MapRows(*this, layer, head, query, query + 1).row(query));
        continue;
      }
      const MapRows rows(*this, layer, head, begin, end);
      for (Index query = begin; query < end; ++query) add(query, rows.row(query));
    }
    if (!pass.progress) return;
    const std::lock_guard lock(telling);
    pass.progress(done += last - first, size_.n_q);
  });
  return result;
}

float MapSource::weight(int layer, int head, Index query, Index key) const {
  return MapRows(*this, layer, head, query, query + 1).row(query)[key];
}

std::optional<float> MapSource::score(int layer, int head, Index query, Index key) const {
  std::vector<float> row(static_cast<std::size_t>(size_.n_k));
  if (!score_rows(layer, head, query, query + 1, row.data())) return {};
  return row[static_cast<std::size_t>(key)];
}

MapRows::MapRows(const MapSource& maps, int layer, int head, Index begin, Index end)
    : memory_(maps.resident(layer, head)), begin_(begin), columns_(maps.size().n_k) {
  if (!memory_.empty()) {
    first_ = memory_.data() + begin * columns_;
    return;
  }
  memory_ = Tensor({end - begin, columns_});
  maps.rows(layer, head, begin, end, memory_.data());
  first_ = memory_.data();
}

}  // namespace headscope
