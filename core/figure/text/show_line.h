#pragma once

using cairo_t = struct _cairo;
using PangoLayoutLine = struct _PangoLayoutLine;

namespace headscope {

/// Draws a line at the current point, like pango_cairo_show_layout_line(), for runs whose only attributes are
/// font and shapes. In a PDF, glyphs with PostScript outlines (CFF, as most Chinese fonts have) are embedded
/// by their outlines: Cairo 1.16 copies such glyphs with the subroutines that they call, and misses one if
/// another glyph of the page has called the same hints before; the glyph is then blank.
void show_line(cairo_t* cr, PangoLayoutLine* line);

}  // namespace headscope
