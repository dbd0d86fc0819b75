#include <algorithm>
#include <cfloat>

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
  const auto offer = [&](const char* text, const char* mark, const char* help = "") {
    const float width = ImGui::CalcTextSize(text).x + 2 * ImGui::GetStyle().FramePadding.x;
    if (ImGui::GetCursorPosX() + width > right) return false;
    const bool pressed = button(text, mark, help);
    ImGui::SameLine();
    return pressed;
  };
  ImGui::Dummy({em * 0.3F, 0});
  ImGui::SameLine();
  const char* start = app.tr("Start with");
  colored_line(palette(app.settings.theme).muted, start);
  ImGui::SameLine();
  if (offer(app.tr("your own sentence"), "welcome sentence")) {
    app.settings.welcome = false;
    run_action(app, "sentence");
  }
  const std::string lesson =
      app.tr("the lesson “{}”", built_in_lessons().front().title.in(app.tr.language()));
  if (offer(lesson.c_str(), "welcome lesson")) {
    app.settings.welcome = false;
    play_lesson(app, built_in_lessons().front().name);
  }
  const BuiltInModel& built_in = built_in_models().front();
  if (not_installed(app, built_in.name).empty()) {
    if (offer(app.tr("a trained translator"), "welcome translator", app.tr(built_in.help))) {
      app.settings.welcome = false;
      open_model(app, built_in.name);
    }
  }
  if (offer(app.tr("a trained model…"), "welcome model",
            app.tr("A folder downloaded from Hugging Face, with config.json, model.safetensors and "
                   "tokenizer.json.")))
    command_open_model(app);
  if (offer(app.tr("a capture…"), "welcome capture",
            app.tr("Attention that was computed elsewhere: an .npz or .safetensors file.")))
    command_open_capture(app);
  const char* const origin = app.tr("Models: folders as downloaded from Hugging Face");
  if (ImGui::GetCursorPosX() + ImGui::CalcTextSize(origin).x < right) {
    colored_line(palette(app.settings.theme).muted, origin);
    anchor("welcome origin");
    ImGui::SameLine();
  }
  ImGui::SetCursorPosX(right);
  if (icon_button("close welcome", Icon::close, app.tr("Close; Help has the lessons")))
    app.settings.welcome = false;
  anchor("welcome close");
}

void locate_button(App& app, const Inputs& lost, const char* mark) {
  const bool captured = lost.captured();
  if (button(app.tr("Locate…"), mark,
             captured ? app.tr("Says where the capture's file is now; the session keeps all else.")
                      : app.tr("Says where the model's folder is now; the session keeps all else.")))
    command_locate_source(app);
}

void draw_error(App& app, const Ui& ui, ImVec2 min, ImVec2 max) {
  if (ui.error.empty()) return;
  const float em = ui.style.font_size;
  const ImVec2 room{std::max(em * 4, max.x - min.x - 2 * em), 0};
  ImGui::SetNextWindowPos({min.x + em, max.y - em / 2}, ImGuiCond_Always, {0, 1});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {room.x, FLT_MAX});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyle().Colors[ImGuiCol_PopupBg]);
  const Inputs* lost = inputs_to_locate(app);
  const bool locates = lost != nullptr && *lost == ui.inputs;
  ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoMove |
                           ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                           ImGuiWindowFlags_NoFocusOnAppearing;
  if (!locates) flags |= ImGuiWindowFlags_NoInputs;
  if (ImGui::Begin("error", nullptr, flags)) {
    colored_text(palette(ui.style.theme).error, ui.error, room.x - 2 * em);
    if (locates) {
      locate_button(app, *lost, "locate");
      ImGui::SameLine();
      if (button(ui.tr("Notebook"), "to notebook")) run_action(app, "notebook");
    }
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    note_place("error", at, {at.x + size.x, at.y + size.y});
  }
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

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
    colored_line(palette(app.settings.theme).warning, text);
    anchor("text has no effect");
    tooltip(more);
  }
  if (small_button(use, "use embedding", more)) run_action(app, "text counts");
}

}  // namespace headscope
