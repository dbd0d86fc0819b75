#include "core/analysis/filtered_layer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/row.h"
#include "core/base/parallel.h"
#include "core/base/stopped.h"

namespace headscope {
namespace {

std::vector<int> shown_tokens(Index n, const std::set<int>& hidden, const std::optional<TokenRange>& range) {
  std::vector<int> tokens;
  for (int i = 0; i < n; ++i)
    if (!hidden.contains(i) && (!range || (i >= range->begin && i < range->end))) tokens.push_back(i);
  if (tokens.empty()) {
    tokens.resize(n);
    std::iota(tokens.begin(), tokens.end(), 0);
  }
  return tokens;
}

// Neighbouring keys that are shown, copied at once.
struct KeyRun {
  int begin = 0, end = 0;
};
std::vector<KeyRun> runs_of(const std::vector<int>& keys) {
  std::vector<KeyRun> runs;
  for (const int key : keys) {
    if (runs.empty() || runs.back().end != key) runs.push_back({key, key});
    ++runs.back().end;
  }
  return runs;
}

// What is shown of a map [n_q, all_keys].
template <typename T>
void copy_part(const T* from, Index all_keys, const std::vector<int>& queries,
               const std::vector<KeyRun>& keys, T* to) {
  for (const int query : queries)
    for (const KeyRun run : keys)
      to = std::copy(from + query * all_keys + run.begin, from + query * all_keys + run.end, to);
}

void renormalize(float* weights, Index rows, Index columns) {
  for (float* row = weights; row != weights + rows * columns; row += columns) {
    const double sum = row_sum(row, columns);
    if (sum > 0)
      std::transform(row, row + columns, row, [&](float w) { return static_cast<float>(w / sum); });
  }
}

// A filter leaves out what is small, of either sign.
Tensor sizes_of(const Tensor& map) {
  Tensor sizes(map.shape());
  std::transform(map.data(), map.data() + map.size(), sizes.data(),
                 [](float number) { return std::abs(number); });
  return sizes;
}

// The states of one head's cells, whose weights are `row`; empty if all are shown.
std::vector<std::uint8_t> states_of(const FilteredLayer& shown, int head, const float* row,
                                    const Filter& filter, const std::vector<KeyRun>& keys) {
  const Index rows = shown.n_q(), columns = shown.n_k();
  std::vector<std::uint8_t> states(rows * columns, cell_shown);
  const std::uint8_t* blocked = shown.block->weightless(shown.layer, head);
  if (blocked != nullptr) copy_part(blocked, shown.block->n_k(), shown.queries, keys, states.data());
  for (std::uint8_t* state = states.data(); state != states.data() + rows * columns;
       state += columns, row += columns) {
    const float top = filter.top_percent < 100 ? smallest_of_top(row, columns, filter.top_percent / 100) : 0;
    const float lowest = std::max(top, static_cast<float>(filter.threshold));
    if (lowest <= 0) continue;
    std::transform(row, row + columns, state, state, [&](float weight, std::uint8_t masked) {
      const std::uint8_t filtered = weight < lowest ? cell_filtered : cell_shown;
      return masked != 0 ? std::uint8_t{cell_masked} : filtered;
    });
  }
  // A capture may have scores that are already masked.
  if (shown.block->cells.value == CellValue::score && shown.block->maps->given())
    std::transform(states.begin(), states.end(), shown.weights(head), states.begin(),
                   [](std::uint8_t state, float score) {
                     return std::isfinite(score) ? state : std::uint8_t{cell_masked};
                   });
  if (std::ranges::all_of(states, [](std::uint8_t state) { return state == cell_shown; })) states.clear();
  return states;
}

bool has_masked_scores(const BlockTrace& block, const std::vector<Tensor>& maps) {
  return block.cells.value == CellValue::score && block.maps->given() &&
         std::ranges::any_of(maps, [](const Tensor& map) { return !finite(map); });
}

int find_token(const std::vector<int>& tokens, int token) {
  const auto found = std::lower_bound(tokens.begin(), tokens.end(), token);
  return found != tokens.end() && *found == token ? static_cast<int>(found - tokens.begin()) : -1;
}

int find_pool(Index begin, Index end, Index pool, int token) {
  return token >= begin && token < end ? static_cast<int>((token - begin) / pool) : -1;
}

}  // namespace

const std::uint8_t* FilteredLayer::state(int head) const {
  if (states.empty()) return unfiltered ? block->weightless(layer, head) : nullptr;
  const auto& own = states[head];
  return own.empty() ? nullptr : own.data();
}

int FilteredLayer::row(int query) const {
  if (part) return find_pool(part->query_begin, part->query_end, part->query_pool, query);
  return find_token(queries, query);
}
int FilteredLayer::column(int key) const {
  if (part) return find_pool(part->key_begin, part->key_end, part->key_pool, key);
  return find_token(keys, key);
}

ShownWeight shown_weight(const FilteredLayer& shown, int head, int query, int key) {
  if (shown.block->weightless(shown.layer, head, query, key)) return {0, cell_masked};
  const int row = shown.row(query), column = shown.column(key);
  if (shown.part) return {shown.block->shown_maps().weight(shown.layer, head, query, key), cell_shown};
  if (row < 0 || column < 0) return {0, cell_filtered};
  const Index at = row * shown.n_k() + column;
  const std::uint8_t* states = shown.state(head);
  if (states != nullptr && states[at] != cell_shown) return {0, static_cast<CellState>(states[at])};
  return {shown.weights(head)[at], cell_shown};
}

Index FilteredLayer::cells() const {
  return std::accumulate(maps.begin(), maps.end(), Index{0},
                         [](Index sum, const Tensor& map) { return sum + map.size(); });
}

std::shared_ptr<const FilteredLayer> filter_layer(std::shared_ptr<const BlockTrace> block, int layer,
                                                  const Filter& filter, const std::stop_token& stop) {
  const std::vector<int> heads =
      all_heads(layer < 0 || layer >= block->shape.layers ? block->heads() : block->heads_of(layer));
  return filter_layer(std::move(block), layer, filter, heads, stop);
}

std::shared_ptr<const FilteredLayer> filter_layer(std::shared_ptr<const BlockTrace> block, int layer,
                                                  const Filter& filter, std::span<const int> heads,
                                                  const std::stop_token& stop) {
  auto shown = std::make_shared<FilteredLayer>();
  shown->layer = layer;
  shown->queries = shown_tokens(block->n_q(), filter.hidden_queries, filter.queries);
  shown->keys = shown_tokens(block->n_k(), filter.hidden_keys, filter.keys);
  shown->block = std::move(block);
  const BlockTrace& source = *shown->block;
  shown->maps.resize(source.heads());
  if (layer < 0 || layer >= source.layer_count()) return shown;

  const bool all_rows = shown->n_q() == source.n_q(), all_columns = shown->n_k() == source.n_k();
  shown->unfiltered = all_rows && all_columns && filter.top_percent >= 100 && filter.threshold <= 0;
  const bool renormalizes = !all_columns && filter.renormalize;
  shown->renormalized =
      renormalizes && cell_value(source.cells.value).is_share && source.shape.is_softmax(layer);
  std::vector<Tensor> whole = source.shown_maps().maps(layer, heads, stop);
  if (has_masked_scores(source, whole)) shown->unfiltered = false;
  const auto place = [&](std::size_t i) { return static_cast<std::size_t>(heads[i]); };
  if (all_rows && all_columns)
    for (std::size_t i = 0; i < whole.size(); ++i) shown->maps[place(i)] = whole[i];
  if (shown->unfiltered) return shown;

  const bool of_weights = source.cells.maps == nullptr;
  const std::vector<Tensor> weights = of_weights ? whole : source.maps->maps(layer, heads, stop);
  const std::vector<KeyRun> keys = runs_of(shown->keys);
  shown->states.resize(shown->maps.size());
  parallel_for(std::ssize(heads), std::ssize(heads) * shown->n_q() * shown->n_k(), [&](Index h) {
    check_stop(stop);
    const std::size_t i = h;
    Tensor& map = shown->maps[place(i)];
    const auto part_of = [&](const Tensor& all, bool renormalized) {
      if (all_rows && all_columns) return all;
      Tensor part({shown->n_q(), shown->n_k()});
      copy_part(all.data(), source.n_k(), shown->queries, keys, part.data());
      if (renormalized) renormalize(part.data(), shown->n_q(), shown->n_k());
      return part;
    };
    map = part_of(whole[i], shown->renormalized);
    const Tensor filtered = !of_weights                      ? part_of(weights[i], renormalizes)
                            : source.shape.is_softmax(layer) ? map
                                                             : sizes_of(map);
    shown->states[place(i)] = states_of(*shown, heads[i], filtered.data(), filter, keys);
  });
  return shown;
}

}  // namespace headscope
