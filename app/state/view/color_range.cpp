#include "app/state/view/color_range.h"

#include "core/scene/range.h"
#include "core/scene/thumbnails.h"

namespace headscope {

std::vector<ColorRange> drawn_ranges(ViewCache& cache, const Scene& scene, const FilteredLayer& shown) {
  const View& view = scene.view;
  std::vector<ColorRange> drawn;
  if (view.row().thumbnails()) {
    if (const auto thumbnails = cache.thumbnails(scene.block, view.filter, view.range))
      for (const Thumbnails::Layer& layer : thumbnails->layers)
        drawn.insert(drawn.end(), layer.ranges.begin(), layer.ranges.end());
    return drawn;
  }
  std::vector<ColorRange> each = color_ranges(shown, view.range);
  if (view.row().compares && scene.other && scene.other->n_q() > 0)
    if (const auto comparison = cache.comparison(scene.block, scene.other, view))
      each = cache.comparison_look(comparison, view.range)->weights;
  for (const int head : scene.drawn_heads())
    if (head < std::ssize(each)) drawn.push_back(each[head]);
  return drawn;
}

void set_range(ViewState& state, Range range, std::span<const ColorRange> drawn) {
  View& view = state.view;
  if (range == view.range.kind) return;
  if (range == Range::fixed) {
    state.range_before = view.range.kind;
    view.range.limits = limits_around(drawn);
  }
  view.range.kind = range;
  state.refused_limits.reset();
}

void hold_range(ViewState& state, std::span<const ColorRange> drawn) {
  set_range(state, state.view.range.kind == Range::fixed ? state.range_before : Range::fixed, drawn);
}

void set_limits(ViewState& state, const ColorLimits& limits) {
  state.refused_limits.reset();
  if (limits.valid())
    state.view.range.limits = limits;
  else
    state.refused_limits = limits;
}

}  // namespace headscope
