#include "app/state/view_cache.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "app/state/background.h"

namespace headscope {
namespace {

using TracePointer = std::shared_ptr<const Trace>;
using ShownPointer = std::shared_ptr<const FilteredLayer>;

// Cells that a pass can read within a frame without being felt, in about 4 ms.
constexpr Index quick_cells = Index{1} << 21;
// Sorting rows or taking logarithms costs about ten times as much.
constexpr Index quick_costly_cells = quick_cells / 8;
// A list that is longer is not read.
constexpr std::size_t max_differences = 40;
// Thumbnails of 12 x 12 are hardly larger on a screen.
constexpr Index thumbnail_size = 64;

Index cells_of(const Trace& trace) {
  return trace.n_q() * trace.n_k() * trace.inputs.heads;
}

// What of a view a layer's maps as shown depend on.
struct ShownKey {
  TracePointer trace;
  int layer = 0;
  Filter filter;
  bool operator==(const ShownKey&) const = default;
};

struct ComparisonKey {
  TracePointer a, b;
  int layer = 0;
  Filter filter;
  bool operator==(const ComparisonKey&) const = default;
};

struct ComparedHeadKey {
  std::shared_ptr<const Comparison> comparison;
  int head = -1;  // all of them
  bool operator==(const ComparedHeadKey&) const = default;
};

struct TreeKey {
  std::shared_ptr<const HeadSimilarity> similarity;
  int groups = 1;
  bool operator==(const TreeKey&) const = default;
};

struct LookKey {
  std::shared_ptr<const Comparison> comparison;
  Range range = Range::unit;
  bool operator==(const LookKey&) const = default;
};

struct LinesKey {
  ShownPointer shown;
  std::set<int> hidden_heads;
  bool operator==(const LinesKey&) const = default;
};

struct ThumbnailsKey {
  TracePointer trace;
  Filter filter;
  Range range = Range::unit;
  bool operator==(const ThumbnailsKey&) const = default;
};

bool quick_filter(const Filter& filter, Index cells) {
  if (!filter.on()) return true;
  return cells <= (filter.top_percent < 100 ? quick_costly_cells : quick_cells);
}

std::shared_ptr<const Comparison> compare(const ComparisonKey& key) {
  const int last_b = std::max(0, static_cast<int>(key.b->layers.size()) - 1);
  return compare_layers(
      filter_layer(key.a, key.layer, key.filter),
      filter_layer(key.b, std::min(key.layer, last_b), partner_filter(key.filter, *key.a, *key.b)));
}

}  // namespace

struct ViewCache::State {
  Background<ShownKey, FilteredLayer> shown;
  Background<TracePointer, HeadSimilarity> similarity;
  Background<ComparisonKey, Comparison> comparison;
  Background<TreeKey, HeadTree> head_tree;
  Background<LookKey, ComparisonLook> comparison_look;
  Background<ComparedHeadKey, ComparedHead> compared_head;
  Background<ComparedHeadKey, std::vector<LargestDifference>> differences;
  Background<LinesKey, LineSet> lines;
  Background<ThumbnailsKey, Thumbnails> thumbnails;
};

ViewCache::ViewCache() : state_(std::make_unique<State>()) {}
ViewCache::~ViewCache() = default;

std::shared_ptr<const FilteredLayer> ViewCache::shown(const std::shared_ptr<const Trace>& trace,
                                                      const View& view) {
  const ShownKey key{trace, view.layer, view.filter};
  const auto make = [key](const std::stop_token&) { return filter_layer(key.trace, key.layer, key.filter); };
  if (auto shown = state_->shown.get(key, quick_filter(view.filter, cells_of(*trace)), make)) return shown;
  // The very first one may be large: nothing is filtered for the moment it takes.
  return filter_layer(trace, view.layer, {});
}

std::vector<int> ViewCache::heads(const std::shared_ptr<const Trace>& trace, const View& view,
                                  const std::vector<HeadLabel>& labels) {
  const auto alike = view.sort == "similarity" ? similarity(trace) : nullptr;
  return sorted_heads(*trace, view.layer, view, labels, alike.get());
}

std::vector<HeadRow> ViewCache::rows(const std::shared_ptr<const Trace>& trace, const View& view,
                                     const std::vector<HeadLabel>& labels) {
  const auto alike = view.sort == "similarity" ? similarity(trace) : nullptr;
  return sorted_rows(*trace, view, labels, alike.get());
}

std::shared_ptr<const HeadSimilarity> ViewCache::similarity(const std::shared_ptr<const Trace>& trace) {
  const auto heads = static_cast<Index>(trace->layers.size()) * trace->inputs.heads;
  const bool quick = heads * heads / 2 * trace->n_q() * trace->n_k() <= quick_costly_cells;
  return state_->similarity.get(
      trace, quick, [trace](std::stop_token stop) { return head_similarity(*trace, std::move(stop)); });
}

std::shared_ptr<const HeadTree> ViewCache::head_tree(const std::shared_ptr<const HeadSimilarity>& similarity,
                                                     int groups) {
  if (!similarity || similarity->heads.empty()) return nullptr;
  return state_->head_tree.get({similarity, groups}, true, [similarity, groups](const std::stop_token&) {
    return std::make_shared<const HeadTree>(headscope::head_tree(*similarity, groups));
  });
}

std::shared_ptr<const Comparison> ViewCache::comparison(const std::shared_ptr<const Trace>& a,
                                                        const std::shared_ptr<const Trace>& b,
                                                        const View& view) {
  const ComparisonKey key{a, b, view.layer, view.filter};
  const bool quick = std::max(cells_of(*a), cells_of(*b)) <= quick_costly_cells;
  return state_->comparison.get(key, quick, [key](const std::stop_token&) { return compare(key); });
}

std::shared_ptr<const ComparedHead> ViewCache::compared_head(
    const std::shared_ptr<const Comparison>& comparison, int head) {
  // Always at once: it has to fit the comparison that is shown.
  return state_->compared_head.get({comparison, head}, true, [comparison, head](const std::stop_token&) {
    return std::make_shared<const ComparedHead>(compare_head(*comparison, head));
  });
}

std::shared_ptr<const ComparisonLook> ViewCache::comparison_look(
    const std::shared_ptr<const Comparison>& comparison, Range range) {
  // Always at once: it has to fit the comparison that is shown.
  return state_->comparison_look.get({comparison, range}, true, [comparison, range](const std::stop_token&) {
    return std::make_shared<const ComparisonLook>(headscope::comparison_look(*comparison, range));
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
  return state_->lines.get(key, shown->weights.size() <= quick_cells, [key](const std::stop_token&) {
    return std::make_shared<const LineSet>(strongest_lines(*key.shown, key.hidden_heads, most_lines));
  });
}

std::shared_ptr<const Thumbnails> ViewCache::thumbnails(const std::shared_ptr<const Trace>& trace,
                                                        const View& view) {
  const ThumbnailsKey key{trace, view.filter, view.range};
  const Index cells = cells_of(*trace) * static_cast<Index>(trace->layers.size());
  return state_->thumbnails.get(key, quick_filter(view.filter, cells) && cells <= quick_cells,
                                [trace, view](std::stop_token stop) {
                                  return make_thumbnails(trace, view, thumbnail_size, std::move(stop));
                                });
}

void ViewCache::settle() {
  State& s = *state_;
  s.shown.settle();
  s.similarity.settle();
  s.comparison.settle();
  s.differences.settle();
  s.lines.settle();
  s.thumbnails.settle();
}

bool ViewCache::busy() const {
  const State& s = *state_;
  return s.shown.busy() || s.similarity.busy() || s.comparison.busy() || s.differences.busy() ||
         s.lines.busy() || s.thumbnails.busy();
}

bool ViewCache::comparing() const {
  return state_->comparison.busy();
}

void ViewCache::wait() const {
  const State& s = *state_;
  s.shown.wait();
  s.similarity.wait();
  s.comparison.wait();
  s.differences.wait();
  s.lines.wait();
  s.thumbnails.wait();
}

}  // namespace headscope
