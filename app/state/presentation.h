#pragma once

namespace headscope {

/// The edge of the window from which panels slide over the stage.
enum class Edge { none, top, left, right };

/// The view alone, on the whole screen, for a projector. Lasts as long as the window and is not part of a
/// session.
struct Presentation {
  bool on = false;
  bool black = false;         ///< a black screen, until any key
  bool lens = false;          ///< cells under the pointer are enlarged
  bool contrast = false;      ///< pure black and white, thick marks
  bool presenter = false;     ///< a second window with notes, the next step and a clock
  bool text = false;          ///< the text and question of the lesson's step in place of the view
  Edge edge = Edge::none;     ///< the edge whose panels cover the stage
  int copy_in = 0;            ///< frames of the bare stage until one is copied to the clipboard; 0: none
  bool switch_wanted = true;  ///< the window has yet to follow `on`
};

}  // namespace headscope
