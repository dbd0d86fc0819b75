#include "app/panels/views/head_detail.h"

#include <algorithm>

#include "app/panels/map/map_panel.h"
#include "app/panels/views/head_label.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/pixels.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/derived/view_cache.h"
#include "app/state/view/navigation.h"
#include "core/figure/boards/map_pictures.h"
#include "core/scene/source_title.h"

namespace headscope {
namespace {

/// The heads of a block, which a rollout mixes.
const std::shared_ptr<const BlockTrace>& heads_of(const std::shared_ptr<const BlockTrace>& block) {
  return block->rolled ? block->rolled : block;
}

std::shared_ptr<const BlockTrace> block_of_detail(const Ui& ui, BlockKind kind) {
  return kind == ui.block->shape.kind || !ui.trace ? ui.block : block_of(ui.trace, kind);
}

/// With the block of that head in view, and the tokens of its axes.
Ui in_block_of(Ui& ui, const HeadPlace& head) {
  Ui own = ui;
  own.block = block_of_detail(ui, head.block);
  if (own.block == ui.block) return own;
  std::shared_ptr<const FilteredLayer>& axes = ui.memory.detail.axes;
  if (!axes || axes->block != own.block) axes = filter_layer(own.block, 0, Filter(), std::span<const int>());
  own.shown = axes;
  return own;
}

/// One frame of it.
class HeadDetail {
 public:
  HeadDetail(const Ui& ui, const HeadPlace& head, std::shared_ptr<const Thumbnails> thumbnails)
      : ui_(ui), layer_(head.layer), head_(head.head), thumbnails_(std::move(thumbnails)) {}

  /// Whether it is pressed.
  bool draw(const Rect& place) {
    ui_.memory.maps.update(ui_.shown);
    LayoutRequest request = layout_request(ui_, place, {head_}, ui_.style.small);
    request.one_frame = true;
    const GridLayout& layout = ui_.memory.maps.layout(0, request, ui_.style.fonts);
    const PanelLayout& panel = layout.panels.front();
    if (panel.map.width <= 0) return false;
    const ScreenMap map = draw_map(layout, panel);
    draw_title(place, layout, panel, map);
    note_place("large head", map.min, map.max);
    ImGui::SetCursorScreenPos(map.min);
    const bool pressed = invisible_button("detail", {map.max.x - map.min.x, map.max.y - map.min.y});
    tooltip(ui_.tr("Click to open this head"));
    if (listener() != nullptr) hear_name(title());
    return pressed;
  }

 private:
  ScreenMap draw_map(const GridLayout& layout, const PanelLayout& panel) {
    const Thumbnails::Layer& small = thumbnails_->layers[layer_];
    const ColorRange& range = small.ranges[head_];
    MapPicture picture =
        thumbnail_picture(*thumbnails_, *heads_of(ui_.block), ui_.view(), layer_, head_, head_, range);
    picture.owner = thumbnails_;
    ScreenMap map = place_map(ui_.style, PainterSlots::detail, panel.map, std::move(picture));
    draw_picture(list_, ui_, map);
    const AxisTexts texts = axis_texts(ui_);
    // A small map of a long text has no row for each word.
    if (small.n_q == std::ssize(texts.rows) && small.n_k == std::ssize(texts.columns))
      draw_axes(list_, ui_, layout, panel, map, texts);
    draw_color_bar(list_, ui_, layout, panel.color_bar, range, *map.request.colors);
    return map;
  }

  std::string title() const {
    const std::string name = drawn_text(full_head_name(ui_, layer_, head_));
    if (!ui_.trace || ui_.trace->blocks.size() < 2) return name;
    return block_title(ui_.tr, *ui_.trace, ui_.block->shape.kind) + " · " + name;
  }

  void draw_title(const Rect& place, const GridLayout& layout, const PanelLayout& panel,
                  const ScreenMap& map) {
    const MapTextStyle style = text_style(layout.title_size, palette(ui_.style.theme).text, 0, 0.5F);
    const auto middle = pixels(panel.title.y + panel.title.height / 2);
    const double room = place.right() - double{map.min.x};
    draw_text(list_, style, {map.min.x, middle},
              shortened(title(), room, measure_with(pixels(layout.title_size))));
  }

  Ui ui_;
  int layer_ = 0, head_ = 0;
  std::shared_ptr<const Thumbnails> thumbnails_;
  ImDrawList& list_ = *ImGui::GetWindowDrawList();
};

}  // namespace

Rect room_for_detail(const Ui& ui, const Rect& room, double width, double height, double share) {
  if (ui.style.presented) return {};
  const double em = ui.style.font_size, gap = 1.5 * em;
  const Rect beside{room.x + width + gap, room.y, room.width - width - gap, room.height};
  const Rect below{room.x, room.y + height + gap, room.width, room.height - height - gap};
  const auto side = [](const Rect& rect) { return std::min(rect.width, rect.height); };
  const Rect& larger = side(beside) >= side(below) ? beside : below;
  return side(larger) >= std::max(12 * em, share * side(room)) ? larger : Rect{};
}

void point_at_detail(Ui& ui, const HeadPlace& head) {
  ui.memory.detail.pointed = head;
}

HeadPlace detailed_head(const Ui& ui) {
  const BlockTrace& shown = *heads_of(ui.block);
  if (const auto& pointed = ui.memory.detail.pointed) {
    const auto block = heads_of(block_of_detail(ui, pointed->block));
    if (block->shape.kind == pointed->block && pointed->layer < block->layer_count() &&
        pointed->head < block->heads_of(pointed->layer))
      return *pointed;
  }
  const int layer = shown.shape.layer_with_maps(std::clamp(ui.view().layer, 0, shown.layer_count() - 1));
  return {shown.shape.kind, layer, present_head(ui.state, std::max(1, shown.heads_of(layer)))};
}

void draw_head_detail(Ui& ui, const Rect& place) {
  if (!(place.width > 0)) return;
  const HeadPlace head = detailed_head(ui);
  const Ui own = in_block_of(ui, head);
  const Filter filter = own.block == ui.block ? ui.view().filter : Filter();
  const auto thumbnails = own.view_cache.thumbnails(own.block, filter, ui.view().range);
  if (!thumbnails || std::ssize(thumbnails->layers) != own.block->layer_count()) return;
  if (head.head >= std::ssize(thumbnails->layers[head.layer].ranges)) return;
  if (!HeadDetail(own, head, thumbnails).draw(place)) return;
  if (own.block != ui.block) show_block(ui.state, head.block);
  open_head(ui.state, head.layer, head.head);
}

}  // namespace headscope
