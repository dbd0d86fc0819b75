#include "app/state/actions/actions.h"

#include <algorithm>

#include "app/state/actions/present.h"
#include "app/state/app.h"
#include "app/state/view/panels.h"
#include "core/scene/view_kinds.h"

namespace headscope {
namespace {

bool goes_down(const KeyState& keyboard, const Shortcut& shortcut) {
  // + is Shift+= on many keyboards and a separate key on others: ignore Shift there.
  const bool shift_matters = shortcut.key != Key::equal && shortcut.key != Key::minus;
  return keyboard.goes_down(shortcut.key) && keyboard.ctrl == shortcut.ctrl && !keyboard.alt &&
         (!shift_matters || keyboard.shift == shortcut.shift);
}

bool is_page_key(Key key) {
  return key == Key::page_up || key == Key::page_down;
}

/// Keys needed by the text that is being edited. No text is longer than its box by pages: those are a
/// clicker's.
bool belongs_to_text(const Shortcut& shortcut) {
  const bool function_key = shortcut.key >= Key::f1 && shortcut.key <= Key::f11;
  if (!shortcut.ctrl) return !function_key && !is_page_key(shortcut.key);
  return !shortcut.shift && (shortcut.key == Key::a || shortcut.key == Key::c || shortcut.key == Key::v ||
                             shortcut.key == Key::x);
}

/// Runs the first action whose key goes down, either among those for presenting or among the rest; false:
/// none.
bool run_shortcuts(App& app, bool presenting) {
  const FrameInput& input = app.input;
  std::string refused;
  for (const Action& action : app.actions)
    for (const Shortcut& shortcut : action.keys) {
      if (action.presenting != presenting || !goes_down(input.keyboard, shortcut)) continue;
      if (input.text_focus && belongs_to_text(shortcut)) continue;
      if (presenting && keys_are_of_panel(app) && !is_page_key(shortcut.key)) continue;
      if (input.field_focus && shortcut.ctrl && (shortcut.key == Key::z || shortcut.key == Key::y)) continue;
      if (is_enabled(app, action)) {
        action.run(app);
        return true;
      }
      // Another action may have the same key.
      if (refused.empty() && action.refused) refused = action.refused(app);
    }
  if (!refused.empty()) app.notices.info("{}", refused);
  return false;
}

/// While presenting Tab leads to the panels, which then come.
bool shows_panel_by_tab(const App& app) {
  return app.presentation.on && app.state.view.row().one_layer && app.state.panel == Panel::maps &&
         !app.input.text_focus && !app.input.keyboard.ctrl && !app.input.keyboard.alt;
}

}  // namespace

const Action* find_action(const App& app, const std::string& id) {
  const auto found = std::ranges::find_if(app.actions, [&](const Action& a) { return id == a.id; });
  return found == app.actions.end() ? nullptr : &*found;
}

bool is_enabled(const App& app, const Action& action) {
  return (!action.presenting || app.presentation.on) && (!action.enabled || action.enabled(app)) &&
         (!action.refused || action.refused(app).empty());
}

std::string not_seeded(const Workspace& work) {
  const SourceTraits& source = work.edited().about();
  if (source.from_seed) return {};
  return source.computes
             ? work.tr("A trained model brings this with its weights; it belongs to the layer from a seed.")
             : work.tr("The weights of a capture were computed elsewhere; this would not change them.");
}

bool is_pressed(const App& app, const std::string& id) {
  const Action* action = find_action(app, id);
  return action != nullptr && std::ranges::any_of(action->keys, [&](const Shortcut& shortcut) {
           return goes_down(app.input.keyboard, shortcut);
         });
}

void run_action(App& app, const std::string& id) {
  const Action* action = find_action(app, id);
  if (action != nullptr && is_enabled(app, *action)) action->run(app);
}

void run_shortcuts(App& app) {
  const FrameInput& input = app.input;
  const KeyState& keyboard = input.keyboard;
  if (input.popup_open) return;                                      // menus and dialogs receive the keys
  if (input.item_active && keyboard.goes_down(Key::escape)) return;  // the key deactivated the control
  if (keyboard.goes_down(Key::tab) && shows_panel_by_tab(app))
    return step_panel(app, keyboard.shift ? -1 : 1);
  if (app.presentation.on && run_shortcuts(app, true)) return;
  if (run_shortcuts(app, false)) return;
  if (!input.text_focus && keyboard.typed.find(U'?') != std::u32string::npos) run_action(app, "keys");
}

}  // namespace headscope
