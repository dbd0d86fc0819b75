#pragma once
#include <future>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/base/translate.h"
#include "core/scene/scene.h"

namespace headscope {

struct App;

/// What is asked before a figure is written.
struct ExportDialog {
  enum class Size { as_on_screen, notebook, by_hand };
  bool open = false;
  std::string path;
  Size size = Size::as_on_screen;
  double width = 16, height = 8, dpi = 100;  ///< inches, and dots an inch
  Language language = Language::en;
  bool ask_overwrite = false;
  std::string problem;  ///< why the last try failed, translated
  std::future<std::optional<Error>> running;
  std::string running_path;
};

/// What the window shows, for a figure: rows and columns that were chosen to fit are kept, and what there was
/// room for.
Scene shown_scene(App& app);
/// Opens the dialog, unless a figure is being written.
void open_export(App& app);
/// Width, height and dots an inch of the dialog's size.
void fit_export_size(App& app);
/// Asks for the file; the dialog closes for it, and comes back with the answer.
void browse_for_export(App& app);
/// Writes the figure beside the frames; asks first where the file is there already.
void start_export(App& app);
/// Draws the figure beside the frames and puts it on the clipboard as a picture.
void copy_picture(App& app);
/// Takes over what was drawn or written beside the frames; call at the start of a frame.
void poll_figures(App& app);

}  // namespace headscope
