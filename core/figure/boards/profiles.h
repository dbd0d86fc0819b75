#pragma once
#include <string>

#include "core/figure/boards/draw_panel.h"

namespace headscope {

/// The marked cell of a map.
struct ProfiledCell {
  int row = 0, column = 0;
  std::string query, key;  ///< labels of both
  bool is_signed = false;  ///< of the map: see BlockTrace::is_signed()
  bool attends = true;     ///< its cells are of softmax attention
};

/// Height of the bars above the map, and width of those next to it, in sizes of ordinary text.
inline constexpr double profile_size = 3.5;

/// The numbers of the marked cell's row (above the map, each over its column) and column (right of it) as
/// bars, in the colours of signed maps where it is one. Masked and filtered cells have none; where
/// cells are smaller than the picture's pixels the largest counts. `size`: of the captions.
void draw_profiles(const FigurePen& pen, const MapPicture& picture, const Rect& map, const ProfiledCell& cell,
                   double size);

}  // namespace headscope
