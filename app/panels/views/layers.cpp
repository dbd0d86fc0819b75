#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/map/board.h"
#include "app/panels/map/map_panel.h"
#include "app/panels/map/map_pointer.h"
#include "app/panels/views/head_detail.h"
#include "app/panels/views/head_label.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/pixels.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/derived/view_cache.h"
#include "app/state/view/navigation.h"
#include "core/figure/boards/draw_parts.h"
#include "core/figure/boards/map_pictures.h"
#include "core/scene/head_table.h"
#include "core/scene/range.h"
#include "core/scene/readable_numbers.h"

namespace headscope {
namespace {

/// One frame of the thumbnails.
class Layers {
 public:
  Layers(Ui& ui, std::shared_ptr<const Thumbnails> thumbnails)
      : ui_(ui),
        owner_(std::move(thumbnails)),
        thumbnails_(*owner_),
        theme_(palette(ui.style.theme)),
        list_(*ImGui::GetWindowDrawList()),
        rolled_(ui.block->rolled ? ui.block->rolled : ui.block),
        layers_(static_cast<int>(thumbnails_.layers.size())),
        heads_(thumbnails_.heads()) {}

  void draw() {
    place();
    ImGui::Dummy(size_);
    draw_headings();
    const float top = list_.GetClipRectMin().y, bottom = list_.GetClipRectMax().y;
    for (int layer = 0; layer < layers_; ++layer) {
      const float y = map_corner(layer, 0).y;
      if (y + side_y_ < top || y > bottom) continue;
      for (int head = 0; head < heads_; ++head) draw_thumbnail(layer, head);
    }
    draw_head_detail(ui_, detail_);
  }

 private:
  /// Whether a column is that of the rollout, beside the heads that it mixes.
  bool is_rollout(int head) const { return ui_.block->rolled && head == heads_ - 1; }

  void place() {
    const float em = ui_.style.font_size;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    from_ = ImGui::GetCursorScreenPos();
    heading_x_ = em * 2.6F;
    heading_y_ = em * 1.6F;
    gap_ = std::max(2.0F, std::round(em * 0.22F));
    const float aspect =
        static_cast<float>(ui_.shown->n_k()) / static_cast<float>(std::max<Index>(1, ui_.shown->n_q()));
    const float ratio = std::clamp(aspect, 0.4F, 2.5F);  // aspect ratio of a thumbnail
    place_maps(room, ratio);
    // Beside the thumbnails or below them there is room for one map; if not, they leave it where they can.
    if (place_detail(room, 0.5)) return;
    constexpr float share = 0.42F;
    const float kept = side_x_;
    place_maps({share * room.x, room.y}, ratio);
    if (side_x_ >= 3 * em && place_detail(room, 0.5)) return;
    if (side_x_ != kept) place_maps(room, ratio);
    place_detail(room, 0.3);
  }

  /// The thumbnails in that room.
  void place_maps(ImVec2 room, float ratio) {
    const float em = ui_.style.font_size;
    const float by_width = (room.x - heading_x_) / static_cast<float>(heads_) - gap_;
    const float by_height = (room.y - heading_y_) / static_cast<float>(std::max(1, layers_)) - gap_;
    const bool presented = ui_.style.presented;
    // Smaller thumbnails are unreadable: the view scrolls instead. A projector does not scroll.
    const float smallest = std::max(ui_.style.finger, em * (presented ? 0.5F : 1.8F)),
                largest = presented ? room.y : em * 14;
    const float fitting = std::clamp(std::min(by_width, by_height * ratio), smallest, largest);
    // A projector fills the space: few layers of many heads are stretched vertically, many of few
    // horizontally.
    const float wider = presented ? 2.2F : 1, higher = presented ? 2.8F : 1;
    side_x_ = std::floor(std::clamp(by_width, fitting, wider * fitting));
    side_y_ =
        std::floor(std::max(smallest, std::clamp(by_height, fitting / ratio, higher * fitting / ratio)));
    size_ = {heading_x_ + static_cast<float>(heads_) * (side_x_ + gap_) - gap_,
             heading_y_ + static_cast<float>(layers_) * (side_y_ + gap_) - gap_};
    if (presented) from_.x += std::max(0.0F, std::floor((room.x - size_.x) / 2));
  }

  /// Whether a head has room, large, beside or below the thumbnails.
  bool place_detail(ImVec2 room, double share) {
    detail_ = room_for_detail(ui_, {from_.x, from_.y, room.x, room.y}, size_.x, size_.y, share);
    return detail_.width > 0;
  }

  ImVec2 map_corner(int layer, int head) const {
    return {from_.x + heading_x_ + static_cast<float>(head) * (side_x_ + gap_),
            from_.y + heading_y_ + static_cast<float>(layer) * (side_y_ + gap_)};
  }

  void heading(ImVec2 at, int number, bool chosen) {
    const float size = ui_.style.small;
    const MapTextStyle text = text_style(size, chosen ? theme_.accent : theme_.muted, 0.5F, 0.5F);
    draw_text(list_, text, at, std::to_string(number));
  }

  void draw_headings() {
    const float size = ui_.style.small;
    MapTextStyle text = text_style(size, theme_.muted, 0, 0.5F);
    const bool narrow = side_x_ < size * 1.3F, low = side_y_ + gap_ < size * 1.05F;
    if (is_rollout(heads_ - 1)) {
      MapTextStyle over = text;
      over.align_x = 0.5F;
      draw_text(list_, over, {map_corner(0, heads_ - 1).x + side_x_ / 2, from_.y + heading_y_ * 0.6F},
                ui_.tr("Rollout"));
    }
    for (int head = 0; head < heads_; ++head)
      if (!is_rollout(head) && (!narrow || head % 2 == 0))
        heading({map_corner(0, head).x + side_x_ / 2, from_.y + heading_y_ * 0.6F}, head + 1, false);
    for (int layer = 0; layer < layers_; ++layer)
      if (!low || layer % 2 == 0)
        heading({from_.x + heading_x_ * 0.6F, map_corner(layer, 0).y + side_y_ / 2}, layer + 1,
                layer == ui_.view().layer);
    draw_text(list_, text, {from_.x, from_.y + heading_y_ * 0.35F}, ui_.tr("Layer"));
  }

  void draw_thumbnail(int layer, int head) {
    if (!is_rollout(head) && !rolled_->shape.has_map(layer, head)) return;
    const ImVec2 min = map_corner(layer, head), max{min.x + side_x_, min.y + side_y_};
    ImGui::SetCursorScreenPos(min);
    ImGui::PushID(PainterSlots::thumbnail(layer, head));
    const bool pressed = invisible_button("thumbnail", {side_x_, side_y_});
    const bool over = ImGui::IsItemHovered(), focused = ImGui::IsItemFocused();
    ImGui::PopID();
    const bool rollout = is_rollout(head);
    if (listener() != nullptr)
      hear_value(HeardRole::none, heard_cell(ui_, layer, head),
                 full_head_name(ui_, layer, rollout ? 0 : head));
    note_place(rollout ? fmt::format("layer {} rollout", layer + 1)
                       : fmt::format("layer {} head {}", layer + 1, head + 1),
               min, max);
    MapPicture picture = thumbnail_picture(thumbnails_, rollout ? *ui_.block : *rolled_, ui_.view(), layer,
                                           rollout ? 0 : head, head, thumbnails_.layers[layer].ranges[head]);
    picture.owner = owner_;
    const ScreenMap map = place_map(ui_.style, PainterSlots::thumbnail(layer, head),
                                    {min.x, min.y, side_x_, side_y_}, std::move(picture));
    draw_picture(list_, ui_, map);
    if (rollout) {
      if (over || focused) frame(min, max, theme_.accent);
      if (over && !ui_.style.presented) tooltip(full_head_name(ui_, layer, 0));
      if (!pressed) return;
      return open_layer(ui_.state, layer);
    }
    headscope::draw_marks(ui_, map,
                          placed_marks(ui_.scene->marks, *rolled_, thumbnails_.layers[layer], layer, head),
                          ui_.style.small * 0.85);
    draw_marks(min, max, layer, head, over || focused);
    const HeadPlace place{rolled_->shape.kind, layer, head};
    if (over || focused) point_at_detail(ui_, place);
    if (detail_.width > 0 && detailed_head(ui_) == place && !over) frame(min, max, theme_.accent);
    if (over && !ui_.style.presented) report(layer, head, min, max);
    const bool first = !ImGui::IsAnyItemFocused() && layer == ui_.view().layer && head == 0;
    note_map(ui_, {layer, head, ui_.side, {}, {}}, min, max, over, focused || first);
    if (!pressed) return;
    ui_.state.view.rollout.of = Rollout::off;
    open_head(ui_.state, layer, head);
  }

  void draw_marks(ImVec2 min, ImVec2 max, int layer, int head, bool over) {
    const float stroke = frame_stroke();
    if (const HeadLabel* label = find_label(ui_.labels, layer, head); label && label->color)
      list_.AddRectFilled({min.x, max.y - stroke * 1.5F}, max, head_rgb(ui_, layer, head));
    const bool chosen = ui_.view().layer == layer && ui_.state.lock && ui_.state.lock->head == head;
    if (is_ablated(*rolled_, layer, head)) {
      const float size = ui_.style.small;
      const MapTextStyle text = text_style(size, theme_.text, 0.5F, 0.5F);
      if (text_size(text, ui_.tr("off")).x < max.x - min.x)
        draw_boxed_text(list_, text, {(min.x + max.x) / 2, (min.y + max.y) / 2}, ui_.tr("off"), theme_.panel);
    }
    if (over || chosen) frame(min, max, over ? theme_.accent : theme_.text);
  }

  float frame_stroke() const { return std::max(1.5F, ui_.style.font_size / 9); }
  void frame(ImVec2 min, ImVec2 max, ImU32 color) {
    const float stroke = frame_stroke();
    list_.AddRect({min.x - stroke, min.y - stroke}, {max.x + stroke, max.y + stroke}, color, 0, 0, stroke);
  }

  /// Next to all maps if there is space, otherwise next to the one that it explains.
  bool begin_tooltip_beside(ImVec2 min, ImVec2 max) const {
    if (ui_.memory.keyed) return false;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    // Uses the width of the last one.
    const float em = ui_.style.font_size;
    const float wanted = ImGui::GetStateStorage()->GetFloat(ImGui::GetID("tooltip width"), em * 15);
    const float left = map_corner(0, 0).x - heading_x_ - em,
                right = map_corner(0, heads_ - 1).x + side_x_ + em;
    const bool at_right = window.x - right >= wanted, at_left = left >= wanted;
    const bool after = max.x + em / 2 + wanted <= window.x;
    const float x = at_right ? right : at_left ? left : after ? max.x + em / 2 : min.x - em / 2;
    // Positioned along the tooltip as the map is along the window: it never leaves the window.
    const float y = std::clamp((min.y + max.y) / 2, 0.0F, window.y);
    const bool rightwards = at_right || (!at_left && after);
    ImGui::SetNextWindowPos({x, y}, ImGuiCond_Always,
                            {rightwards ? 0.0F : 1.0F, y / std::max(1.0F, window.y)});
    ImGui::BeginTooltip();
    return true;
  }

  void report(int layer, int head, ImVec2 min, ImVec2 max) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (!begin_tooltip_beside(min, max)) return;
    const std::string name = ui_.block->rolled ? ui_.tr("Layer {}, head {}", layer + 1, head + 1)
                                               : full_head_name(ui_, layer, head);
    ImGui::TextUnformatted((name + relation_lines(ui_, layer, head)).c_str());
    if (const auto statistics = ui_.view_cache.head_statistics(rolled_, layer, head)) {
      const auto columns = head_columns(false, ui_.block->shape.no_token);
      float titles = 0;
      for (const HeadColumn& column : columns)
        titles = std::max(titles, ImGui::CalcTextSize(ui_.tr(column.title)).x + 1.5F * ui_.style.font_size);
      for (const HeadColumn& column : columns) {
        const auto value = column.value(*statistics);
        if (!value) continue;
        muted_text(ui_.style, ui_.tr(column.title));
        ImGui::SameLine(titles);
        ImGui::TextUnformatted(in_column(*value, 3).c_str());
      }
    }
    if (ui_.view().filter.on())
      muted_text(ui_.style, ui_.tr("of all tokens and weights, without the filter"));
    muted_text(ui_.style, ui_.tr("Click to open this head"));
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ImGui::EndTooltip();
    ImGui::GetStateStorage()->SetFloat(ImGui::GetID("tooltip width"), size.x);
    note_place("layers tooltip", at, {at.x + size.x, at.y + size.y});
  }

  Ui& ui_;
  std::shared_ptr<const Thumbnails> owner_;
  const Thumbnails& thumbnails_;
  const Palette& theme_;
  ImDrawList& list_;
  std::shared_ptr<const BlockTrace> rolled_;  // the heads' block
  int layers_ = 0, heads_ = 0;                // columns
  ImVec2 from_, size_;                        // of the thumbnails with their headings
  Rect detail_;                               // of one head, large; width 0: none
  float heading_x_ = 0, heading_y_ = 0, gap_ = 2, side_x_ = 30, side_y_ = 30;
};

/// Above the maps: how many layers there are, and the colours of their weights.
void draw_layers_bar(Ui& ui, const std::vector<ColorRange>& ranges) {
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  const bool given = !ui.inputs.about().from_seed;
  int of_source = ui.block->shape.layers;
  int& layers = given ? of_source : ui.inputs.layers;
  const char* const why =
      ui.inputs.about().computes
          ? ui.tr("A trained model brings this with its weights; it belongs to the layer from a seed.")
          : ui.tr("A capture has the layers that were written into it.");
  framed_text(ui.tr("Layers: {}", layers));
  ImGui::SameLine();
  ImGui::BeginDisabled(given || layers <= 1);
  if (icon_button("layers less", Icon::minus, given ? why : ui.tr("Remove the last layer"))) --layers;
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(given || layers >= Limits::max_layers);
  if (icon_button("layers more", Icon::plus,
                  given ? why : ui.tr("Add a layer; each layer reads the output of the one before.")))
    ++layers;
  ImGui::EndDisabled();
  if (ranges.empty()) return;
  const Board bar = layers_colors(ui.view(), *ui.block, shared_range(ranges), board_style(ui),
                                  ImGui::GetContentRegionAvail().x, ui.tr);
  const float width = pixels(bar.width);
  next_in_line(width);
  const float room = right - ImGui::GetCursorPosX();
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room - width));
  draw_board(ui, bar, ImGui::GetCursorScreenPos());
  anchor("color bar");
  tooltip(ui.tr("Colours of the cells; the range is set in the panel on the left."));
}

}  // namespace

void draw_layers(Ui& ui) {
  const auto thumbnails = ui.view_cache.thumbnails(ui.block, ui.view().filter, ui.view().range);
  const bool ready =
      thumbnails && !thumbnails->layers.empty() && std::ssize(thumbnails->layers) == ui.block->layer_count();
  std::vector<ColorRange> ranges;
  if (ready) ranges = all_ranges(*thumbnails);
  if (!ui.style.presented) draw_layers_bar(ui, ranges);
  ImGui::BeginChild("layers", {0, 0}, false,
                    ui.style.presented ? ImGuiWindowFlags_NoScrollbar : ImGuiWindowFlags_HorizontalScrollbar);
  if (!ready) {
    hint(ui.style, ui.idle == Idle::none ? ui.tr("Computing maps…") : computing_text(ui));
  } else {
    Layers(ui, thumbnails).draw();
    draw_stale_mark(ui);
  }
  ImGui::EndChild();
}

}  // namespace headscope
