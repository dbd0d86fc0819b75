#include "app/state/document/undo_steps.h"

#include "app/state/document/adjust.h"
#include "app/state/frame_input.h"
#include "app/state/view/color_range.h"
#include "app/state/workspace.h"

namespace headscope {
namespace {

// A pause in typing starts another step.
constexpr double pause_seconds = 1.5;

void take_over(OpenSession& open, const DocumentState& state) {
  expect_inputs(open, state);
  const bool compared = open.compare.has_value();
  static_cast<DocumentState&>(open) = state;
  // The view of a comparison would begin another one.
  if (!open.compare) end_comparison(open.state, open.compare);
  // Without its view nobody would see what has come back.
  if (open.compare && !compared) begin_comparison(open.state);
  ++open.undo.gesture;
}

}  // namespace

void note_changes(Workspace& work, const FrameInput& input) {
  Undo& undo = work.undo;
  const History::Step& now = undo.history.steps()[undo.history.current()];
  // A brush stroke lasts from button or key down to its release.
  const bool pressed =
      input.button_pressed || (work.state.brush.on && input.keyboard.goes_down(input.paint_key));
  if (pressed) ++undo.gesture;
  if (now.state == work) return;
  const bool held = input.button_held || (work.state.brush.on && input.paint_held);
  const bool typing = input.text_focus && input.now - undo.last_change < pause_seconds;
  if (!held && !typing && !work.generation.grew) ++undo.gesture;
  undo.last_change = input.now;
  undo.history.record(work, undo.gesture);
  work.state.refused_limits.reset();
}

void undo(Workspace& work) {
  const History& history = work.undo.history;
  // Undo does not include changes of the view, so its effect may be out of sight: report it.
  if (history.can_undo())
    work.notices.info(TR("Undone: {}"), Notice::Term{history.steps()[history.current()].what});
  take_over(work, work.undo.history.undo());
}
void redo(Workspace& work) {
  take_over(work, work.undo.history.redo());
  const History& history = work.undo.history;
  if (history.current() > 0)
    work.notices.info(TR("Redone: {}"), Notice::Term{history.steps()[history.current()].what});
}
void jump_to_step(OpenSession& open, std::size_t step) {
  take_over(open, open.undo.history.jump(step));
}

}  // namespace headscope
