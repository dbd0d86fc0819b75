#pragma once
#include "core/figure/boards/draw_panel.h"
#include "core/scene/signs.h"

namespace headscope {

/// Notes the signs in what is drawn: only there it is known which numbers fit, and how they are rounded.
/// `formulas`: text can be a formula's, where a dot multiplies.
void note_signs_of_text(Signs& signs, const Translator& tr, std::string_view text, bool formulas);
void note_signs_of_map(Signs& signs, const MapPicture& picture);

/// What the legend takes of a page's height, in points; 0: there are no signs.
double legend_height(const Signs& signs, double font_size);

/// What FigurePen::signs stand for, in one line at the lower edge of `area`, which it takes from it; nothing
/// where there are none.
void draw_sign_legend(const FigurePen& pen, Rect& area);

}  // namespace headscope
