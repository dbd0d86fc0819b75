#pragma once
#include "core/figure/canvas/pango_context.h"

namespace headscope {

/// The font of figures: DejaVu Sans where it is in its usual place and nobody has configured the fonts
/// otherwise, so that a figure has the same letters whatever else is installed; else fontconfig's sans-serif.
/// A list of families for Pango.
const char* figure_families();

/// For a program that draws one figure and ends, before any text is drawn: no list of the machine's fonts is
/// read but that of the folder of DejaVu Sans, until a text needs other fonts. Nothing, where figures have
/// another font.
void draw_with_one_font();

/// Ends draw_with_one_font() where a text needs other fonts than a context knows. Whether what is made after
/// it, by this thread, knows more.
bool take_all_fonts(PangoContext* context);

}  // namespace headscope
