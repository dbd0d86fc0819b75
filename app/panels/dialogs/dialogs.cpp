#include "app/panels/dialogs/dialogs.h"

#include <algorithm>

#include "app/panels/dialogs/dialog_list.h"
#include "app/panels/views/head_label.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/actions/action_search.h"
#include "app/state/app.h"
#include "app/state/document/file_commands.h"
#include "core/base/translate.h"

namespace headscope {
namespace {

/// The recently opened models.
struct RecentModels {
  explicit RecentModels(const App& app) {
    for (const std::string& folder : app.settings.recent_models) {
      texts.push_back(app.tr("Open recent model {}", drawn_text(folder)));
      folders.push_back(folder);
    }
    for (std::size_t i = 0; i < texts.size(); ++i)
      actions.push_back({.id = "recent model " + folders[i],
                         .text = texts[i].c_str(),
                         .run = [folder = folders[i]](App& a) { command_open_path(a, folder); }});
  }
  std::vector<std::string> texts, folders;
  std::vector<Action> actions;
};

std::vector<const Action*> find_actions(const App& app, const RecentModels& recent,
                                        const std::string& query) {
  std::vector<const Action*> all;
  for (const std::vector<Action>* const list : {&app.actions, &recent.actions})
    for (const Action& action : *list) all.push_back(&action);
  return find_actions(app, all, query);
}

/// The menu path of an action: "Attention · Mask · ".
std::string place_of(const Workspace& work, const Action& action) {
  std::string place = work.tr(group_name(action.group)) + std::string(" · ");
  if (action.submenu != nullptr) place += work.tr(action.submenu) + std::string(" · ");
  return place;
}

void palette_entry(App& app, const Style& style, const Action& action, bool chosen, bool& run) {
  const std::string keys = style.finger > 0 ? "" : keys_of(action);
  ImGui::PushID(action.id.c_str());
  ImGui::BeginDisabled(!is_enabled(app, action));
  const float right = ImGui::GetContentRegionMax().x;
  const std::string text = text_of(action, app.tr), whole = place_of(app, action) + text;
  const float room = right - ImGui::GetCursorPosX() - ImGui::CalcTextSize(keys.c_str()).x;
  const bool fits = ImGui::CalcTextSize(whole.c_str()).x <= room;
  run |= list_line((fits ? whole : fit_text(text, room)).c_str(), chosen);
  if (chosen && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
  ImGui::EndDisabled();
  if (action.refused) tooltip(action.refused(app));
  if (!keys.empty()) {
    ImGui::SameLine(right - ImGui::CalcTextSize(keys.c_str()).x);
    hint(style, keys);
  }
  ImGui::PopID();
}

void close_dialog(bool& open) {
  open = false;
  ImGui::CloseCurrentPopup();
}

}  // namespace

namespace {

/// What begin_dialog() is on a phone.
bool begin_whole_dialog(const std::string& name, const char* title, bool& open) {
  if (!ImGui::IsPopupOpen(name.c_str())) ImGui::OpenPopup(name.c_str());
  if (!begin_whole_window(name.c_str())) return false;
  hear_window(HeardRole::dialog, title);
  const float room = ImGui::GetContentRegionAvail().x - 2 * ImGui::GetFrameHeight();
  if (icon_button("dialog back", Icon::left, fit_text(title, room), {}) ||
      (key_pressed(Key::escape) && !ImGui::IsAnyItemActive()))
    close_dialog(open);
  ImGui::Separator();
  ImGui::BeginChild("dialog");
  return true;
}

}  // namespace

bool begin_whole_window(const char* name) {
  const ImGuiViewport* const viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport->Pos);
  ImGui::SetNextWindowSize(viewport->Size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  const bool shown = ImGui::BeginPopupModal(
      name, nullptr,
      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar();
  return shown;
}

void end_dialog() {
  if (finger_height() > 0) ImGui::EndChild();
  ImGui::EndPopup();
}

constexpr float highest_dialog = 0.92F;  // of the window

float height_in_dialog(float usual, float lines) {
  const float below = lines * ImGui::GetFrameHeightWithSpacing();
  if (finger_height() > 0) return std::max(1.0F, ImGui::GetContentRegionAvail().y - below);
  // Not more than the dialog may have: it would scroll, too.
  const float most = highest_dialog * ImGui::GetMainViewport()->Size.y - ImGui::GetCursorPosY() -
                     ImGui::GetStyle().WindowPadding.y - below;
  return std::min(usual, std::max(most, 4 * ImGui::GetTextLineHeightWithSpacing()));
}

bool begin_dialog(const char* id, const char* title, bool& open, float em) {
  if (!open) return false;
  const std::string name = std::string(title) + "###" + id;
  if (finger_height() > 0) return begin_whole_dialog(name, title, open);
  const ImVec2 screen = ImGui::GetMainViewport()->Size;
  const float font = ImGui::GetFontSize();
  // Centred when it opens; afterwards the upper edge stays fixed while the height changes.
  constexpr int frames_to_settle = 3;
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  const auto key = [&](const char* what) { return ImGui::GetID((name + what).c_str()); };
  const ImGuiID frames_key = key("frames"), top_key = key("top"), height_key = key("height");
  int frames = storage.GetInt(frames_key);
  if (!ImGui::IsPopupOpen(name.c_str())) {
    ImGui::OpenPopup(name.c_str());
    frames = 0;
  }
  const float lowest = screen.y * 0.96F - storage.GetFloat(height_key);
  const bool settled = frames >= frames_to_settle;
  const float top = std::max(0.0F, std::min(storage.GetFloat(top_key), lowest));
  ImGui::SetNextWindowPos({screen.x / 2, settled ? top : screen.y / 2}, ImGuiCond_Always,
                          {0.5F, settled ? 0 : 0.5F});
  ImGui::SetNextWindowSizeConstraints({std::min(em * font, screen.x * 0.94F), 0},
                                      {std::min(em * font, screen.x * 0.94F), highest_dialog * screen.y});
  if (!ImGui::BeginPopupModal(name.c_str(), &open,
                              ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove))
    return false;
  hear_window(HeardRole::dialog, title);
  storage.SetInt(frames_key, std::min(frames + 1, frames_to_settle));
  storage.SetFloat(height_key, ImGui::GetWindowHeight());
  if (!settled) storage.SetFloat(top_key, ImGui::GetWindowPos().y);
  if (key_pressed(Key::escape) && !ImGui::IsAnyItemActive()) close_dialog(open);
  return true;
}

bool dialog_button(const char* text, const char* mark) {
  return button(text, mark) || (ImGui::IsItemFocused() && key_pressed(Key::enter));
}

QuestionButtons::QuestionButtons(int count) {
  if (ImGui::IsWindowAppearing()) {
    wanted_ = 0;
    show_highlight();
  } else if (key_pressed(Key::tab)) {
    const int focused = ImGui::GetStateStorage()->GetInt(ImGui::GetID("focused"));
    wanted_ = (focused + (ImGui::GetIO().KeyShift ? count - 1 : 1)) % count;
  }
}

bool QuestionButtons::operator()(const char* text, const char* mark) {
  const bool pressed = dialog_button(text, mark);
  if (next_ == wanted_) focus_last_item();
  if (ImGui::IsItemFocused()) ImGui::GetStateStorage()->SetInt(ImGui::GetID("focused"), next_);
  ++next_;
  return pressed;
}

void draw_palette(App& app, const Style& style) {
  PaletteDialog& dialog = app.dialogs.palette;
  if (!begin_dialog("palette", app.tr("Find an action"), dialog.open, 44)) return;
  if (ImGui::IsWindowAppearing()) focus_next_item();
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (typed_text("###query", dialog.query, app.tr("What you want to do, in English or Chinese")))
    dialog.chosen = 0;
  const RecentModels recent(app);
  const std::vector<const Action*> found = find_actions(app, recent, dialog.query);
  const int last = static_cast<int>(found.size()) - 1;
  if (key_pressed(Key::down, true)) ++dialog.chosen;
  if (key_pressed(Key::up, true)) --dialog.chosen;
  dialog.chosen = std::clamp(dialog.chosen, 0, std::max(0, last));
  const Action* run = nullptr;
  ImGui::BeginChild("found", {0, height_in_dialog(ImGui::GetFontSize() * 18)});
  for (int i = 0; i <= last; ++i) {
    bool clicked = false;
    palette_entry(app, style, *found[i], i == dialog.chosen, clicked);
    if (i == dialog.chosen && (key_pressed(Key::down, true) || key_pressed(Key::up, true)))
      ImGui::SetScrollHereY();
    if (clicked) run = found[i];
  }
  if (found.empty()) hint(style, app.tr("No matching action."));
  ImGui::EndChild();
  if (key_pressed(Key::enter) && last >= 0) run = found[dialog.chosen];
  const bool again = is_pressed(app, "palette") && !ImGui::IsWindowAppearing();
  if (key_pressed(Key::escape) || again || run != nullptr) close_dialog(dialog.open);
  end_dialog();
  if (run != nullptr && is_enabled(app, *run)) run->run(app);
}

void scroll_by_keys() {
  const float line = ImGui::GetTextLineHeightWithSpacing(), page = ImGui::GetWindowHeight() - line;
  const auto by =
      static_cast<float>(key_pressed(Key::down, true) - key_pressed(Key::up, true)) * line +
      static_cast<float>(key_pressed(Key::page_down, true) - key_pressed(Key::page_up, true)) * page;
  if (by != 0) ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + by, 0.0F, ImGui::GetScrollMaxY()));
  if (key_pressed(Key::home)) ImGui::SetScrollY(0);
  if (key_pressed(Key::end)) ImGui::SetScrollY(ImGui::GetScrollMaxY());
}

void draw_messages(App& app, const Style& style) {
  if (!begin_dialog("messages", app.tr("Messages"), app.dialogs.messages, 42)) return;
  end_with_list(height_in_dialog(ImGui::GetMainViewport()->Size.y * 0.4F), [&] {
    const std::vector<Notice>& list = app.notices.list();
    for (auto notice = list.rbegin(); notice != list.rend(); ++notice) {
      colored_text(notice_color(palette(style.theme), notice->kind), drawn_text(notice->text));
      ImGui::Separator();
    }
  });
}

void draw_head_label(App& app, Ui& ui) {
  Dialogs& dialogs = app.dialogs;
  if (!begin_dialog("head label", app.tr("Head name and colour"), dialogs.head_label, 26)) return;
  const int layer = dialogs.labelled_layer, head = dialogs.labelled_head;
  if (layer < ui.block->layer_count() && head < ui.block->heads()) {
    ImGui::TextUnformatted(full_head_name(ui, layer, head).c_str());
    if (ImGui::IsWindowAppearing()) dialogs.name_focus = true;
    edit_head_label(ui, layer, head, std::exchange(dialogs.name_focus, false));
  }
  if (ImGui::Button(app.tr("Done")) || key_pressed(Key::enter)) close_dialog(dialogs.head_label);
  end_dialog();
}

void draw_about(App& app, const Style& style) {
  if (!begin_dialog("about", app.tr("About Headscope"), app.dialogs.about, 26)) return;
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(app.tr("Headscope, a microscope for multi-head attention."));
  ImGui::TextUnformatted(app.tr("Version {}", HEADSCOPE_VERSION).c_str());
  hint(style, app.tr("Type a sentence and see what every head attends to. No network, no telemetry."));
  ImGui::TextUnformatted(app.tr("MIT licence"));
  if (const char* const shown_by = ImGui::GetIO().BackendPlatformName) hint(style, app.tr(shown_by));
  ImGui::PopTextWrapPos();
  end_dialog();
}

void draw_dialogs(App& app, Ui& ui) {
  draw_figure_page(app, ui);
  draw_palette(app, ui.style);
  draw_keys(app, ui.style);
  draw_about(app, ui.style);
  draw_messages(app, ui.style);
  draw_link(app, ui.style);
  draw_open_link(app, ui.style);
  draw_reader(app, ui);
  draw_course(app, ui);
  draw_head_label(app, ui);
  draw_file_dialogs(app, ui.memory);
}

}  // namespace headscope
