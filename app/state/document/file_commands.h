#pragma once
#include <functional>
#include <optional>
#include <string>

#include "app/state/document/file_request.h"
#include "core/session/session.h"

namespace headscope {

struct App;

/// About changes to the file at hand that a killed window left; without an answer they stay as they are.
enum class LeftAnswer { later, restore, discard };

/// What is asked about files: which one, whether to save first, what to do when somebody else has written it.
struct FileDialogs {
  using Then = std::function<void(App&, const std::string& path)>;

  FileRequest request;    ///< what is being asked, for the chooser in the window if the desktop's fails
  bool choosing = false;  ///< it is asked in the window
  Then then;              ///< what happens with the answer
  bool unsaved = false;   ///< the question about unsaved changes is open
  bool conflict = false;  ///< the question about a file that somebody else has written is open
  std::function<void(App&)> proceed;  ///< what to go on with after either
  std::optional<Session> left;        ///< what a killed window left of the file, while it is asked about
  bool left_of_document = true;       ///< else by a window of before the last session
  LeftAnswer left_answer = LeftAnswer::later;
};

/// Asks for a file with the desktop's chooser, or else with the one in the window.
void ask_for_file(App& app, FileRequest request, FileDialogs::Then then);
/// The chooser's answer; empty: cancelled.
void answer_file(App& app, const std::string& path);
/// The desktop's chooser broke off: the one in the window takes over.
void fall_back_on_chooser(App& app);

enum class UnsavedAnswer { none, save, discard, cancel };
void answer_unsaved(App& app, UnsavedAnswer answer);
void answer_left(App& app, LeftAnswer answer);
enum class ConflictAnswer { none, save_as, overwrite, reload, cancel };
void answer_conflict(App& app, ConflictAnswer answer);

void command_new(App& app);
void command_open(App& app);
/// Opens a path that was dropped or chosen from the recent ones.
void command_open_path(App& app, const std::string& path);
void command_open_mask(App& app);
/// Saves, asking for a name where there is none; then goes on.
void command_save(App& app, std::function<void(App&)> proceed = nullptr);
void command_save_as(App& app, std::function<void(App&)> proceed = nullptr);
/// Closes the window, after asking where changes would be lost: those to a file, and those that cannot be
/// kept for the next start, where a session without a file comes back.
void command_quit(App& app);

}  // namespace headscope
