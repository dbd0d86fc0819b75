#include "app/panels/shell/frame_parts.h"
#include "app/panels/shell/panel_focus.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "core/model/built_in_models.h"
#include "core/teach/library.h"

namespace headscope {

void draw_welcome(App& app) {
  if (!app.settings.welcome || app.lesson.playing()) return;
  const float em = ImGui::GetFontSize(), right = ImGui::GetContentRegionMax().x - ImGui::GetFrameHeight();
  ImGui::AlignTextToFramePadding();
  const auto offer = [&](const char* text, const char* mark) {
    const float width = ImGui::CalcTextSize(text).x + 2 * ImGui::GetStyle().FramePadding.x;
    if (ImGui::GetCursorPosX() + width > right) return false;
    const bool pressed = ImGui::Button(text);
    anchor(mark);
    ImGui::SameLine();
    return pressed;
  };
  ImGui::Dummy({em * 0.3F, 0});
  ImGui::SameLine();
  const char* start = app.tr("Start with");
  ImGui::PushStyleColor(ImGuiCol_Text, palette(app.settings.theme).muted);
  ImGui::TextUnformatted(start);
  ImGui::PopStyleColor();
  ImGui::SameLine();
  if (offer(app.tr("your own sentence"), "welcome sentence")) {
    app.settings.welcome = false;
    run_action(app, "sentence");
  }
  const std::string lesson =
      app.tr.format("the lesson “{}”", built_in_lessons().front().title.in(app.tr.language()));
  if (offer(lesson.c_str(), "welcome lesson")) {
    app.settings.welcome = false;
    play_lesson(app, built_in_lessons().front().name);
  }
  const BuiltInModel& built_in = built_in_models().front();
  if (not_installed(app, built_in.name).empty()) {
    if (offer(app.tr("a trained translator"), "welcome translator")) {
      app.settings.welcome = false;
      open_model(app, built_in.name);
    }
    tooltip(app.tr(built_in.help));
  }
  if (offer(app.tr("a trained model…"), "welcome model")) {
    command_open_model(app);
  }
  tooltip(app.tr(
      "A folder downloaded from Hugging Face, with config.json, model.safetensors and tokenizer.json."));
  if (offer(app.tr("a capture…"), "welcome capture")) {
    command_open_capture(app);
  }
  tooltip(app.tr("Attention that was computed elsewhere: an .npz or .safetensors file."));
  const char* const origin = app.tr("Models: folders as downloaded from Hugging Face");
  if (ImGui::GetCursorPosX() + ImGui::CalcTextSize(origin).x < right) {
    ImGui::PushStyleColor(ImGuiCol_Text, palette(app.settings.theme).muted);
    ImGui::TextUnformatted(origin);
    ImGui::PopStyleColor();
    anchor("welcome origin");
    ImGui::SameLine();
  }
  ImGui::SetCursorPosX(right);
  if (icon_button("close welcome", Icon::close, app.tr("Close; Help has the lessons")))
    app.settings.welcome = false;
  anchor("welcome close");
}

}  // namespace headscope
