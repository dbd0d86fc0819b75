#pragma once
#include <functional>
#include <string>

#include "app/state/dialogs.h"

namespace headscope {

struct App;

/// Opens the desktop's file chooser, or otherwise the window's.
void ask_for_file(App& app, FileRequest request, FileDialogs::Then then);
/// The chooser's answer; empty: cancelled.
void answer_file(App& app, const std::string& path);
/// The desktop's chooser failed: opens the window's.
void fall_back_on_chooser(App& app);

enum class UnsavedAnswer { none, save, discard, cancel };
void answer_unsaved(App& app, UnsavedAnswer answer);
void answer_left(App& app, LeftAnswer answer);
enum class ConflictAnswer { none, save_as, overwrite, reload, cancel };
void answer_conflict(App& app, ConflictAnswer answer);

void command_new(App& app);
void command_open(App& app);
/// Opens a path that was dropped or chosen from the recent files.
void command_open_path(App& app, const std::string& path);
void command_open_mask(App& app);
/// Saves, asking for a name if there is none; then calls `proceed`.
void command_save(App& app, std::function<void(App&)> proceed = nullptr);
void command_save_as(App& app, std::function<void(App&)> proceed = nullptr);
/// Closes the window, asking first if changes would be lost: unsaved changes to a file, and changes that
/// cannot be kept for the next start, which restores a session without a file.
void command_quit(App& app);

}  // namespace headscope
