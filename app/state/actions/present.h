#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "app/state/key.h"
#include "app/state/presentation.h"

namespace headscope {

struct App;
struct Workspace;

/// Sizes while presenting, as shares of the window's height: type is measured in em.
struct Presented {
  static constexpr double text = 1.0 / 30;        ///< the smallest type, except for numbers in cells
  static constexpr double min_number = 1.0 / 45;  ///< of numbers in cells
  static constexpr double heading = 1.0 / 24;
  static constexpr double caption = 1.0 / 15;  ///< tokens of the cell
  static constexpr double number = 1.0 / 10;   ///< its weight
  static constexpr double strip = 0.09;        ///< the caption's height: digits have no descenders
  static constexpr double cell = 1.0 / 30;     ///< of a map whose numbers matter
  static constexpr double map = 0.6;           ///< a single map's minimum height, which its labels leave it
  static constexpr double stretch = 1.6;       ///< maximum aspect ratio of cells, for several maps
};

void start_presentation(App& app);
void end_presentation(App& app);
/// Freezes what is shown while inputs change, or lets it follow them again.
void freeze_picture(Workspace& work, bool freeze);
/// To the next (1) or the previous (-1) step of the lesson, whatever was changed; without a lesson, to the
/// next of what can be stepped through.
void step_presentation(App& app, int by);
/// Within a step: more of its text, or of the stages of the arithmetic.
void move_in_presentation(App& app, int by);
/// Whether the text of the lesson's step is shown in place of the view.
bool shows_lesson_text(const App& app);
/// Begins a frame: any key or button ends the black screen, and has no other effect.
void pass_black_screen(App& app);
/// Whether items of a panel at an edge are navigated by keys: all but a clicker's page keys then are theirs.
bool keys_are_of_panel(const App& app);

/// Puts a frame onto the clipboard: pixels 0x00RRGGBB, row by row from the top.
struct FramePixels {
  std::vector<std::uint32_t> pixels;
  int width = 0, height = 0;
};
void copy_presented(App& app, const FramePixels& frame);

}  // namespace headscope
