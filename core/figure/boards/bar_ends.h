#pragma once
#include <vector>

#include "core/figure/canvas/canvas.h"
#include "core/scene/colormap.h"

namespace headscope {

// A bar of colours has a triangle at an end beyond which there are values, drawn in that end's colour: as
// matplotlib's `extend`. A bar that is higher than wide goes upward.

/// What the triangles leave of a bar.
Rect bar_between(const Rect& bar, bool below, bool above);

/// The triangles at such a rest of a bar, with lines along their edges.
struct BarEnds {
  struct Fill {
    Rect rect;
    Rgb color;
  };
  struct Line {
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  };
  std::vector<Fill> fills;
  std::vector<Line> lines;
};
BarEnds bar_ends(const Rect& between, bool below, bool above, const Colors& colors);

/// A bar with its triangles; returns what they leave of it.
Rect draw_bar(Canvas& canvas, const Rect& bar, const ColorRange& range, const Colors& colors, Rgb border);
void draw_bar_ends(Canvas& canvas, const Rect& between, bool below, bool above, const Colors& colors,
                   Rgb border);

}  // namespace headscope
