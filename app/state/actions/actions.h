#pragma once
#include <functional>
#include <string>
#include <vector>

#include "app/state/actions/key.h"
#include "core/base/translate.h"

namespace headscope {

struct App;
class Translator;

/// Ctrl is asked for exactly, Shift too; on the keyboard's own layout.
struct Shortcut {
  Key key = Key::count;
  bool ctrl = false;
  bool shift = false;
  bool operator==(const Shortcut&) const = default;
};
/// "Ctrl+Shift+Z"; key names are the same in all languages.
std::string to_string(const Shortcut& shortcut);

enum class ActionGroup { file, edit, attention, view, help };
/// The submenu of all that is done with lessons.
inline constexpr const char* lessons_menu = TR("Lessons");

/// Something the user can do. Menus, keys, the list of keys and the command palette all draw from one list.
struct Action {
  std::string id;
  const char* text;              ///< English, to be translated
  const char* own_zh = nullptr;  ///< in Chinese, of a lesson, which brings its title with it
  ActionGroup group = ActionGroup::file;
  std::vector<Shortcut> keys = {};  ///< the first is shown in menus
  std::function<void(App&)> run;
  std::function<bool(const App&)> enabled = nullptr;  ///< none: always
  /// Why it can't be run, translated; empty: it can.
  std::function<std::string(const App&)> refused = nullptr;
  std::function<bool(const App&)> checked = nullptr;  ///< none: not a switch
  bool separator = false;                             ///< a line above it in the menu
  const char* submenu = nullptr;  ///< below this entry of the menu; English, to be translated
  bool presenting = false;        ///< only then is it there, and its keys go before those of others
};

/// What it is called in the translator's language.
const char* text_of(const Action& action, const Translator& tr);

std::vector<Action> all_actions();
/// Those of all_actions() that change a number: masks, weights, switches.
void add_input_actions(std::vector<Action>& list);
void add_model_actions(std::vector<Action>& list);     ///< what only a trained model can be asked
void add_copy_actions(std::vector<Action>& list);      ///< to the clipboard, and as a bookmark
void add_painting_actions(std::vector<Action>& list);  ///< the brush and the painting as a whole
void add_token_actions(std::vector<Action>& list);     ///< the cell's tokens in the masks
void add_look_at_actions(std::vector<Action>& list);   ///< heads, tokens shown, comparison
void add_handout_actions(std::vector<Action>& list);   ///< of the lesson that is played
void add_step_actions(std::vector<Action>& list);      ///< through the steps of the arithmetic
void add_lesson_actions(std::vector<Action>& list);    ///< lessons, and going through one
void add_panel_actions(std::vector<Action>& list);     ///< where the keyboard goes
const char* group_name(ActionGroup group);
const Action* find_action(const App& app, const std::string& id);
/// Why an action that is about the layer from a seed can't be run; empty: it can.
std::string not_seeded(const App& app);
bool is_enabled(const App& app, const Action& action);
/// Its keys, separated by commas.
std::string keys_of(const Action& action);
/// Whether one of the action's keys goes down in this frame.
bool is_pressed(const App& app, const std::string& id);
/// Runs it if it is enabled.
void run_action(App& app, const std::string& id);
/// Runs the actions whose keys went down in this frame. While a text is edited, keys that belong to editing
/// are left to it.
void run_shortcuts(App& app);

/// How well `query` names the action, in English or Chinese whatever the window speaks: higher is better,
/// below 0 is not at all.
int match_score(const Action& action, const std::string& query);

}  // namespace headscope
