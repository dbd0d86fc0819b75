#include <algorithm>
#include <utility>

#include "app/panels/map/board.h"
#include "app/panels/map/map_pointer.h"
#include "app/panels/map/paint.h"
#include "app/panels/map/token_labels.h"
#include "app/panels/views/head_label.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/pixels.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/actions/present.h"
#include "app/state/derived/view_cache.h"
#include "app/state/view/navigation.h"
#include "core/base/round_up.h"
#include "core/scene/range.h"

namespace headscope {
namespace {

ImVec2 low_corner(const Rect& rect) {
  return {pixels(rect.x), pixels(rect.y)};
}
ImVec2 high_corner(const Rect& rect) {
  return {pixels(rect.right()), pixels(rect.bottom())};
}

/// On a phone rows of maps, each with its words, are scrolled.
bool scrolls_rows(const Ui& ui) {
  return ui.style.finger > 0 && ui.view().rows == 0 && ui.view().columns == 0 && ui.scene->heads.size() > 2;
}

/// Two maps a row, or more where two would be higher than the room; `height` of all of them.
struct ScrolledRows {
  ScrolledRows(const Ui& ui, ImVec2 room) {
    const float em = ui.style.font_size, beside = 5 * em, around = 8 * em, lowest = 7 * em;  // with words
    const auto heads = static_cast<int>(std::ssize(ui.scene->heads));
    const auto fitting = static_cast<int>((room.x - beside) / std::max(room.y - around, lowest));
    const int rows = divide_up(heads, std::max(2, fitting));
    columns = divide_up(heads, rows);
    const float side = 0.84F * room.x / static_cast<float>(columns);
    height = static_cast<float>(rows) * std::min(side + around, std::max(room.y, lowest + around));
  }
  int columns;
  float height;
};

/// One frame of the grid.
class Grid {
 public:
  explicit Grid(Ui& ui)
      : ui_(ui), list_(*ImGui::GetWindowDrawList()), labels_(ui), mouse_(ImGui::GetIO().MousePos) {}

  void draw() {
    follow_button(ui_);
    place();
    const AxisTexts texts = axis_texts(ui_);
    ui_.memory.maps.numbers_too_large =
        ui_.view().numbers == Numbers::automatic && !layout_->panels.front().numbers_fit;
    if (layout_->panels.front().numbers_fit)
      for (const PanelLayout& panel : layout_->panels) numbers_.add(NumberExtent::of(picture_of(panel.head)));
    WindowCanvas canvas(ui_);
    draw_axis_names(canvas.pen(), *layout_);
    for (const PanelLayout& panel : layout_->panels) draw_panel(panel, texts);
    labels_.finish();
    const std::vector<ColorRange>& ranges = ui_.memory.maps.ranges(ui_.view());
    if (layout_->color_bar.width > 0 && !ranges.empty())
      draw_color_bar(list_, ui_, *layout_, layout_->color_bar, ranges.front(),
                     cell_colors(ui_.view(), *ui_.shown->block, ui_.shown->layer));
    draw_bar_name(ui_, layout_->bar_name, layout_->tick_size,
                  colors_name(ui_.tr, ui_.view().range, *ui_.shown->block, ui_.shown->layer));
    const ImVec2 max{from_.x + room_.x, from_.y + room_.y};
    draw_stale_mark(list_, ui_, from_, max);
    show_locked();
    keys();
  }

 private:
  void place() {
    from_ = ImGui::GetCursorScreenPos();
    room_ = ImGui::GetContentRegionAvail();
    room_ = {std::max(room_.x, 1.0F), std::max(room_.y, 1.0F)};
    const float shown = room_.y;
    const bool scrolled = scrolls_rows(ui_);
    const ScrolledRows rows(ui_, room_);
    if (scrolled) room_.y = std::max(shown, rows.height);
    const float small = ui_.style.small;
    const double beside = 0.1 * small, margin = 0.3 * small;
    LayoutRequest request =
        layout_request(ui_, {from_.x + beside, from_.y + margin / 2, room_.x - 2 * beside, room_.y - margin},
                       ui_.scene->heads, ui_.style.small);
    request.rows = ui_.view().rows;
    request.columns = ui_.view().columns;
    if (scrolled) request.columns = rows.columns;
    request.scrolled = scrolled;
    request.shared_bar = one_bar_for_all(ui_.view().range.kind, request.heads.size());
    request.maps_first = request.one_frame = true;
    if (request.presented)
      request.stretch = Presented::stretch;
    else
      request.min_map = (is_low_window() ? 3 : 4.5) * ui_.style.font_size;
    request.bar_values = {widest_tick(ui_.memory.maps.ranges(ui_.view()))};
    layout_ = &ui_.memory.maps.layout(0, request, ui_.style.fonts);
    // A figure as on the screen has no room for rows that are scrolled there.
    if (!scrolled) ui_.state.shown_rows = layout_->shape.rows;
    if (!scrolled) ui_.state.shown_columns = layout_->shape.columns;
    if (scrolled) room_.y = std::max(shown, lowest(layout_->panels.back()) + pixels(margin) - from_.y);
    invisible_button("maps", room_);
    hear_nothing();  // each map is heard
    hovered_ = ImGui::IsItemHovered();
  }

  /// Of its map, words and name.
  static float lowest(const PanelLayout& panel) {
    return pixels(std::max({panel.map.bottom(), panel.x_ticks.bottom(), panel.x_label.bottom()}));
  }

  /// Where rows are scrolled, the locked cell is in what a sheet or a step of a lesson leaves of them.
  void show_locked() const {
    const std::optional<Cell> lock = ui_.lock();
    if (!lock || !scrolls_rows(ui_)) return;
    const ImVec2 window = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ImGuiStorage& memory = *ImGui::GetStateStorage();
    const bool other_room = std::exchange(*memory.GetFloatRef(ImGui::GetID("room")), size.y) != size.y;
    const bool other_head =
        std::exchange(*memory.GetIntRef(ImGui::GetID("locked head"), -1), lock->head) != lock->head;
    if (!other_room && (!other_head || ImGui::IsMouseReleased(ImGuiMouseButton_Left))) return;
    const auto panel = std::ranges::find(layout_->panels, lock->head, &PanelLayout::head);
    int row = 0, column = 0;
    if (panel == layout_->panels.end() || !find_cell(*ui_.shown, *lock, row, column)) return;
    const float low = pixels(std::min(panel->map.y, panel->title.y)), high = lowest(*panel);
    if (low >= window.y && high <= window.y + size.y) return;
    const float share = (static_cast<float>(row) + 0.5F) / static_cast<float>(ui_.shown->n_q());
    const bool fits = high - low <= size.y;
    const float middle = fits ? (low + high) / 2 : low + share * (high - low);
    ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + middle - window.y - size.y / 2, 0.0F,
                                 std::max(0.0F, room_.y - size.y)));
  }

  void draw_panel(const PanelLayout& panel, const AxisTexts& texts) {
    if (panel.map.width <= 0 || panel.map.height <= 0) return;
    const int head = panel.head;
    const ColorRange range = ui_.memory.maps.ranges(ui_.view())[head];
    const ScreenMap map = place_map(ui_.style, PainterSlots::grid + head, panel.map, picture_of(head));
    note_place("map " + std::to_string(head + 1), map.min, map.max);
    hear_head(ui_, ImGui::GetID("maps"), head, map.min, map.max);
    draw_title(panel, range);
    if (map.request.values == nullptr) return;  // still to be computed
    draw_picture(list_, ui_, map);
    draw_empty_rows(list_, ui_, map, ui_.memory.maps.look().empty_rows(head), pixels(layout_->tick_size));
    draw_axes(list_, ui_, *layout_, panel, map, texts);
    draw_color_bar(list_, ui_, *layout_, panel.color_bar, range, *map.request.colors);
    if (hovered_ && !ui_.style.presented) point_at_bar(panel);
    draw_marked_cells(list_, ui_, map, head);
    if (panel.numbers_fit)
      draw_numbers(
          list_, ui_, map, [this] { return numbers_; }, layout_->tick_size);  // drawn in full above frames
    draw_marks(ui_, map, placed_marks(ui_.scene->marks, *ui_.shown, head), layout_->label_size);
    labels_.panel(list_, panel, map, hovered_);
    const bool focused = head == (ui_.state.lock ? ui_.state.lock->head : ui_.scene->heads.front());
    const std::optional<Cell> cell = point_at_map(ui_, map, texts, head, hovered_, focused);
    if (ui_.state.brush.on)
      paint_on_map(list_, ui_, map, head, hovered_);
    else if (cell && is_tapped(ui_))
      toggle_lock(ui_.state, *ui_.shown, *cell);
  }

  /// Its colours open the choice of what they show.
  void point_at_bar(const PanelLayout& panel) {
    const ImVec2 min = low_corner(panel.color_bar), max = high_corner(panel.color_bar);
    const float margin = 0.2F * ui_.style.font_size;
    if (mouse_.x < min.x || mouse_.x >= max.x || mouse_.y < min.y - margin || mouse_.y >= max.y + margin)
      return;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (is_tapped(ui_)) ui_.memory.maps.wants_colors = true;
  }

  MapPicture picture_of(int head) const {
    return head_picture(ui_, head, ui_.memory.maps.ranges(ui_.view())[head]);
  }

  /// At the left edge of the map, with the ends of its range at the right one where they fit.
  void draw_title(const PanelLayout& panel, const ColorRange& range) {
    if (panel.title.height <= 0) return;
    const std::string ends = layout_->strips ? range_text(range) : "";
    const Palette& theme = palette(ui_.style.theme);
    const auto size = pixels(layout_->title_size);
    const ImVec2 min = low_corner(panel.title), max = high_corner(panel.title);
    note_place("title " + std::to_string(panel.head + 1), min, max);
    MapTextStyle style = text_style(size, theme.text, 0, 0.5F);
    const float dot = size * 0.6F, gap = size * 0.4F, y = (min.y + max.y) / 2;
    const float x = pixels(panel.map.x), edge = pixels(panel.map.right());
    float right = std::max(max.x, pixels(panel.frame.right()));
    const std::string own = grid_title(ui_.tr, *ui_.scene, ui_.shown->layer, panel.head);
    const ImU32 color = range.cells_beyond > 0 ? theme.warning : theme.muted;
    const MapTextStyle small = text_style(layout_->tick_size, color, 1, 0.5F);
    const float before_ends = edge - text_size(small, ends).x - size * 0.8F;
    if (!ends.empty() && x + dot + gap + text_size(style, own).x <= before_ends) {
      draw_text(list_, small, {edge, y}, ends);
      right = before_ends;
    }
    // What is known about a head is in its title if all of it fits.
    const float room = right - x - dot - gap;
    const std::string badge = fitting_badge(ui_, ui_.shown->layer, panel.head, [&](const std::string& one) {
      return text_size(style, own + " · " + one).x < room;
    });
    const std::string title =
        fitting(badge.empty() ? own : own + " · " + badge, panel.head, room, style.size);
    const float width = dot + gap + text_size(style, title).x;
    // A finger has what is above it, too: words of other maps, which do nothing.
    const float top = std::min(min.y, max.y - ui_.style.finger);
    const bool over = hovered_ && mouse_.y >= top && mouse_.y < max.y && mouse_.x >= x &&
                      mouse_.x < std::max(x + width, max.x);
    if (over) {
      style.color = theme.accent;
      note_map(ui_, {ui_.shown->layer, panel.head, ui_.side, {}, {}}, min, max, true, false);
    }
    list_.AddRectFilled({x, y - dot / 2}, {x + dot, y + dot / 2}, head_accent(ui_, panel.head), dot / 4);
    draw_text(list_, style, {x + dot + gap, y}, title);
    if (!over) return;
    list_.AddLine({x + dot + gap, y + size * 0.55F}, {x + width, y + size * 0.55F}, theme.accent);
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (begin_tooltip(min, max)) {
      ImGui::TextUnformatted(
          (ui_.tr("Enlarge this head") + relation_lines(ui_, ui_.shown->layer, panel.head)).c_str());
      ImGui::EndTooltip();
    }
    if (is_tapped(ui_)) open_head(ui_.state, panel.head);
  }

  /// Over a small map the head's number replaces its title.
  std::string fitting(const std::string& title, int head, double room, float size) const {
    const MeasureText measure = measure_with(size);
    const bool says_which = measure(ui_.tr("Head {}", head + 1)) <= room;
    return shortened(says_which ? title : std::to_string(head + 1), room, measure);
  }

  void keys() {
    draw_focus(list_, ui_.style);
    if (!maps_have_keys(ui_)) return;
    const bool ctrl = ImGui::GetIO().KeyCtrl;
    const bool paints = ui_.state.brush.on && paint_key(ui_.style) == Key::enter;
    const std::optional<Cell> before = ui_.lock();
    const int head = before ? before->head : head_of_keys(ui_);
    const auto [right, down] = map_arrows(ui_.style);
    if (ctrl && right != 0)
      move_lock(ui_.state, *ui_.shown, neighbour_head(ui_.scene->heads, head, right), 0, 0);
    if (ctrl && down != 0) change_layer(ui_.state, down, *ui_.block);
    if (!ctrl && (right != 0 || down != 0)) move_lock(ui_.state, *ui_.shown, head, down, right);
    if (ui_.state.lock && !paints && key_pressed(Key::enter)) open_head(ui_.state, head);
    paint_by_keys(ui_, before);
  }

  Ui& ui_;
  ImDrawList& list_;
  TokenLabels labels_;
  ImVec2 mouse_, from_, room_;
  const GridLayout* layout_ = nullptr;
  NumberExtent numbers_;  // of all maps
  bool hovered_ = false;
};

}  // namespace

void draw_grid(Ui& ui) {
  ImGui::BeginChild("grid", {0, 0}, false,
                    scrolls_rows(ui) ? ImGuiWindowFlags_NoNavInputs : map_window_flags);
  if (!draw_instead_of_maps(ui)) {
    ui.memory.maps.update(ui.shown);
    Grid(ui).draw();
  }
  ImGui::EndChild();
}

}  // namespace headscope
