#include "core/analysis/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/panels/map/board.h"
#include "app/panels/map/map_pointer.h"
#include "app/panels/map/token_labels.h"
#include "app/panels/views/head_label.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/pixels.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/derived/view_cache.h"
#include "app/state/view/navigation.h"
#include "core/figure/boards/draw_parts.h"
#include "core/scene/readable_numbers.h"

namespace headscope {
namespace {

/// Locks the strongest cell of a token of the shown layer, a query if `row` is not -1, otherwise a key: only
/// its lines remain.
void lock_token(Ui& ui, int row, int column) {
  lock_in(ui.state, *ui.shown->block, ui.shown->layer, strongest_cell(ui, row, column));
  ui.state.lines_of_key = row < 0;
}

/// The next token of its column; the first if none is locked.
void move_token(Ui& ui, int across, int down) {
  int row = 0, column = 0;
  bool& keys = ui.state.lines_of_key;
  const std::optional<Cell> lock = ui.lock();
  const bool locked = lock && find_cell(*ui.shown, *lock, row, column);
  if (across != 0) keys = across > 0;
  if (!locked) {
    row = column = 0;
  } else {
    row = std::clamp(row + down, 0, static_cast<int>(ui.shown->n_q()) - 1);
    column = std::clamp(column + down, 0, static_cast<int>(ui.shown->n_k()) - 1);
  }
  lock_token(ui, keys ? -1 : row, keys ? column : -1);
}

/// The keys of the lines view: up and down another token of the same column, left and right the queries' or
/// the keys' column; with Ctrl another head or layer; Enter opens the head. True if another token is shown.
bool line_keys(Ui& ui) {
  if (!maps_have_keys(ui) || ui.shown->n_q() == 0 || ui.shown->n_k() == 0) return false;
  const auto [right, down] = map_arrows(ui.style);
  const int head = head_of_keys(ui);
  if (ImGui::GetIO().KeyCtrl) {
    if (right != 0) move_lock(ui.state, *ui.shown, neighbour_head(ui.scene->heads, head, right), 0, 0);
    if (down != 0) change_layer(ui.state, down, *ui.block);
    return false;
  }
  if (ui.state.lock && key_pressed(Key::enter)) open_head(ui.state, head);
  if (right == 0 && down == 0) return false;
  move_token(ui, right, down);
  return true;
}

bool begin_tooltip_at_mouse(const Ui& ui) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float near = ui.style.font_size;
  return begin_tooltip({mouse.x - near, mouse.y - near}, {mouse.x + near, mouse.y + near});
}

void line_entry(Ui& ui, const Line& line, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, head_accent(ui, line.head));
  ImGui::TextUnformatted("■");
  ImGui::PopStyleColor();
  ImGui::SameLine();
  ImGui::TextUnformatted((with_minus(fmt::format("{:.4g}   ", line.number())) + text).c_str());
}

void report_renormalized(const Ui& ui) {
  if (ui.shown->renormalized) muted_text(ui.style, ui.tr("rows renormalized over the keys shown"));
}

/// The head, weight and tokens of a line.
void line_tooltip(Ui& ui, const Line& line) {
  const std::string& query = ui.memory.maps.look().rows()[line.row];
  const std::string& key = ui.memory.maps.look().columns()[line.column];
  if (!begin_tooltip_at_mouse(ui)) return;
  ImGui::TextUnformatted(head_title(ui, line.head).c_str());
  line_entry(ui, line, query + " → " + key);
  report_renormalized(ui);
  ImGui::EndTooltip();
}

/// The strongest lines of a token; `row`: it is a query.
void token_tooltip(Ui& ui, const LineSet& own, bool row) {
  constexpr std::size_t entries = 6;
  const auto& others = row ? ui.memory.maps.look().columns() : ui.memory.maps.look().rows();
  if (!begin_tooltip_at_mouse(ui)) return;
  ImGui::TextUnformatted(row ? ui.tr("Keys this query attends to most")
                             : ui.tr("Queries that attend to this key most"));
  for (std::size_t i = 0; i < std::min(entries, own.lines.size()); ++i) {
    const Line& line = own.lines[own.lines.size() - 1 - i];
    line_entry(ui, line, others[row ? line.column : line.row]);
  }
  report_renormalized(ui);
  ImGui::EndTooltip();
}

/// That only the strongest lines are drawn, if there are more.
void report_left_out(Ui& ui) {
  const auto lines = ui.view_cache.lines(ui.shown, ui.view().hidden_heads);
  if (!lines || lines->left_out == 0) return;
  hint(ui.style, ui.tr("Showing the {} strongest of {} lines; point at a token to see all of its lines.",
                       lines->lines.size(), lines->lines.size() + lines->left_out));
}

/// What the pointer is on: a row's or a column's token, or a line.
struct Pointed {
  int row = -1, column = -1;
  const Line* line = nullptr;
  bool token() const { return row >= 0 || column >= 0; }
};

/// One frame of the lines.
class Lines {
 public:
  Lines(Ui& ui, const FigurePen& pen)
      : ui_(ui),
        shown_(*ui.shown),
        pen_(pen),
        theme_(palette(ui.style.theme)),
        list_(*ImGui::GetWindowDrawList()),
        at_(place()),
        mouse_(ImGui::GetIO().MousePos) {}

  LineColumns draw() {
    hovered_ = ImGui::IsWindowHovered() && !ui_.state.pointer_rests;
    all_ = ui_.view_cache.lines(ui_.shown, ui_.scene->view.hidden_heads);
    pointed_ = point();
    // A drag that began on a column follows the pointer's height wherever it goes.
    dragging_ =
        drag_tokens(ui_, {pointed_.row, pointed_.column}, {row_at(shown_.n_q()), row_at(shown_.n_k())});
    choose_lines();
    const std::optional<Cell> focus = ui_.focus();
    if (!focus || !find_cell(shown_, *focus, row_, column_)) row_ = column_ = -1;
    mark_tokens(false);
    mark_tokens(true);
    draw_line_columns(pen_, at_, {*drawn_, drawn_->largest, pointed_.line, reported(false), reported(true)},
                      *ui_.scene);
    ui_.memory.next_signs.below_zero |= std::ranges::any_of(drawn_->lines, &Line::negative);
    if (ui_.state.lock) draw_locked(*ui_.lock());
    hear_heads();
    report();
    draw_focus(list_, ui_.style);
    const bool by_keys = line_keys(ui_), appears = ImGui::IsWindowAppearing();
    const bool locked_anew = std::exchange(ui_.memory.lines_lock, ui_.state.lock) != ui_.state.lock;
    if (ui_.state.lock && (by_keys || appears || locked_anew)) show_locked();
    return at_;
  }

 private:
  LineColumns place() const {
    const float em = ui_.style.font_size;
    const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const auto rows = static_cast<float>(std::max<Index>({1, shown_.n_q(), shown_.n_k()}));
    // Many tokens keep a readable distance and scroll. A projector shows all; the names of its first and last
    // row extend beyond them.
    const bool presented = ui_.style.presented;
    const float beyond = presented ? std::max(0.0F, (ImGui::GetTextLineHeight() - room.y / rows) / 2) : 0;
    const float height = presented ? std::max(rows, room.y - 2 * beyond) : std::max(room.y, rows * em * 1.2F);
    ImGui::Dummy({1, height + 2 * beyond});
    return place_line_columns(pen_, ui_.memory.maps.look().rows(), ui_.memory.maps.look().columns(),
                              {ui_.scene->heads, shown_.block->heads()},
                              {from.x, from.y + beyond, room.x, height}, em, list_.GetClipRectMin().y,
                              list_.GetClipRectMax().y);
  }

  int row_at(Index n) const {
    const int row = static_cast<int>(std::floor((mouse_.y - at_.top) / at_.row_height));
    return row >= 0 && row < n ? row : -1;
  }

  Pointed point() const {
    Pointed pointed;
    if (!hovered_) return pointed;
    if (mouse_.x >= at_.first && mouse_.x <= at_.left) pointed.row = row_at(shown_.n_q());
    if (mouse_.x >= at_.right && mouse_.x <= at_.last) pointed.column = row_at(shown_.n_k());
    return pointed;
  }

  void choose_lines() {
    const TokenPlace alone =
        pointed_.token() ? TokenPlace{pointed_.row, pointed_.column} : token_alone(*ui_.scene, shown_);
    if (alone.any())
      own_ = lines_of_token(shown_, ui_.scene->view.hidden_heads, alone.row, alone.column, max_lines);
    else if (all_)
      drawn_ = all_.get();
    if (!pointed_.token() && hovered_) pointed_.line = nearest_line();
  }

  const Line* nearest_line() const {
    if (mouse_.x <= at_.left || mouse_.x >= at_.right) return nullptr;
    const double across = (mouse_.x - at_.left) / (at_.right - at_.left);
    const Line* nearest = nullptr;
    double best = ui_.style.font_size * 0.35;
    for (const Line& line : drawn_->lines) {
      const double y0 = at_.end(line.row, line.head);
      const double distance = std::abs(y0 + across * (at_.end(line.column, line.head) - y0) - mouse_.y);
      // Later lines are on top: of two equally close, the stronger.
      constexpr double rounding = 0.01;  // of a pixel
      if (distance <= best + rounding) best = std::min(best, distance), nearest = &line;
    }
    return nearest;
  }

  void draw_locked(const Cell& lock) {
    int row = 0, column = 0;
    if (!find_cell(shown_, lock, row, column)) return;
    const float r = ui_.style.font_size * 0.22F;
    for (const auto& [x, y] :
         {std::pair{at_.left, at_.end(row, lock.head)}, {at_.right, at_.end(column, lock.head)}}) {
      const ImVec2 at{pixels(x), pixels(y)};
      list_.AddCircleFilled(at, r, head_accent(ui_, lock.head));
      list_.AddCircle(at, r, theme_.text);
    }
  }

  /// The token of a column whose text is shown wherever it is; -1: none.
  int reported(bool keys) const {
    const int pointed = keys ? pointed_.column : pointed_.row;
    return pointed >= 0 ? pointed : keys ? column_ : row_;
  }

  /// All are in the same place.
  void hear_heads() const {
    const OnScreen seen({at_.first, at_.seen_top, at_.last - at_.first, at_.seen_bottom - at_.seen_top},
                        {0, 0});
    for (const int head : ui_.scene->heads) hear_head(ui_, ImGui::GetID("lines"), head, seen.min, seen.max);
  }

  /// Boxes behind the tokens that are pointed at, marked or dragged over.
  void mark_tokens(bool keys) {
    for (const int i : at_.shown_tokens(keys, reported(keys))) {
      const double width = pen_.width(at_.text(pen_, keys, i), at_.size);
      const OnScreen text(
          {at_.text_x(keys) - (keys ? 0 : width), at_.middle(i) - at_.size / 2, width, at_.size}, {0, 0});
      note_place(fmt::format("{} {}", keys ? "key token" : "query token", i), text.min, text.max);
      const bool marked = i == (keys ? column_ : row_),
                 pointed = i == (keys ? pointed_.column : pointed_.row);
      const bool alone = marked && ui_.lock() == ui_.focus() && ui_.state.lines_of_key == keys;
      const bool dragged = is_dragged(ui_, keys, i);
      if (!pointed && !marked && !dragged) continue;
      const float edge = ui_.style.font_size * 0.2F, half = pixels(at_.row_height) * 0.42F;
      const float middle = pixels(at_.middle(i));
      list_.AddRectFilled(
          {text.min.x - edge, middle - half}, {text.max.x + edge, middle + half},
          pointed || alone || dragged ? theme_.accent_soft : with_alpha(theme_.accent_soft, 0.5F), edge);
    }
  }

  /// Hover, lock and tooltip.
  void report() {
    const Line* line = pointed_.line;
    if (pointed_.token() && !own_.lines.empty()) line = &own_.lines.back();
    if (!line || !hovered_) return;
    const Cell cell = to_cell(shown_, line->head, line->row, line->column);
    ui_.state.hover = cell;
    if (!ui_.style.presented)
      pointed_.token() ? token_tooltip(ui_, own_, pointed_.row >= 0) : line_tooltip(ui_, *line);
    if (!ImGui::IsMouseReleased(ImGuiMouseButton_Left) || dragging_) return;
    toggle_lock(ui_.state, shown_, cell);
    ui_.state.lines_of_key = pointed_.column >= 0;
  }

  /// Scrolls to the locked token if it is not visible.
  void show_locked() const {
    int row = 0, column = 0;
    if (!find_cell(shown_, *ui_.lock(), row, column)) return;
    const double y = at_.middle(ui_.state.lines_of_key ? column : row);
    if (y - at_.row_height < at_.seen_top || y + at_.row_height > at_.seen_bottom)
      ImGui::SetScrollFromPosY(pixels(y) - ImGui::GetWindowPos().y, 0.5F);
  }

  Ui& ui_;
  const FilteredLayer& shown_;
  const FigurePen& pen_;
  const Palette& theme_;
  ImDrawList& list_;
  LineColumns at_;
  ImVec2 mouse_;
  bool hovered_ = false, dragging_ = false;
  std::shared_ptr<const LineSet> all_;
  LineSet own_;  // of the token that is shown alone
  const LineSet* drawn_ = &own_;
  Pointed pointed_;
  int row_ = -1, column_ = -1;  // of the focused cell
};

}  // namespace

Cell strongest_cell(const Ui& ui, int row, int column) {
  std::set<int> left_out = ui.view().hidden_heads;
  for (int head = 0; ui.scene->head && head < ui.block->heads(); ++head)
    if (head != *ui.scene->head) left_out.insert(head);
  const LineSet strongest = lines_of_token(*ui.shown, left_out, row, column, 1);
  if (strongest.lines.empty()) {
    const int first = ui.scene->head.value_or(ui.scene->heads.front());
    return to_cell(*ui.shown, ui.state.lock ? ui.state.lock->head : first, std::max(row, 0),
                   std::max(column, 0));
  }
  const Line& line = strongest.lines.back();
  return to_cell(*ui.shown, line.head, line.row, line.column);
}

void draw_lines(Ui& ui) {
  ImGui::BeginChild("lines");
  if (!draw_instead_of_maps(ui)) {
    ui.memory.maps.update(ui.shown);
    draw_head_swatches(ui);
    report_left_out(ui);
    const double headings = ImGui::GetCursorScreenPos().y + ImGui::GetTextLineHeight() / 2;
    ImGui::Dummy({1, ImGui::GetTextLineHeight()});
    ImGui::BeginChild("tokens", {0, 0}, false, ImGuiWindowFlags_NoNavInputs);
    const double size = ui.style.font_size / 1.2;  // the tokens are drawn 1.2 times as large
    WindowCanvas tokens(ui, size);
    const LineColumns columns = Lines(ui, tokens.pen()).draw();
    ImGui::EndChild();
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    WindowCanvas canvas(ui);
    draw_line_headings(canvas.pen(), columns, headings);
    draw_stale_mark(*ImGui::GetWindowDrawList(), ui, min, max);
  }
  ImGui::EndChild();
}

}  // namespace headscope
