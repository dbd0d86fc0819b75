#pragma once
#include <string>
#include <vector>

#include "app/panels/ui/ui.h"
#include "core/scene/signs.h"

namespace headscope {

struct App;

/// File, Edit, View, Help, and at the right the switches for language and theme.
void draw_menu_bar(App& app, const Style& style);
/// The menus alone, in a bar or in another menu.
void draw_menus(App& app, const Style& style);
/// How high a target for a finger is in a window as narrow or as low as a phone's, which has a layout of its
/// own; 0: it is larger.
float finger_in_window(const Style& style);
/// Items are as high as a finger needs while it lives, on a phone.
class ForFingers {
 public:
  explicit ForFingers(const Style& style);
  ~ForFingers();
  ForFingers(const ForFingers&) = delete;
  ForFingers& operator=(const ForFingers&) = delete;

 private:
  int pushed_ = 0;
};
/// A finger scrolls what is under it, and turns heads or steps of a lesson.
void follow_finger(App& app, PanelMemory& memory);
/// That layout: a bar, the sentence and the view over the whole width, and panels as sheets from below.
void draw_phone(App& app, Ui& ui);
/// A panel in a card that fills the room, or `width` of it. To be ended by ImGui::EndChild().
void begin_card(Ui& ui, const char* id, float width, Panel panel);
/// The sentence, the path and the view, the caption of a lesson, and the welcome where `welcomes`.
void draw_middle(App& app, Ui& ui, float width, bool welcomes);
/// The controls, the inspector or the lesson, in a card.
void draw_panel_card(App& app, Ui& ui, Panel panel);
/// Where the last edit of a sentence changed no number: why, and a button that makes it take effect. It is
/// placed between the menus and the switches, above the sentence, where it moves nothing; the switches take
/// `right`.
void draw_text_hint(App& app, float right);
/// The newest notice, activity, what was run and how long it took.
void draw_status_bar(App& app, const Ui& ui);
float status_height();
/// An entry of a menu with the action's text and keys; `mark`: its name for tests.
void action_item(App& app, const struct Action& action, const std::string& mark);
/// Files and folders that were open before, by name; a click opens one.
void recent_items(App& app, const std::vector<std::string>& paths, std::size_t most);
/// The name of a part of a menu.
void menu_heading(const Style& style, const char* text);
/// Whether the source is the notebook's layer.
bool is_notebook_source(const Inputs& inputs);
/// What can be opened in place of the source, by the actions of the menu “File”.
void draw_source_menu(App& app, Ui& ui);
/// Over the stage: source › block › layer › head, whose parts are menus, then what views share.
void draw_path_bar(App& app, Ui& ui);
/// What the signs in the view stand for.
class SignLegend {
 public:
  explicit SignLegend(const Ui& ui);
  float width() const { return width_; }
  /// At the end of `room` behind the cursor, if it is enough.
  void draw(float room) const;

 private:
  const Ui& ui_;
  std::vector<ExplainedSign> signs_;
  float width_ = 0;
};
/// The path and the chosen view.
void draw_stage(App& app, Ui& ui);
/// At the first start a card: what is shown, and where to begin. `welcome_height()`: in the present window;
/// 0: none.
void draw_welcome(App& app, const Style& style);
float welcome_height(const App& app);
/// The chosen view alone.
void draw_view(App& app, Ui& ui);
/// Why the inputs cannot be run, over the lower edge of the view: next to the sentence it would move the
/// maps.
void draw_error(App& app, const Ui& ui, ImVec2 min, ImVec2 max);
/// The chosen view on the whole window, with panels over it when the pointer is at an edge.
void draw_presentation(App& app, Ui& ui);
void draw_black_screen();

}  // namespace headscope
