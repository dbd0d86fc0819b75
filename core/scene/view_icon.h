#pragma once

namespace headscope {

// The pictogram of a view as data: it shows what the view draws.

enum class IconShape {
  stroke,
  frame,  ///< a rectangle's outline
  fill,   ///< a filled rectangle
  peak,   ///< a filled triangle in that rectangle, pointing upwards
  dot,    ///< a filled circle; `to_x` is its radius
  ring    ///< its outline
};

/// In a square from -1 to 1, y downwards.
struct IconPart {
  IconShape shape;
  float x, y;
  float to_x = 0, to_y = 0;  ///< the other end or corner
};

}  // namespace headscope
