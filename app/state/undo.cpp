#include "app/state/undo.h"

#include "app/state/app.h"

namespace headscope {
namespace {

// A pause while typing begins another step.
constexpr double pause_seconds = 1.5;

void take_over(App& app, const DocumentState& state) {
  app.inputs = state.inputs;
  app.compare = state.compare;
  app.labels = state.labels;
  ++app.undo.gesture;
}

}  // namespace

void Undo::start(const App& app) {
  history = History({app.inputs, app.compare, app.labels});
  ++gesture;
}

void note_changes(App& app) {
  Undo& undo = app.undo;
  const History::Step& now = undo.history.steps()[undo.history.current()];
  const FrameInput& input = app.input;
  // A stroke of the brush is from button down, or space bar down, to its release.
  const bool pressed = input.button_pressed || (app.state.brush.on && input.keyboard.goes_down(Key::space));
  if (pressed) ++undo.gesture;
  if (now.state.inputs == app.inputs && now.state.compare == app.compare && now.state.labels == app.labels)
    return;
  const bool held = input.button_held || (app.state.brush.on && input.space_held);
  const bool typing = input.text_focus && input.now - undo.last_change < pause_seconds;
  if (!held && !typing) ++undo.gesture;
  undo.last_change = input.now;
  undo.history.record({app.inputs, app.compare, app.labels}, undo.gesture);
}

void undo(App& app) {
  take_over(app, app.undo.history.undo());
}
void redo(App& app) {
  take_over(app, app.undo.history.redo());
}
void jump_to_step(App& app, std::size_t step) {
  take_over(app, app.undo.history.jump(step));
}

}  // namespace headscope
