#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/map/map_text.h"
#include "app/panels/views/compare.h"
#include "app/panels/views/predictions.h"
#include "app/panels/views/table_menu.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/view/view_cache.h"
#include "core/scene/range.h"
#include "core/scene/readable_numbers.h"

namespace headscope {
namespace {

const std::vector<Token>& tokens_of(const std::shared_ptr<const Trace>& trace) {
  return block_of(trace, trace->predictions->block())->tokens;
}

/// Percentage points, with their sign.
std::string points(double share) {
  return with_minus(fmt::format("{:+.{}f}", 100 * share, std::abs(share) < 0.001 ? 3 : 1));
}

void draw_token(const Ui& ui, const Trace& trace, const ShiftedToken& token, double maximum) {
  ImGui::TableNextRow();
  const auto put = [](const std::string& text) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(fit_text(text, ImGui::GetContentRegionAvail().x).c_str());
  };
  const std::string name = drawn_text(shown_token(expected_text(trace, token.id)));
  put(name);
  tooltip(name);
  put(printed_percent(token.a));
  put(printed_percent(token.b));
  ImGui::TableNextColumn();
  const double shift = token.b - token.a;
  draw_difference_bar(shift, maximum);
  ImGui::TextUnformatted(points(shift).c_str());
  tooltip(ui.tr.format("{} percentage points", points(shift)));
}

}  // namespace

bool has_shifted_predictions(const Ui& ui) {
  if (!ui.trace || !ui.trace->predictions || !ui.other.trace || !ui.other.trace->predictions) return false;
  return ui.trace->inputs.model == ui.other.trace->inputs.model && !tokens_of(ui.trace).empty() &&
         !tokens_of(ui.other.trace).empty();
}

void draw_shifted_predictions(Ui& ui) {
  const std::vector<Token>&a = tokens_of(ui.trace), &b = tokens_of(ui.other.trace);
  const bool at_lock = ui.state.lock && ui.block->tokens == a && !ui.block->words;
  const Index last = std::ssize(a) - 1;
  const Index query = at_lock ? std::clamp<Index>(ui.state.lock->query, 0, last) : last;
  const Index query_b = query == last ? std::ssize(b) - 1 : std::min<Index>(query, std::ssize(b) - 1);
  const std::string at_a = numbered_token(a, static_cast<int>(query));
  const std::string at_b = numbered_token(b, static_cast<int>(query_b));
  const bool after = ui.trace->predictions->of_next_token();
  const std::string title =
      at_a == at_b
          ? (after ? ui.tr.format("Expected after “{}”: probability", at_a)
                   : ui.tr.format("Expected in place of “{}”: probability", at_a))
          : (after ? ui.tr.format("Expected after “{}” (A), “{}” (B): probability", at_a, at_b)
                   : ui.tr.format("Expected in place of “{}” (A), “{}” (B): probability", at_a, at_b));
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(fit_text(title, ImGui::GetContentRegionAvail().x).c_str());
  tooltip(ui.tr("Lock a cell to ask after its query; without one it is the last token."));
  const auto shifted = ui.view_cache.shifted_predictions(ui.trace, ui.other.trace, query, query_b);
  if (!shifted) return hint(ui.style, computing_text(ui));
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
    widen(a_width, printed_percent(token.a));
    widen(b_width, printed_percent(token.b));
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
