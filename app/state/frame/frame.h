#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/state/frame_input.h"
#include "app/state/jobs/background.h"
#include "app/state/view_state.h"
#include "core/analysis/filtered_layer.h"
#include "core/base/translate.h"
#include "core/source/maps/pooled_maps.h"

namespace headscope {

struct App;
struct Workspace;

/// What a frame shows of a side.
struct SideFrame {
  Side side = Side::a;
  std::shared_ptr<const BlockTrace> block = {};  ///< of the last successful trace; nullptr: there is no B
  bool stale = false;                            ///< it does not match the current inputs and view
  std::string error = {};                   ///< why the inputs cannot be run, translated; empty if they can
  std::shared_ptr<const Trace> trace = {};  ///< of the block; nullptr: not known
};

/// What a frame shows, first of A.
struct Frame : SideFrame {
  std::shared_ptr<const FilteredLayer> shown;  ///< the view's layer through its filter; never null
  std::shared_ptr<const Scene> scene;          ///< what the view shows of the block; never null
  std::shared_ptr<const View> drawn;           ///< ViewState::view when the frame began; never null
  /// What panels draw. What they set in ViewState::view is drawn in the next frame.
  const View& view() const { return *drawn; }
  SideFrame other;                                     ///< B, which is run while it is in view
  std::optional<ReadingCost> reading_cost = {};        ///< total for the heads of a long text that are shown
  int reading_heads = 0;                               ///< number of those heads
  std::shared_ptr<const FilteredLayer> overview = {};  ///< of one head of a long text: see LongMaps; or null
  Idle idle = Idle::none;                              ///< why what is out of date is not being computed
  bool hides_numbers = false;                          ///< a lesson asks for one of them
};

/// Why inputs cannot be run, as shown in the window: if the error names a text by its field, the label of its
/// box is used.
std::string run_error_text(const Translator& tr, const Error& error);

/// Steps of a phase that are independent of each other: in any order they give the same frame.
using FrameSteps = std::vector<void (*)(App&)>;

// A frame has five phases: poll takes over what came since the last one, settle makes the state fit it,
// derive computes what is shown of that, panels draw it and call actions, and commit records the undo step
// and asks for what has changed.

const FrameSteps& poll_steps();
const FrameSteps& settle_steps();
/// What settle does after those steps, in an order: the view is led back to what there is, which lessons,
/// locks and steps then follow.
void settle_view(App& app);
Frame derive(App& app);
/// The phases before panels draw: returns what to show.
Frame begin_frame(App& app, FrameInput input, const FrameSteps& poll = poll_steps(),
                  const FrameSteps& settle = settle_steps());
/// The last phase, commit: runs the inputs if they changed.
void end_frame(App& app);

/// The shape of the block in view, which the newest run may not have yet.
BlockShape shape_in_view(const Workspace& work, const Inputs& inputs);

}  // namespace headscope
