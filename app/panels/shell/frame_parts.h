#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

struct App;
struct OpenSession;

/// File, Edit, View, Help, and at the right the switches for language and theme.
void draw_menu_bar(App& app, const Style& style);
/// Where the last edit of a sentence changed no number: why, and a button that makes it take effect. It is
/// placed between the menus and the switches, above the sentence, where it moves nothing; the switches take
/// `right`.
void draw_text_hint(App& app, float right);
/// The newest notice, activity, what was run and how long it took.
void draw_status_bar(App& app, const Ui& ui);
float status_height(const App& app, const Style& style);
/// The views in tabs, and the chosen one.
void draw_stage(App& app, Ui& ui);
/// The lesson being played: its texts, questions and steps.
void draw_lesson(App& app, Ui& ui);
/// The cell under the pointer, otherwise the locked one, with its number, large: "它 → 猫 0.31". `height`: 0
/// if there is none.
float lesson_caption_height(const OpenSession& open, const Ui& ui);
void draw_lesson_caption(Ui& ui, float height);
/// At the first start, below the menus: where to begin.
void draw_welcome(App& app);
/// The tabs and the controls common to all views.
void draw_view_bar(Ui& ui);
/// The chosen view alone.
void draw_view(App& app, Ui& ui);
/// Why the inputs cannot be run, over the lower edge of the view: next to the sentence it would move the
/// maps.
void draw_error(App& app, const Ui& ui, ImVec2 min, ImVec2 max);
/// Lets the user locate the missing model or capture of these inputs (inputs_to_locate()).
void locate_button(App& app, const Inputs& lost, const char* mark);
/// The chosen view on the whole window, with panels over it when the pointer is at an edge.
void draw_presentation(App& app, Ui& ui);
void draw_black_screen();

}  // namespace headscope
