#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "app/state/actions/key.h"
#include "app/state/view/view_state.h"
#include "core/source/trace.h"

namespace headscope {

struct App;
struct Action;

/// The edge of the window from which panels come over the stage.
enum class Edge { none, top, left, right };

/// The view alone on the whole screen, for a projector. Lasts as long as the window and is in no session.
struct Presentation {
  bool on = false;
  bool black = false;      ///< nothing but black, until any key
  bool lens = false;       ///< cells under the pointer are enlarged
  bool contrast = false;   ///< pure black and white, thick marks
  Edge edge = Edge::none;  ///< whose panels lie over the stage
  int copy_in = 0;         ///< in so many frames of the stage alone that one goes onto the clipboard; 0: none
  bool switch_wanted = true;  ///< the window is yet to follow `on`
  /// What is shown while the sentence is edited; nullptr: what the runners gave last.
  std::shared_ptr<const Trace> frozen, frozen_other;
};

/// Sizes of what is presented, in shares of the window's height: type is measured in em.
struct Presented {
  static constexpr double text = 1.0 / 30;          ///< the smallest type there is, but for numbers in cells
  static constexpr double least_number = 1.0 / 45;  ///< of numbers in cells
  static constexpr double heading = 1.0 / 24;
  static constexpr double caption = 1.0 / 15;  ///< tokens of the cell
  static constexpr double number = 1.0 / 10;   ///< its weight
  static constexpr double strip = 0.09;        ///< the caption's height: digits have no descenders
  static constexpr double map = 0.7;           ///< the maps' least height, where the width allows it
  static constexpr double stretch = 1.6;  ///< of cells of several maps: how much higher than wide, or wider
};

void start_presentation(App& app);
void end_presentation(App& app);
/// What is shown stays while inputs change, or follows them again.
void freeze_picture(App& app, bool freeze);
/// To the next (1) or the previous (-1) of what there is to step through.
void step_presentation(App& app, int by);
/// Whose panels the keyboard goes to there; none: it stands on the stage itself.
Edge edge_of(Panel panel);
/// Begins a frame: any key and any button ends the black screen, and does nothing else.
void pass_black_screen(App& app);
/// Whether a key is for the panel or the brush that has it rather than for what is presented.
bool belongs_to_panel(const App& app, Key key);

/// Puts a frame onto the clipboard: pixels 0x00RRGGBB, row by row from the top.
struct FramePixels {
  std::vector<std::uint32_t> pixels;
  int width = 0, height = 0;
};
void copy_presented(App& app, const FramePixels& frame);

void add_present_actions(std::vector<Action>& list);

}  // namespace headscope
