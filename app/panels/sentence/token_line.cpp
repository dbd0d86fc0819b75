#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <memory>
#include <span>

#include "app/panels/map/map_pointer.h"
#include "app/panels/sentence/sentence.h"
#include "app/panels/ui/sides.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/view/compared_cell.h"
#include "app/state/view/navigation.h"

namespace headscope {
namespace {

/// One row of tokens.
struct TokenLine {
  std::span<const Token> tokens;
  bool queries = true, keys = true;  ///< which part of the cell is marked among them
  bool b = false;                    ///< of the comparison's other side, which clicks do not lock
  std::optional<Cell> focus{};
  std::string label{};                              ///< what it is, where there are several
  std::shared_ptr<const std::vector<Token>> own{};  ///< keeps tokens that no run has
};

bool looks_alike(const TokenLine& a, const TokenLine& b) {
  const bool marked = a.focus && b.focus ? (!a.queries || a.focus->query == b.focus->query) &&
                                               (!a.keys || a.focus->key == b.focus->key)
                                         : !a.focus && !b.focus;
  return a.queries == b.queries && a.keys == b.keys && marked &&
         std::ranges::equal(a.tokens, b.tokens, {}, &Token::text, &Token::text);
}

/// The visible part of a row: tokens [begin, end).
struct LinePart {
  int begin = 0, end = 0;
};

/// As many tokens as fit, around the given one.
LinePart tokens_with_room(const std::vector<float>& widths, float gap, float room, float dots, int middle) {
  const auto count = static_cast<int>(widths.size());
  float all = -gap;
  for (const float width : widths) all += width + gap;
  if (all <= room) return {0, count};
  LinePart part{std::clamp(middle, 0, count - 1), std::clamp(middle, 0, count - 1) + 1};
  const auto width = [&](int i) { return widths[i] + gap; };
  float taken = width(part.begin) + 2 * dots;
  for (bool grew = true; grew;) {
    grew = false;
    if (part.end < count && taken + width(part.end) <= room) taken += width(part.end++), grew = true;
    if (part.begin > 0 && taken + width(part.begin - 1) <= room) taken += width(--part.begin), grew = true;
  }
  return part;
}

class TokenRow {
 public:
  TokenRow(Ui& ui, const TokenLine& row, ImVec2 from, ImVec2 room)
      : ui_(ui), row_(row), from_(from), room_(room) {}

  /// The width of all tokens, or one that is known not to fit.
  float width() const {
    float all = label_width();
    for (const float one : widths(near(0), FLT_MAX)) all += one + gap();
    return all;
  }

  void draw() {
    if (const float label = label_width(); label > 0) {
      list_.AddText({from_.x, from_.y + (room_.y - ImGui::GetTextLineHeight()) / 2},
                    palette(ui_.style.theme).accent, row_.label.c_str());
      note_place("line label " + std::string(row_.b ? "B" : "A"), from_,
                 {from_.x + label, from_.y + room_.y});
      from_.x += label;
      room_.x -= label;
    }
    const float gap = this->gap(), dots = ImGui::CalcTextSize("… ").x;
    const int middle = this->middle();
    const LinePart measured = near(middle);
    const std::vector<float> widths = this->widths(measured, room_.x - 2 * dots);
    if (widths.empty()) return;
    LinePart part = tokens_with_room(widths, gap, room_.x, dots, middle - measured.begin);
    part = {part.begin + measured.begin, part.end + measured.begin};
    const Palette& theme = palette(ui_.style.theme);
    float x = from_.x;
    const auto more = [&] {
      list_.AddText({x, from_.y + (room_.y - ImGui::GetTextLineHeight()) / 2}, theme.muted, "…");
      x += dots;
    };
    if (part.begin > 0) more();
    for (int i = part.begin; i < part.end; ++i) {
      const float width = widths[i - measured.begin];
      draw_token(i, {x, from_.y}, {x + width, from_.y + room_.y});
      x += width + gap;
    }
    if (part.end < std::ssize(row_.tokens)) more();
  }

 private:
  float label_width() const {
    return row_.label.empty() ? 0 : ImGui::CalcTextSize(row_.label.c_str()).x + 0.5F * ui_.style.font_size;
  }
  float gap() const { return std::round(ui_.style.font_size * 0.2F); }
  /// The token to centre on: that of the cell, otherwise the middle of what a zoomed map shows.
  int middle() const {
    if (row_.focus) return row_.queries ? row_.focus->query : row_.focus->key;
    if (!ui_.view().row().zooms || row_.b) return 0;
    const CellPart seen = shown_part(*ui_.scene, ui_.block->n_q(), ui_.block->n_k());
    const double from = row_.queries ? seen.query_begin : seen.key_begin,
                 to = row_.queries ? seen.query_end : seen.key_end;
    return to - from < static_cast<double>(row_.tokens.size()) ? static_cast<int>((from + to) / 2) : 0;
  }
  /// Of thousands of tokens only those that may fit: measuring all of them every frame would be too slow.
  LinePart near(int middle) const {
    constexpr int maximum = 500;
    const auto count = static_cast<int>(row_.tokens.size());
    return {std::clamp(middle - maximum, 0, count), std::clamp(middle + maximum, 0, count)};
  }
  std::vector<float> widths(LinePart part, float maximum) const {
    std::vector<float> all;
    for (int i = part.begin; i < part.end; ++i)
      all.push_back(
          std::min(maximum, ImGui::CalcTextSize(drawn_text(shown_token(row_.tokens[i].text)).c_str()).x +
                                0.6F * ui_.style.font_size));
    return all;
  }
  void draw_token(int i, ImVec2 low, ImVec2 high) {
    const Palette& theme = palette(ui_.style.theme);
    const float em = ui_.style.font_size, line = mark_line(ui_.style);
    const bool marked =
        row_.focus && ((row_.queries && row_.focus->query == i) || (row_.keys && row_.focus->key == i));
    const int row = row_.queries ? ui_.shown->row(i) : -1, column = row_.queries ? -1 : ui_.shown->column(i);
    const bool any = ui_.shown->n_q() > 0 && ui_.shown->n_k() > 0;
    const bool shown = row_.b || (any && (row >= 0 || column >= 0));
    if (marked) {
      list_.AddRectFilled(low, high, theme.accent_soft, em * 0.2F);
      list_.AddRect(low, high, theme.accent, em * 0.2F, 0, 2 * line);
    }
    const std::string text =
        fit_text(drawn_text(shown_token(row_.tokens[i].text)), high.x - low.x - 0.5F * em);
    list_.AddText({low.x + 0.3F * em, (low.y + high.y - ImGui::GetTextLineHeight()) / 2},
                  shown ? theme.text : with_alpha(theme.muted, 0.55F), text.c_str());
    note_place(fmt::format("{}{}line token {}", row_.b ? "B " : "", row_.queries ? "" : "key ", i), low,
               high);
    if (Heard* const heard = listener()) {
      HeardItem& item = *heard->add(HeardRole::button, ImGui::GetID(&row_.tokens[i]), {}, low, high);
      item.name = drawn_text(shown_token(row_.tokens[i].text));
      item.on = marked;
      item.by_pointer = true;
    }
    if (row_.b || !shown || !ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(low, high)) return;
    const Cell cell = strongest_cell(ui_, row, column);
    ui_.state.hover = cell;
    if (!is_tapped(ui_)) return;
    toggle_lock(ui_.state, *ui_.shown, cell);
    ui_.state.lines_of_key = !row_.queries;
    ui_.state.panel_wanted = Panel::maps;
    ui_.state.panel_muted = true;
  }

  Ui& ui_;
  const TokenLine& row_;
  ImVec2 from_, room_;
  ImDrawList& list_ = *ImGui::GetWindowDrawList();
};

/// A text of B that this view does not run, by its blanks.
TokenLine text_of_b(const std::string& text, bool queries, bool keys) {
  const auto own = std::make_shared<std::vector<Token>>();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin) own->emplace_back().text = text.substr(begin, end - begin);
    begin = end + 1;
  }
  return {*own, queries, keys, true, {}, {}, own};
}

/// The texts of B as written, where they are not those of A.
std::vector<TokenLine> texts_of_b(const Ui& ui) {
  std::vector<TokenLine> rows;
  if (!ui.compare) return rows;
  const Inputs &a = ui.inputs, &b = *ui.compare;
  if (b.sentence == a.sentence && b.key_sentence == a.key_sentence) return rows;
  rows.push_back(text_of_b(b.sentence, true, !b.cross()));
  if (b.key_sentence) rows.push_back(text_of_b(*b.key_sentence, false, true));
  return rows;
}

/// For both sides, for queries and keys if each has its own text.
std::vector<TokenLine> texts_of(const Ui& ui) {
  std::vector<TokenLine> rows{{ui.block->tokens, true, !ui.block->cross(), false, ui.focus()}};
  if (ui.block->cross()) rows.push_back({ui.block->key_tokens, false, true, false, ui.focus()});
  const View& view = ui.view();
  if (!(view.row().compares || asks_b(view)) || !ui.other.block || ui.other.block->n_q() == 0) {
    const std::vector<TokenLine> written = texts_of_b(ui);
    rows.insert(rows.end(), written.begin(), written.end());
    return rows;
  }
  TokenLine b{ui.other.block->tokens, true, !ui.other.block->cross(), true,
              view.row().compares ? focus_of(ui.state, *ui.block, present_comparison(ui).get(), Side::b)
                                  : ui.focus()};
  std::vector<TokenLine> others{b};
  if (ui.other.block->cross()) others.push_back({ui.other.block->key_tokens, false, true, true, b.focus});
  // One line for both if they are the same.
  const auto is_there = [&](const TokenLine& other) {
    return std::ranges::any_of(rows, [&](const TokenLine& row) { return looks_alike(row, other); });
  };
  if (!std::ranges::all_of(others, is_there)) rows.insert(rows.end(), others.begin(), others.end());
  return rows;
}

/// With A and B in front of the sides, query and key in front of their texts, where there are both.
std::vector<TokenLine> rows_of(const Ui& ui) {
  std::vector<TokenLine> rows = texts_of(ui);
  const bool sides = std::ranges::any_of(rows, &TokenLine::b);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    TokenLine& row = rows[i];
    const bool first = i == 0 || rows[i - 1].b != row.b;
    if (sides && first) row.label = letter(row.b ? Side::b : Side::a);
    if (row.queries && row.keys) continue;
    row.label += (row.label.empty() ? "" : " ") + std::string(ui.tr(row.queries ? TR("Query") : TR("Key")));
  }
  return rows;
}

}  // namespace

float draw_token_line(Ui& ui, ImVec2 from, ImVec2 room) {
  const std::vector<TokenLine> rows = rows_of(ui);
  const float gap = ui.style.font_size;
  // Space that a row leaves goes to the others: it gets no more than the widest needs.
  const auto draw_rows = [&](std::span<const TokenLine> some, float y) {
    float left = from.x, room_left = room.x - gap * (static_cast<float>(some.size()) - 1);
    for (std::size_t i = 0; i < some.size(); ++i) {
      float others = 0;
      for (std::size_t j = i + 1; j < some.size(); ++j) others += TokenRow(ui, some[j], from, room).width();
      const float fair = room_left / static_cast<float>(some.size() - i);
      const float own = TokenRow(ui, some[i], from, room).width();
      const float width =
          i + 1 == some.size() ? room_left : std::min(own, std::max(fair, room_left - others));
      TokenRow(ui, some[i], {left, y}, {width, room.y}).draw();
      left += width + gap;
      room_left -= width;
    }
  };
  float needed = -gap;
  for (const TokenLine& row : rows) needed += TokenRow(ui, row, from, room).width() + gap;
  const auto of_b = std::ranges::find(rows, true, &TokenLine::b) - rows.begin();
  if (needed <= room.x || of_b == std::ssize(rows)) {
    draw_rows(rows, from.y);
    return room.y;
  }
  draw_rows(std::span(rows).first(of_b), from.y);
  draw_rows(std::span(rows).subspan(of_b), from.y + room.y);
  return 2 * room.y;
}

}  // namespace headscope
