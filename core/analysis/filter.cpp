#include "core/analysis/filter.h"

#include <algorithm>
#include <functional>
#include <numeric>

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

// The weight of the smallest one that stays when the largest stay whose sum first reaches `share` of the
// row's.
float smallest_of_top(const float* row, Index n, double share, std::vector<float>& sorted) {
  sorted.assign(row, row + n);
  const double wanted = share * std::accumulate(sorted.begin(), sorted.end(), 0.0);
  // The few large ones are enough as a rule: sort from the top in blocks that double.
  double sum = 0;
  for (auto done = sorted.begin(); done != sorted.end();) {
    const auto left = sorted.end() - done;
    const auto block =
        done + std::min<std::ptrdiff_t>(left, std::max<std::ptrdiff_t>(16, done - sorted.begin()));
    std::partial_sort(done, block, sorted.end(), std::greater<>());
    for (; done != block; ++done) {
      sum += static_cast<double>(*done);
      if (sum >= wanted) return *done;
    }
  }
  return 0;
}

void copy_part(const ShownLayer& shown, const LayerTrace& layer, int head, float* to) {
  const float* from = layer.weights.at(head);
  const Index all_keys = layer.weights.dim(2);
  for (const int q : shown.queries)
    for (const int k : shown.keys) *to++ = from[q * all_keys + k];
}

void renormalize(float* weights, Index rows, Index columns) {
  for (float* row = weights; row != weights + rows * columns; row += columns) {
    const double sum = std::accumulate(row, row + columns, 0.0);
    if (sum > 0)
      std::transform(row, row + columns, row, [&](float w) { return static_cast<float>(w / sum); });
  }
}

// The states of one head's cells; nothing where all are shown.
std::vector<std::uint8_t> states_of(const ShownLayer& shown, int head, const Filter& filter,
                                    std::vector<float>& sorted) {
  const Trace& trace = *shown.trace;
  const Index rows = shown.n_q(), columns = shown.n_k();
  std::vector<std::uint8_t> states(static_cast<std::size_t>(rows * columns), cell_shown);
  const std::uint8_t* blocked = trace.mask.head(head);
  const float* weights = shown.weights.at(head);
  bool any = false;
  for (Index r = 0; r < rows; ++r) {
    const float* row = weights + r * columns;
    const float top =
        filter.top_percent < 100 ? smallest_of_top(row, columns, filter.top_percent / 100, sorted) : 0;
    const float lowest = std::max(top, static_cast<float>(filter.threshold));
    for (Index c = 0; c < columns; ++c) {
      std::uint8_t& state = states[static_cast<std::size_t>(r * columns + c)];
      const Index at =
          shown.queries[static_cast<std::size_t>(r)] * trace.n_k() + shown.keys[static_cast<std::size_t>(c)];
      if (blocked && blocked[at])
        state = cell_masked;
      else if (row[c] < lowest)
        state = cell_filtered;
      any = any || state != cell_shown;
    }
  }
  if (!any) states.clear();
  return states;
}

int find_token(const std::vector<int>& tokens, int token) {
  const auto found = std::lower_bound(tokens.begin(), tokens.end(), token);
  return found != tokens.end() && *found == token ? static_cast<int>(found - tokens.begin()) : -1;
}

}  // namespace

const std::uint8_t* ShownLayer::state(int head) const {
  if (states.empty()) return unfiltered ? trace->mask.head(head) : nullptr;
  const auto& own = states[static_cast<std::size_t>(head)];
  return own.empty() ? nullptr : own.data();
}

int ShownLayer::row(int query) const {
  return find_token(queries, query);
}
int ShownLayer::column(int key) const {
  return find_token(keys, key);
}

std::shared_ptr<const ShownLayer> show_layer(std::shared_ptr<const Trace> trace, int layer,
                                             const Filter& filter) {
  auto shown = std::make_shared<ShownLayer>();
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
  std::vector<float> sorted;
  for (int h = 0; h < heads; ++h) {
    if (!all_rows || !all_columns) copy_part(*shown, maps, h, shown->weights.at(h));
    if (shown->renormalized) renormalize(shown->weights.at(h), shown->n_q(), shown->n_k());
    shown->states.push_back(states_of(*shown, h, filter, sorted));
  }
  return shown;
}

}  // namespace headscope
