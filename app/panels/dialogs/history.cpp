#include "app/panels/dialogs/history.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"

namespace headscope {

void draw_history(App& app) {
  const History& history = app.undo.history;
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const float lines = std::min(8.0F, static_cast<float>(history.steps().size()) + 0.5F);
  std::size_t chosen = history.current();
  ImGui::BeginChild("###steps", {0, line * lines}, true);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(history.steps().size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const auto step = static_cast<std::size_t>(i);
      const bool undone = step > history.current();
      if (undone) ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
      const std::string label = fmt::format("{}  {}###{}", i + 1, app.tr(history.steps()[step].what), i);
      if (ImGui::Selectable(label.c_str(), step == history.current())) chosen = step;
      if (undone) ImGui::PopStyleColor();
    }
  // Scroll to a new step.
  if (app.undo.steps_shown != history.steps().size()) {
    ImGui::SetScrollY(static_cast<float>(history.current()) * line);
    app.undo.steps_shown = history.steps().size();
  }
  ImGui::EndChild();
  if (chosen != history.current()) jump_to_step(app, chosen);
}

}  // namespace headscope
