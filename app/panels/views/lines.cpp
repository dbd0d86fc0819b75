#include "app/panels/views/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/panels/map/map_pointer.h"
#include "app/panels/views/filter_bar.h"
#include "app/panels/views/head_label.h"
#include "app/panels/widgets/board.h"
#include "app/panels/widgets/compat.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/view/view_cache.h"
#include "core/analysis/lines.h"
#include "core/scene/line_heads.h"
#include "core/scene/readable_numbers.h"

namespace headscope {
namespace {

/// Locks the strongest cell of a token of the shown layer, a query if `row` is not -1, otherwise a key: only
/// its lines remain.
void lock_token(Ui& ui, int row, int column) {
  ui.state.lock = strongest_cell(ui, row, column);
  ui.state.lines_of_key = row < 0;
}

/// The next token of its column; the first if none is locked.
void move_token(Ui& ui, int across, int down) {
  int row = 0, column = 0;
  bool& keys = ui.state.lines_of_key;
  const bool locked = ui.state.lock && find_cell(*ui.shown, *ui.state.lock, row, column);
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
  const int right = key_pressed(Key::right, true) - key_pressed(Key::left, true);
  const int down = key_pressed(Key::down, true) - key_pressed(Key::up, true);
  const int head = ui.state.lock ? ui.state.lock->head : ui.scene->heads.front();
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
  ImGui::TextUnformatted((with_minus(fmt::format("{:.4g}   ", line.weight)) + text).c_str());
}

void report_renormalized(const Ui& ui) {
  if (ui.shown->renormalized) muted_text(ui.style, ui.tr("rows renormalized over the keys shown"));
}

/// The head, weight and tokens of a line.
void line_tooltip(Ui& ui, const Line& line) {
  const std::string& query = ui.memory.maps.look().rows()[static_cast<std::size_t>(line.row)];
  const std::string& key = ui.memory.maps.look().columns()[static_cast<std::size_t>(line.column)];
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
    line_entry(ui, line, others[static_cast<std::size_t>(row ? line.column : line.row)]);
  }
  report_renormalized(ui);
  ImGui::EndTooltip();
}

/// That only the strongest lines are drawn, if there are more.
void report_left_out(Ui& ui) {
  const auto lines = ui.view_cache.lines(ui.shown, ui.state.view);
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
  explicit Lines(Ui& ui)
      : ui_(ui),
        shown_(*ui.shown),
        theme_(palette(ui.style.theme)),
        list_(*ImGui::GetWindowDrawList()),
        heads_(ui.scene->heads, shown_.block->heads()),
        mouse_(ImGui::GetIO().MousePos) {}

  /// Where the two columns meet the lines, for their headings.
  float left_edge() const { return left_edge_ - blocks_; }
  float right_edge() const { return right_edge_ + blocks_; }

  void draw() {
    place();
    hovered_ = ImGui::IsWindowHovered() && !ui_.state.pointer_rests;
    all_ = ui_.view_cache.lines(ui_.shown, ui_.scene->view);
    pointed_ = point();
    // A drag that began on a column follows the pointer's height wherever it goes.
    dragging_ = drag_tokens(ui_, {pointed_.row, pointed_.column},
                            {row_at(mouse_.y, shown_.n_q()), row_at(mouse_.y, shown_.n_k())});
    choose_lines();
    draw_lines_of(*drawn_);
    draw_blocks();
    draw_column(false);
    draw_column(true);
    report();
    draw_focus(list_, ui_);
    const bool by_keys = line_keys(ui_), appears = ImGui::IsWindowAppearing();
    const bool locked_anew = std::exchange(ui_.memory.lines_lock, ui_.state.lock) != ui_.state.lock;
    if (ui_.state.lock && (by_keys || appears || locked_anew)) show_locked();
  }

 private:
  void place() {
    em_ = ui_.style.font_size;
    const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const auto rows = static_cast<float>(std::max<Index>({1, shown_.n_q(), shown_.n_k()}));
    // Few tokens fill the height; many keep a readable distance and scroll. A projector shows all.
    row_height_ = std::clamp(room.y / rows, em_ * 1.2F, em_ * 3.2F);
    float beyond = 0;  // extent of the names past the first and last row
    if (ui_.style.presented) {
      beyond = std::max(0.0F, (ImGui::GetTextLineHeight() - room.y / rows) / 2);
      row_height_ = std::max(1.0F, room.y - 2 * beyond) / rows;
    }
    top_ = from.y + beyond;
    blocks_ = std::min(std::round(em_ * static_cast<float>(blocks_width(heads_.count()))), room.x * 0.12F);
    const float widest = room.x * 0.25F;
    const float left = blocks_ + std::min(widest, column_width(ui_.memory.maps.look().rows()));
    const float right = blocks_ + std::min(widest, column_width(ui_.memory.maps.look().columns()));
    // Longer lines only get flatter.
    const float gap = std::clamp(room.x - left - right - 2 * em_, em_, em_ * 56);
    const float margin = std::max(0.0F, (room.x - left - right - gap) / 2);
    left_edge_ = from.x + margin + left;
    right_edge_ = left_edge_ + gap;
    left_min_ = left_edge_ - left - em_ / 2;
    right_max_ = right_edge_ + right + em_ / 2;
    token_width_ = widest;
    clip_min_ = list_.GetClipRectMin().y;
    clip_max_ = list_.GetClipRectMax().y;
    ImGui::Dummy({1, rows * row_height_ + 2 * beyond});
  }

  // Only of the visible tokens: measuring hundreds every frame would be too slow.
  float column_width(const std::vector<std::string>& tokens) const {
    float width = em_ * 2;
    const auto [first, last] = visible_rows(static_cast<int>(tokens.size()));
    for (int i = first; i <= last; ++i)
      width = std::max(width, ImGui::CalcTextSize(tokens[static_cast<std::size_t>(i)].c_str()).x);
    return width + em_ * 0.5F;
  }

  std::pair<int, int> visible_rows(int n) const {
    const float min = list_.GetClipRectMin().y, max = list_.GetClipRectMax().y;
    return {std::clamp(static_cast<int>((min - top_) / row_height_), 0, std::max(0, n - 1)),
            std::min(n - 1, static_cast<int>((max - top_) / row_height_))};
  }

  /// Where a line of this head ends.
  float end(int row, int head) const {
    return middle(row) + static_cast<float>(heads_.offset(head)) * row_height_;
  }

  float middle(int row) const { return top_ + (static_cast<float>(row) + 0.5F) * row_height_; }

  int row_at(float y, Index n) const {
    const int row = static_cast<int>(std::floor((y - top_) / row_height_));
    return row >= 0 && row < n ? row : -1;
  }

  Pointed point() const {
    Pointed pointed;
    if (!hovered_) return pointed;
    if (mouse_.x >= left_min_ && mouse_.x <= left_edge_) pointed.row = row_at(mouse_.y, shown_.n_q());
    if (mouse_.x >= right_edge_ && mouse_.x <= right_max_) pointed.column = row_at(mouse_.y, shown_.n_k());
    return pointed;
  }

  void choose_lines() {
    const TokenPlace alone =
        pointed_.token() ? TokenPlace{pointed_.row, pointed_.column} : token_alone(*ui_.scene, shown_);
    if (alone.any()) {
      own_ = lines_of_token(shown_, ui_.scene->view.hidden_heads, alone.row, alone.column, max_lines);
      drawn_ = &own_;
    } else if (all_) {
      drawn_ = all_.get();
    } else {
      drawn_ = &own_;
    }
    if (!pointed_.token() && hovered_) pointed_.line = nearest_line();
  }

  const Line* nearest_line() const {
    if (mouse_.x <= left_edge_ || mouse_.x >= right_edge_) return nullptr;
    const float at = (mouse_.x - left_edge_) / (right_edge_ - left_edge_);
    const Line* nearest = nullptr;
    float best = em_ * 0.35F;
    for (const Line& line : drawn_->lines) {
      const float y0 = end(line.row, line.head), y = y0 + at * (end(line.column, line.head) - y0);
      // Later lines are on top: of two equally close, the stronger.
      if (std::abs(y - mouse_.y) <= best) {
        best = std::abs(y - mouse_.y);
        nearest = &line;
      }
    }
    return nearest;
  }

  /// Opaque, otherwise overlapping heads would mix to a colour that belongs to none.
  ImU32 color_of(int head, double opacity) const {
    return to_color(blend(to_rgb(theme_.panel), to_rgb(head_accent(ui_, head)), opacity));
  }

  /// Next to each token a block in each head's colour, with the opacity of its strongest line there.
  void draw_blocks() {
    const LineEnds ends(*drawn_, heads_, shown_.n_q(), shown_.n_k());
    const float width = blocks_ / static_cast<float>(heads_.count());
    const float half = std::min(row_height_ * 0.36F, std::max(width, em_ * 0.5F)),
                gap = std::min(1.0F, width * 0.2F);
    for (const bool keys : {false, true}) {
      const auto [first, last] = visible_rows(static_cast<int>(keys ? shown_.n_k() : shown_.n_q()));
      for (int token = first; token <= last; ++token)
        for (int place = 0; place < heads_.count(); ++place) {
          const float weight = ends.at(keys, token, place);
          if (!(weight > 0)) continue;
          const float x = (keys ? right_edge_ : left_edge_ - blocks_) + static_cast<float>(place) * width;
          list_.AddRectFilled({x + gap / 2, middle(token) - half},
                              {x + width - gap / 2, middle(token) + half},
                              color_of(heads_.heads()[static_cast<std::size_t>(place)],
                                       std::min(1.0, static_cast<double>(weight / drawn_->largest))));
        }
    }
  }

  void draw_lines_of(const LineSet& set) {
    const float dim = pointed_.line ? 0.35F : 1.0F;
    for (const Line& line : set.lines)
      if (&line != pointed_.line) draw_line(line, set.largest, dim);
    if (pointed_.line) draw_line(*pointed_.line, set.largest, 1, true);
    if (ui_.state.lock) draw_locked(*ui_.state.lock);
  }

  void draw_line(const Line& line, float largest, float dim, bool strong = false) {
    const float y0 = end(line.row, line.head), y1 = end(line.column, line.head);
    if (std::max(y0, y1) < clip_min_ || std::min(y0, y1) > clip_max_) return;
    const LineLook look = line_look(line.weight, largest);
    const double opacity = strong ? 1 : look.opacity * static_cast<double>(dim);
    const float width = std::max(1.0F, static_cast<float>(look.width) * em_) + (strong ? em_ * 0.08F : 0);
    list_.AddLine({left_edge_, y0}, {right_edge_, y1}, color_of(line.head, opacity), width);
  }

  void draw_locked(const Cell& lock) {
    int row = 0, column = 0;
    if (!find_cell(*ui_.shown, lock, row, column)) return;
    const float r = em_ * 0.22F;
    for (const ImVec2 at :
         {ImVec2(left_edge_, end(row, lock.head)), ImVec2(right_edge_, end(column, lock.head))}) {
      list_.AddCircleFilled(at, r, head_accent(ui_, lock.head));
      list_.AddCircle(at, r, theme_.text);
    }
  }

  void draw_column(bool keys) {
    const auto& tokens = keys ? ui_.memory.maps.look().columns() : ui_.memory.maps.look().rows();
    const int pointed = keys ? pointed_.column : pointed_.row;
    int row = -1, column = -1;
    const std::optional<Cell> focus = ui_.state.focus();
    if (!focus || !find_cell(*ui_.shown, *focus, row, column)) row = column = -1;
    const auto [first, last] = visible_rows(static_cast<int>(tokens.size()));
    // If all rows are shown and are too close for their tokens, some tokens are hidden instead of shrinking
    // them.
    const int step = static_cast<int>(std::ceil(ImGui::GetTextLineHeight() / row_height_ - 0.1F));
    const int reported = pointed >= 0 ? pointed : keys ? column : row;
    for (int i = first; i <= last; ++i) {
      if (step > 1 && i != reported && (i % step != 0 || (reported >= 0 && std::abs(i - reported) < step)))
        continue;
      const std::string text = fit_text(tokens[static_cast<std::size_t>(i)], token_width_ - em_);
      const ImVec2 size = ImGui::CalcTextSize(text.c_str());
      const float x = keys ? right_edge() + em_ * 0.4F : left_edge() - em_ * 0.4F - size.x;
      const bool marked = i == (keys ? column : row);
      const bool alone = marked && ui_.state.lock == focus && ui_.state.lines_of_key == keys;
      const bool dragged = is_dragged(ui_, keys, i);
      if (i == pointed || marked || dragged)
        list_.AddRectFilled(
            {x - em_ * 0.2F, middle(i) - row_height_ * 0.42F},
            {x + size.x + em_ * 0.2F, middle(i) + row_height_ * 0.42F},
            i == pointed || alone || dragged ? theme_.accent_soft : with_alpha(theme_.accent_soft, 0.5F),
            em_ * 0.2F);
      list_.AddText({x, middle(i) - size.y / 2}, theme_.text, text.c_str());
      if (ui_.ui_anchors)
        ui_.ui_anchors->add(fmt::format("{} {}", keys ? "key token" : "query token", i),
                            {x, middle(i) - size.y / 2}, {x + size.x, middle(i) + size.y / 2});
    }
  }

  /// Hover, lock and tooltip.
  void report() {
    const Line* line = pointed_.line;
    if (pointed_.token() && !own_.lines.empty()) line = &own_.lines.back();
    if (!line || !hovered_) return;
    const Cell cell = to_cell(*ui_.shown, line->head, line->row, line->column);
    ui_.state.hover = cell;
    if (!ui_.style.presented)
      pointed_.token() ? token_tooltip(ui_, own_, pointed_.row >= 0) : line_tooltip(ui_, *line);
    if (!ImGui::IsMouseReleased(ImGuiMouseButton_Left) || dragging_) return;
    toggle_lock(ui_.state, cell);
    ui_.state.lines_of_key = pointed_.column >= 0;
  }

  /// Scrolls to the locked token if it is not visible.
  void show_locked() const {
    int row = 0, column = 0;
    if (!find_cell(*ui_.shown, *ui_.state.lock, row, column)) return;
    const float y = middle(ui_.state.lines_of_key ? column : row);
    if (y - row_height_ < clip_min_ || y + row_height_ > clip_max_)
      ImGui::SetScrollFromPosY(y - ImGui::GetWindowPos().y, 0.5F);
  }

  Ui& ui_;
  const FilteredLayer& shown_;
  const Palette& theme_;
  ImDrawList& list_;
  LineHeads heads_;
  ImVec2 mouse_;
  bool hovered_ = false, dragging_ = false;
  float em_ = 16, row_height_ = 20, top_ = 0;
  float left_min_ = 0, left_edge_ = 0, right_edge_ = 0, right_max_ = 0, token_width_ = 0, blocks_ = 0;
  float clip_min_ = 0, clip_max_ = 0;
  std::shared_ptr<const LineSet> all_;
  LineSet own_;  // of the token that is shown alone
  const LineSet* drawn_ = &own_;
  Pointed pointed_;
};

void draw_headings(const Ui& ui, float y, float left, float right) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 color = palette(ui.style.theme).muted;
  const float gap = ui.style.font_size * 0.4F;
  list.AddText({left - gap - ImGui::CalcTextSize(ui.tr("Query")).x, y}, color, ui.tr("Query"));
  list.AddText({right + gap, y}, color, ui.tr("Key"));
}

}  // namespace

Cell strongest_cell(const Ui& ui, int row, int column) {
  std::set<int> left_out = ui.state.view.hidden_heads;
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
    const float headings = ImGui::GetCursorScreenPos().y;
    ImGui::Dummy({1, ImGui::GetTextLineHeight()});
    ImGui::BeginChild("tokens", {0, 0}, false, ImGuiWindowFlags_NoNavInputs);
    Lines lines(ui);
    lines.draw();
    ImGui::EndChild();
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    draw_headings(ui, headings, lines.left_edge(), lines.right_edge());
    draw_stale_mark(*ImGui::GetWindowDrawList(), ui, min, max);
  }
  ImGui::EndChild();
}

}  // namespace headscope
