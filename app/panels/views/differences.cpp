#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/panels/map/map_pointer.h"
#include "app/panels/views/compare.h"
#include "app/panels/views/table_menu.h"
#include "app/panels/widgets/compat.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/view/view_cache.h"
#include "core/scene/range.h"
#include "core/scene/readable_numbers.h"

namespace headscope {
namespace {

Cell cell_of(const Comparison& c, const LargestDifference& entry) {
  return {entry.head, c.queries.tokens[static_cast<std::size_t>(entry.row)].a,
          c.keys.tokens[static_cast<std::size_t>(entry.column)].a};
}

/// The token's number in A; in B if A has none.
std::string number_in(const std::vector<Token>& a, const std::vector<Token>& b, const AlignedToken& token) {
  return token.a >= 0 ? number_of_repeated(a, token.a) : number_of_repeated(b, token.b);
}

void open_cell(Ui& ui, const Comparison& c, const LargestDifference& entry) {
  ui.state.view.head = entry.head;
  ui.state.lock = cell_of(c, entry);
}

/// Two digits as in the cells of a map, more if two different numbers would otherwise look the same.
int digits_that_differ(const LargestDifference& entry) {
  const auto larger = static_cast<double>(std::max(entry.a, entry.b)),
             difference = static_cast<double>(std::abs(entry.b - entry.a));
  return difference > 0 ? std::clamp(2 + static_cast<int>(std::floor(std::log10(larger / difference))), 2, 4)
                        : 2;
}

void draw_entry(Ui& ui, const Comparison& c, const ComparisonLook& look, const LargestDifference& entry,
                float maximum) {
  const Cell cell = cell_of(c, entry);
  ImGui::TableNextRow();
  ImGui::TableSetColumnIndex(0);
  const std::string head = std::to_string(entry.head + 1) + "##entry";
  if (ImGui::Selectable(head.c_str(), ui.state.lock == cell, ImGuiSelectableFlags_SpanAllColumns))
    open_cell(ui, c, entry);
  if (ImGui::IsItemHovered()) ui.state.hover = cell;
  const auto put_token = [](const std::vector<std::string>& texts, int i, const std::string& number) {
    ImGui::TableNextColumn();
    const std::string text = drawn_text(texts[static_cast<std::size_t>(i)]);
    ImGui::TextUnformatted(fit_with(text, number, ImGui::GetContentRegionAvail().x).c_str());
  };
  const auto put = [](const std::string& words) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(fit_text(words, ImGui::GetContentRegionAvail().x).c_str());
  };
  put_token(look.rows, entry.row,
            number_in(c.shown_a->block->tokens, c.shown_b->block->tokens,
                      c.queries.tokens[static_cast<std::size_t>(entry.row)]));
  put_token(look.columns, entry.column,
            number_in(c.shown_a->block->key_tokens, c.shown_b->block->key_tokens,
                      c.keys.tokens[static_cast<std::size_t>(entry.column)]));
  const int digits = digits_that_differ(entry);
  put(digits > 2 ? bound_text(entry.a, digits) : cell_text(entry.a));
  put(digits > 2 ? bound_text(entry.b, digits) : cell_text(entry.b));
  ImGui::TableNextColumn();
  const float difference = entry.b - entry.a;
  draw_difference_bar(static_cast<double>(difference), static_cast<double>(maximum));
  ImGui::TextUnformatted(with_minus(fmt::format("{:+#.3g}", difference)).c_str());
}

/// The page keys move through the list from the locked cell on.
void keys(Ui& ui, const Comparison& c, const std::vector<LargestDifference>& list) {
  if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) || ImGui::GetIO().WantTextInput) return;
  const int by = key_pressed(Key::page_down, true) - key_pressed(Key::page_up, true);
  if (by == 0) return;
  int now = -1;
  const auto count = static_cast<int>(list.size());
  for (int i = 0; i < count && now < 0; ++i)
    if (ui.state.lock == cell_of(c, list[static_cast<std::size_t>(i)])) now = i;
  const int next = now < 0 ? 0 : std::clamp(now + by, 0, count - 1);
  open_cell(ui, c, list[static_cast<std::size_t>(next)]);
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
    if (i == 0) anchor_item(ui.ui_anchors, "first difference");
    ImGui::PopID();
  }
  ImGui::EndTable();
}

}  // namespace

void draw_difference_bar(double difference, double largest) {
  const Rgb end = diverging_colors()[difference < 0 ? 40 : 215];
  bar_below_line(ImGui::GetCursorScreenPos(), ImGui::GetContentRegionAvail().x,
                 largest > 0 ? std::abs(difference) / largest : 0, to_color(end, 0.8F));
}

void draw_differences(Ui& ui, const std::shared_ptr<const Comparison>& comparison, int head, float width) {
  const auto look = ui.view_cache.comparison_look(comparison, ui.state.view);
  bool& all = ui.state.differences_of_all;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(ui.tr("Largest differences"));
  ImGui::SameLine();
  ImGui::Checkbox(ui.tr("All heads"), &all);
  const auto list = ui.view_cache.differences(comparison, all ? -1 : head);
  if (!list || list->empty()) return hint(ui.style, equality_note(ui.tr, *comparison, all ? -1 : head));
  if (std::ranges::all_of(*list, [&](const auto& entry) { return is_in(*comparison, entry); }))
    keys(ui, *comparison, *list);
  const bool grouped = ui.block->grouped() && !look->rows.empty() && !look->columns.empty();
  // Labels of pooled cells are long, and useless when they are cut.
  const std::string widest = grouped ? look->rows.back() + look->columns.back() : std::string();
  const float room = grouped ? (width > 0 ? width : ImGui::GetContentRegionAvail().x) : FLT_MAX;
  ImGui::PushFont(font_for(ui.style, "0000" + widest + " 0.00e−00 0.00e−00 +0.00e−00  ", room));
  draw_list(ui, *comparison, *look, *list, width);
  ImGui::PopFont();
}

}  // namespace headscope
