#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/panels/map/board.h"
#include "app/panels/map/map_pointer.h"
#include "app/panels/map/paint.h"
#include "app/panels/map/token_labels.h"
#include "app/panels/views/head_label.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/pixels.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/actions/present.h"
#include "app/state/view/navigation.h"
#include "core/analysis/filtered_layer.h"
#include "core/analysis/long_part.h"
#include "core/figure/boards/profiles.h"
#include "core/figure/boards/ticks.h"
#include "core/scene/range.h"
#include "core/scene/zoom.h"

namespace headscope {
namespace {

float zoom_width(const Ui& ui) {
  const ImGuiStyle& style = ImGui::GetStyle();
  return 2 * ImGui::GetFrameHeight() + 3 * style.ItemSpacing.x + 2 * style.FramePadding.x +
         ImGui::CalcTextSize("20000×").x + ImGui::CalcTextSize(ui.tr("Reset zoom")).x;
}

void zoom_tools(Ui& ui) {
  Zoom& zoom = ui.state.view.zoom;
  const Index n_q = zoomed_rows(*ui.shown), n_k = zoomed_columns(*ui.shown);
  if (icon_button("smaller", Icon::minus, ui.tr("Zoom out (wheel or −)")))
    zoom_about(zoom, 0.8, 0.5, 0.5, n_q, n_k);
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  const float begin = ImGui::GetCursorPosX();
  ImGui::TextUnformatted(
      (zoom.factor < 10 ? fmt::format("{:.0f}%", 100 * zoom.factor) : fmt::format("{:.0f}×", zoom.factor))
          .c_str());
  // Repeated clicks must hit the same button, however many digits there are.
  ImGui::SameLine(0, 0);
  ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), begin + ImGui::CalcTextSize("8888×").x) +
                       ImGui::GetStyle().ItemSpacing.x);
  if (icon_button("larger", Icon::plus, ui.tr("Zoom in (wheel or +)")))
    zoom_about(zoom, 1.25, 0.5, 0.5, n_q, n_k);
  ImGui::SameLine();
  ImGui::BeginDisabled(zoom.factor <= 1);
  if (ImGui::Button(ui.tr("Reset zoom"))) zoom = Zoom{};
  ImGui::EndDisabled();
  tooltip(ui.tr("Show the whole map again (Home or double-click)"));
}

/// What is known about the head, and how it is enlarged.
void draw_head_toolbar(Ui& ui, int head) {
  const float em = ui.style.font_size, dot = em * 0.6F, height = ImGui::GetFrameHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + (height - dot) / 2},
                                            {at.x + dot, at.y + (height + dot) / 2}, head_accent(ui, head),
                                            dot / 4);
  ImGui::Dummy({dot, height});
  ImGui::SameLine();
  const float room = ImGui::GetContentRegionAvail().x - zoom_width(ui);
  const std::string title = drawn_text(head_title(ui, head));
  const std::string badge = drawn_text(relation_badge(ui.tr, *ui.scene, ui.shown->layer, head));
  const std::string shown = fitting_badge(ui, ui.shown->layer, head, [&](const std::string& one) {
    return ImGui::CalcTextSize((title + " · " + one).c_str()).x < room;
  });
  framed_text(fit_text(shown.empty() ? title : title + " · " + shown, std::max(room, 2 * em)));
  anchor("title of head");
  if (!badge.empty()) tooltip(badge);
  ImGui::SameLine(std::max(ImGui::GetContentRegionMax().x - zoom_width(ui), 3 * em));
  zoom_tools(ui);
}

/// Widens the interval about its centre to at least `minimum`.
void widen(float& low, float& high, float minimum) {
  const float missing = std::max(0.0F, minimum - (high - low));
  low -= std::round(missing / 2);
  high += missing - std::round(missing / 2);
}

/// One frame of the head view.
class HeadView {
 public:
  HeadView(Ui& ui, int head)
      : ui_(ui),
        list_(*ImGui::GetWindowDrawList()),
        wanted_(ui.state.view.zoom),
        zoom_(ui.view().zoom),
        n_q_(zoomed_rows(*ui.shown)),
        n_k_(zoomed_columns(*ui.shown)),
        head_(head) {}

  void draw() {
    follow_button(ui_);
    keep_inside(wanted_, n_q_, n_k_);
    keep_inside(zoom_, n_q_, n_k_);
    if (!ui_.style.presented && ui_.style.finger <= 0) draw_head_toolbar(ui_, head_);
    place();
    if (panel_.map.width > 0) {
      pointer();
      draw_map();
      draw_profile_bars();
      draw_overview();
    }
    draw_stale_mark(list_, ui_, from_, to_);
    draw_focus(list_, ui_.style);
    if (maps_have_keys(ui_)) keys();
  }

 private:
  void place();
  void pointer();
  ColorRange range_of_map() const;
  void draw_map();
  void draw_profile_bars();
  void draw_overview();
  Rect overview() const;
  std::optional<ImVec2> overview_corner() const;
  void keys();

  Ui& ui_;
  ImDrawList& list_;
  Zoom& wanted_;  // drawn in the next frame
  Zoom zoom_;
  Index n_q_, n_k_;
  int head_;
  ImVec2 from_, to_;
  float profile_ = 0;  ///< size of the profiles, 0: none
  const GridLayout* layout_ = nullptr;
  PanelLayout panel_;
  Rect bar_name_;
  ScreenMap map_;
  bool hovered_ = false, active_ = false, clicked_ = false, panned_ = false;
};

void HeadView::place() {
  from_ = ImGui::GetCursorScreenPos();
  const ImVec2 left = ImGui::GetContentRegionAvail();
  const ImVec2 room{std::max(left.x, 1.0F), std::max(left.y, 1.0F)};
  to_ = {from_.x + room.x, from_.y + room.y};
  const float em = ui_.style.font_size, small = ui_.style.small;
  // No bars where large text would leave the map too small.
  profile_ =
      std::min(room.x, room.y) > 24 * em && !ui_.style.presented ? static_cast<float>(profile_size) * em : 0;
  const double margin = ui_.style.presented ? 0.3 * em : 0;
  // Rows of a long text are lower than their labels: half of the first one extends above the map.
  const double above = ui_.style.presented && ui_.shown->part ? 0.6 * small : 0;
  LayoutRequest request =
      layout_request(ui_,
                     {from_.x + margin, from_.y + profile_ + above, room.x - profile_ - 2 * margin,
                      room.y - profile_ - above - margin / 2},
                     {head_}, ui_.style.small);
  request.titles = false;  // the toolbar names the head
  request.min_map = Presented::map * ImGui::GetIO().DisplaySize.y + 1;
  request.bar_values = {widest_tick({&ui_.memory.maps.ranges(ui_.view())[head_], 1})};
  layout_ = &ui_.memory.maps.layout(1, request, ui_.style.fonts);
  panel_ = layout_->panels.front();
  bar_name_ = layout_->bar_name;
  for (Rect* rect : std::initializer_list<Rect*>{&panel_.color_bar, &panel_.color_bar.values, &bar_name_})
    rect->x += profile_;
  invisible_button("map", room, ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
  hear_nothing();  // its map is heard
  hovered_ = ImGui::IsItemHovered();
  active_ = ImGui::IsItemActive();
  const ImGuiIO& io = ImGui::GetIO();
  // A drag pans: only a button released where it went down is a click.
  clicked_ = ImGui::IsItemDeactivated() && ImGui::IsMouseReleased(ImGuiMouseButton_Left) &&
             io.MouseDragMaxDistanceSqr[0] < io.MouseDragThreshold * io.MouseDragThreshold;
}

void HeadView::pointer() {
  const ImGuiIO& io = ImGui::GetIO();
  const Rect& map = panel_.map;
  const double x = (io.MousePos.x - map.x) / map.width, y = (io.MousePos.y - map.y) / map.height;
  const bool over = hovered_ && map.contains(io.MousePos.x, io.MousePos.y);
  if (over && io.MouseWheel != 0)
    zoom_about(wanted_, std::pow(1.25, static_cast<double>(io.MouseWheel)), x, y, n_q_, n_k_);
  const bool dragged = (ImGui::IsMouseDragging(ImGuiMouseButton_Left) && !ui_.state.brush.on) ||
                       ImGui::IsMouseDragging(ImGuiMouseButton_Middle);
  if (active_ && dragged && zoom_.factor > 1 && !ui_.memory.maps.on_overview &&
      ui_.state.token_drag.begin < 0) {
    wanted_.key -= io.MouseDelta.x / map.width * cells_in_view(wanted_, n_k_, n_q_);
    wanted_.query -= io.MouseDelta.y / map.height * cells_in_view(wanted_, n_q_, n_k_);
    keep_inside(wanted_, n_q_, n_k_);
    panned_ = true;
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
  }
  // The clicks of a double click do not lock the cells under them.
  bool& double_click = ui_.memory.maps.double_click;
  if (over && !ui_.state.brush.on && zoom_.factor > 1 && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    wanted_ = Zoom{};
    ui_.state.lock = ui_.memory.maps.lock_before;
    double_click = true;
  }
}

/// Parts of a long map have separate colour ranges: while it is dragged the range is held, so that a colour
/// keeps its meaning until it is released.
ColorRange HeadView::range_of_map() const {
  const ColorRange now = ui_.memory.maps.ranges(ui_.view())[head_];
  MapMemory::BeforePan& before = ui_.memory.maps.before_pan;
  const Index group = ui_.shown->part ? ui_.shown->part->query_pool : 1;
  if (!panned_) before = {now, group};
  return panned_ && before.group == group ? held_range(before.range, now) : now;
}

void HeadView::draw_map() {
  LayerLook& look = ui_.memory.maps.look();
  const ColorRange range = range_of_map();
  MapPicture picture = head_picture(ui_, head_, range);
  const CellPart part = in_cells(*ui_.shown, part_of(zoom_, n_q_, n_k_));
  static_cast<CellPart&>(picture) = part;
  map_ = place_map(ui_.style, PainterSlots::head, panel_.map, std::move(picture));
  note_place("map " + std::to_string(head_ + 1), map_.min, map_.max);
  hear_head(ui_, ImGui::GetID("map"), head_, map_.min, map_.max);
  label_part(panel_, part, {look.rows(), look.columns()}, layout_->tick_line,
             measure_with(pixels(layout_->tick_size)));
  draw_picture(list_, ui_, map_);
  draw_empty_rows(list_, ui_, map_, look.empty_rows(head_), ui_.style.small);
  const AxisTexts texts = axis_texts(ui_);
  draw_axes(list_, ui_, *layout_, panel_, map_, texts);
  draw_color_bar(list_, ui_, *layout_, panel_.color_bar, range, *map_.request.colors);
  draw_bar_name(ui_, bar_name_, layout_->tick_size,
                colors_name(ui_.tr, ui_.view().range, *ui_.shown->block, ui_.shown->layer));
  draw_marked_cells(list_, ui_, map_, head_);
  if (ui_.view().numbers != Numbers::off)  // drawn in full above the frames
    draw_numbers(
        list_, ui_, map_, [this] { return NumberExtent::of(map_.request); }, ui_.style.small, 1.6,
        overview_corner());
  draw_marks(ui_, map_, placed_marks(ui_.scene->marks, *ui_.shown, head_), layout_->label_size);
  TokenLabels labels(ui_);
  labels.panel(list_, panel_, map_, hovered_);
  labels.finish();
  if (ui_.state.brush.on) paint_on_map(list_, ui_, map_, head_, hovered_ && !ui_.memory.maps.on_overview);
  const auto cell = point_at_map(ui_, map_, texts, head_, hovered_, true, ui_.memory.maps.on_overview);
  if (!cell || !clicked_ || ui_.state.brush.on || std::exchange(ui_.memory.maps.double_click, false)) return;
  ui_.memory.maps.lock_before = ui_.state.lock;
  toggle_lock(ui_.state, *ui_.shown, *cell);
}

void HeadView::draw_profile_bars() {
  if (profile_ <= 0) return;
  const float small = ui_.style.small;
  const std::optional<Cell> focus = ui_.focus();
  int row = 0, column = 0;
  if (!focus || !find_cell(*ui_.shown, *focus, row, column)) {
    const MapTextStyle text = text_style(small, palette(ui_.style.theme).muted, 0, 1);
    const std::string hint = shortened(ui_.tr("Point at a cell to see its row and column here as bars"),
                                       panel_.map.width, measure_with(text.size));
    draw_text(list_, text, {map_.min.x, map_.min.y - 0.4F * ui_.style.font_size}, hint);
    return;
  }
  const LayerLook& look = ui_.memory.maps.look();
  WindowCanvas canvas(ui_, ui_.style.font_size);
  draw_profiles(canvas.pen(), map_.request,
                {map_.min.x, map_.min.y, map_.max.x - map_.min.x, map_.max.y - map_.min.y},
                {row, column, shown_token(look.rows()[row]), shown_token(look.columns()[column]),
                 ui_.block->is_signed(ui_.shown->layer), ui_.block->shape.is_softmax(ui_.shown->layer)},
                small);
}

Rect HeadView::overview() const {
  const double share = 0.22, margin = ui_.style.font_size * 0.5;
  const double width = panel_.map.width * share, height = panel_.map.height * share;
  return {panel_.map.right() - width - margin, panel_.map.bottom() - height - margin, width, height};
}

std::optional<ImVec2> HeadView::overview_corner() const {
  if (zoom_.factor <= 1) return {};
  const Rect corner = overview();
  return ImVec2{pixels(corner.x) - 4, pixels(corner.y) - 4};
}

/// The whole map in the corner with the visible part; a click or drag in it moves the part.
void HeadView::draw_overview() {
  bool& on_overview = ui_.memory.maps.on_overview;
  if (zoom_.factor <= 1) {
    on_overview = false;
    return;
  }
  const Rect corner = overview();
  const ColorRange range = ui_.memory.maps.ranges(ui_.view())[head_];
  Ui of_whole = ui_;
  ColorRange whole_range = range;
  if (ui_.overview && ui_.overview != ui_.shown && !ui_.overview->maps[head_].empty()) {
    of_whole.shown = ui_.overview;
    const View& view = ui_.view();
    whole_range = color_ranges(*ui_.overview, view.range)[head_];
  }
  const ScreenMap whole =
      place_map(of_whole.style, PainterSlots::head + 1, corner, head_picture(of_whole, head_, whole_range));
  const Palette& theme = palette(ui_.style.theme);
  list_.AddRectFilled({whole.min.x - 3, whole.min.y - 3}, {whole.max.x + 3, whole.max.y + 3}, theme.panel);
  draw_picture(list_, of_whole, whole);
  const CellPart seen = in_cells(*of_whole.shown, part_of(zoom_, n_q_, n_k_));
  ImVec2 low{whole.column_edge(seen.key_begin), whole.row_edge(seen.query_begin)};
  ImVec2 high{whole.column_edge(seen.key_end), whole.row_edge(seen.query_end)};
  // However small the visible part, its position can be seen.
  const float minimum = std::round(0.5F * ui_.style.font_size);
  widen(low.x, high.x, minimum);
  widen(low.y, high.y, minimum);
  list_.AddRect({low.x - 1, low.y - 1}, {high.x + 1, high.y + 1}, IM_COL32(0, 0, 0, 200));
  list_.AddRect(low, high, IM_COL32_WHITE);
  list_.AddRect({low.x + 1, low.y + 1}, {high.x - 1, high.y - 1}, IM_COL32(0, 0, 0, 200));
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!active_) on_overview = hovered_ && whole.contains(mouse);
  if (!on_overview) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (!active_) return;
  const double x = (mouse.x - corner.x) / corner.width, y = (mouse.y - corner.y) / corner.height;
  center_on(wanted_, y * static_cast<double>(n_q_), x * static_cast<double>(n_k_), n_q_, n_k_);
}

void HeadView::keys() {
  const bool ctrl = ImGui::GetIO().KeyCtrl;
  const bool strokes = ui_.state.brush.on && key_down(paint_key(ui_.style));
  const bool pan = ImGui::GetIO().KeyShift && !ctrl && !strokes && !ui_.style.presented;
  const std::optional<Cell> before = ui_.lock();
  const auto [right, down] = map_arrows(ui_.style);
  if (ctrl && right != 0) show_head(ui_.state, neighbour_head(ui_.scene->heads, head_, right));
  if (ctrl && down != 0) change_layer(ui_.state, down, *ui_.block);
  if (pan) {
    // A quarter of the visible part.
    wanted_.key += right * cells_in_view(wanted_, n_k_, n_q_) / 4;
    wanted_.query += down * cells_in_view(wanted_, n_q_, n_k_) / 4;
    keep_inside(wanted_, n_q_, n_k_);
  } else if (!ctrl && (right != 0 || down != 0)) {
    move_lock(ui_.state, *ui_.shown, head_, down, right);
    show_on_map(ui_.state.view, *ui_.shown, *ui_.lock());
  }
  paint_by_keys(ui_, before);
  if (key_pressed(Key::home)) wanted_ = Zoom{};
  if (!ctrl && key_pressed(Key::equal, true)) zoom_about(wanted_, 1.25, 0.5, 0.5, n_q_, n_k_);
  if (!ctrl && key_pressed(Key::minus, true)) zoom_about(wanted_, 0.8, 0.5, 0.5, n_q_, n_k_);
}

}  // namespace

void draw_head(Ui& ui) {
  ImGui::BeginChild("head", {0, 0}, false, map_window_flags);
  if (!draw_instead_of_maps(ui)) {
    ui.memory.maps.update(ui.shown, ui.overview);
    HeadView(ui, *ui.scene->head).draw();
  }
  ImGui::EndChild();
}

}  // namespace headscope
