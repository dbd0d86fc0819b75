#include "core/scene/held_ranges.h"

#include <algorithm>
#include <utility>

#include "core/analysis/filtered_layer.h"
#include "core/base/stopped.h"
#include "core/scene/model_picture.h"
#include "core/scene/range.h"
#include "core/scene/shown_block.h"
#include "core/source/maps/pooled_maps.h"

namespace headscope {
namespace {

/// The largest of each of `queries` under Range::row.
std::vector<double> row_ends(const ColorRange& range, std::span<const int> queries, Index n_q) {
  std::vector<double> ends(n_q, 0.0);
  const std::vector<float>& factors = *range.row_factors;
  for (std::size_t row = 0; row < std::min(queries.size(), factors.size()); ++row)
    if (const double end = 1.0 / factors[row]; end <= ColorLimits::maximum) ends[queries[row]] = end;
  return ends;
}

View with_own_ranges(View view, Range kind) {
  view.range.held.clear();
  view.range.kind = kind;
  return view;
}

void append(std::vector<HeldRange>& all, std::vector<HeldRange> some) {
  std::ranges::move(some, std::back_inserter(all));
}

std::vector<int> all_queries(Index n_q) {
  std::vector<int> queries(n_q);
  for (int i = 0; i < n_q; ++i) queries[i] = i;
  return queries;
}

/// Of the means of the layers' heads.
std::vector<HeldRange> mean_ranges(const std::shared_ptr<const Trace>& trace, View view, Side side,
                                   const std::stop_token& stop) {
  std::vector<HeldRange> found;
  view.head.reset();
  view.of_b = false;
  const auto picture = model_picture(trace, view, stop);
  check_stop(stop);
  for (const ModelPicture::Map& map : picture->maps) {
    HeldRange held{side == Side::a ? HeldMap::mean : HeldMap::mean_b,
                   map.block,
                   map.layer,
                   0,
                   {map.range.low, map.range.high},
                   {}};
    if (map.range.row_factors) held.rows = row_ends(map.range, all_queries(map.n_q), map.n_q);
    if (held.limits.valid()) found.push_back(std::move(held));
  }
  return found;
}

}  // namespace

HeldMap held_map(const BlockTrace& block, Side side) {
  if (block.cells.rollout != Rollout::off) return HeldMap::rollout;
  return side == Side::a ? HeldMap::a : HeldMap::b;
}

std::vector<HeldRange> layer_ranges(const FilteredLayer& shown, const View& view, Side side) {
  std::vector<HeldRange> found;
  const bool by_rows = view.range.kind == Range::row;
  const auto ranges_as = [&](Range kind) { return color_ranges(shown, with_own_ranges(view, kind).range); };
  const std::vector<ColorRange> ranges = ranges_as(by_rows ? Range::head : view.range.kind);
  std::vector<ColorRange> rows;
  if (by_rows && !shown.block->pooled() && !shown.part) rows = ranges_as(Range::row);
  for (int head = 0; head < shown.heads(); ++head) {
    HeldRange held{held_map(*shown.block, side),
                   shown.block->shape.kind,
                   shown.layer,
                   head,
                   {ranges[head].low, ranges[head].high},
                   {}};
    if (shown.weights(head) == nullptr || !held.limits.valid()) continue;
    if (!rows.empty()) held.rows = row_ends(rows[head], shown.queries, shown.block->n_q());
    found.push_back(std::move(held));
  }
  return found;
}

std::vector<HeldRange> trace_ranges(const std::shared_ptr<const Trace>& trace, const View& view, Side side,
                                    const std::stop_token& stop) {
  std::vector<HeldRange> found;
  View shown = with_shown_cells(view);
  shown.words = shown.words && trace->inputs.about().has_vocabulary;
  for (const BlockTrace& one : trace->blocks) {
    const auto block = shown_block(trace, one.shape.kind, shown, Translator());
    if (block->n_q() == 0 || block->n_k() == 0 || needs_pooling(*block)) continue;
    for (const auto& drawn : {block, block->rolled})
      for (int layer = 0; drawn && layer < drawn->layer_count(); ++layer) {
        check_stop(stop);
        append(found, layer_ranges(*filter_layer(drawn, layer, view.filter, stop), view, side));
      }
  }
  if (no_model_picture(trace.get()) == nullptr)
    append(found, mean_ranges(trace, with_own_ranges(shown, view.range.kind), side, stop));
  return found;
}

}  // namespace headscope
