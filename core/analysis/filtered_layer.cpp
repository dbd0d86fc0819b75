#include "core/analysis/filtered_layer.h"

#include <algorithm>
#include <numeric>
#include <thread>

#include "core/analysis/row.h"

namespace headscope {
namespace {

std::vector<int> shown_tokens(Index n, const std::set<int>& hidden, const std::optional<TokenRange>& range) {
  std::vector<int> tokens;
  for (int i = 0; i < n; ++i)
    if (!hidden.contains(i) && (!range || (i >= range->begin && i < range->end))) tokens.push_back(i);
  if (tokens.empty()) {
    tokens.resize(static_cast<std::size_t>(n));
    std::iota(tokens.begin(), tokens.end(), 0);
  }
  return tokens;
}

// Neighbouring keys that are shown, to be copied in one go.
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

// The states of one head's cells; nothing where all are shown.
std::vector<std::uint8_t> states_of(const FilteredLayer& shown, int head, const Filter& filter,
                                    const std::vector<KeyRun>& keys) {
  const Index rows = shown.n_q(), columns = shown.n_k();
  std::vector<std::uint8_t> states(static_cast<std::size_t>(rows * columns), cell_shown);
  const std::uint8_t* blocked = shown.trace->mask.head(head);
  if (blocked != nullptr) copy_part(blocked, shown.trace->n_k(), shown.queries, keys, states.data());
  const float* row = shown.weights.at(head);
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
  if (std::ranges::all_of(states, [](std::uint8_t state) { return state == cell_shown; })) states.clear();
  return states;
}

// Heads in turn over the processors where there is enough to do.
template <typename Work>
void for_each_head(int heads, Index cells, const Work& work) {
  constexpr Index worth_a_thread = Index{1} << 19;
  const int threads = static_cast<int>(std::clamp<Index>(
      heads * cells / worth_a_thread, 1, std::clamp<Index>(std::thread::hardware_concurrency(), 1, heads)));
  const auto run = [&](int first) {
    for (int h = first; h < heads; h += threads) work(h);
  };
  std::vector<std::jthread> others;
  for (int t = 1; t < threads; ++t) others.emplace_back(run, t);
  run(0);
}

int find_token(const std::vector<int>& tokens, int token) {
  const auto found = std::lower_bound(tokens.begin(), tokens.end(), token);
  return found != tokens.end() && *found == token ? static_cast<int>(found - tokens.begin()) : -1;
}

}  // namespace

const std::uint8_t* FilteredLayer::state(int head) const {
  if (states.empty()) return unfiltered ? trace->mask.head(head) : nullptr;
  const auto& own = states[static_cast<std::size_t>(head)];
  return own.empty() ? nullptr : own.data();
}

int FilteredLayer::row(int query) const {
  return find_token(queries, query);
}
int FilteredLayer::column(int key) const {
  return find_token(keys, key);
}

std::shared_ptr<const FilteredLayer> filter_layer(std::shared_ptr<const Trace> trace, int layer,
                                                  const Filter& filter) {
  auto shown = std::make_shared<FilteredLayer>();
  shown->layer = layer;
  shown->queries = shown_tokens(trace->n_q(), filter.hidden_queries, filter.queries);
  shown->keys = shown_tokens(trace->n_k(), filter.hidden_keys, filter.keys);
  shown->trace = std::move(trace);
  const Trace& source = *shown->trace;
  if (layer < 0 || layer >= static_cast<int>(source.layers.size())) return shown;
  const LayerTrace& maps = source.layers[static_cast<std::size_t>(layer)];
  if (!maps.has_maps()) return shown;

  const bool all_rows = shown->n_q() == source.n_q(), all_columns = shown->n_k() == source.n_k();
  shown->unfiltered = all_rows && all_columns && filter.top_percent >= 100 && filter.threshold <= 0;
  shown->weights = maps.weights;
  if (shown->unfiltered) return shown;

  const int heads = static_cast<int>(maps.weights.dim(0));
  if (!all_rows || !all_columns) shown->weights = Tensor({heads, shown->n_q(), shown->n_k()});
  shown->renormalized = !all_columns && filter.renormalize;
  const std::vector<KeyRun> keys = runs_of(shown->keys);
  shown->states.resize(static_cast<std::size_t>(heads));
  for_each_head(heads, shown->n_q() * shown->n_k(), [&](int h) {
    if (!all_rows || !all_columns)
      copy_part(maps.weights.at(h), source.n_k(), shown->queries, keys, shown->weights.at(h));
    if (shown->renormalized) renormalize(shown->weights.at(h), shown->n_q(), shown->n_k());
    shown->states[static_cast<std::size_t>(h)] = states_of(*shown, h, filter, keys);
  });
  return shown;
}

}  // namespace headscope
