#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/panels/views/head_label.h"
#include "app/panels/views/inspector.h"
#include "app/panels/views/predictions.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/placed_text.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/derived/view_cache.h"
#include "app/state/view/compared_cell.h"
#include "app/state/view/navigation.h"
#include "core/scene/prediction_text.h"
#include "core/scene/range.h"
#include "core/scene/readable_numbers.h"

namespace headscope {
namespace {

/// A bar in the rest of the table's cell: the share of `largest`, coloured by the sign.
void draw_difference_bar(double difference, double largest) {
  const Rgb end = diverging_colors(Theme::light)[difference < 0 ? 40 : 215];
  tint_line(ImGui::GetCursorScreenPos(), ImGui::GetContentRegionAvail().x,
            largest > 0 ? std::abs(difference) / largest : 0, to_color(end));
}

bool shows_weights(const Ui& ui) {
  return ui.block->cells.value == CellValue::weight;
}

Cell cell_of(const Comparison& c, const LargestDifference& entry) {
  return {entry.head, c.queries.tokens[entry.row].a, c.keys.tokens[entry.column].a};
}

/// The token's number in A; in B if A has none.
std::string number_in(const std::vector<Token>& a, const std::vector<Token>& b, const AlignedToken& token) {
  return token.a >= 0 ? number_of_repeated(a, token.a) : number_of_repeated(b, token.b);
}

void open_cell(Ui& ui, const Comparison& c, const LargestDifference& entry) {
  ui.state.view.head = entry.head;
  lock_in(ui.state, *c.shown_a->block, c.shown_a->layer, cell_of(c, entry));
}

/// Of all numbers of the list: three digits of the largest difference.
int decimals_of(float maximum) {
  constexpr int fewest = 2, most = 7;
  return maximum > 0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(static_cast<double>(maximum)))),
                                  fewest, most)
                     : fewest;
}

void draw_entry(Ui& ui, const Comparison& c, const ComparisonLook& look, const LargestDifference& entry,
                float maximum) {
  const Cell cell = cell_of(c, entry);
  ImGui::TableNextRow();
  ImGui::TableSetColumnIndex(0);
  const std::string head = std::to_string(entry.head + 1) + "##entry";
  if (list_line(head.c_str(), ui.lock() == cell, ImGuiSelectableFlags_SpanAllColumns))
    open_cell(ui, c, entry);
  if (ImGui::IsItemHovered()) ui.state.hover = cell;
  const auto put_token = [](const std::vector<std::string>& texts, int i, const std::string& number) {
    ImGui::TableNextColumn();
    const std::string text = drawn_text(texts[i]);
    ImGui::TextUnformatted(fit_with(text, number, ImGui::GetContentRegionAvail().x).c_str());
  };
  const auto put = [](const std::string& words) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(fit_text(words, ImGui::GetContentRegionAvail().x).c_str());
  };
  put_token(look.rows, entry.row,
            number_in(c.shown_a->block->tokens, c.shown_b->block->tokens, c.queries.tokens[entry.row]));
  put_token(
      look.columns, entry.column,
      number_in(c.shown_a->block->key_tokens, c.shown_b->block->key_tokens, c.keys.tokens[entry.column]));
  const int decimals = decimals_of(maximum);
  put(in_column(entry.a, decimals));
  put(in_column(entry.b, decimals));
  ImGui::TableNextColumn();
  const float difference = entry.b - entry.a;
  draw_difference_bar(difference, maximum);
  ImGui::TextUnformatted(signed_in_column(difference, decimals).c_str());
}

/// The page keys move through the list from the locked cell on.
void keys(Ui& ui, const Comparison& c, const std::vector<LargestDifference>& list) {
  if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) || ImGui::GetIO().WantTextInput) return;
  if (ui.style.presented) return;  // they turn steps
  const int by = key_pressed(Key::page_down, true) - key_pressed(Key::page_up, true);
  if (by == 0) return;
  int now = -1;
  const auto count = static_cast<int>(list.size());
  for (int i = 0; i < count && now < 0; ++i)
    if (ui.lock() == cell_of(c, list[i])) now = i;
  const int next = now < 0 ? 0 : std::clamp(now + by, 0, count - 1);
  open_cell(ui, c, list[next]);
}

/// The list may still belong to another comparison while this one's is being computed.
bool is_in(const Comparison& c, const LargestDifference& entry) {
  return entry.row < c.rows() && entry.column < c.columns() && entry.head < c.heads;
}

void draw_list(Ui& ui, const Comparison& comparison, const ComparisonLook& look,
               const std::vector<LargestDifference>& list, float width) {
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                    ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_NoSavedSettings;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (!ImGui::BeginTable("differences", 6, flags, {width > 0 ? width : room.x, room.y})) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  const float number = ImGui::CalcTextSize("0.00e−00").x, head_width = ImGui::CalcTextSize(ui.tr("Head")).x;
  const struct {
    const char* title;
    float width;  // 0: the remaining width
  } columns[] = {{ui.tr("Head"), head_width},
                 {ui.tr("Query"), 0},
                 {ui.tr("Key"), 0},
                 {"A", number},
                 {"B", number},
                 {"B − A", ImGui::CalcTextSize("+0.00e−00").x}};
  for (const auto& column : columns)
    ImGui::TableSetupColumn(
        column.title,
        column.width > 0 ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch,
        column.width > 0 ? column.width : 1);
  ImGui::TableHeadersRow();
  leave_out_table_menu();
  const float maximum = std::abs(list.front().b - list.front().a);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const LargestDifference& entry = list[i];
    if (!is_in(comparison, entry)) continue;
    ImGui::PushID(static_cast<int>(i));
    draw_entry(ui, comparison, look, entry, maximum);
    if (i == 0) anchor("first difference");
    ImGui::PopID();
  }
  ImGui::EndTable();
}

const std::vector<Token>& tokens_of(const std::shared_ptr<const Trace>& trace) {
  return block_of(trace, trace->predictions->block())->tokens;
}

/// Percentage points, with their sign.
std::string points(double share) {
  return signed_in_column(100 * share, 1);
}

void draw_token(const Ui& ui, const Trace& trace, const ShiftedToken& token, double maximum) {
  ImGui::TableNextRow();
  const auto put = [](const std::string& text) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(fit_text(text, ImGui::GetContentRegionAvail().x).c_str());
  };
  const std::string name = drawn_prediction(ui, trace, token.id);
  put(name);
  tooltip(name);
  put(percent_in_column(token.a));
  put(percent_in_column(token.b));
  ImGui::TableNextColumn();
  const double shift = token.b - token.a;
  draw_difference_bar(shift, maximum);
  ImGui::TextUnformatted(points(shift).c_str());
  tooltip(ui.tr("{} percentage points", points(shift)));
}

}  // namespace

std::string change_text(const Ui& ui, const std::vector<ChangedHead>& changed, int layer, int head) {
  const auto one =
      std::ranges::find_if(changed, [&](const ChangedHead& c) { return c.layer == layer && c.head == head; });
  if (one == changed.end()) return {};
  const double unit = shows_weights(ui) ? 100 : 1;
  const std::string text = in_column(unit * one->moved, column_decimals(unit * changed.front().moved));
  return shows_weights(ui) && text != "·" ? text + "%" : text;
}

/// On the rest of the line up to `right`: the heads of the whole model that changed most, as many as fit; a
/// click compares one.
void draw_changed_heads(Ui& ui, float right) {
  const auto changed = ui.view_cache.changed_heads(ui.block, ui.other.block, ui.view());
  if (!changed || changed->empty()) return;
  const auto has_room = [&](const std::string& text) {
    ImGui::SameLine();
    return ImGui::GetCursorPosX() + ImGui::CalcTextSize(text.c_str()).x + ImGui::GetStyle().FramePadding.x <
           right;
  };
  const bool weights = shows_weights(ui);
  const auto text_of = [&](const ChangedHead& one) {
    return short_head_name(ui, one.layer, one.head) + "  " + change_text(ui, *changed, one.layer, one.head);
  };
  const std::string first = text_of(changed->front());
  if (const char* const title = weights ? ui.tr("Most weight moved:") : ui.tr("Changed most:");
      has_room(title + first)) {
    framed_text(title);
    tooltip(weights
                ? ui.tr("Share of a query's weight that is on other keys in B than in A, averaged over the "
                        "queries: ½ Σ |B − A|")
                : ui.tr("½ Σ |B − A| of each query, averaged over the queries"));
  }
  for (const ChangedHead& one : *changed) {
    const std::string text = text_of(one);
    if (!has_room(text)) break;
    const std::string mark = fmt::format("changed head {} {}", one.layer + 1, one.head + 1);
    if (small_button(text, mark, ui.tr("Compare this head"))) compare_head_of(ui.state, one.layer, one.head);
  }
  ImGui::NewLine();
}

void draw_differences(Ui& ui, const std::shared_ptr<const Comparison>& comparison, int head, float width) {
  const auto look = ui.view_cache.comparison_look(comparison, ui.view().range);
  bool& all = ui.state.differences_of_all;
  const float right = ImGui::GetCursorPosX() + (width > 0 ? width : ImGui::GetContentRegionAvail().x);
  framed_text(ui.tr("Largest differences"));
  ImGui::SameLine();
  ImGui::Checkbox(ui.tr("All heads"), &all);
  if (ui.hides_numbers) return hide_numbers(ui);
  draw_changed_heads(ui, right);
  const auto list = ui.view_cache.differences(comparison, all ? -1 : head);
  if (!list || list->empty()) return hint(ui.style, equality_note(ui.tr, *comparison, all ? -1 : head));
  if (std::ranges::all_of(*list, [&](const auto& entry) { return is_in(*comparison, entry); }))
    keys(ui, *comparison, *list);
  const bool grouped = ui.block->pooled() && !look->rows.empty() && !look->columns.empty();
  // Labels of pooled cells are long, and useless when they are cut.
  const std::string widest = grouped ? look->rows.back() + look->columns.back() : std::string();
  const float room = grouped ? (width > 0 ? width : ImGui::GetContentRegionAvail().x) : FLT_MAX;
  ImGui::PushFont(nullptr, size_for(ui.style, "0000" + widest + " 0.00e−00 0.00e−00 +0.00e−00  ", room));
  draw_list(ui, *comparison, *look, *list, width);
  ImGui::PopFont();
}

bool has_shifted_predictions(const Ui& ui) {
  if (!ui.trace || !ui.trace->predictions || !ui.other.trace || !ui.other.trace->predictions) return false;
  return ui.trace->inputs.model == ui.other.trace->inputs.model && !tokens_of(ui.trace).empty() &&
         !tokens_of(ui.other.trace).empty();
}

void draw_shifted_predictions(Ui& ui) {
  const std::vector<Token>&a = tokens_of(ui.trace), &b = tokens_of(ui.other.trace);
  const bool at_lock = ui.state.lock && ui.block->tokens == a && !ui.block->words;
  const Index last = ui.trace->predictions->text_query().value_or(std::ssize(a) - 1);
  const Index query = at_lock ? std::clamp<Index>(ui.lock()->query, 0, last) : last;
  const Index query_b = query == last ? std::ssize(b) - 1 : std::min<Index>(query, std::ssize(b) - 1);
  const std::string at_a = numbered_token(a, static_cast<int>(query));
  const std::string at_b = numbered_token(b, static_cast<int>(query_b));
  const bool after = ui.trace->predictions->of_next_token();
  const std::string title =
      !ui.trace->predictions->of_tokens() ? prediction_place(ui.tr, *ui.trace->predictions, at_a)
      : at_a == at_b                      ? (after ? ui.tr("Expected after “{}”: probability", at_a)
                                                   : ui.tr("Expected in place of “{}”: probability", at_a))
                     : (after ? ui.tr("Expected after “{}” (A), “{}” (B): probability", at_a, at_b)
                              : ui.tr("Expected in place of “{}” (A), “{}” (B): probability", at_a, at_b));
  framed_text(fit_text(title, ImGui::GetContentRegionAvail().x));
  tooltip(ui.tr("Lock a cell to ask after its query; without one it is the last token."));
  if (ui.hides_numbers) return hide_numbers(ui);
  const auto shifted = ui.view_cache.shifted_predictions(ui.trace, ui.other.trace, query, query_b);
  if (!shifted) return hint(ui.style, computing_text(ui));
  if (shifted->same) muted_text(ui.style, ui.tr("The prediction is unchanged."));
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                    ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_NoSavedSettings;
  if (!ImGui::BeginTable("shifted", 4, flags, ImGui::GetContentRegionAvail())) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn(ui.tr("Token"), ImGuiTableColumnFlags_WidthStretch);
  // As wide as their numbers: in a narrow window the token is cut off, and a tooltip shows it.
  float a_width = 0, b_width = 0, shift_width = 0;
  const auto widen = [](float& width, const std::string& text) {
    width = std::max(width, ImGui::CalcTextSize(text.c_str()).x);
  };
  // For two shares in percent.
  const char* const shift_title = ui.tr("B − A (pp)");
  widen(shift_width, shift_title);
  for (const ShiftedToken& token : shifted->tokens) {
    widen(a_width, percent_in_column(token.a));
    widen(b_width, percent_in_column(token.b));
    widen(shift_width, points(token.b - token.a));
  }
  ImGui::TableSetupColumn("A", ImGuiTableColumnFlags_WidthFixed, a_width);
  ImGui::TableSetupColumn("B", ImGuiTableColumnFlags_WidthFixed, b_width);
  ImGui::TableSetupColumn(shift_title, ImGuiTableColumnFlags_WidthFixed, shift_width);
  ImGui::TableHeadersRow();
  leave_out_table_menu();
  double maximum = 0;
  for (const ShiftedToken& token : shifted->tokens) maximum = std::max(maximum, std::abs(token.b - token.a));
  for (const ShiftedToken& token : shifted->tokens) draw_token(ui, *ui.trace, token, maximum);
  ImGui::EndTable();
  anchor("shifted predictions");
}

}  // namespace headscope
