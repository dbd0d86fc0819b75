#pragma once
#include <imgui.h>

#include "app/panels/ui/ui.h"
#include "core/figure/boards/board.h"
#include "core/figure/boards/draw_panel.h"
#include "core/teach/text_board.h"

namespace headscope {

/// Colours and fonts of the window, for boards in ImGui's pixels. Must not outlive the frame.
BoardStyle board_style(const Ui& ui);
/// Without its alpha.
Rgb to_rgb(ImU32 color);

/// The present window as a canvas, in ImGui's pixels: for what figures draw, too. What is outside the clip
/// rectangle is not drawn. Must not outlive the frame.
class WindowCanvas : public Canvas {
 public:
  /// `font_size`: of ordinary text; 0: as that of the window's boards.
  explicit WindowCanvas(const Ui& ui, double font_size = 0);
  FigurePen pen() { return {*this, measure_, style_, ui_.tr}; }

  void fill(const Rect& rect, Rgb color) override;
  void text(std::string_view text, double x, double y, const TextStyle& style) override;
  void line(double x0, double y0, double x1, double y1, double width, Rgb color, double opacity) override;
  void covering_line(double x0, double y0, double x1, double y1, double width, Rgb color, double opacity,
                     Rgb under) override {
    line(x0, y0, x1, y1, width, blend(under, color, opacity), 1);
  }
  void map(const MapPicture& picture, const Rect& rect) override;
  void picture(const std::shared_ptr<const Picture>& picture, const Rect& rect) override;
  void color_bar(const Colors& colors, const Rect& rect) override;
  Rect snapped(const Rect& rect) const override;
  double hairline() const override { return 1; }
  std::string finish() override { return {}; }

 private:
  const Ui& ui_;
  ImDrawList& list_;
  FigureStyle style_;
  MeasureSized measure_;
  int slot_ = PainterSlots::board;
};

/// Draws it with its upper left corner at `at`, clipped to the clip rectangle, and reserves its space in the
/// window's layout.
void draw_board(const Ui& ui, const Board& board, ImVec2 at);

struct OnScreen;
/// Its text as those who hear it have it, after draw_board(), `as` texts or what is said when it appears. A
/// link is pressed by take_heard_link().
void hear_blocks(std::span<const TextBlock> blocks, const ShowNumber& show, HeardRole as = HeardRole::text);
/// Whether a link to there, at that place, has been pressed by key or by someone who hears the text.
bool take_heard_link(const std::string& target, const OnScreen& place);

/// Records where its visible regions are. `step`: of a row of steps the present one.
void note_regions(const Board& board, ImVec2 at, const BoardRegion* step = nullptr);

// Of a board at `at`.

/// The region under the pointer; nullptr: none, or the window is not pointed at.
const BoardRegion* hovered_region(const Board& board, ImVec2 at);
/// The corners of a part of it on the screen.
struct OnScreen {
  OnScreen(const Rect& rect, ImVec2 at);
  ImVec2 min, max;
};
/// The help of a region, next to it; nothing if it has none.
void region_tooltip(const BoardRegion& region, ImVec2 at);

}  // namespace headscope
