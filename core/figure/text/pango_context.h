#pragma once
#include <memory>
#include <set>
#include <string_view>

using PangoContext = struct _PangoContext;
using PangoAttrList = struct _PangoAttrList;
using PangoLayout = struct _PangoLayout;

namespace headscope {

void unref_object(void* object);

template <typename T>
struct UnrefObject {
  void operator()(T* object) const { unref_object(object); }
};
template <typename T>
using PangoObject = std::unique_ptr<T, UnrefObject<T>>;

/// For text of that size in points in the first of the families that has its letters, without hinting: then
/// widths are proportional to size.
PangoObject<PangoContext> pango_text_context(double size, const char* families = "sans-serif");

/// Ends draw_with_own_fonts() (core/figure/text/figure_font.h) if a text needs fonts that a context does not
/// have. Returns whether contexts that this thread creates afterwards have more.
bool take_all_fonts(PangoContext* context);

/// Adds the characters for which no font of the layout has a glyph.
void add_missing(std::set<char32_t>& missing, PangoLayout* layout);

/// Marks a text as simplified Chinese, from the byte `begin` of its layout on. Its punctuation, which Pango
/// would otherwise assign to the letters before it, gets the font of its characters; with `quotes` also the
/// signs that Latin texts have too, as wide as Chinese ones.
void mark_simplified(PangoAttrList* list, PangoContext* context, std::string_view text, std::size_t begin,
                     bool quotes);

}  // namespace headscope
