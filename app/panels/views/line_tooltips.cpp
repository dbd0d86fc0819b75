#include "app/panels/views/line_tooltips.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/panels/map/map_pointer.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/view/view_cache.h"
#include "core/scene/readable_numbers.h"

namespace headscope {
namespace {

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

}  // namespace

void line_tooltip(Ui& ui, const Line& line) {
  const std::string& query = ui.memory.maps.look().rows()[static_cast<std::size_t>(line.row)];
  const std::string& key = ui.memory.maps.look().columns()[static_cast<std::size_t>(line.column)];
  if (!begin_tooltip_at_mouse(ui)) return;
  ImGui::TextUnformatted(head_title(ui, line.head).c_str());
  line_entry(ui, line, query + " → " + key);
  report_renormalized(ui);
  ImGui::EndTooltip();
}

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

void report_left_out(Ui& ui) {
  const auto lines = ui.view_cache.lines(ui.shown, ui.state.view);
  if (!lines || lines->left_out == 0) return;
  hint(ui.style,
       ui.tr.format("Showing the {} strongest of {} lines; point at a token to see all of its lines.",
                    lines->lines.size(), lines->lines.size() + lines->left_out));
}

}  // namespace headscope
