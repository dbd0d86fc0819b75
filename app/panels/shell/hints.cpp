#include <algorithm>
#include <cfloat>

#include "app/panels/inputs/source_bar.h"
#include "app/panels/shell/frame_parts.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "app/state/document/open_model.h"
#include "app/state/document/side_texts.h"
#include "app/state/lesson/play_lesson.h"
#include "core/model/weights/built_in_models.h"
#include "core/teach/library.h"

namespace headscope {

namespace {

/// What a first start offers, in lines that break where the window ends.
class Welcome {
 public:
  explicit Welcome(App& app)
      : app_(app), right_(ImGui::GetContentRegionMax().x - 1.5F * ImGui::GetFrameHeight()) {}

  void draw() {
    close_button();
    what_is_shown();
    const BuiltInModel& translator = built_in_models().front();
    if (not_installed(app_, translator.name).empty() &&
        choice(app_.tr("A trained model that translates while you type"), "welcome translator",
               app_.tr(translator.help)))
      open_model(app_, translator.name), done();
    const BuiltInLesson& first = built_in_lessons().front();
    if (choice(app_.tr("A lesson on multi-head attention"), "welcome lesson",
               first.title.in(app_.tr.language())))
      done(), play_lesson(app_, first.name);
    if (offer(app_.tr("Your own sentence"), "welcome sentence")) done(), run_action(app_, "sentence");
    if (offer(app_.tr("A model's folder…"), "welcome model",
              app_.tr("A folder downloaded from Hugging Face, with config.json, model.safetensors and "
                      "tokenizer.json.")))
      command_open_model(app_);
    if (offer(app_.tr("A capture…"), "welcome capture",
              app_.tr("Attention that was computed elsewhere: an .npz or .safetensors file.")))
      command_open_capture(app_);
    ImGui::NewLine();
  }

 private:
  void done() { app_.settings.welcome = false; }

  void close_button() {
    const ImVec2 back = ImGui::GetCursorPos();
    ImGui::SetCursorPosX(ImGui::GetContentRegionMax().x - ImGui::GetFrameHeight());
    if (icon_button("close welcome", Icon::close, app_.tr("Close; Help has the lessons"))) done();
    anchor("welcome close");
    ImGui::SetCursorPos({back.x + 0.4F * ImGui::GetFontSize(), back.y});
  }

  void what_is_shown() {
    if (!app_.inputs.untrained()) return;
    ImGui::AlignTextToFramePadding();
    wrapped_text(app_.tr.plural("{} head of an untrained layer (seed {}): patterns here are chance.",
                                "{} heads of an untrained layer (seed {}): patterns here are chance.",
                                app_.inputs.heads, app_.inputs.heads, app_.inputs.seed),
                 right_ - ImGui::GetCursorPosX());
    anchor("welcome text");
    ImGui::SameLine(0, ImGui::GetFontSize());
  }

  /// One of the two large ones.
  bool choice(const std::string& text, const char* mark, const std::string& help = {}) {
    const ChosenColors colors;
    return offer(text, mark, help);
  }

  bool offer(const std::string& text, const char* mark, const std::string& help = {}) {
    const float width = ImGui::CalcTextSize(text.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
    if (ImGui::GetCursorPosX() + width > right_) {
      ImGui::NewLine();
      ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 0.4F * ImGui::GetFontSize());
    }
    const bool pressed = button(text, mark, help);
    ImGui::SameLine();
    return pressed;
  }

  App& app_;
  const float right_;
};

}  // namespace

void draw_welcome(App& app) {
  if (app.settings.welcome && !app.lesson.playing()) Welcome(app).draw();
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
