#include "core/figure/boards/map_pictures.h"

#include "core/scene/labels.h"

namespace headscope {
namespace {

const FilteredLayer& side_of(const Comparison& comparison, ComparedMap map) {
  return map == ComparedMap::b ? *comparison.shown_b : *comparison.shown_a;
}

auto pooling_of_cells(const FilteredLayer& shown, bool means) {
  return shown.block->is_signed(shown.layer) ? pooling_of_differences(means) : pooling_of_weights(means);
}

}  // namespace

MapPicture head_picture(const FilteredLayer& shown, const View& view, int head, const ColorRange& range) {
  MapPicture picture = map_picture(shown.weights(head), shown.state(head), shown.n_q(), shown.n_k(),
                                   map_colors(view, *shown.block, shown.layer, head), range);
  picture.pooling = pooling_of_cells(shown, shown.means());
  return picture;
}

MapPicture thumbnail_picture(const Thumbnails& thumbnails, const BlockTrace& block, const View& view,
                             int layer, int head, int column, const ColorRange& range) {
  const Thumbnails::Layer& maps = thumbnails.layers[layer];
  return map_picture(maps.weights.at(column), maps.state(column), maps.n_q, maps.n_k,
                     map_colors(view, block, layer, head), range);
}

MapPicture compared_picture(const Comparison& comparison, const ComparedHead& maps, const View& view,
                            int head, ComparedMap map, const ColorRange& range) {
  const FilteredLayer& side = side_of(comparison, map);
  const bool difference = map == ComparedMap::difference, means = comparison.shown_a->means();
  const Tensor& values = difference ? maps.difference : map == ComparedMap::a ? maps.a : maps.b;
  const auto& states = difference              ? maps.state_difference
                       : map == ComparedMap::a ? maps.state_a
                                               : maps.state_b;
  MapPicture picture = map_picture(
      values.data(), states.data(), comparison.rows(), comparison.columns(),
      difference ? diverging_colors(view.theme) : map_colors(view, *side.block, side.layer, head), range);
  picture.pooling = difference ? pooling_of_differences(means) : pooling_of_cells(side, means);
  return picture;
}

std::string compared_title(const Translator& tr, const Scene& scene, const Comparison& comparison, int head,
                           ComparedMap map, bool brief) {
  if (map == ComparedMap::difference) return difference_title(tr, comparison, head);
  const std::string side = map == ComparedMap::a ? "A" : "B";
  if (scene.trace && scene.other_trace) {
    const auto names = side_names(tr, scene.trace->inputs, scene.other_trace->inputs,
                                  comparison.shown_a->block->layer_count() > 1, brief);
    if (const std::string& name = names[map == ComparedMap::a ? 0 : 1]; !name.empty())
      return side + " · " + name;
  }
  const FilteredLayer& shown = side_of(comparison, map);
  return with_off(tr, side, *shown.block, shown.layer, head);
}

}  // namespace headscope
