#pragma once
#include <string>
#include <vector>

#include "app/state/action.h"

namespace headscope {

struct App;
struct Workspace;

// Parts of all_actions().
void add_attention_actions(std::vector<Action>& list);  ///< what changes a number: masks, weights, switches
void add_view_actions(std::vector<Action>& list);
void add_model_actions(std::vector<Action>& list);    ///< for trained models only
void add_copy_actions(std::vector<Action>& list);     ///< to the clipboard, and as a bookmark
void add_handout_actions(std::vector<Action>& list);  ///< for the lesson being played
void add_lesson_actions(std::vector<Action>& list);   ///< opening, writing and stepping through lessons
void add_present_actions(std::vector<Action>& list);
/// To all of them: what people call them who do not know their names.
void add_other_words(std::vector<Action>& list);
std::vector<std::string> ids_with_other_words();
const Action* find_action(const App& app, const std::string& id);
/// Why an action for the seeded layer can't be run; empty: it can.
std::string not_seeded(const Workspace& work);
bool is_enabled(const App& app, const Action& action);
/// Whether one of the action's keys goes down in this frame.
bool is_pressed(const App& app, const std::string& id);
/// Runs it if it is enabled.
void run_action(App& app, const std::string& id);
/// Runs the actions whose keys went down in this frame; a notice says why one cannot be run. While a text is
/// edited, keys used for editing are left to it.
void run_shortcuts(App& app);

}  // namespace headscope
