#include "app/panels/population.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "app/panels/head_label.h"
#include "app/panels/map_pointer.h"
#include "app/panels/theme.h"
#include "app/panels/widgets.h"
#include "core/analysis/population.h"

namespace headscope {
namespace {

/// A line of the table.
struct Row {
  int layer = 0, head = 0;
  const HeadStatistics* statistics = nullptr;
};

// Columns before and after those of head_columns().
enum FixedColumn : int { head_column = 0, name_column = 1, first_number = 2 };

std::vector<Row> rows_of(const Trace& trace) {
  std::vector<Row> rows;
  for (std::size_t l = 0; l < trace.statistics.size(); ++l)
    for (std::size_t h = 0; h < trace.statistics[l].size(); ++h)
      rows.push_back({static_cast<int>(l), static_cast<int>(h), &trace.statistics[l][h]});
  return rows;
}

void sort_by_number(std::vector<Row>& rows, const HeadColumn& column, bool descending) {
  std::ranges::stable_sort(rows, [&](const Row& a, const Row& b) {
    const auto x = column.value(*a.statistics), y = column.value(*b.statistics);
    if (!x || !y) return x.has_value() && !y.has_value();
    return descending ? *x > *y : *x < *y;
  });
}

void sort_rows(const Ui& ui, std::vector<Row>& rows) {
  const ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs();
  if (!specs || specs->SpecsCount == 0) return;
  const ImGuiTableColumnSortSpecs& spec = specs->Specs[0];
  const bool descending = spec.SortDirection == ImGuiSortDirection_Descending;
  if (spec.ColumnIndex >= first_number) {
    sort_by_number(rows, head_columns()[static_cast<std::size_t>(spec.ColumnIndex - first_number)],
                   descending);
    return;
  }
  if (spec.ColumnIndex == name_column) {
    const auto name = [&](const Row& row) {
      const HeadLabel* label = find_label(ui.labels, row.layer, row.head);
      return label ? label->name : std::string();
    };
    // Heads without a name come last both ways.
    std::ranges::stable_sort(rows, [&](const Row& a, const Row& b) {
      const std::string x = name(a), y = name(b);
      if (x.empty() || y.empty()) return !x.empty() && y.empty();
      return descending ? x > y : x < y;
    });
    return;
  }
  if (descending) std::ranges::reverse(rows);
}

/// What a full bar stands for, a column each.
std::vector<double> full_bars(const std::vector<Row>& rows) {
  std::vector<double> full;
  for (const HeadColumn& column : head_columns()) {
    double high = column.high;
    if (high <= 0)
      for (const Row& row : rows) high = std::max(high, column.value(*row.statistics).value_or(0));
    full.push_back(high > 0 ? high : 1);
  }
  return full;
}

void set_up_columns(const Ui& ui) {
  const float em = ui.style.font_size;
  ImGui::TableSetupScrollFreeze(1, 1);
  ImGui::TableSetupColumn(ui.tr("Head"), ImGuiTableColumnFlags_WidthFixed | ImGuiTableColumnFlags_NoHide,
                          em * 4.6F);
  ImGui::TableSetupColumn(ui.tr("Name"), ImGuiTableColumnFlags_WidthFixed, em * 9);
  for (const HeadColumn& column : head_columns()) {
    const float width = std::max(em * 5.2F, ImGui::CalcTextSize(ui.tr(column.title)).x + em * 1.6F);
    ImGui::TableSetupColumn(ui.tr(column.title),
                            ImGuiTableColumnFlags_WidthFixed | ImGuiTableColumnFlags_PreferSortDescending,
                            width);
  }
}

void draw_header(const Ui& ui) {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int i = 0; i < ImGui::TableGetColumnCount(); ++i) {
    if (!ImGui::TableSetColumnIndex(i)) continue;
    ImGui::PushID(i);
    ImGui::TableHeader(ImGui::TableGetColumnName(i));
    if (i == head_column)
      tooltip(ui.tr(
          "Layer and head, from 1; in arrays and files they count from 0. Click a row to open the head."));
    else if (i == name_column)
      tooltip(ui.tr("A name and a colour of your own, kept in the session"));
    else
      tooltip(ui.tr(head_columns()[static_cast<std::size_t>(i - first_number)].formula));
    if (ui.marks) mark_item(ui.marks, fmt::format("column {}", i).c_str());
    ImGui::PopID();
  }
}

void draw_number(const Ui& ui, const HeadColumn& column, const Row& row, double full, ImU32 color) {
  const auto value = column.value(*row.statistics);
  if (!value) {
    hint(ui.style, "–");
    tooltip(ui.tr("No token repeats: this number has no meaning here"));
    return;
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetTextLineHeight();
  bar(at, width, height, std::clamp(*value / full, 0.0, 1.0), with_alpha(color, 0.45F));
  ImGui::TextUnformatted(fmt::format("{:.3f}", *value).c_str());
}

void draw_row(Ui& ui, const Row& row, const std::vector<double>& full) {
  const ImU32 color = head_rgb(ui, row.layer, row.head);
  ImGui::TableNextRow();
  ImGui::TableSetColumnIndex(head_column);
  const std::string number = short_head_name(ui, row.layer, row.head);
  const bool chosen =
      ui.state.view.layer == row.layer && ui.state.focus() && ui.state.focus()->head == row.head;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float side = ImGui::GetTextLineHeight() * 0.7F, top = at.y + ImGui::GetTextLineHeight() * 0.15F;
  // The row opens its head where it is pressed beside the fields.
  const std::string label = "      " + number + "##row";
  if (ImGui::Selectable(label.c_str(), chosen,
                        ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowItemOverlap)) {
    ui.state.view.layer = row.layer;
    open_head(ui, row.head);
  }
  if (ui.marks) mark_item(ui.marks, ("row " + number).c_str());
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + side, top + side}, color, side / 5);
  if (ImGui::TableSetColumnIndex(name_column)) {
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ImGui::GetStyle().FramePadding.x, 0});
    edit_head_label(ui, row.layer, row.head);
    ImGui::PopStyleVar();
  }
  for (std::size_t i = 0; i < head_columns().size(); ++i)
    if (ImGui::TableSetColumnIndex(first_number + static_cast<int>(i)))
      draw_number(ui, head_columns()[i], row, full[i], color);
}

}  // namespace

void draw_head_table(Ui& ui, ImVec2 size) {
  constexpr ImGuiTableFlags flags =
      ImGuiTableFlags_Sortable | ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
      ImGuiTableFlags_BordersInnerV | ImGuiTableFlags_Resizable | ImGuiTableFlags_Reorderable |
      ImGuiTableFlags_Hideable | ImGuiTableFlags_NoSavedSettings;
  const int columns = first_number + static_cast<int>(head_columns().size());
  if (!ImGui::BeginTable("heads", columns, flags, size)) return;
  set_up_columns(ui);
  draw_header(ui);
  std::vector<Row> rows = rows_of(*ui.trace);
  const std::vector<double> full = full_bars(rows);
  sort_rows(ui, rows);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const Row& row = rows[static_cast<std::size_t>(i)];
      ImGui::PushID(row.layer * 64 + row.head);
      draw_row(ui, row, full);
      ImGui::PopID();
    }
  }
  ImGui::EndTable();
}

void draw_population(Ui& ui) {
  ImGui::BeginChild("population");
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float spacing = ImGui::GetStyle().ItemSpacing.x;
  // Beside each other where there is room for both, else one of them.
  if (room.x > ui.style.font_size * 62) {
    const float matrix = std::min(room.y, room.x * 0.4F);
    draw_head_table(ui, {room.x - matrix - spacing, room.y});
    ImGui::SameLine();
    draw_similarity(ui, {0, room.y});
  } else {
    int& half = ui.state.population_half;
    choose("half", {{ui.tr("Numbers")}, {ui.tr("Likeness")}}, half);
    if (half == 0)
      draw_head_table(ui, ImGui::GetContentRegionAvail());
    else
      draw_similarity(ui, {0, 0});
  }
  ImGui::EndChild();
}

}  // namespace headscope
