#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "app/state/actions/key.h"
#include "app/state/view/view_state.h"
#include "core/source/trace.h"

namespace headscope {

struct App;
struct Workspace;

/// The edge of the window from which panels slide over the stage.
enum class Edge { none, top, left, right };

/// The view alone, on the whole screen, for a projector. Lasts as long as the window and is not part of a
/// session.
struct Presentation {
  bool on = false;
  bool black = false;         ///< a black screen, until any key
  bool lens = false;          ///< cells under the pointer are enlarged
  bool contrast = false;      ///< pure black and white, thick marks
  bool text = false;          ///< the text and question of the lesson's step in place of the view
  Edge edge = Edge::none;     ///< the edge whose panels cover the stage
  int copy_in = 0;            ///< frames of the bare stage until one is copied to the clipboard; 0: none
  bool switch_wanted = true;  ///< the window has yet to follow `on`
};

/// Sizes while presenting, as shares of the window's height: type is measured in em.
struct Presented {
  static constexpr double text = 1.0 / 30;        ///< the smallest type, except for numbers in cells
  static constexpr double min_number = 1.0 / 45;  ///< of numbers in cells
  static constexpr double heading = 1.0 / 24;
  static constexpr double caption = 1.0 / 15;  ///< tokens of the cell
  static constexpr double number = 1.0 / 10;   ///< its weight
  static constexpr double strip = 0.09;        ///< the caption's height: digits have no descenders
  static constexpr double map = 0.7;           ///< the maps' minimum height, if the width allows it
  static constexpr double stretch = 1.6;       ///< maximum aspect ratio of cells, for several maps
};

void start_presentation(App& app);
void end_presentation(App& app);
/// Freezes what is shown while inputs change, or lets it follow them again.
void freeze_picture(Workspace& work, bool freeze);
/// To the next (1) or the previous (-1) item that can be stepped through.
void step_presentation(App& app, int by);
/// To the next or the previous step of the lesson, false if there is none. Backwards, a presented step comes
/// complete, as it was left: at its end and, unless page keys turn the steps, at the last of its stages.
bool step_shown_lesson(App& app, int by);
/// Whether the text of the lesson's step is shown in place of the view.
bool shows_lesson_text(const App& app);
/// The edge of the panel with the keyboard focus; none: the focus is on the stage itself.
Edge edge_of(Panel panel);
/// Begins a frame: any key or button ends the black screen, and has no other effect.
void pass_black_screen(App& app);
/// Whether a key belongs to the focused panel or the brush rather than to the presentation.
bool belongs_to_panel(const App& app, Key key);

/// Puts a frame onto the clipboard: pixels 0x00RRGGBB, row by row from the top.
struct FramePixels {
  std::vector<std::uint32_t> pixels;
  int width = 0, height = 0;
};
void copy_presented(App& app, const FramePixels& frame);

}  // namespace headscope
