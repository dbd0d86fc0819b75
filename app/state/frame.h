#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/state/actions/key.h"
#include "app/state/jobs/background.h"
#include "app/state/view/view_state.h"
#include "core/analysis/filtered_layer.h"
#include "core/base/translate.h"
#include "core/source/maps/pooled_maps.h"

namespace headscope {

struct App;
struct Workspace;

/// The user's input since the last frame that does not belong to a single panel.
struct FrameInput {
  double now = 0;  ///< seconds, of a monotonic clock
  KeyState keyboard;
  bool pointer_moved = false;
  bool button_pressed = false;  ///< a mouse button went down
  bool button_held = false;     ///< the left or right one is down, or was released in this frame
  bool space_held = false;
  bool field_focus = false;  ///< the keyboard focus is in a field with its own undo
  bool text_focus = false;   ///< a text was being edited when this frame began
  bool popup_open = false;   ///< a menu or dialog was open when this frame began, or when the last one ended
  bool item_active = false;  ///< a control was being changed when the last frame ended
  bool by_keys = false;      ///< items are navigated by keys, and the focused one is marked
};

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
  std::shared_ptr<const FilteredLayer> shown;          ///< the view's layer through its filter; never null
  std::shared_ptr<const Scene> scene;                  ///< what the view shows of the block; never null
  SideFrame other;                                     ///< B, which is run while it is in view
  std::optional<ReadingCost> reading_cost = {};        ///< total for the heads of a long text that are shown
  int reading_heads = 0;                               ///< number of those heads
  std::shared_ptr<const FilteredLayer> overview = {};  ///< of one head of a long text: see LongMaps; or null
  Idle idle = Idle::none;                              ///< why what is out of date is not being computed
};

/// Why inputs cannot be run, as shown in the window: if the error names a text by its field, the label of its
/// box is used.
std::string run_error_text(const Translator& tr, const Error& error);

/// Takes over finished results, limits heads, layers and cells to existing ones, and returns what to show.
Frame begin_frame(App& app, FrameInput input);
/// Views of a long text count pooled cells, and the view of one head counts tokens: this keeps the lock on
/// the same tokens. Part of begin_frame(); called again if the kind of view changes within a frame.
void follow_pooling(Workspace& work);
/// Ends the frame: records the undo step and runs the inputs if they changed.
void end_frame(App& app);
/// Whether something is animated or pending, so that frames must continue without events.
bool is_busy(const App& app);

}  // namespace headscope
