#include "app/state/derived/view_cache.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>

#include "app/state/jobs/background.h"
#include "app/state/jobs/freezing.h"
#include "core/analysis/statistics.h"
#include "core/source/maps/pooled_maps.h"
#include "core/source/maps/work_forecast.h"

namespace headscope {
namespace {

using BlockPointer = std::shared_ptr<const BlockTrace>;
using TracePointer = std::shared_ptr<const Trace>;

// Cells that a pass can read within a frame without a noticeable delay, in about 4 ms.
constexpr std::int64_t quick_cells = std::int64_t{1} << 21;
// Sorting rows or taking logarithms costs about ten times as much.
constexpr std::int64_t quick_costly_cells = quick_cells / 8;
// A longer list would not be read.
constexpr std::size_t max_differences = 40;
// Thumbnails of 12 x 12 cells are hardly larger on a screen.
constexpr Index thumbnail_size = 64;

// 64 bits: a page's Index has 32.
std::int64_t cells_of_head(const BlockTrace& block) {
  return std::int64_t{block.n_q()} * block.n_k();
}

std::int64_t cells_of(const BlockTrace& block) {
  return cells_of_head(block) * block.heads();
}

std::int64_t head_count_of(const BlockTrace& block) {
  return std::int64_t{block.layer_count()} * block.heads();
}

// Whether the queries and keys of layers are known, or can be computed within a frame.
bool quick_vectors(const BlockTrace& block, int layers) {
  constexpr double products = 5e7;
  const double d_model = block.shape.d_model;
  return !block.computed_layers ||
         3 * layers * static_cast<double>(block.n_q() + block.n_k()) * d_model * d_model <= products;
}

// Whether a frame can compute these products without a noticeable delay.
bool quick_logits(const Trace& trace, Index rows) {
  constexpr double products = 5e7;
  return static_cast<double>(rows) * static_cast<double>(trace.predictions->vocabulary()) *
             trace.blocks.front().shape.d_model <=
         products;
}

bool quick_filter(const Filter& filter, std::int64_t cells) {
  if (!filter.on()) return true;
  return cells <= (filter.top_percent < 100 ? quick_costly_cells : quick_cells);
}

// Whether the maps are already in memory, or can be computed within a frame.
bool quick_maps(const BlockTrace& block, int layer, const std::vector<int>& heads) {
  if (layer < 0 || layer >= block.layer_count()) return true;
  const auto missing = std::ranges::count_if(
      heads, [&](int head) { return block.shown_maps().resident(layer, head).empty(); });
  return block.pooled() ? missing == 0 : missing * cells_of_head(block) <= quick_costly_cells;
}

/// A head's statistics are those of its full map, even if pictures show it pooled.
const BlockPointer& measured(const BlockPointer& block) {
  return block->single ? block->single : block;
}

/// A result if it was computed from this trace: the last one of another is not used in its place. None if
/// reading weights on demand failed: results computed since then are not used.
template <typename Key, typename Value>
std::shared_ptr<const Value> only_of(const TracePointer& trace, const Background<Key, Value>& cache,
                                     std::shared_ptr<const Value> computed) {
  return computed && std::get<0>(*cache.value_key()) == trace && !error_of(*trace) ? computed : nullptr;
}

}  // namespace

/// Each with its key: everything that the value depends on.
struct ViewCache::State {
  template <typename Value, typename... Of>
  using Cache = Background<std::tuple<Of...>, Value>;
  using ComparisonPointer = std::shared_ptr<const Comparison>;
  using OptionalInt = std::optional<int>;

  Cache<FilteredLayer, BlockPointer, int, Filter, std::vector<int>> shown, shown_of_b;  // layer, heads
  Cache<HeadStatistics, BlockPointer, int, int> head_statistics;                        // layer, head
  Cache<BlockStatistics, BlockPointer, OptionalInt> layer_statistics, all_statistics;   // layer
  Cache<NotableHeads, BlockPointer, std::shared_ptr<const BlockStatistics>> notable_heads;
  Cache<RowSums, BlockPointer, int> row_sums;  // layer
  Cache<HeadSimilarity, BlockPointer> similarity;
  Cache<Comparison, BlockPointer, BlockPointer, int, Filter> comparison;  // layer
  Cache<HeadTree, std::shared_ptr<const HeadSimilarity>, int> head_tree;  // number of groups
  Cache<ComparisonLook, ComparisonPointer, RangeChoice> comparison_look;
  Cache<ComparedHead, ComparisonPointer, int> compared_head;                  // head
  Cache<std::vector<LargestDifference>, ComparisonPointer, int> differences;  // head, -1: all
  Cache<std::vector<ChangedHead>, BlockPointer, BlockPointer, Filter> changed_heads;
  Cache<LineSet, std::shared_ptr<const FilteredLayer>, std::set<int>> lines;  // hidden heads
  Cache<Thumbnails, BlockPointer, Filter, RangeChoice> thumbnails;
  Cache<Expectations, TracePointer, ExpectationRange> lens;
  Both<Cache<Expectations, TracePointer, ExpectationRange>> expectations;
  Cache<ShiftedPredictions, TracePointer, TracePointer, Index, Index> shift;        // queries of A and B
  Cache<TokenContributions, TracePointer, std::string, OptionalInt> contributions;  // token, position
  Cache<ShownCauses, TracePointer, TracePointer, CauseChoice> causes;
  Cache<ShownCircuits, TracePointer, CircuitChoice> circuits;
  Cache<CircuitNumbers, std::shared_ptr<const LanguageModel>, bool> circuit_numbers;  // centred logits
  Cache<ModelPicture, TracePointer, OptionalInt, RangeChoice, bool> model_picture;    // head, words
  Cache<std::vector<HeadAtCell>, BlockPointer, int, int> heads_at_cell;               // query, key

  /// Caches that may be filled in the background; the others are always filled at once.
  auto slow() {
    return std::tie(shown, shown_of_b, head_statistics, layer_statistics, all_statistics, notable_heads,
                    row_sums, similarity, comparison, differences, changed_heads, lines, thumbnails, lens,
                    expectations.a, expectations.b, shift, contributions, causes, circuits, circuit_numbers,
                    model_picture, heads_at_cell);
  }
  auto all() { return std::tuple_cat(slow(), std::tie(head_tree, comparison_look, compared_head)); }

  std::weak_ptr<const Trace> a, b;
  int frames_to_forget = 0;
};

ViewCache::ViewCache() : state_(std::make_unique<State>()) {}
ViewCache::~ViewCache() = default;

std::shared_ptr<const FilteredLayer> ViewCache::shown(const BlockPointer& block, const View& view,
                                                      const std::vector<int>& heads) {
  // A filter selects cells, but pooled cells only show their largest.
  const Filter filter = block->pooled() ? Filter() : view.filter;
  const bool quick = quick_filter(filter, cells_of(*block)) && quick_maps(*block, view.layer, heads);
  const auto compute = [=, layer = view.layer](const std::stop_token& stop, WorkProgress& progress) {
    report_unasked(progress, forecast_of_maps(*block, static_cast<double>(heads.size())));
    return filter_layer(block, layer, filter, heads, stop);
  };
  if (auto shown = state_->shown.get({block, view.layer, filter, heads}, quick, compute)) return shown;
  // The very first one may be large: nothing is shown until it is ready.
  return filter_layer(block, view.layer, {}, std::span<const int>());
}

std::shared_ptr<const FilteredLayer> ViewCache::shown_of_b(const BlockPointer& block, const View& view) {
  const int layer = std::clamp(view.layer, 0, std::max(0, block->layer_count() - 1));
  return state_->shown_of_b.get({block, layer, {}, {}}, true, [=](const std::stop_token&) {
    return filter_layer(block, layer, {}, std::span<const int>());
  });
}

std::shared_ptr<const HeadStatistics> ViewCache::head_statistics(const BlockPointer& block, int layer,
                                                                 int head) {
  if (layer >= block->layer_count() || head >= block->heads()) return nullptr;
  const BlockPointer of = measured(block);
  const bool quick = cells_of_head(*of) <= quick_costly_cells;
  return state_->head_statistics.get(
      {of, layer, head}, quick, [=](const std::stop_token& stop) -> std::shared_ptr<const HeadStatistics> {
        auto computed = std::make_shared<const HeadStatistics>(
            headscope::head_statistics(*of, layer, head, TokenMatches(of->tokens, of->key_tokens), stop));
        return stop.stop_requested() ? nullptr : computed;
      });
}

bool ViewCache::measures_head() const {
  return state_->head_statistics.busy() || state_->head_statistics.idle() != Idle::none;
}

std::shared_ptr<const BlockStatistics> ViewCache::statistics(const BlockPointer& block,
                                                             std::optional<int> layer) {
  const BlockPointer of = measured(block);
  const int layers = layer ? 1 : of->layer_count();
  return (layer ? state_->layer_statistics : state_->all_statistics)
      .get({of, layer}, cells_of(*of) * layers <= quick_costly_cells && quick_vectors(*of, layers),
           [=](const std::stop_token& stop, WorkProgress& progress) {
             report_unasked(progress, forecast_of_statistics(*of, of->heads() * layers));
             return block_statistics(*of, layer, stop, [&](double share) { progress.show(share); });
           });
}

bool ViewCache::measures_unasked(const BlockPointer& block) const {
  const auto* known = state_->all_statistics.value_key();
  return (known != nullptr && std::get<0>(*known) == measured(block)) ||
         !forecast_of_statistics(*block, static_cast<double>(head_count_of(*block))).is_long();
}

std::shared_ptr<const NotableHeads> ViewCache::notable_heads(const BlockPointer& block) {
  const BlockPointer of = measured(block);
  const auto numbers = statistics(block, std::nullopt);
  if (!numbers || std::get<0>(*state_->all_statistics.value_key()) != of) return nullptr;
  const bool quick = cells_of(*of) * of->layer_count() <= quick_costly_cells;
  const auto found = state_->notable_heads.get({of, numbers}, quick, [=](const std::stop_token& stop) {
    return headscope::notable_heads(*of, *numbers, stop);
  });
  return found && std::get<0>(*state_->notable_heads.value_key()) == of ? found : nullptr;
}

std::shared_ptr<const RowSums> ViewCache::row_sums(const BlockPointer& block, int layer) {
  const BlockPointer of = measured(block);
  return state_->row_sums.get({of, layer}, cells_of(*of) <= quick_costly_cells, [=](std::stop_token stop) {
    return headscope::row_sums(*of, layer, std::move(stop));
  });
}

std::vector<int> ViewCache::heads(const BlockPointer& block, const View& view,
                                  const std::vector<HeadLabel>& labels) {
  const auto alike = view.sort.by == "similarity" ? similarity(block) : nullptr;
  const auto numbers = sorts_by_statistics(view.sort) ? statistics(block, view.layer) : nullptr;
  const auto circuits =
      sorts_by_circuits(view.sort) ? circuit_numbers(block, view.circuits.center_logits) : nullptr;
  return sorted_heads(*block, view.layer, numbers.get(), view.sort, labels, alike.get(), circuits.get());
}

HeadTableRows ViewCache::rows(const BlockPointer& block, const View& view,
                              const std::vector<HeadLabel>& labels) {
  const auto alike = view.sort.by == "similarity" ? similarity(block) : nullptr;
  HeadTableRows result{
      statistics(block, std::nullopt), circuit_numbers(block, view.circuits.center_logits), {}};
  result.rows =
      sorted_rows(*block, result.statistics.get(), view.sort, labels, alike.get(), result.circuits.get());
  return result;
}

std::shared_ptr<const CircuitNumbers> ViewCache::circuit_numbers(const BlockPointer& block,
                                                                 bool center_logits) {
  if (!block->circuits) return nullptr;
  return state_->circuit_numbers.get_only(
      {block->circuits, center_logits}, false, [=](const std::stop_token& stop, WorkProgress& progress) {
        return headscope::circuit_numbers(*block, center_logits, stop,
                                          [&](double share) { progress.show(share); });
      });
}

std::shared_ptr<const HeadSimilarity> ViewCache::similarity(const BlockPointer& block) {
  const std::int64_t heads = head_count_of(*block);
  const bool quick = heads * heads / 2 * cells_of_head(*block) <= quick_costly_cells;
  return state_->similarity.get({block}, quick, [block](const std::stop_token& stop, WorkProgress& progress) {
    report_unasked(progress, forecast_of_similarity(*block));
    return head_similarity(*block, stop);
  });
}

std::shared_ptr<const HeadTree> ViewCache::head_tree(const std::shared_ptr<const HeadSimilarity>& similarity,
                                                     int groups) {
  if (!similarity || similarity->heads.empty()) return nullptr;
  return state_->head_tree.get({similarity, groups}, true, [similarity, groups](const std::stop_token&) {
    return std::make_shared<const HeadTree>(headscope::head_tree(*similarity, groups));
  });
}

std::shared_ptr<const Comparison> ViewCache::comparison(const BlockPointer& a, const BlockPointer& b,
                                                        const View& view) {
  // Full maps of long texts may not fit into memory: they are compared pooled.
  if (needs_pooling(*a) || needs_pooling(*b)) return nullptr;
  const bool quick = std::max(cells_of(*a), cells_of(*b)) <= quick_costly_cells;
  return state_->comparison.get(
      {a, b, view.layer, view.filter}, quick,
      [a, b, layer = view.layer, filter = view.filter](const std::stop_token& stop) {
        const int layer_of_b = std::min(layer, std::max(0, b->layer_count() - 1));
        const auto shown_of_a = filter_layer(a, layer, filter, stop);
        return compare_layers(shown_of_a, filter_layer(b, layer_of_b, partner_filter(filter, *a, *b), stop));
      });
}

std::shared_ptr<const ComparedHead> ViewCache::compared_head(
    const std::shared_ptr<const Comparison>& comparison, int head) {
  // Always at once: it must match the comparison that is shown.
  return state_->compared_head.get({comparison, head}, true, [=](const std::stop_token&) {
    return std::make_shared<const ComparedHead>(compare_head(*comparison, head));
  });
}

std::shared_ptr<const ComparisonLook> ViewCache::comparison_look(
    const std::shared_ptr<const Comparison>& comparison, const RangeChoice& range) {
  // Always at once: it must match the comparison that is shown.
  return state_->comparison_look.get({comparison, range}, true, [&](const std::stop_token&) {
    return std::make_shared<const ComparisonLook>(headscope::comparison_look(*comparison, range));
  });
}

std::shared_ptr<const std::vector<LargestDifference>> ViewCache::differences(
    const std::shared_ptr<const Comparison>& comparison, int head) {
  const Index cells = comparison->rows() * comparison->columns() * (head < 0 ? comparison->heads : 1);
  return state_->differences.get({comparison, head}, cells <= quick_cells, [=](const std::stop_token&) {
    return std::make_shared<const std::vector<LargestDifference>>(
        largest_differences(*comparison, head, max_differences));
  });
}

std::shared_ptr<const std::vector<ChangedHead>> ViewCache::changed_heads(const BlockPointer& a,
                                                                         const BlockPointer& b,
                                                                         const View& view) {
  // Of long texts each map would have to be computed.
  if (needs_pooling(*a) || needs_pooling(*b) || a->pooled() || b->pooled()) return nullptr;
  const std::int64_t cells = cells_of(*a) * a->layer_count() + cells_of(*b) * b->layer_count();
  return state_->changed_heads.get_only(
      {a, b, view.filter}, cells <= quick_costly_cells,
      [=, filter = view.filter](const std::stop_token& stop) {
        return std::make_shared<const std::vector<ChangedHead>>(headscope::changed_heads(a, b, filter, stop));
      });
}

std::shared_ptr<const LineSet> ViewCache::lines(const std::shared_ptr<const FilteredLayer>& shown,
                                                const std::set<int>& hidden_heads) {
  return state_->lines.get({shown, hidden_heads}, shown->cells() <= quick_cells, [=](const std::stop_token&) {
    return std::make_shared<const LineSet>(strongest_lines(*shown, hidden_heads, max_lines));
  });
}

std::shared_ptr<const Thumbnails> ViewCache::thumbnails(const BlockPointer& block, const Filter& filter,
                                                        const RangeChoice& range) {
  const std::int64_t cells = cells_of(*block) * block->layer_count();
  return state_->thumbnails.get(
      {block, filter, range}, quick_filter(filter, cells) && cells <= quick_cells, [=](std::stop_token stop) {
        return make_thumbnails(block, filter, range, thumbnail_size, std::move(stop));
      });
}

std::shared_ptr<const ModelPicture> ViewCache::model_picture(const TracePointer& trace, const View& view) {
  std::int64_t cells = 0;
  for (const BlockTrace& block : trace->blocks) cells += cells_of(block) * block.layer_count();
  auto& cache = state_->model_picture;
  return only_of(trace, cache,
                 cache.get({trace, view.head, view.range, view.words},
                           cells <= quick_costly_cells && (!trace->predictions || quick_logits(*trace, 1)),
                           [trace, view](const std::stop_token& stop) {
                             return headscope::model_picture(trace, view, stop);
                           }));
}

std::shared_ptr<const Expectations> ViewCache::lens(const TracePointer& trace,
                                                    const ExpectationRange& range) {
  const Index rows = (range.end - range.begin) * (range.end_layer - range.first_layer);
  return only_of(trace, state_->lens,
                 state_->lens.get({trace, range}, quick_logits(*trace, rows),
                                  [trace, range](const std::stop_token& stop) {
                                    return headscope::expectations(*trace, range, stop);
                                  }));
}

std::shared_ptr<const Expectations> ViewCache::expectations(const TracePointer& trace, Side side) {
  const ExpectationRange range = whole_range(*trace, false);
  auto& cache = state_->expectations[side];
  return only_of(
      trace, cache,
      cache.get({trace, range}, quick_logits(*trace, range.end), [trace, range](const std::stop_token& stop) {
        return headscope::expectations(*trace, range, stop);
      }));
}

std::shared_ptr<const ShiftedPredictions> ViewCache::shifted_predictions(const TracePointer& a,
                                                                         const TracePointer& b, Index query_a,
                                                                         Index query_b) {
  const auto computed =
      state_->shift.get_only({a, b, query_a, query_b}, quick_logits(*a, 4), [=](const std::stop_token& stop) {
        return headscope::shifted_predictions(*a, *b, query_a, query_b, stop);
      });
  return !error_of(*a) && !error_of(*b) ? computed : nullptr;
}

std::shared_ptr<const TokenContributions> ViewCache::contributions(const TracePointer& trace,
                                                                   const PredictionOptions& of) {
  auto& cache = state_->contributions;
  return only_of(trace, cache,
                 cache.get({trace, of.token, of.position}, quick_logits(*trace, 40),
                           [trace, of](const std::stop_token& stop) {
                             return token_contributions(*trace, of.token, of.position, stop);
                           }));
}

std::shared_ptr<const ShownCauses> ViewCache::causes(const TracePointer& a, const TracePointer& b,
                                                     const CauseChoice& choice) {
  using Result = std::shared_ptr<const ShownCauses>;
  return state_->causes.get_partial(
      {a, b, choice}, [=](const std::stop_token& stop, WorkProgress& progress, Partial<Result>& partial) {
        const auto found = [&](const CauseRequest& request, const Causes& so_far) {
          partial.show([&]() -> Result {
            return std::make_shared<ShownCauses>(
                ShownCauses{request, std::make_shared<Causes>(so_far), nullptr, {}});
          });
        };
        return shown_causes(
            *a, b.get(), choice, stop, [&](double share) { progress.show(share); }, found);
      });
}

std::shared_ptr<const ShownCircuits> ViewCache::circuits(const TracePointer& trace,
                                                         const CircuitChoice& choice) {
  return state_->circuits.get_only(
      {trace, choice}, false, [=](const std::stop_token& stop, WorkProgress& progress) {
        return shown_circuits(*trace, choice, stop, [&](double share) { progress.show(share); });
      });
}

std::shared_ptr<const std::vector<HeadAtCell>> ViewCache::heads_at_cell(const BlockPointer& block, int query,
                                                                        int key) {
  const std::int64_t cost = head_count_of(*block) * block->n_k() * (block->layers.empty() ? 64 : 1);
  return state_->heads_at_cell.get_only(
      {block, query, key}, cost <= quick_costly_cells,
      [=](const std::stop_token& stop) { return headscope::heads_at_cell(*block, query, key, stop); });
}

void ViewCache::settle(const std::shared_ptr<const Trace>& a, const std::shared_ptr<const Trace>& b) {
  std::apply([](auto&... each) { (each.settle(), ...); }, state_->slow());
  // A view that is left in the frame in which the trace changes requests the previous trace once more.
  constexpr int frames = 2;
  if (state_->a.lock() != a || state_->b.lock() != b) state_->frames_to_forget = frames;
  state_->a = a;
  state_->b = b;
  const bool forget = state_->frames_to_forget > 0;
  state_->frames_to_forget -= forget;
  std::apply([forget](auto&... each) { (each.note_frame(forget), ...); }, state_->all());
}

void ViewCache::for_each(const std::function<void(BackgroundWork&)>& use) const {
  std::apply([&](auto&... each) { (use(each), ...); }, state_->slow());
}

Idle ViewCache::idle_of_maps() const {
  const State& s = *state_;
  return std::max({s.shown.idle(), s.comparison.idle(), s.thumbnails.idle(), s.all_statistics.idle(),
                   s.similarity.idle(), s.lines.idle(), s.model_picture.idle()});
}

bool ViewCache::comparing() const {
  return state_->comparison.busy();
}

}  // namespace headscope
