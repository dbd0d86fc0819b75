#pragma once
#include <memory>
#include <string>

#include "core/inputs/inputs.h"
#include "core/inputs/side.h"

namespace headscope {

struct App;
struct OpenSession;
class Source;
struct Workspace;

/// Opens a model folder and makes it the source of the edited inputs, which can be undone. Errors are
/// reported as a notice and leave the inputs unchanged.
void open_model(Workspace& work, const std::string& folder);
/// Takes over what has been opened; once a frame.
void poll_model(Workspace& work);

/// Why the built-in model of that name cannot be opened, translated; empty: it can.
std::string not_installed(const Workspace& work, const std::string& name);

/// Asks for a model folder, and opens it.
void command_open_model(App& app);
/// Of the sides that are shown, the inputs whose model or capture the user can locate: it failed to open or
/// is missing. nullptr: none.
const Inputs* inputs_to_locate(const Workspace& work);
/// Asks where the missing model or capture is, and replaces its path everywhere in the session or the lesson.
void command_locate_source(App& app);
/// Asks for a file of attention that was computed elsewhere, and opens it.
void command_open_capture(App& app);
/// Asks for the picture that the model in use reads.
void command_open_picture(App& app);
/// Asks for the spectrogram that the model in use hears.
void command_open_sound(App& app);
/// Reads the picture of the clipboard, which is kept as a file in the state folder: sessions name it.
void command_paste_picture(App& app);
/// A side's model as it was opened; nullptr: it is not, or there is none. Its files, which may be on another
/// machine, are looked at only before it has been run.
std::shared_ptr<const Source> opened_model(const Workspace& work, Side side);
/// Whether the model in use reads a picture.
bool reads_picture(const Workspace& work);
/// Whether it hears, and so reads a spectrogram.
bool hears(const Workspace& work);
/// Whether the capture file that the inputs name does not exist.
bool capture_is_missing(const Inputs& inputs);

/// Moves the folder to the front of the recent models.
void remember_model(Workspace& work, const std::string& folder);

}  // namespace headscope
