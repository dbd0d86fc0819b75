#include "app/state/view/view_cache.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "app/state/jobs/background.h"
#include "core/analysis/statistics.h"
#include "core/source/maps/pooled_maps.h"
#include "core/source/maps/work_forecast.h"

namespace headscope {
namespace {

using BlockPointer = std::shared_ptr<const BlockTrace>;
using ShownPointer = std::shared_ptr<const FilteredLayer>;

// Cells that a pass can read within a frame without a noticeable delay, in about 4 ms.
constexpr Index quick_cells = Index{1} << 21;
// Sorting rows or taking logarithms costs about ten times as much.
constexpr Index quick_costly_cells = quick_cells / 8;
// A longer list would not be read.
constexpr std::size_t max_differences = 40;
// Thumbnails of 12 x 12 cells are hardly larger on a screen.
constexpr Index thumbnail_size = 64;

Index cells_of(const BlockTrace& block) {
  return block.n_q() * block.n_k() * block.heads();
}

Index head_count_of(const BlockTrace& block) {
  return static_cast<Index>(block.layer_count()) * block.heads();
}

// The parts of a view that a layer's shown maps depend on.
struct ShownKey {
  BlockPointer block;
  int layer = 0;
  Filter filter;
  std::vector<int> heads;
  bool operator==(const ShownKey&) const = default;
};

struct ComparisonKey {
  BlockPointer a, b;
  int layer = 0;
  Filter filter;
  bool operator==(const ComparisonKey&) const = default;
};

struct ComparedHeadKey {
  std::shared_ptr<const Comparison> comparison;
  int head = -1;  // all of them
  bool operator==(const ComparedHeadKey&) const = default;
};

struct ShiftKey {
  std::shared_ptr<const Trace> a, b;
  Index query_a = 0, query_b = 0;
  bool operator==(const ShiftKey&) const = default;
};
struct ShiftMade {
  ShiftKey key;
  std::shared_ptr<const ShiftedPredictions> made;
};

struct TreeKey {
  std::shared_ptr<const HeadSimilarity> similarity;
  int groups = 1;
  bool operator==(const TreeKey&) const = default;
};

struct LookKey {
  std::shared_ptr<const Comparison> comparison;
  Range range = Range::unit;
  ColorLimits limits;
  bool operator==(const LookKey&) const = default;
};

struct LinesKey {
  ShownPointer shown;
  std::set<int> hidden_heads;
  bool operator==(const LinesKey&) const = default;
};

struct StatisticsKey {
  BlockPointer block;
  std::optional<int> layer;  // none: all
  std::optional<int> head;   // none: all
  bool operator==(const StatisticsKey&) const = default;
};

struct ThumbnailsKey {
  BlockPointer block;
  Filter filter;
  Range range = Range::unit;
  ColorLimits limits;
  bool operator==(const ThumbnailsKey&) const = default;
};

/// A result with the trace or block it was computed from, so that it is not used for another one.
template <typename Of, typename Key, typename Made>
struct MadeOf {
  std::shared_ptr<const Of> of;
  Key key;
  std::shared_ptr<const Made> made;
};
using LensMade = MadeOf<Trace, ExpectationRange, Expectations>;

struct LensKey {
  std::shared_ptr<const Trace> trace;
  ExpectationRange range;
  bool operator==(const LensKey&) const = default;
};
struct NamedToken {
  std::string token;
  std::optional<int> position;
  bool operator==(const NamedToken&) const = default;
};
struct ContributionsKey {
  std::shared_ptr<const Trace> trace;
  NamedToken named;
  bool operator==(const ContributionsKey&) const = default;
};
struct ModelPictureKey {
  std::shared_ptr<const Trace> trace;
  std::optional<int> head;
  Range range = Range::unit;
  ColorLimits limits;
  bool words = false;
  bool operator==(const ModelPictureKey&) const = default;
};
struct ModelPictureMade {
  std::shared_ptr<const Trace> of;
  std::shared_ptr<const ModelPicture> made;
};
struct CellOfBlock {
  int query = 0, key = 0;
  bool operator==(const CellOfBlock&) const = default;
};
struct HeadsAtCellKey {
  BlockPointer block;
  CellOfBlock cell;
  bool operator==(const HeadsAtCellKey&) const = default;
};

// Whether a frame can compute these products without a noticeable delay.
bool quick_logits(const Trace& trace, Index rows) {
  constexpr double products = 5e7;
  return static_cast<double>(rows) * static_cast<double>(trace.predictions->vocabulary()) *
             trace.blocks.front().shape.d_model <=
         products;
}

bool quick_filter(const Filter& filter, Index cells) {
  if (!filter.on()) return true;
  return cells <= (filter.top_percent < 100 ? quick_costly_cells : quick_cells);
}

// Whether the maps are already in memory, or can be computed within a frame.
bool quick_maps(const BlockTrace& block, int layer, const std::vector<int>& heads) {
  if (layer < 0 || layer >= block.layer_count()) return true;
  const auto missing =
      std::ranges::count_if(heads, [&](int head) { return block.maps->resident(layer, head).empty(); });
  return block.grouped() ? missing == 0 : missing * block.n_q() * block.n_k() <= quick_costly_cells;
}

/// A head's statistics are those of its full map, even if pictures show it pooled.
const BlockPointer& measured(const BlockPointer& block) {
  return block->single ? block->single : block;
}

std::shared_ptr<const Comparison> compare(const ComparisonKey& key, const std::stop_token& stop) {
  const int last_b = std::max(0, key.b->layer_count() - 1);
  const auto a = filter_layer(key.a, key.layer, key.filter, stop);
  return compare_layers(
      a, filter_layer(key.b, std::min(key.layer, last_b), partner_filter(key.filter, *key.a, *key.b), stop));
}

/// False if reading weights on demand failed: results computed since then are not used.
bool is_whole(const Trace& trace) {
  return !error_of(trace);
}

}  // namespace

struct ViewCache::State {
  Background<ShownKey, FilteredLayer> shown, shown_of_b;
  Background<StatisticsKey, HeadStatistics> head_statistics;
  Background<StatisticsKey, BlockStatistics> layer_statistics, all_statistics;
  Background<StatisticsKey, RowSums> row_sums;
  Background<BlockPointer, HeadSimilarity> similarity;
  Background<ComparisonKey, Comparison> comparison;
  Background<TreeKey, HeadTree> head_tree;
  Background<LookKey, ComparisonLook> comparison_look;
  Background<ComparedHeadKey, ComparedHead> compared_head;
  Background<ComparedHeadKey, std::vector<LargestDifference>> differences;
  Background<LinesKey, LineSet> lines;
  Background<ThumbnailsKey, Thumbnails> thumbnails;
  Background<LensKey, LensMade> lens, expectations, expectations_b;
  Background<ShiftKey, ShiftMade> shift;
  Background<ContributionsKey, MadeOf<Trace, NamedToken, TokenContributions>> contributions;
  Background<ModelPictureKey, ModelPictureMade> model_picture;
  Background<HeadsAtCellKey, MadeOf<BlockTrace, CellOfBlock, std::vector<HeadAtCell>>> heads_at_cell;

  /// Caches that may be filled in the background; the others are always filled at once.
  auto slow() {
    return std::tie(shown, shown_of_b, head_statistics, layer_statistics, all_statistics, row_sums,
                    similarity, comparison, differences, lines, thumbnails, lens, expectations,
                    expectations_b, shift, contributions, model_picture, heads_at_cell);
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
  const Filter filter = block->grouped() ? Filter() : view.filter;
  const ShownKey key{block, view.layer, filter, heads};
  const auto make = [key](const std::stop_token& stop, WorkProgress& progress) {
    progress.report(forecast_of_maps(*key.block, static_cast<double>(key.heads.size())));
    return filter_layer(key.block, key.layer, key.filter, key.heads, stop);
  };
  const bool quick = quick_filter(filter, cells_of(*block)) && quick_maps(*block, view.layer, heads);
  if (auto shown = state_->shown.get(key, quick, make)) return shown;
  // The very first one may be large: nothing is shown until it is ready.
  return filter_layer(block, view.layer, {}, std::span<const int>());
}

std::shared_ptr<const FilteredLayer> ViewCache::shown_of_b(const BlockPointer& block, const View& view) {
  const int layer = std::clamp(view.layer, 0, std::max(0, block->layer_count() - 1));
  const ShownKey key{block, layer, {}, {}};
  const auto make = [key](const std::stop_token&) {
    return filter_layer(key.block, key.layer, key.filter, key.heads);
  };
  return state_->shown_of_b.get(key, true, make);
}

std::shared_ptr<const HeadStatistics> ViewCache::head_statistics(const BlockPointer& block, int layer,
                                                                 int head) {
  if (layer >= block->layer_count() || head >= block->heads()) return nullptr;
  const BlockPointer of = measured(block);
  const bool quick = of->n_q() * of->n_k() <= quick_costly_cells;
  return state_->head_statistics.get(
      {of, layer, head}, quick, [=](const std::stop_token& stop) -> std::shared_ptr<const HeadStatistics> {
        auto made = std::make_shared<const HeadStatistics>(
            headscope::head_statistics(*of, layer, head, TokenMatches(of->tokens, of->key_tokens), stop));
        return stop.stop_requested() ? nullptr : made;
      });
}

bool ViewCache::measures_head() const {
  return state_->head_statistics.busy() || state_->head_statistics.idle() != Idle::none;
}

std::shared_ptr<const BlockStatistics> ViewCache::statistics(const BlockPointer& block,
                                                             std::optional<int> layer) {
  const BlockPointer of = measured(block);
  const Index cells = cells_of(*of) * (layer ? 1 : of->layer_count());
  return (layer ? state_->layer_statistics : state_->all_statistics)
      .get({of, layer, std::nullopt}, cells <= quick_costly_cells,
           [=](const std::stop_token& stop, WorkProgress& progress) {
             const int heads = of->heads() * (layer ? 1 : of->layer_count());
             progress.report(forecast_of_statistics(*of, heads));
             return block_statistics(*of, layer, stop, [&](double share) { progress.show(share); });
           });
}

std::shared_ptr<const RowSums> ViewCache::row_sums(const BlockPointer& block, int layer) {
  const BlockPointer of = measured(block);
  return state_->row_sums.get(
      {of, layer, std::nullopt}, cells_of(*of) <= quick_costly_cells,
      [=](std::stop_token stop) { return headscope::row_sums(*of, layer, std::move(stop)); });
}

std::vector<int> ViewCache::heads(const BlockPointer& block, const View& view,
                                  const std::vector<HeadLabel>& labels) {
  const auto alike = view.sort == "similarity" ? similarity(block) : nullptr;
  const auto numbers = find_head_column(view.sort) != nullptr ? statistics(block, view.layer) : nullptr;
  return sorted_heads(*block, view.layer, numbers.get(), view, labels, alike.get());
}

HeadTableRows ViewCache::rows(const BlockPointer& block, const View& view,
                              const std::vector<HeadLabel>& labels) {
  const auto alike = view.sort == "similarity" ? similarity(block) : nullptr;
  HeadTableRows result{statistics(block, std::nullopt), {}};
  result.rows = sorted_rows(*block, result.statistics.get(), view, labels, alike.get());
  return result;
}

std::shared_ptr<const HeadSimilarity> ViewCache::similarity(const BlockPointer& block) {
  const Index heads = static_cast<Index>(block->layer_count()) * block->heads();
  const bool quick = heads * heads / 2 * block->n_q() * block->n_k() <= quick_costly_cells;
  return state_->similarity.get(block, quick, [block](const std::stop_token& stop, WorkProgress& progress) {
    progress.report(forecast_of_similarity(*block));
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
  if (needs_groups(*a) || needs_groups(*b)) return nullptr;
  const ComparisonKey key{a, b, view.layer, view.filter};
  const bool quick = std::max(cells_of(*a), cells_of(*b)) <= quick_costly_cells;
  return state_->comparison.get(key, quick,
                                [key](const std::stop_token& stop) { return compare(key, stop); });
}

std::shared_ptr<const ComparedHead> ViewCache::compared_head(
    const std::shared_ptr<const Comparison>& comparison, int head) {
  // Always at once: it must match the comparison that is shown.
  return state_->compared_head.get({comparison, head}, true, [comparison, head](const std::stop_token&) {
    return std::make_shared<const ComparedHead>(compare_head(*comparison, head));
  });
}

std::shared_ptr<const ComparisonLook> ViewCache::comparison_look(
    const std::shared_ptr<const Comparison>& comparison, const View& view) {
  // Always at once: it must match the comparison that is shown.
  const LookKey key{comparison, view.range, view.limits};
  return state_->comparison_look.get(key, true, [key](const std::stop_token&) {
    return std::make_shared<const ComparisonLook>(
        headscope::comparison_look(*key.comparison, key.range, key.limits));
  });
}

std::shared_ptr<const std::vector<LargestDifference>> ViewCache::differences(
    const std::shared_ptr<const Comparison>& comparison, int head) {
  const ComparedHeadKey key{comparison, head};
  const Index cells = comparison->rows() * comparison->columns() * (head < 0 ? comparison->heads : 1);
  return state_->differences.get(key, cells <= quick_cells, [key](const std::stop_token&) {
    return std::make_shared<const std::vector<LargestDifference>>(
        largest_differences(*key.comparison, key.head, max_differences));
  });
}

std::shared_ptr<const LineSet> ViewCache::lines(const std::shared_ptr<const FilteredLayer>& shown,
                                                const View& view) {
  const LinesKey key{shown, view.hidden_heads};
  return state_->lines.get(key, shown->cells() <= quick_cells, [key](const std::stop_token&) {
    return std::make_shared<const LineSet>(strongest_lines(*key.shown, key.hidden_heads, max_lines));
  });
}

std::shared_ptr<const Thumbnails> ViewCache::thumbnails(const BlockPointer& block, const View& view) {
  const ThumbnailsKey key{block, view.filter, view.range, view.limits};
  const Index cells = cells_of(*block) * block->layer_count();
  return state_->thumbnails.get(key, quick_filter(view.filter, cells) && cells <= quick_cells,
                                [block, view](std::stop_token stop) {
                                  return make_thumbnails(block, view, thumbnail_size, std::move(stop));
                                });
}

std::shared_ptr<const ModelPicture> ViewCache::model_picture(const std::shared_ptr<const Trace>& trace,
                                                             const View& view) {
  Index cells = 0;
  for (const BlockTrace& block : trace->blocks) cells += cells_of(block) * block.layer_count();
  const auto made = state_->model_picture.get(
      {trace, view.head, view.range, view.limits, view.words},
      cells <= quick_costly_cells && (!trace->predictions || quick_logits(*trace, 1)),
      [trace, view](const std::stop_token& stop) -> std::shared_ptr<const ModelPictureMade> {
        auto picture = headscope::model_picture(trace, view, stop);
        return picture ? std::make_shared<const ModelPictureMade>(ModelPictureMade{trace, picture}) : nullptr;
      });
  return made && made->of == trace && is_whole(*trace) ? made->made : nullptr;
}

std::shared_ptr<const Expectations> ViewCache::lens(const std::shared_ptr<const Trace>& trace,
                                                    const ExpectationRange& range) {
  const Index rows = (range.end - range.begin) * (range.end_layer - range.first_layer);
  const auto made = state_->lens.get(
      {trace, range}, quick_logits(*trace, rows),
      [trace, range](const std::stop_token& stop) -> std::shared_ptr<const LensMade> {
        auto expected = headscope::expectations(*trace, range, stop);
        return expected ? std::make_shared<const LensMade>(LensMade{trace, range, expected}) : nullptr;
      });
  return made && made->of == trace && is_whole(*trace) ? made->made : nullptr;
}

std::shared_ptr<const Expectations> ViewCache::expectations(const std::shared_ptr<const Trace>& trace,
                                                            bool b) {
  const ExpectationRange range = whole_range(*trace, false);
  const auto made = (b ? state_->expectations_b : state_->expectations)
                        .get({trace, range}, quick_logits(*trace, range.end),
                             [trace, range](const std::stop_token& stop) -> std::shared_ptr<const LensMade> {
                               auto expected = headscope::expectations(*trace, range, stop);
                               return expected
                                          ? std::make_shared<const LensMade>(LensMade{trace, range, expected})
                                          : nullptr;
                             });
  return made && made->of == trace && is_whole(*trace) ? made->made : nullptr;
}

std::shared_ptr<const ShiftedPredictions> ViewCache::shifted_predictions(
    const std::shared_ptr<const Trace>& a, const std::shared_ptr<const Trace>& b, Index query_a,
    Index query_b) {
  const ShiftKey key{a, b, query_a, query_b};
  const auto made = state_->shift.get(
      key, quick_logits(*a, 4), [key](const std::stop_token& stop) -> std::shared_ptr<const ShiftMade> {
        auto found = headscope::shifted_predictions(*key.a, *key.b, key.query_a, key.query_b, stop);
        return found ? std::make_shared<const ShiftMade>(ShiftMade{key, found}) : nullptr;
      });
  return made && made->key == key && is_whole(*a) && is_whole(*b) ? made->made : nullptr;
}

std::shared_ptr<const TokenContributions> ViewCache::contributions(const std::shared_ptr<const Trace>& trace,
                                                                   const View& view) {
  using Made = MadeOf<Trace, NamedToken, TokenContributions>;
  const NamedToken named{view.token, view.position};
  const auto made = state_->contributions.get(
      {trace, named}, quick_logits(*trace, 40),
      [trace, named](const std::stop_token& stop) -> std::shared_ptr<const Made> {
        auto found = token_contributions(*trace, named.token, named.position, stop);
        return found ? std::make_shared<const Made>(Made{trace, named, found}) : nullptr;
      });
  return made && made->of == trace && is_whole(*trace) ? made->made : nullptr;
}

std::shared_ptr<const std::vector<HeadAtCell>> ViewCache::heads_at_cell(const BlockPointer& block, int query,
                                                                        int key) {
  using Made = MadeOf<BlockTrace, CellOfBlock, std::vector<HeadAtCell>>;
  const CellOfBlock cell{query, key};
  const Index cost = head_count_of(*block) * block->n_k() * (block->layers.empty() ? 64 : 1);
  const auto made = state_->heads_at_cell.get(
      {block, cell}, cost <= quick_costly_cells,
      [block, cell](const std::stop_token& stop) -> std::shared_ptr<const Made> {
        auto found = headscope::heads_at_cell(*block, cell.query, cell.key, stop);
        return found ? std::make_shared<const Made>(Made{block, cell, found}) : nullptr;
      });
  return made && made->of == block && made->key == cell ? made->made : nullptr;
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

std::optional<Error> ViewCache::take_error() {
  std::optional<Error> error;
  const auto take = [&](auto& each) {
    if (auto one = each.take_error()) error = std::move(one);
  };
  std::apply([&](auto&... each) { (take(each), ...); }, state_->slow());
  return error;
}

bool ViewCache::busy() const {
  return std::apply([](const auto&... each) { return (each.busy() || ...); }, state_->slow());
}

const WorkProgress* ViewCache::progress() const {
  const WorkProgress* found = nullptr;
  const auto look = [&](const auto& each) {
    if (found == nullptr) found = each.progress();
  };
  std::apply([&](const auto&... each) { (look(each), ...); }, state_->slow());
  return found;
}

void ViewCache::halt() {
  std::apply([](auto&... each) { (each.halt(), ...); }, state_->slow());
}

void ViewCache::again() {
  std::apply([](auto&... each) { (each.again(), ...); }, state_->slow());
}

Idle ViewCache::idle() const {
  return std::apply([](const auto&... each) { return std::max({each.idle()...}); }, state_->slow());
}

Idle ViewCache::idle_of_maps() const {
  const State& s = *state_;
  return std::max({s.shown.idle(), s.comparison.idle(), s.thumbnails.idle(), s.all_statistics.idle(),
                   s.similarity.idle(), s.lines.idle(), s.model_picture.idle()});
}

bool ViewCache::comparing() const {
  return state_->comparison.busy();
}

void ViewCache::wait() const {
  std::apply([](const auto&... each) { (each.wait(), ...); }, state_->slow());
}

}  // namespace headscope
