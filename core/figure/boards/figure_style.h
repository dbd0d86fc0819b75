#pragma once
#include <algorithm>

#include "core/figure/boards/layout.h"
#include "core/inputs/names.h"
#include "core/scene/colormap.h"
#include "core/scene/view.h"

namespace headscope {

/// What is before the titles of several maps.
enum class Letters {
  none,
  parentheses,  ///< (a), (b) …, as IEEE and ACL have them
  bold,         ///< a, b … in bold, as Nature has them
};
std::span<const EnumName<Letters>> enum_names(Letters);

/// What a figure has beyond what its view shows.
struct FigureExtras {
  Letters letters = Letters::none;
  bool marks = true;    ///< those that the scene has in its maps
  bool effect = false;  ///< of a comparison: the predictions of A and of B
  bool legend = true;   ///< of the signs that occur, below the view
  /// The maps are arranged as in the window, whose view the page has the size of: bars above the maps, axes
  /// at the edges of the grid.
  bool as_on_screen = false;
  bool operator==(const FigureExtras&) const = default;
};

/// Colours and sizes of a figure's parts, in points.
struct FigureStyle {
  Rgb background{255, 255, 255};
  Rgb text{0x1a, 0x1c, 0x20};
  Rgb muted{0x5b, 0x61, 0x6a};  ///< axis labels, notes
  Rgb border{0x8d, 0x93, 0x9b};
  Rgb warning{0xcc, 0x43, 0x1a};
  Rgb accent = colors(Colormap::viridis)[96];  ///< the emphasized part
  MaskedStyle masked;
  // One scale of type: everything else is a share of font_size.
  double font_size = 9;  ///< of labels and of ticks that have room
  double smallest = 6;   ///< of ticks that are crowded; nothing is smaller
  double margin = 9;
  double title_size = 13;
};

/// Smaller text is hard to read in print, in points.
inline constexpr double readable_text = 6;

inline FigureStyle figure_style(Theme theme, double font_size = FigureStyle{}.font_size) {
  FigureStyle style;
  const double scale = font_size / style.font_size;
  style.font_size = font_size;
  style.smallest = std::max(style.smallest * scale, std::min(font_size, readable_text));
  style.title_size *= scale;
  style.margin *= std::min(1.0, scale);
  style.masked = masked_style(theme);
  if (theme == Theme::dark) {
    style.background = {0x17, 0x19, 0x1d};
    style.text = {0xe8, 0xea, 0xed};
    style.muted = {0xa3, 0xa9, 0xb2};
    style.border = {0x6a, 0x70, 0x79};
    style.warning = {0xff, 0x8a, 0x4d};
    style.accent = colors(Colormap::viridis)[170];
  }
  return style;
}

}  // namespace headscope
