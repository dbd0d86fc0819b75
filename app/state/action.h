#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/key.h"
#include "core/base/translate.h"

namespace headscope {

struct App;

/// Ctrl must match exactly, and so must Shift; keys are those of the user's layout.
struct Shortcut {
  Key key = Key::count;
  bool ctrl = false;
  bool shift = false;
  bool operator==(const Shortcut&) const = default;
};
constexpr Shortcut plain(Key key) {
  return {key, false, false};
}
constexpr Shortcut shift(Key key) {
  return {key, false, true};
}
constexpr Shortcut ctrl(Key key) {
  return {key, true, false};
}
constexpr Shortcut ctrl_shift(Key key) {
  return {key, true, true};
}
/// "Ctrl+Shift+Z"; key names are the same in all languages.
std::string to_string(const Shortcut& shortcut);

enum class ActionGroup { file, edit, attention, view, help };
/// The submenu of everything about lessons.
inline constexpr const char* lessons_menu = TR("Lessons");

/// That of what there is to read.
inline constexpr const char* documents_menu = TR("Documents");

/// Something the user can do. Menus, keys, the list of keys and the command palette all use one list.
struct Action {
  std::string id;
  const char* text;                   ///< English, to be translated
  InLanguages<std::string> own = {};  ///< replaces it where a file has the text: titles of lessons
  const char* words = nullptr;        ///< others for it, separated by commas: English, to be translated
  ActionGroup group = ActionGroup::file;
  std::vector<Shortcut> keys = {};  ///< the first is shown in menus
  std::function<void(App&)> run;
  std::function<bool(const App&)> enabled = nullptr;  ///< none: always enabled
  /// Why it can't be run, translated; empty: it can.
  std::function<std::string(const App&)> refused = nullptr;
  std::function<bool(const App&)> checked = nullptr;  ///< none: not a switch
  bool separator = false;                             ///< with a separator above it in the menu
  const char* submenu = nullptr;  ///< nested under this menu entry; English, to be translated
  bool presenting = false;        ///< exists only while presenting, where its keys take precedence

  bool is_in(std::string_view menu) const { return submenu != nullptr && menu == submenu; }

  // For rows of a menu: add("undo", …).enabled_if(can_undo).
  Action& enabled_if(std::function<bool(const App&)> is) { return enabled = std::move(is), *this; }
  Action& refused_for(std::function<std::string(const App&)> why) { return refused = std::move(why), *this; }
  Action& checked_if(std::function<bool(const App&)> is) { return checked = std::move(is), *this; }
};

/// Adds actions to a list, one call each; what they share is said once.
class ActionRows {
 public:
  ActionRows(std::vector<Action>& list, ActionGroup group, const char* submenu = nullptr,
             bool presenting = false)
      : list_(list), group_(group), submenu_(submenu), presenting_(presenting) {}
  /// The row stays valid until the next one is added.
  Action& operator()(std::string id, const char* text, std::vector<Shortcut> keys,
                     std::function<void(App&)> run);
  Action& operator()(std::string id, const char* text, std::function<void(App&)> run) {
    return (*this)(std::move(id), text, {}, std::move(run));
  }
  /// The next row gets a separator above it.
  void separate() { separated_ = true; }

 private:
  std::vector<Action>& list_;
  ActionGroup group_;
  const char* submenu_;
  bool presenting_, separated_ = false;
};

/// Its name in the translator's language.
const char* text_of(const Action& action, const Translator& tr);

const char* group_name(ActionGroup group);
/// Its keys, separated by commas.
std::string keys_of(const Action& action);
/// Defined in actions/, as they run what is there.
std::vector<Action> all_actions();

}  // namespace headscope
