#pragma once
#include <set>
#include <string>
#include <vector>

#include "core/base/translate.h"

namespace headscope {

/// The font of figures: Open Sans, whose digits are equally wide, with DejaVu Sans for symbols that it lacks,
/// if they are in their usual places and fontconfig is not configured otherwise, so that a figure has the
/// same letters whatever else is installed; otherwise fontconfig's sans-serif. A list of families for Pango.
const char* figure_families();

/// Whether the machine has a font of this family, in any case of its letters.
bool has_font(const std::string& family);
/// Families for papers that the machine has: Latin Modern, one like Times, one like Arial.
std::vector<std::string> paper_fonts();

/// For a program that draws one figure and exits, called before any text is drawn: reads only the folders of
/// those two instead of the machine's font list, until a text needs other fonts. Does nothing if figures use
/// another font.
void draw_with_own_fonts();

/// Says that boxes stand for these characters, which no font has; empty: there are none.
std::string missing_text(const Translator& tr, const std::set<char32_t>& missing);
/// Throws Error (unable) if letters are among the characters that no font has: a figure without them cannot
/// be read.
void expect_letters(const std::set<char32_t>& missing);

}  // namespace headscope
