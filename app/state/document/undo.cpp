#include "app/state/document/undo.h"

#include "app/state/app.h"

namespace headscope {
namespace {

// A pause in typing starts another step.
constexpr double pause_seconds = 1.5;

void take_over(App& app, const DocumentState& state) {
  app.inputs = state.inputs;
  app.compare = state.compare;
  app.labels = state.labels;
  app.bookmarks = state.bookmarks;
  ++app.undo.gesture;
}

DocumentState document_state(const App& app) {
  return {app.inputs, app.compare, app.labels, app.bookmarks};
}

bool is_document_state(const App& app, const DocumentState& state) {
  return state.inputs == app.inputs && state.compare == app.compare && state.labels == app.labels &&
         state.bookmarks == app.bookmarks;
}

}  // namespace

void Undo::start(const App& app) {
  history = History(document_state(app));
  ++gesture;
}

void note_changes(App& app) {
  Undo& undo = app.undo;
  const History::Step& now = undo.history.steps()[undo.history.current()];
  const FrameInput& input = app.input;
  // A brush stroke lasts from button or space bar down to its release.
  const bool pressed = input.button_pressed || (app.state.brush.on && input.keyboard.goes_down(Key::space));
  if (pressed) ++undo.gesture;
  if (is_document_state(app, now.state)) return;
  const bool held = input.button_held || (app.state.brush.on && input.space_held);
  const bool typing = input.text_focus && input.now - undo.last_change < pause_seconds;
  if (!held && !typing && !app.generation.grew) ++undo.gesture;
  undo.last_change = input.now;
  undo.history.record(document_state(app), undo.gesture);
  app.state.refused_limits.reset();
}

void undo(App& app) {
  const History& history = app.undo.history;
  // Undo does not include changes of the view, so its effect may be out of sight: report it.
  if (history.can_undo()) app.notices.info(TR("Undone: {}"), app.tr(history.steps()[history.current()].what));
  take_over(app, app.undo.history.undo());
}
void redo(App& app) {
  take_over(app, app.undo.history.redo());
  const History& history = app.undo.history;
  if (history.current() > 0)
    app.notices.info(TR("Redone: {}"), app.tr(history.steps()[history.current()].what));
}
void jump_to_step(App& app, std::size_t step) {
  take_over(app, app.undo.history.jump(step));
}

}  // namespace headscope
