#pragma once
#include <functional>
#include <optional>
#include <string>

#include "core/session/session.h"

namespace headscope {

struct App;
class CaptureSource;

/// The file that the session came from or was saved to, and what it held then.
struct Document {
  std::string path;         ///< absolute; empty if it has none
  Session saved;            ///< as it was read or written last; without a file, as it began
  std::size_t content = 0;  ///< hash of the file's bytes then, to see whether somebody else wrote it since
};

/// Whether there is something that `save` would keep: another look at the same session is not.
bool is_modified(const App& app);
bool is_modified(const Session& session, const Session& saved);

/// The session as files of the user's hold it: without what masks say of tokens that are gone, which the
/// command line refuses.
Session session_for_others(const App& app);

/// The document of a session file as it is now. Throws Error as load_session.
Document read_document(const std::string& path);
/// Why open_file() would refuse what lies there, as far as a look at it tells; empty: it would not.
std::string why_not_taken(const App& app, const std::string& path);
/// Opens a session, a figure with one inside, a capture, or takes a .npy file as a mask. What goes wrong is
/// told as a notice; true if it was opened.
bool open_file(App& app, const std::string& path);
/// Warns of what was assumed of the capture, as long as it is open.
void warn_of_capture(App& app, const CaptureSource& capture);
/// Starts from the notebook's session.
void new_session(App& app);
/// The notebook's inputs, with all of them in view in their own order, and no brush at work. The inputs can
/// be undone.
void return_to_notebook(App& app);
/// Writes the session to its file. False if that failed (a notice says why), or if somebody else has written
/// the file since (then `changed_by_others` is set and nothing is written).
bool save_file(App& app, const std::string& path, bool overwrite_others, bool& changed_by_others);

/// Moves the path to the front of the recent files.
void remember_file(App& app, const std::string& path);

}  // namespace headscope
