#include <algorithm>
#include <cfloat>
#include <utility>

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

/// What a first start shows and offers, in lines that break at the right edge.
class Welcome {
 public:
  explicit Welcome(App& app) : app_(app) {}

  void draw() {
    close_button();
    what_is_shown();
    const BuiltInModel& translator = built_in_models().front();
    if (not_installed(app_, translator.name).empty() &&
        choice(app_.tr("A translator"), "welcome translator", app_.tr(translator.help)))
      open_model(app_, translator.name), done();
    const BuiltInLesson& first = built_in_lessons().front();
    if (choice(app_.tr("A lesson"), "welcome lesson", first.title.in(app_.tr.language())))
      done(), play_lesson(app_, first.name);
    if (offer(app_.tr("Your own sentence"), "welcome sentence")) done(), run_action(app_, "sentence");
    if (offer(app_.tr("Open a model…"), "welcome model",
              app_.tr("A folder downloaded from Hugging Face, with config.json, model.safetensors and "
                      "tokenizer.json.")))
      command_open_model(app_);
  }

 private:
  void done() { app_.settings.welcome = false; }

  void close_button() {
    const ImVec2 back = ImGui::GetCursorPos();
    ImGui::SetCursorPosX(ImGui::GetContentRegionMax().x - ImGui::GetFrameHeight());
    if (icon_button("close welcome", Icon::close, app_.tr("Close; Help has the lessons"))) done();
    anchor("welcome close");
    ImGui::SetCursorPos(back);
  }

  void what_is_shown() {
    // A phone held across has no line to spare: the path says that the layer is untrained.
    if (!app_.inputs.untrained() || (finger_height() > 0 && is_low_window())) return;
    const bool of_notebook = app_.inputs == Inputs{};
    const std::string text =
        of_notebook ? std::string(app_.tr("These are the eight maps of the notebook "
                                          "(torch.manual_seed(42)). Untrained: patterns are chance."))
                    : app_.tr.plural("{} head of an untrained layer (seed {}): patterns here are chance.",
                                     "{} heads of an untrained layer (seed {}): patterns here are chance.",
                                     app_.inputs.heads, app_.inputs.heads, app_.inputs.seed);
    const float room = ImGui::GetContentRegionAvail().x - ImGui::GetFrameHeight();
    if (is_low_window()) {
      framed_text(fit_text(text, room));
      tooltip(text);
    } else {
      wrapped_text(text, room);
    }
    anchor("welcome text");
  }

  /// One of the two large ones.
  bool choice(const std::string& text, const char* mark, const std::string& help = {}) {
    const AccentColors colors;
    return offer(text, mark, help);
  }

  bool offer(const std::string& text, const char* mark, const std::string& help = {}) {
    const ImGuiStyle& style = ImGui::GetStyle();
    const float width = ImGui::CalcTextSize(text.c_str()).x + 2 * style.FramePadding.x;
    // In a low window one line is all that the maps can spare; the menus have the rest.
    if (is_low_window() && used_ + width > ImGui::GetContentRegionMax().x) return false;
    used_ += width + style.ItemSpacing.x;
    if (!std::exchange(first_, false)) next_in_line(width);
    return button(text, mark, help);
  }

  App& app_;
  bool first_ = true;
  float used_ = 0;  ///< of the line
};

}  // namespace

float welcome_height(const App& app) {
  if (!app.settings.welcome || app.lesson.playing()) return 0;
  return ImGui::GetStateStorage()->GetFloat(ImGui::GetID("welcome"), 1);
}

void draw_welcome(App& app, const Style& style) {
  const float height = welcome_height(app);
  if (height <= 0) return;
  const Palette& colors = palette(style.theme);
  ImGuiStorage& memory = *ImGui::GetStateStorage();
  const ImGuiID id = ImGui::GetID("welcome");
  ImGui::PushStyleColor(ImGuiCol_ChildBg, colors.accent_soft);
  ImGui::BeginChild("welcome card", {0, height}, true,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_AlwaysUseWindowPadding);
  Welcome(app).draw();
  // As high as it is, from the next frame on.
  const float needed =
      ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y + ImGui::GetStyle().WindowPadding.y;
  app.state.layout_moved |= needed != height;
  memory.SetFloat(id, needed);
  ImGui::EndChild();
  ImGui::PopStyleColor();
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
