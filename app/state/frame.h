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

/// What the person did since the last frame, as far as it is not about one panel.
struct FrameInput {
  double now = 0;  ///< seconds, of a clock that never goes back
  KeyState keyboard;
  bool pointer_moved = false;
  bool button_pressed = false;  ///< a mouse button went down
  bool button_held = false;     ///< the left or right one is down, or was let go in this frame
  bool space_held = false;
  bool field_focus = false;  ///< the keyboard is in a field that has an undo of its own
  bool text_focus = false;   ///< a text was being edited when this frame began
  bool popup_open = false;   ///< a menu or dialog was open when this frame began, or when the last one ended
  bool item_active = false;  ///< a control was being changed when the last frame ended
  bool by_keys = false;      ///< items are gone through by keys, and the one that has the focus is marked
};

/// What a frame shows.
struct Frame {
  std::shared_ptr<const BlockTrace> block;     ///< of the last good trace; never null
  std::shared_ptr<const FilteredLayer> shown;  ///< the layer of the view through its filter; never null
  bool stale = false;                          ///< it is not of the inputs and the view any more
  std::string error;                        ///< why the inputs cannot be run, translated; empty if they can
  std::shared_ptr<const Scene> scene;       ///< what of the block the view shows; never null
  OtherSide other;                          ///< B of the compare view
  std::optional<ReadingCost> reading_cost;  ///< of the heads of a long text that are shown, together
  int reading_heads = 0;                    ///< how many they are
  std::shared_ptr<const FilteredLayer> overview;  ///< of one head of a long text: see LongMaps; else null
  Idle idle = Idle::none;                         ///< why what is not up to date is not being computed
};

/// Why inputs cannot be run, as the window says it: a text that the complaint names by its field is called
/// what its box is called.
std::string run_error_text(const Translator& tr, const Error& error);

/// Takes over what was computed, leads back to heads, layers and cells that there are, and says what to show.
Frame begin_frame(App& app, FrameInput input);
/// Views of a long text count its cells in groups of tokens, and that of one head in tokens: what is locked
/// stays what it is. Part of begin_frame(); again where the kind of view changes within a frame.
void follow_groups(App& app);
/// After the frame: notes the step for undo, runs the inputs if they changed in it.
void end_frame(App& app);
/// Whether something moves or is awaited, so that frames must go on without events.
bool is_busy(const App& app);

}  // namespace headscope
