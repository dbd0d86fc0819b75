#include <algorithm>
#include <array>
#include <cfloat>
#include <string>

#include "app/panels/shell/frame_parts.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "app/state/document/bookmarks.h"
#include "app/state/document/file_commands.h"
#include "core/base/enum_table.h"
#include "core/scene/source_title.h"

namespace headscope {
namespace {

/// In the order of ActionGroup; for tests.
constexpr std::array menu_names{"file", "edit", "attention", "view", "help"};

/// Takes no input while it lives, and looks as it will when it does.
struct Deaf {
  explicit Deaf(bool is) {
    ImGui::PushStyleVar(ImGuiStyleVar_DisabledAlpha, is ? 1 : ImGui::GetStyle().DisabledAlpha);
    ImGui::BeginDisabled(is);
  }
  ~Deaf() {
    ImGui::EndDisabled();
    ImGui::PopStyleVar();
  }
  Deaf(const Deaf&) = delete;
  Deaf& operator=(const Deaf&) = delete;
};

void item_of_menu(App& app, const Action& action, bool deaf = false) {
  const Deaf covered(deaf && is_enabled(app, action));
  action_item(app, action, "item " + action.id);
}

void recent(App& app, const char* text, const std::vector<std::string>& paths) {
  if (!begin_menu(text, !paths.empty())) return;
  recent_items(app, paths, paths.size());
  end_menu();
}

void bookmark_list(Workspace& work) {
  if (!begin_menu(work.tr("Bookmarks"), !work.bookmarks.empty())) return;
  for (int i = 0; i < std::ssize(work.bookmarks); ++i) {
    ImGui::PushID(i);
    if (menu_item(drawn_text(work.bookmarks[i].name), "go to bookmark " + std::to_string(i)))
      go_to_bookmark(work, i);
    ImGui::PopID();
  }
  end_menu();
}

/// The width that a submenu can take without covering the menu that it belongs to.
float submenu_room() {
  const float left = ImGui::GetWindowPos().x;
  return std::max(left, ImGui::GetIO().DisplaySize.x - left - ImGui::GetWindowWidth());
}

/// A font in which the submenu fits next to its menu: placed over it, its entry would need a second click.
float submenu_size(const App& app, const Style& style, const std::string& submenu, float room) {
  std::string widest;
  for (const Action& action : app.actions) {
    if (!action.is_in(submenu)) continue;
    const std::string keys = action.keys.empty() ? std::string() : "   " + to_string(action.keys.front());
    const std::string text = text_of(action, app.tr) + keys;
    if (ImGui::CalcTextSize(text.c_str()).x > ImGui::CalcTextSize(widest.c_str()).x) widest = text;
  }
  constexpr float margins = 4;  // and the check mark
  return size_for(style, widest, room - margins * style.font_size);
}

/// Whether the submenu has just opened under the resting pointer, for lack of room beside its entry: the
/// click on the entry is not a choice among what has come to cover it.
bool covers_its_entry() {
  constexpr double moment = 0.5;  // seconds
  ImGuiStorage& memory = *ImGui::GetStateStorage();
  const ImGuiID since = ImGui::GetID("since"), left = ImGui::GetID("x"), top = ImGui::GetID("y");
  const ImVec2 mouse = ImGui::GetIO().MousePos, at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  if (ImGui::IsWindowAppearing()) {
    memory.SetFloat(since, static_cast<float>(ImGui::GetTime()));
    memory.SetFloat(left, mouse.x);
    memory.SetFloat(top, mouse.y);
  }
  const bool rests = mouse.x == memory.GetFloat(left) && mouse.y == memory.GetFloat(top);
  return rests && ImGui::GetTime() - memory.GetFloat(since) < moment &&
         ImGui::IsMouseHoveringRect(at, {at.x + size.x, at.y + size.y}, false);
}

/// Actions of one submenu are adjacent in the list; they share one entry of the menu.
void menu_items(App& app, const Style& style, ActionGroup group, bool deaf) {
  bool first_entry = true;  // no menu begins with a separator
  for (std::size_t i = 0; i < app.actions.size(); ++i) {
    const Action& action = app.actions[i];
    if (action.group != group || (style.finger > 0 && action.id == "keys")) continue;
    if (action.separator && !first_entry) ImGui::Separator();
    first_entry = false;
    if (action.submenu == nullptr) {
      item_of_menu(app, action, deaf);
      if (action.id == "open") recent(app, app.tr("Recent files"), app.settings.recent_files);
      if (action.id == "open model") recent(app, app.tr("Recent models"), app.settings.recent_models);
      if (action.id == "bookmark") bookmark_list(app);
      continue;
    }
    const std::string submenu = action.submenu;
    const std::size_t first = i;
    // An entry may have the same text: the view that its steps belong to.
    const std::string text = std::string(app.tr(action.submenu)) + "###submenu " + submenu;
    const float room = submenu_room();
    const bool open = begin_menu(text.c_str());
    const bool beside = style.finger <= 0;  // otherwise it unfolds below its entry
    anchor("submenu " + submenu);
    if (open && beside) ImGui::PushFont(nullptr, submenu_size(app, style, submenu, room));
    const bool covers = open && beside && covers_its_entry();
    for (; i < app.actions.size() && app.actions[i].is_in(submenu); ++i) {
      if (!open) continue;
      if (i > first && app.actions[i].separator) ImGui::Separator();
      item_of_menu(app, app.actions[i], covers || deaf);
    }
    if (open && beside) ImGui::PopFont();
    if (open) end_menu();
    --i;
  }
}

/// "Undo: Temperature (Ctrl+Z)"; the step is counted from the current one.
std::string history_help(const App& app, const char* id, std::size_t ahead) {
  const Action& action = *find_action(app, id);
  const History& history = app.undo.history;
  const std::string text = app.tr(action.text);
  const std::string what =
      is_enabled(app, action)
          ? app.tr("{}: {}", text, app.tr(history.steps()[history.current() + ahead].what))
          : text;
  return what + " (" + to_string(action.keys.front()) + ")";
}

/// What concerns the whole document, at the right end. The words of its icons give way to the source's name,
/// and on a phone the icons to the menus, which have what they do.
class RightSide {
 public:
  explicit RightSide(App& app) : app_(app) {
    const float all = ImGui::GetWindowWidth();
    words_ = width() < 0.4F * all;
    while (icons_ > no_icons && width() > all - ImGui::GetCursorPosX()) --icons_;
  }

  void draw() {
    const float all = width();
    draw_text_hint(app_, all);
    ImGui::SameLine(ImGui::GetWindowWidth() - all);
    if (icons_ >= with_history) {
      icon("undo", Icon::undo, {}, history_help(app_, "undo", 0));
      icon("redo", Icon::redo, {}, history_help(app_, "redo", 1));
    }
    if (icons_ >= with_present)
      icon("present", Icon::present, present(), app_.tr("Present: the view fills the screen (F11)"));
    if (icons_ >= with_export) draw_export();
    text(theme(), "theme", TR("Light or dark theme"));
    text(language(), "language", TR("Language: English or 简体中文"));
  }

 private:
  const char* language() const { return language_row(next_language(app_.language())).name; }
  const char* theme() const {
    return app_.settings.theme == Theme::light ? app_.tr("Dark") : app_.tr("Light");
  }
  std::string present() const { return words_ ? app_.tr("Present") : ""; }
  std::string exports() const { return words_ ? app_.tr("Export") : ""; }

  float width() const {
    const ImGuiStyle& style = ImGui::GetStyle();
    float width = style.ItemSpacing.x;
    const auto add = [&](float item) { width += item + style.ItemSpacing.x; };
    for (const char* text : {language(), theme()})
      add(ImGui::CalcTextSize(text).x + 2 * style.FramePadding.x);
    for (int i = 0; i < 2 && icons_ >= with_history; ++i) add(width_of_icon(""));
    if (icons_ >= with_present) add(width_of_icon(present()));
    if (icons_ >= with_export) add(width_of_icon(exports()));
    return width;
  }

  void icon(const char* id, Icon icon, const std::string& text, const std::string& help) {
    ImGui::BeginDisabled(!is_enabled(app_, *find_action(app_, id)));
    if (small_icon_button(id, icon, text, help)) run_action(app_, id);
    ImGui::EndDisabled();
  }

  void text(const char* text, const char* id, const char* help) {
    if (small_button(text, id, app_.tr(help))) run_action(app_, id);
  }

  void draw_export() {
    const Palette& colors = palette(app_.settings.theme);
    ImGui::PushStyleColor(ImGuiCol_Button, colors.accent);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, colors.accent);
    ImGui::PushStyleColor(ImGuiCol_Text, colors.on_accent);
    icon("export", Icon::share, exports(), app_.tr("Export figure… (Ctrl+E)"));
    ImGui::PopStyleColor(3);
  }

  /// How many icons there is room for: each with those before it.
  enum { no_icons, with_export, with_present, with_history };

  App& app_;
  bool words_ = true;
  int icons_ = with_history;
};

}  // namespace

void action_item(App& app, const Action& action, const std::string& mark) {
  const std::string keys = action.keys.empty() ? std::string() : to_string(action.keys.front());
  const std::string why_not = action.refused ? action.refused(app) : std::string();
  const bool checked = action.checked && action.checked(app);
  // A phone has no keys to name, and nothing that rests on an entry to ask why it is dimmed.
  const char* const behind = finger_height() > 0 ? why_not.c_str() : shown_keys(keys);
  const bool chosen = menu_item(text_of(action, app.tr), mark, behind, checked, is_enabled(app, action));
  tooltip(why_not);
  if (chosen) action.run(app);
}

void recent_items(App& app, const std::vector<std::string>& paths, std::size_t most) {
  std::string chosen;
  for (std::size_t i = 0; i < std::min(most, paths.size()); ++i) {
    if (menu_item(drawn_text(model_name(paths[i])), paths[i], nullptr, paths[i] == app.inputs.model))
      chosen = paths[i];
    tooltip(drawn_text(without_own_folders(paths[i])));
  }
  if (!chosen.empty()) command_open_path(app, chosen);
}

void menu_heading(const Style& style, const char* text) {
  ImGui::PushFont(nullptr, style.small);
  muted_text(style, text);
  ImGui::PopFont();
}

void draw_menus(App& app, const Style& style) {
  for (const ActionGroup group :
       {ActionGroup::file, ActionGroup::edit, ActionGroup::attention, ActionGroup::view, ActionGroup::help}) {
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const float bottom = from.y + ImGui::GetFrameHeight();
    const float width = ImGui::CalcTextSize(app.tr(group_name(group))).x;
    // A menu higher than the space below its button would be placed over it, and take the button's release as
    // a choice: it scrolls instead.
    ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, ImGui::GetIO().DisplaySize.y - bottom});
    if (begin_menu(app.tr(group_name(group)))) {
      menu_items(app, style, group, style.finger <= 0 && covers_its_entry());
      // The entry under the pointer would open its submenu again.
      if (key_pressed(Key::escape) && ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByPopup))
        ImGui::CloseCurrentPopup();
      end_menu();
    }
    note_place(std::string("menu ") + of_kind(menu_names, group), from, {from.x + width, bottom});
  }
}

void draw_menu_bar(App& app, const Style& style) {
  if (!ImGui::BeginMainMenuBar()) return;
  hear_window(HeardRole::menu_bar, app.tr("Menus"));
  if (app.open_menus) {
    ImGui::OpenPopup(app.tr(group_name(ActionGroup::file)));
    show_highlight();
  }
  app.open_menus = false;
  draw_menus(app, style);
  RightSide(app).draw();
  ImGui::EndMainMenuBar();
}

}  // namespace headscope
