#pragma once
#include "app/panels/ui/ui.h"

namespace headscope {

struct App;
struct OpenSession;

/// The lesson being played: its texts, questions and steps.
void draw_lesson(App& app, Ui& ui);
/// The cell under the pointer, otherwise the locked one, with its number, large: "它 → 猫 0.31". `height`: 0
/// if there is none.
float lesson_caption_height(const OpenSession& open, const Ui& ui);
void draw_lesson_caption(Ui& ui, float height);

// Of what is presented (app/state/lesson/presentation.h).

/// One line of that width about the lesson's step: lesson, number, claim, and the key of its text; below it
/// the task, if the step asks for a state. Returns the height.
float draw_lesson_header(App& app, Ui& ui, ImVec2 from, float width);
/// The text and questions of the step in the rest of the window, as large as they fit, on as many pages as
/// they take.
void draw_lesson_text(App& app, Ui& ui);

}  // namespace headscope
