#include "app/panels/views/notable_heads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/views/head_label.h"
#include "app/panels/views/inspector_slots.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/derived/view_cache.h"
#include "app/state/view/navigation.h"
#include "core/scene/head_table.h"

namespace headscope {
namespace {

/// Of long texts weights are small.
std::string number_text(double value) {
  return value != 0 && std::abs(value) < 0.005 ? fmt::format("{:.1g}", value) : fmt::format("{:.2f}", value);
}

/// A head, its statistic, and the number at the right edge.
struct ListedHead {
  int layer = 0, head = 0;
  const HeadColumn* column = nullptr;
  double value = 0;
  std::string help;
};

void draw_listed_head(Ui& ui, const ListedHead& one, const std::string& mark, float names) {
  const float em = ui.style.font_size, width = ImGui::GetContentRegionAvail().x;
  const ImVec2 cursor = ImGui::GetCursorScreenPos(), at{cursor.x, cursor.y + list_line_lead()};
  if (list_line(("###" + mark).c_str(), false, 0, {width, ImGui::GetTextLineHeight()})) {
    show_block(ui.state, ui.block->shape.kind);
    open_head(ui.state, one.layer, one.head);
  }
  anchor(mark);
  if (ImGui::IsItemHovered()) ui.memory.pointed_head = {one.layer, one.head, ImGui::GetFrameCount()};
  hear_name(full_head_name(ui, one.layer, one.head) + ", " + ui.tr(one.column->title) + " " +
            number_text(one.value));
  tooltip(full_head_name(ui, one.layer, one.head) + "\n" + one.help + "\n" + ui.tr("Click to open the head"));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Palette& colors = palette(ui.style.theme);
  const float side = std::round(0.55F * em), line = ImGui::GetTextLineHeight();
  const float top = std::round(at.y + (line - side) / 2);
  list.AddRectFilled({at.x, top}, {at.x + side, top + side}, head_rgb(ui, one.layer, one.head), side / 4);
  const float left = at.x + side + 0.4F * em;
  list.AddText({left, at.y}, colors.text, short_head_name(ui, one.layer, one.head).c_str());
  const std::string number = number_text(one.value);
  const float number_at = at.x + width - ImGui::CalcTextSize(number.c_str()).x;
  const float title_at = left + names + 0.5F * em;
  list.AddText({title_at, at.y}, colors.muted,
               fit_text(ui.tr(one.column->title), number_at - title_at - 0.4F * em).c_str());
  list.AddText({number_at, at.y}, colors.text, number.c_str());
}

void draw_listed_heads(Ui& ui, const std::vector<ListedHead>& heads, const char* mark) {
  float names = 0;
  for (const ListedHead& one : heads)
    names = std::max(names, ImGui::CalcTextSize(short_head_name(ui, one.layer, one.head).c_str()).x);
  for (const ListedHead& one : heads)
    draw_listed_head(ui, one, fmt::format("{} {}", mark, &one - heads.data()), names);
}

std::vector<ListedHead> listed(const Ui& ui, const NotableHeads& notable) {
  std::vector<ListedHead> heads;
  for (const NotableHead& one : notable.heads)
    heads.push_back({one.layer, one.head, one.column, one.value, ui.tr(one.column->formula)});
  return heads;
}

/// The head with the highest value of each; the lowest is in its tooltip.
std::vector<ListedHead> listed(const Ui& ui, const BlockStatistics& statistics) {
  constexpr std::size_t maximum = 4;
  std::vector<ListedHead> heads;
  const int layer = ui.shown->layer;
  for (const HeadContrast& one : head_contrasts(statistics, layer, maximum))
    heads.push_back({layer, one.highest, one.column, one.high,
                     ui.tr(one.column->formula) + std::string("\n") +
                         ui.tr("The highest of this layer; the lowest is head {} with {}.", one.lowest + 1,
                               number_text(one.low))});
  return heads;
}

}  // namespace

void draw_notable_heads(Ui& ui) {
  if (ui.block->layer_count() == 0) return;
  // The maps that are shown come first; and who stopped those has not asked for these.
  const bool waits = ui.progress.has_value() || ui.reading_stopped;
  if (!ui.view_cache.measures_unasked(ui.block)) {
    if (!section(ui.tr("Heads worth a look"), "notable heads")) return;
    if (small_button(ui.tr("Table of heads"), "measure heads",
                     ui.tr("Measures all heads, which takes a while for a text of this length.")))
      ui.state.view.kind = ViewKind::head_table;
    return;
  }
  const auto notable = waits ? nullptr : ui.view_cache.notable_heads(ui.block);
  if (notable && notable->heads.empty()) {
    const auto statistics = ui.view_cache.statistics(ui.block, std::nullopt);
    const std::vector<ListedHead> heads = listed(ui, *statistics);
    if (!heads.empty() &&
        named_section(ui.tr("Where these heads differ"), ui.tr("Differing heads"), "notable heads"))
      draw_listed_heads(ui, heads, "differing head");
    return;
  }
  if (!section(ui.tr("Heads worth a look"), "notable heads")) return;
  if (!notable) return hint(ui.style, computing_text(ui));
  draw_listed_heads(ui, listed(ui, *notable), "notable head");
}

}  // namespace headscope
