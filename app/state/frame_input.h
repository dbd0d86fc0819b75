#pragma once
#include "app/state/key.h"

namespace headscope {

/// The user's input since the last frame that does not belong to a single panel.
struct FrameInput {
  double now = 0;  ///< seconds, of a monotonic clock
  KeyState keyboard;
  bool pointer_moved = false;
  bool button_pressed = false;  ///< a mouse button went down
  bool button_held = false;     ///< the left or right one is down, or was released in this frame
  Key paint_key = Key::space;   ///< paints the locked cell with the brush
  bool paint_held = false;      ///< it is down
  bool field_focus = false;     ///< the keyboard focus is in a field with its own undo
  bool text_focus = false;      ///< a text was being edited when this frame began
  bool popup_open = false;   ///< a menu or dialog was open when this frame began, or when the last one ended
  bool item_active = false;  ///< a control was being changed when the last frame ended
  bool by_keys = false;      ///< items are navigated by keys, and the focused one is marked
};

}  // namespace headscope
