#include "app/state/actions/actions.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "app/state/app.h"
#include "app/state/view/panels.h"
#include "core/scene/view_kinds.h"

namespace headscope {
namespace {

std::string key_name(Key key) {
  if (key >= Key::a && key <= Key::z)
    return std::string(1, static_cast<char>('A' + static_cast<int>(key) - static_cast<int>(Key::a)));
  if (key >= Key::digit_0 && key <= Key::digit_9)
    return std::string(1, static_cast<char>('0' + static_cast<int>(key) - static_cast<int>(Key::digit_0)));
#define HEADSCOPE_KEY_NAME(ours, imgui, other, name) name,
  constexpr const char* names[] = {HEADSCOPE_CONTROL_KEYS(HEADSCOPE_KEY_NAME)
                                       HEADSCOPE_SIGN_KEYS(HEADSCOPE_KEY_NAME)};
#undef HEADSCOPE_KEY_NAME
  return names[static_cast<std::size_t>(key)];
}

bool goes_down(const KeyState& keyboard, const Shortcut& shortcut) {
  // + is Shift+= on many keyboards and a separate key on others: ignore Shift there.
  const bool shift_matters = shortcut.key != Key::equal && shortcut.key != Key::minus;
  return keyboard.goes_down(shortcut.key) && keyboard.ctrl == shortcut.ctrl && !keyboard.alt &&
         (!shift_matters || keyboard.shift == shortcut.shift);
}

/// Keys needed by the text that is being edited.
bool belongs_to_text(const Shortcut& shortcut) {
  const bool function_key = shortcut.key >= Key::f1 && shortcut.key <= Key::f11;
  if (!shortcut.ctrl) return !function_key;
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
      if (presenting && belongs_to_panel(app, shortcut.key)) continue;
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

/// Maps have no items to navigate, so Tab moves to the next panel.
bool leaves_by_tab(const App& app) {
  const bool maps = app.state.view.row().one_layer;
  return maps && app.state.panel == Panel::maps && !app.input.text_focus && !app.input.keyboard.ctrl &&
         !app.input.keyboard.alt;
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool has_every_word(const std::string& text, const std::string& query) {
  std::istringstream words(query);
  std::string word;
  while (words >> word)
    if (text.find(word) == std::string::npos) return false;
  return true;
}

/// Ranking: the whole text, its beginning, a part of it, its words in any order, its letters in order;
/// otherwise below 0.
constexpr int begins = 300;
int score_text(const std::string& text, const std::string& query) {
  if (text == query) return 400;
  const std::size_t at = text.find(query);
  if (at == 0) return begins;
  if (at != std::string::npos) return text[at - 1] == ' ' ? 250 : 200;
  if (has_every_word(text, query)) return 120;
  std::size_t next = 0;
  int gaps = 0;
  for (const char c : query) {
    if (c == ' ') continue;
    const std::size_t found = text.find(c, next);
    if (found == std::string::npos) return -1;
    gaps += static_cast<int>(found - next);
    next = found + 1;
  }
  return std::max(1, 100 - gaps);
}

}  // namespace

Action& ActionRows::operator()(std::string id, const char* text, std::vector<Shortcut> keys,
                               std::function<void(App&)> run) {
  return list_.emplace_back(Action{.id = std::move(id),
                                   .text = text,
                                   .group = group_,
                                   .keys = std::move(keys),
                                   .run = std::move(run),
                                   .separator = std::exchange(separated_, false),
                                   .heading = std::exchange(heading_, nullptr),
                                   .submenu = submenu_,
                                   .presenting = presenting_});
}

std::string to_string(const Shortcut& shortcut) {
  return std::string(shortcut.ctrl ? "Ctrl+" : "") + (shortcut.shift ? "Shift+" : "") +
         key_name(shortcut.key);
}

const char* group_name(ActionGroup group) {
  constexpr const char* names[] = {TR("File"), TR("Edit"), TR("Attention"), TR("View"), TR("Help")};
  return names[static_cast<int>(group)];
}

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

std::string keys_of(const Action& action) {
  std::string text;
  for (const Shortcut& shortcut : action.keys) text += (text.empty() ? "" : ", ") + to_string(shortcut);
  return text;
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
  if (keyboard.goes_down(Key::tab) && leaves_by_tab(app)) return step_panel(app, keyboard.shift ? -1 : 1);
  if (app.presentation.on && run_shortcuts(app, true)) return;
  if (run_shortcuts(app, false)) return;
  if (!input.text_focus && keyboard.typed.find(U'?') != std::u32string::npos) run_action(app, "keys");
}

const char* text_of(const Action& action, const Translator& tr) {
  return action.own.empty() ? tr(action.text) : action.own.in(tr.language()).c_str();
}

int match_score(const Action& action, const std::string& query) {
  constexpr int max_by_submenu = 150;  // for matches by submenu: below matches by name
  const std::string wanted = lower(query);
  int best = -1;
  for (const LanguageRow& row : languages()) {
    const Translator in(row.language);
    const std::string text = lower(text_of(action, in));
    // Commands rank before options and switches, unless the whole name matches.
    const int score = score_text(text, wanted);
    best = std::max(best, action.checked && score == begins ? begins - 60 : score);
    if (action.submenu != nullptr)
      best = std::max(best,
                      std::min(max_by_submenu, score_text(lower(in(action.submenu)) + " " + text, wanted)));
  }
  return best;
}

}  // namespace headscope
