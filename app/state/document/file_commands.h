#pragma once
#include <functional>
#include <optional>
#include <string>

#include "app/state/document/file_request.h"
#include "core/session/session.h"

namespace headscope {

struct App;

/// The answer about changes to the current file that a killed window left; `later` leaves them as they are.
enum class LeftAnswer { later, restore, discard };

/// Questions about files: which one, whether to save first, what to do when another program has changed it.
struct FileDialogs {
  using Then = std::function<void(App&, const std::string& path)>;

  FileRequest request;    ///< the pending request, for the window's chooser if the desktop's fails
  bool choosing = false;  ///< the window's chooser is open
  Then then;              ///< called with the answer
  bool unsaved = false;   ///< the question about unsaved changes is open
  bool conflict = false;  ///< the question about a file changed by another program is open
  std::function<void(App&)> proceed;  ///< continuation after either question
  std::optional<Session> left;        ///< what a killed window left of the file, while the question is open
  bool left_of_document = true;       ///< otherwise left by a window from before the last session
  LeftAnswer left_answer = LeftAnswer::later;
};

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
