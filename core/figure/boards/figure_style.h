#pragma once
#include "core/figure/boards/layout.h"
#include "core/scene/colormap.h"
#include "core/scene/view.h"

namespace headscope {

/// Colours and sizes of a figure's parts, in points.
struct FigureStyle {
  Rgb background{255, 255, 255};
  Rgb text{0x1a, 0x1c, 0x20};
  Rgb muted{0x5b, 0x61, 0x6a};  ///< axis labels, notes
  Rgb border{0x8d, 0x93, 0x9b};
  Rgb warning{0xcc, 0x43, 0x1a};
  MaskedStyle masked;
  double font_size = 9;  ///< of tick labels
  double smallest = 5;   ///< that can be read
  double margin = 9;
  double title_size = 13;
};

inline FigureStyle figure_style(Theme theme) {
  FigureStyle style;
  style.masked = masked_style(theme);
  if (theme == Theme::dark) {
    style.background = {0x17, 0x19, 0x1d};
    style.text = {0xe8, 0xea, 0xed};
    style.muted = {0xa3, 0xa9, 0xb2};
    style.border = {0x6a, 0x70, 0x79};
    style.warning = {0xff, 0x8a, 0x4d};
  }
  return style;
}

}  // namespace headscope
