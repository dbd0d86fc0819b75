#pragma once
#include <functional>
#include <optional>
#include <string>

#include "app/state/open_session.h"

namespace headscope {

struct OpenSession;
struct Workspace;
class CaptureSource;

/// Whether `save` would write something new: changes of the view alone don't count.
bool is_modified(const OpenSession& open);
bool is_modified(const Session& session, const Session& saved);

/// The session as written to the user's files: without mask entries for missing tokens, which the command
/// line refuses.
Session session_for_others(const OpenSession& open);

/// Whether a file is a picture for the model in use, and not a figure with a session.
bool is_picture_for_model(const Workspace& work, const std::string& path);
/// The picture that the model in use reads. Throws Error (input) if it reads none, or the file is no picture.
void take_picture(Workspace& work, const std::string& path);
/// Whether a file is a spectrogram for the model in use, and no mask.
bool is_sound_for_model(const Workspace& work, const std::string& path);
/// The spectrogram that the model in use hears. Throws Error (input) if it hears none, or the array has
/// another shape.
void take_sound(Workspace& work, const std::string& path);

/// The document of a session file in its present state. Throws Error as load_session.
Document read_document(const std::string& path);
/// Why open_file() would refuse the file, as far as a quick look can show; empty: it would not.
std::string why_not_taken(const Workspace& work, const std::string& path);
/// Opens a session, a figure with one inside, or a capture, or takes a .npy file as a mask. Errors are
/// reported as a notice; true if it was opened.
bool open_file(Workspace& work, const std::string& path);
/// Warns of assumptions made about the capture while it is open.
void warn_of_capture(Workspace& work, const CaptureSource& capture);
/// Starts with the notebook's session.
void new_session(Workspace& work);
/// Restores the notebook's inputs, shows all heads and tokens in their original order, and turns the brush
/// off. The inputs can be undone.
void return_to_notebook(OpenSession& open);
/// Writes the session to its file. False if that failed (a notice says why), or if another program changed
/// the file since (then `changed_by_others` is set and nothing is written).
bool save_file(Workspace& work, const std::string& path, bool overwrite_others, bool& changed_by_others);

/// Moves the path to the front of the recent files.
void remember_file(Workspace& work, const std::string& path);

/// The source, the lesson or file, and the program: "• induction · my-session — Headscope", with the dot
/// while there are unsaved changes.
std::string window_title(const Workspace& work);

}  // namespace headscope
