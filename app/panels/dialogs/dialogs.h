#pragma once
#include <span>

#include "app/panels/dialogs/dialog_list.h"
#include "app/panels/ui/ui.h"

namespace headscope {

struct App;

/// Everything shown temporarily over the panels.
void draw_dialogs(App& app, Ui& ui);

// The individual dialogs.
/// The page that exports, in place of the window.
void draw_figure_page(App& app, Ui& ui);
void draw_palette(App& app, const Style& style);
void draw_keys(App& app, const Style& style);
void draw_about(App& app, const Style& style);
/// The documents, one page at a time.
void draw_reader(App& app, const Ui& ui);
/// The parts of the course that is played.
void draw_course(App& app, Ui& ui);
/// The link to what is shown with its QR code, and the question for one to open.
void draw_link(App& app, const Style& style);
void draw_open_link(App& app, const Style& style);
/// All notices, the newest first.
void draw_messages(App& app, const Style& style);
/// Edits the name and colour of a head.
void draw_head_label(App& app, Ui& ui);
void draw_file_dialogs(App& app, PanelMemory& memory);

/// A button that Enter also presses while it has the keyboard focus.
bool dialog_button(const char* text, const char* mark);
/// The buttons of a question. The first one loses nothing and has the keyboard when the question appears; Tab
/// and the arrow keys go to the others.
class QuestionButtons {
 public:
  explicit QuestionButtons(int count);
  bool operator()(const char* text, const char* mark);

 private:
  int next_ = 0, wanted_ = -1;
};
/// Begins a popup that is the whole window. EndPopup when true.
bool begin_whole_window(const char* name);
/// Begins a dialog in the middle of the window, `em` font sizes wide; Esc closes it. On a phone it is the
/// whole window, with a button that leaves it above what is scrolled. end_dialog() when true.
bool begin_dialog(const char* id, const char* title, bool& open, float em);
/// What a list in a dialog takes of its height: `usual` if the window has so much; on a phone all. `lines`
/// with a frame have room below it.
float height_in_dialog(float usual, float lines = 0);

/// A key that works in one part of the window and belongs to no action; texts are English, to be translated.
struct PanelKey {
  const char* place;
  const char* keys;
  const char* what;
};

/// All of them, grouped by place: the list of keys shows them after those of the actions.
std::span<const PanelKey> panel_keys();

}  // namespace headscope
