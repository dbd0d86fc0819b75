#include "app/panels/shell/frame_parts.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"

namespace headscope {

void draw_text_hint(App& app, float right) {
  if (!text_has_no_effect(app)) return;
  const Translator& tr = app.tr;
  const ImGuiStyle& style = ImGui::GetStyle();
  const bool typed = app.edited().vectors == VectorKind::typed;
  const char* why = typed ? tr("Other words give the same maps: typed vectors belong to positions.")
                          : tr("Other words give the same maps: randn vectors belong to positions.");
  const char* use = tr("Use embedding");
  const std::string more =
      std::string(why) + "\n" +
      tr("With embedding inputs, each distinct token has its own vector. Undo brings the "
         "present vectors back.");
  const float em = ImGui::GetFontSize(), end = ImGui::GetWindowWidth() - right - em;
  const float button = ImGui::CalcTextSize(use).x + 2 * style.FramePadding.x;
  const float room = end - button - style.ItemSpacing.x - (ImGui::GetCursorPosX() + em);
  const std::string text = room < 6 * em ? std::string() : fit_text(why, room);
  const float width = text.empty() ? 0 : ImGui::CalcTextSize(text.c_str()).x + style.ItemSpacing.x;
  ImGui::SetCursorPosX(end - button - width);
  if (!text.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, palette(app.settings.theme).warning);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopStyleColor();
    anchor("text has no effect");
    tooltip(more);
  }
  if (ImGui::SmallButton(use)) run_action(app, "text counts");
  anchor("use embedding");
  tooltip(more);
}

}  // namespace headscope
