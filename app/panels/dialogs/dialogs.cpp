#include "app/panels/dialogs/dialogs.h"

#include <algorithm>

#include "app/panels/widgets/compat.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"

namespace headscope {
namespace {

struct Found {
  const Action* action;
  int score;
};

/// The recently opened models.
struct RecentModels {
  explicit RecentModels(const App& app) {
    for (const std::string& folder : app.settings.recent_models) {
      texts.push_back(app.tr.format("Open recent model {}", drawn_text(folder)));
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

std::vector<Found> find_actions(const std::vector<Action>& actions, const std::string& query) {
  std::vector<Found> found;
  for (const Action& action : actions) {
    const int score = query.empty() ? 0 : match_score(action, query);
    if (score >= 0) found.push_back({&action, score});
  }
  return found;
}

std::vector<Found> find_actions(const App& app, const RecentModels& recent, const std::string& query) {
  std::vector<Found> found = find_actions(app.actions, query);
  const std::vector<Found> models = find_actions(recent.actions, query);
  found.insert(found.end(), models.begin(), models.end());
  std::ranges::stable_sort(found, [](const Found& a, const Found& b) { return a.score > b.score; });
  return found;
}

/// The menu path of an action: "Attention · Mask · ".
std::string place_of(const App& app, const Action& action) {
  std::string place = app.tr(group_name(action.group)) + std::string(" · ");
  if (action.submenu != nullptr) place += app.tr(action.submenu) + std::string(" · ");
  return place;
}

void palette_entry(App& app, const Ui& ui, const Action& action, bool chosen, bool& run) {
  const std::string keys = keys_of(action);
  ImGui::PushID(action.id.c_str());
  ImGui::BeginDisabled(!is_enabled(app, action));
  const float right = ImGui::GetContentRegionMax().x;
  run |= ImGui::Selectable((place_of(app, action) + text_of(action, app.tr)).c_str(), chosen);
  if (chosen && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
  ImGui::EndDisabled();
  if (action.refused) tooltip(action.refused(app));
  if (!keys.empty()) {
    ImGui::SameLine(right - ImGui::CalcTextSize(keys.c_str()).x);
    hint(ui.style, keys);
  }
  ImGui::PopID();
}

}  // namespace

bool begin_dialog(const char* id, const char* title, bool& open, float em) {
  if (!open) return false;
  const std::string name = std::string(title) + "###" + id;
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
                                      {std::min(em * font, screen.x * 0.94F), screen.y * 0.92F});
  if (!ImGui::BeginPopupModal(name.c_str(), &open,
                              ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove))
    return false;
  storage.SetInt(frames_key, std::min(frames + 1, frames_to_settle));
  storage.SetFloat(height_key, ImGui::GetWindowHeight());
  if (!settled) storage.SetFloat(top_key, ImGui::GetWindowPos().y);
  if (key_pressed(Key::escape) && !ImGui::IsAnyItemActive()) {
    open = false;
    ImGui::CloseCurrentPopup();
  }
  return true;
}

bool dialog_button(const char* text) {
  return ImGui::Button(text) || (ImGui::IsItemFocused() && key_pressed(Key::enter));
}

void draw_palette(App& app, const Ui& ui) {
  PaletteDialog& dialog = app.dialogs.palette;
  if (!begin_dialog("palette", app.tr("Find an action"), dialog.open, 34)) return;
  if (ImGui::IsWindowAppearing()) focus_next_item();
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (typed_text("###query", dialog.query, app.tr("Action name, in English or Chinese"))) dialog.chosen = 0;
  const RecentModels recent(app);
  const std::vector<Found> found = find_actions(app, recent, dialog.query);
  const int last = static_cast<int>(found.size()) - 1;
  if (key_pressed(Key::down, true)) ++dialog.chosen;
  if (key_pressed(Key::up, true)) --dialog.chosen;
  dialog.chosen = std::clamp(dialog.chosen, 0, std::max(0, last));
  const Action* run = nullptr;
  ImGui::BeginChild("found", {0, ImGui::GetFontSize() * 18});
  for (int i = 0; i <= last; ++i) {
    bool clicked = false;
    palette_entry(app, ui, *found[static_cast<std::size_t>(i)].action, i == dialog.chosen, clicked);
    if (i == dialog.chosen && (key_pressed(Key::down, true) || key_pressed(Key::up, true)))
      ImGui::SetScrollHereY();
    if (clicked) run = found[static_cast<std::size_t>(i)].action;
  }
  if (found.empty()) hint(ui.style, app.tr("No matching action."));
  ImGui::EndChild();
  if (key_pressed(Key::enter) && last >= 0) run = found[static_cast<std::size_t>(dialog.chosen)].action;
  const bool again = is_pressed(app, "palette") && !ImGui::IsWindowAppearing();
  if (key_pressed(Key::escape) || again || run != nullptr) {
    dialog.open = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  if (run != nullptr && is_enabled(app, *run)) run->run(app);
}

void draw_dialogs(App& app, Ui& ui) {
  draw_export_dialog(app, ui);
  draw_palette(app, ui);
  draw_keys(app, ui);
  draw_about(app, ui);
  draw_messages(app, ui);
  draw_model_card(app, ui);
  draw_head_label(app, ui);
  draw_file_dialogs(app, ui.memory.chooser);
}

}  // namespace headscope
