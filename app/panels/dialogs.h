#pragma once
#include <future>
#include <optional>
#include <string>

#include "app/panels/file_dialogs.h"
#include "app/panels/ui.h"
#include "core/base/error.h"
#include "core/figure/figure.h"

namespace headscope {

struct App;

struct ExportDialog {
  bool open = false;
  std::string path;
  int size = 0;  ///< of the figure: as on the screen, the notebook's, by hand
  double width = 16, height = 8, dpi = 100;
  Language language = Language::en;
  bool ask_overwrite = false;
  std::string problem;  ///< why the last try failed, translated
  std::future<std::optional<Error>> running;
  std::string running_path;
};

struct PaletteDialog {
  bool open = false;
  std::string query;
  int chosen = 0;
};

/// What lies above the panels for a moment. At most one of them is open.
struct Dialogs {
  ExportDialog figure;
  PaletteDialog palette;
  FileDialogs files;
  std::future<std::string> picture;  ///< a PNG for the clipboard, being drawn
  bool keys = false;
  bool about = false;
  bool messages = false;
  bool head_label = false;
  bool name_focus = false;                    ///< its name is to be edited at once
  int labelled_layer = 0, labelled_head = 0;  ///< from 0

  void open_export(const App& app);
  void open_palette() { palette = {true, "", 0}; }
  void open_keys() { keys = true; }
  void open_about() { about = true; }
  void open_messages() { messages = true; }
  void open_head_label(int layer, int head) {
    head_label = true;
    labelled_layer = layer;
    labelled_head = head;
  }
  bool busy() const { return figure.running.valid() || picture.valid(); }
};

void draw_dialogs(App& app, Ui& ui);
/// Draws the figure beside the frames and puts it on the clipboard as a picture.
void copy_picture(App& app);
void draw_export_dialog(App& app, Ui& ui);
void draw_palette(App& app);
void draw_keys(App& app);
void draw_about(App& app);
/// All notices, the newest first.
void draw_messages(App& app);
/// Name and colour of a head.
void draw_head_label(App& app, Ui& ui);

/// A button that Enter presses too while it has the keyboard.
bool dialog_button(const char* text);
/// Begins a dialog in the middle of the window, `em` font sizes wide; Esc closes it. EndPopup when true.
bool begin_dialog(const char* id, const char* title, bool& open, float em);

}  // namespace headscope
