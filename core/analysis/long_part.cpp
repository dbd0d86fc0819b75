#include "core/analysis/long_part.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "core/base/stopped.h"

namespace headscope {
namespace {

// About as many as a large picture of a map has pixels.
constexpr Index max_cells = 1024;
// Parts begin and end at multiples of this many of their cells.
constexpr Index grid_cells = 256;

std::vector<Index> begins_of_pools(Index begin, Index end, Index pool) {
  std::vector<Index> begins;
  for (Index first = begin; first < end; first += pool) begins.push_back(first);
  begins.push_back(end);
  return begins;
}

std::vector<int> first_tokens(const std::vector<Index>& begins) {
  std::vector<int> tokens;
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) tokens.push_back(static_cast<int>(begins[i]));
  return tokens;
}

/// Which pooled cells have no weight because of the mask, as BlockTrace::weightless() for tokens.
std::vector<std::uint8_t> states_of_pools(const Mask& pools, bool infinite, int head) {
  const std::uint8_t* blocked = infinite ? pools.head(head) : pools.outside_empty_rows(head);
  if (blocked == nullptr) return {};
  return {blocked, blocked + pools.n_q() * pools.n_k()};
}

/// Everything but the maps.
std::shared_ptr<FilteredLayer> layer_of_part(std::shared_ptr<const BlockTrace> block, int layer,
                                             std::span<const int> heads, const LongPart& part) {
  auto shown = std::make_shared<FilteredLayer>();
  shown->layer = layer;
  shown->part = part;
  const auto queries = begins_of_pools(part.query_begin, part.query_end, part.query_pool),
             keys = begins_of_pools(part.key_begin, part.key_end, part.key_pool);
  shown->queries = first_tokens(queries);
  shown->keys = first_tokens(keys);
  const std::size_t count = block->heads();
  shown->maps.resize(count);
  shown->states.resize(count);
  shown->extents.resize(count);
  const Mask& all = block->mask_of(layer);
  if (all.any()) {
    const Mask pools = pooled_mask(all, block->heads(), queries, keys);
    for (const int head : heads)
      shown->states[head] = states_of_pools(pools, block->fills_with_infinity(), head);
  }
  shown->block = std::move(block);
  return shown;
}

MapSource::Pools pools_of(const LongPart& part) {
  MapSource::Pools pools;
  pools.queries = part.query_pool;
  pools.keys = part.key_pool;
  pools.every = part.sampled ? part.query_pool : 1;
  pools.query_begin = part.query_begin;
  pools.query_end = part.query_end;
  pools.key_begin = part.key_begin;
  pools.key_end = part.key_end;
  pools.mean = part.means;
  return pools;
}

Index floor_to(double value, Index unit) {
  return static_cast<Index>(std::floor(value / static_cast<double>(unit))) * unit;
}
Index ceil_to(double value, Index unit) {
  return static_cast<Index>(std::ceil(value / static_cast<double>(unit))) * unit;
}

}  // namespace

ReportShare share_of_pieces(const ReportShare& progress, std::size_t before, std::size_t count,
                            std::size_t all) {
  if (!progress) return {};
  return [&progress, before, count, all](double share) {
    progress((static_cast<double>(before) + share * static_cast<double>(count)) / static_cast<double>(all));
  };
}

bool LongPart::contains(const CellPart& seen) const {
  const auto inside = [](Index begin, Index end, double from, double to) {
    return static_cast<double>(begin) <= from && to <= static_cast<double>(end);
  };
  return inside(query_begin, query_end, seen.query_begin, seen.query_end) &&
         inside(key_begin, key_end, seen.key_begin, seen.key_end);
}

std::optional<LongPart> part_that_shows(const CellPart& seen, const BlockTrace& pools) {
  const BlockTrace& block = *pools.single;
  const double longer = std::max(seen.query_end - seen.query_begin, seen.key_end - seen.key_begin);
  Index pool = 1;
  while (longer > static_cast<double>(pool * max_cells)) pool *= 2;
  if (pool >= std::max(pools.query_pool, pools.key_pool)) return {};
  LongPart part;
  part.means = pools.means;
  part.query_pool = std::min(pool, pools.query_pool);
  part.key_pool = std::min(pool, pools.key_pool);
  const Index query_grid = grid_cells * part.query_pool, key_grid = grid_cells * part.key_pool;
  part.query_begin = floor_to(seen.query_begin, query_grid);
  part.query_end = std::min(block.n_q(), ceil_to(seen.query_end, query_grid));
  part.key_begin = floor_to(seen.key_begin, key_grid);
  part.key_end = std::min(block.n_k(), ceil_to(seen.key_end, key_grid));
  return part;
}

std::shared_ptr<const FilteredLayer> part_layer(std::shared_ptr<const BlockTrace> block, int layer,
                                                std::span<const int> heads, const LongPart& part,
                                                const std::stop_token& stop, const ReportShare& progress) {
  auto shown = layer_of_part(std::move(block), layer, heads, part);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const int head = heads[i];
    MapSource::Pools pools = pools_of(part);
    pools.stop = stop;
    if (progress)
      pools.progress = [&, of_one = share_of_pieces(progress, i, 1, heads.size())](Index done, Index all) {
        of_one(static_cast<double>(done) / static_cast<double>(all));
      };
    shown->maps[head] = shown->block->shown_maps().pooled(layer, head, pools);
    if (stop_requested(stop)) return nullptr;
    shown->extents[head] = part_extent(*shown, head);
  }
  return shown;
}

std::vector<PartExtent> part_extents(const std::shared_ptr<const BlockTrace>& block, int layer,
                                     std::span<const int> heads, const LongPart& part,
                                     const std::stop_token& stop, const ReportShare& progress) {
  std::vector<PartExtent> extents(block->heads());
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const int head = heads[i];
    const auto read =
        part_layer(block, layer, {&head, 1}, part, stop, share_of_pieces(progress, i, 1, heads.size()));
    if (!read) return {};
    extents[head] = read->extents[head];
  }
  return extents;
}

std::shared_ptr<const FilteredLayer> with_extents(const FilteredLayer& part,
                                                  std::span<const PartExtent> extents) {
  auto shown = std::make_shared<FilteredLayer>(part);
  for (std::size_t head = 0; head < std::min(extents.size(), shown->extents.size()); ++head)
    if (shown->maps[head].empty()) shown->extents[head] = extents[head];
  return shown;
}

std::shared_ptr<const FilteredLayer> overview_layer(const BlockTrace& pooled, int layer,
                                                    std::span<const int> heads) {
  const BlockTrace& single = *pooled.single;
  auto shown = layer_of_part(
      pooled.single, layer, heads,
      {0, single.n_q(), 0, single.n_k(), pooled.query_pool, pooled.key_pool, pooled.sampled, pooled.means});
  for (const int head : heads) {
    const std::size_t i = head;
    shown->maps[i] = pooled.shown_maps().resident(layer, head);
    if (!shown->maps[i].empty()) shown->extents[i] = part_extent(*shown, head);
  }
  return shown;
}

TokenCell largest_in_pool(const BlockTrace& block, int layer, int head, const LongPart& pool) {
  const Tensor weights = block.shown_maps().pooled(layer, head, pools_of(pool));
  TokenCell cell{static_cast<int>(pool.query_begin), static_cast<int>(pool.key_begin)};
  float maximum = -1;
  for (Index query = pool.query_begin; query < pool.query_end; ++query)
    for (Index key = pool.key_begin; key < pool.key_end; ++key) {
      const float weight = std::abs(weights.at(query - pool.query_begin)[key - pool.key_begin]);
      // What the mask blocks has the weight 0 as well.
      const bool hidden = weight == 0 && block.weightless(layer, head, query, key);
      if (weight <= maximum || hidden) continue;
      maximum = weight;
      cell = {static_cast<int>(query), static_cast<int>(key)};
    }
  return cell;
}

TokenCell token_cell(const FilteredLayer& shown, int head, int row, int column) {
  const TokenCell first{shown.queries[row], shown.keys[column]};
  if (!shown.part || !shown.part->pooled()) return first;
  const LongPart& part = *shown.part;
  const LongPart pool{first.query, std::min(first.query + part.query_pool, part.query_end), first.key,
                      std::min(first.key + part.key_pool, part.key_end)};
  return largest_in_pool(*shown.block, shown.layer, head, pool);
}

Index zoomed_rows(const FilteredLayer& shown) {
  return shown.part ? shown.block->n_q() : shown.n_q();
}
Index zoomed_columns(const FilteredLayer& shown) {
  return shown.part ? shown.block->n_k() : shown.n_k();
}

CellPart in_cells(const FilteredLayer& shown, const CellPart& tokens) {
  if (!shown.part) return tokens;
  const LongPart& part = *shown.part;
  const auto at = [](double token, Index begin, Index pool) {
    return (token - static_cast<double>(begin)) / static_cast<double>(pool);
  };
  return {at(tokens.query_begin, part.query_begin, part.query_pool),
          at(tokens.query_end, part.query_begin, part.query_pool),
          at(tokens.key_begin, part.key_begin, part.key_pool),
          at(tokens.key_end, part.key_begin, part.key_pool)};
}

namespace {

constexpr Index few_keys = 4;      // a query has few keys if another has more than 4 times as many
constexpr Index few_cells = 4096;  // one cell in this many may be left out
constexpr int first_bits = 16;     // sign, exponent and the largest seven of the fraction

/// The last token of a row, in the block's units: of a pooled one the one that can see most under a causal
/// mask.
Index last_query(const FilteredLayer& shown, Index row) {
  if (!shown.part && !shown.block->pooled()) return shown.queries[row];
  if (row + 1 < shown.n_q()) return shown.queries[row + 1] - 1;
  return shown.part ? shown.part->query_end - 1 : shown.block->n_q() - 1;
}

}  // namespace

std::vector<Index> key_counts(const FilteredLayer& shown, int head) {
  const Mask& mask = shown.block->mask_of(shown.layer);
  std::vector<Index> counts(shown.n_q());
  KeySpans scratch;
  for (Index row = 0; row < shown.n_q(); ++row)
    for (const KeySpan& span : mask.row(head, last_query(shown, row), scratch))
      counts[row] += span.end - span.begin;
  return counts;
}

std::vector<bool> rows_of_colors(const FilteredLayer& shown, int head) {
  const std::size_t rows = shown.n_q();
  if (!shown.block->mask_of(shown.layer).any()) return std::vector<bool>(rows, true);
  const std::vector<Index> counts = key_counts(shown, head);
  const Index maximum = counts.empty() ? 0 : *std::ranges::max_element(counts);
  std::vector<bool> counted(rows);
  for (std::size_t row = 0; row < rows; ++row) counted[row] = counts[row] * few_keys >= maximum;
  return counted;
}

void CellSizes::add(const float* numbers, const std::uint8_t* states, Index n) {
  for (Index i = 0; i < n; ++i) {
    if (states != nullptr && states[i] != cell_shown) continue;
    ++cells_;
    if (numbers[i] > 0) ++counts_[std::bit_cast<std::uint32_t>(numbers[i]) >> first_bits];
  }
}

float CellSizes::end_of_colors(float largest) const {
  Index left = cells_ / few_cells;
  for (std::size_t i = counts_.size(); i-- > 0;) {
    if ((left -= counts_[i]) >= 0) continue;
    const float others = std::bit_cast<float>(static_cast<std::uint32_t>(i + 1) << first_bits);
    return largest > 2 * others ? others : largest;
  }
  return largest;
}

PartExtent part_extent(const FilteredLayer& shown, int head) {
  const float* weights = shown.weights(head);
  if (weights == nullptr) return {};
  const std::uint8_t* states = shown.state(head);
  const Index n_k = shown.n_k();
  const std::vector<bool> counted = rows_of_colors(shown, head);
  PartExtent found;
  found.from_zero = true;
  CellSizes sizes;
  for (Index row = 0; row < shown.n_q(); ++row) {
    const Extent one = extent(weights + row * n_k, states == nullptr ? nullptr : states + row * n_k, n_k);
    found.all.extend(one);
    if (!counted[row]) continue;
    found.of_colors.extend(one);
    sizes.add(weights + row * n_k, states == nullptr ? nullptr : states + row * n_k, n_k);
  }
  if (!found.of_colors.any()) found.of_colors = found.all;
  if (found.of_colors.any()) found.of_colors.high = sizes.end_of_colors(found.of_colors.high);
  return found;
}

}  // namespace headscope
