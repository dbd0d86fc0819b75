#include "core/figure/text/show_line.h"

#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-font.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include FT_FONT_FORMATS_H

namespace headscope {
namespace {

// Any bit makes Cairo embed outlines instead of the font's own program. This one, beyond those that Cairo
// knows, changes no outline.
constexpr unsigned int by_outlines = 1U << 15;

/// The faces with PostScript outlines of one document.
class OutlineFaces {
 public:
  OutlineFaces() = default;
  ~OutlineFaces() {
    for (const auto& [file, face] : faces_)
      if (face != nullptr) cairo_font_face_destroy(face);
  }
  OutlineFaces(const OutlineFaces&) = delete;
  OutlineFaces& operator=(const OutlineFaces&) = delete;

  /// nullptr: the font has other outlines, or is to be drawn differently than it is in its file.
  cairo_font_face_t* face_of(PangoFont* font) {
    if (!PANGO_IS_FC_FONT(font)) return nullptr;
    FcPattern* const pattern = pango_fc_font_get_pattern(PANGO_FC_FONT(font));
    FcChar8* file = nullptr;
    int index = 0;
    FcBool bold = FcFalse;
    FcMatrix* matrix = nullptr;
    if (FcPatternGetString(pattern, FC_FILE, 0, &file) != FcResultMatch) return nullptr;
    FcPatternGetInteger(pattern, FC_INDEX, 0, &index);
    FcPatternGetBool(pattern, FC_EMBOLDEN, 0, &bold);
    if (bold || FcPatternGetMatrix(pattern, FC_MATRIX, 0, &matrix) == FcResultMatch) return nullptr;
    const auto [place, added] = faces_.try_emplace({reinterpret_cast<const char*>(file), index}, nullptr);
    if (added) place->second = open(place->first.first, index);
    return place->second;
  }

 private:
  /// The face is closed together with Cairo's font face, which a surface may keep beyond this.
  struct Opened {
    FT_Library library = nullptr;
    FT_Face face = nullptr;
    ~Opened() {
      if (face != nullptr) FT_Done_Face(face);
      if (library != nullptr) FT_Done_FreeType(library);
    }
  };

  static cairo_font_face_t* open(const std::string& file, int index) {
    auto opened = std::make_unique<Opened>();
    if (FT_Init_FreeType(&opened->library) != 0) return nullptr;
    if (FT_New_Face(opened->library, file.c_str(), index, &opened->face) != 0) return nullptr;
    if (FT_Get_Font_Format(opened->face) != std::string_view("CFF")) return nullptr;
    cairo_font_face_t* face = cairo_ft_font_face_create_for_ft_face(opened->face, FT_LOAD_NO_HINTING);
    static constexpr cairo_user_data_key_t key{};
    if (cairo_font_face_set_user_data(face, &key, opened.get(), [](void* data) {
          delete static_cast<Opened*>(data);
        }) != CAIRO_STATUS_SUCCESS) {
      cairo_font_face_destroy(face);
      return nullptr;
    }
    static_cast<void>(opened.release());
    cairo_ft_font_face_set_synthesize(face, by_outlines);
    return face;
  }

  std::map<std::pair<std::string, int>, cairo_font_face_t*> faces_;
};

OutlineFaces* faces_of(cairo_surface_t* surface) {
  static constexpr cairo_user_data_key_t key{};
  if (void* known = cairo_surface_get_user_data(surface, &key)) return static_cast<OutlineFaces*>(known);
  auto faces = std::make_unique<OutlineFaces>();
  if (cairo_surface_set_user_data(surface, &key, faces.get(), [](void* data) {
        delete static_cast<OutlineFaces*>(data);
      }) != CAIRO_STATUS_SUCCESS)
    return nullptr;
  return faces.release();
}

/// The glyphs of a run in Cairo's terms, with the bytes that they represent.
struct RunGlyphs {
  std::vector<cairo_glyph_t> glyphs;
  std::vector<cairo_text_cluster_t> clusters;
  cairo_text_cluster_flags_t flags{};
  bool whole = true;  ///< the font has every glyph
};

RunGlyphs glyphs_of(PangoGlyphItem* run, const char* text, double x, double y) {
  RunGlyphs result;
  const PangoGlyphString& string = *run->glyphs;
  std::vector<bool> drawn(string.num_glyphs);
  int advance = 0;
  for (int i = 0; i < string.num_glyphs; ++i) {
    const PangoGlyphInfo& glyph = string.glyphs[i];
    if (glyph.glyph & PANGO_GLYPH_UNKNOWN_FLAG) result.whole = false;
    if (glyph.glyph != PANGO_GLYPH_EMPTY) {
      result.glyphs.push_back({glyph.glyph, x + pango_units_to_double(advance + glyph.geometry.x_offset),
                               y + pango_units_to_double(glyph.geometry.y_offset)});
      drawn[i] = true;
    }
    advance += glyph.geometry.width;
  }
  const bool backward = run->item->analysis.level % 2 != 0;
  result.flags = backward ? CAIRO_TEXT_CLUSTER_FLAG_BACKWARD : cairo_text_cluster_flags_t{};
  PangoGlyphItemIter at;
  for (bool more = pango_glyph_item_iter_init_start(&at, run, text); more;
       more = pango_glyph_item_iter_next_cluster(&at)) {
    const int first = backward ? at.end_glyph + 1 : at.start_glyph,
              last = backward ? at.start_glyph + 1 : at.end_glyph;
    int count = 0;
    for (int i = first; i < last; ++i) count += drawn[i] ? 1 : 0;
    result.clusters.push_back({at.end_index - at.start_index, count});
  }
  return result;
}

/// Whether the run was drawn.
bool show_outlines(cairo_t* cr, OutlineFaces& faces, PangoGlyphItem* run, const char* text) {
  PangoFont* const font = run->item->analysis.font;
  cairo_font_face_t* const face = faces.face_of(font);
  if (face == nullptr) return false;
  double x = 0, y = 0;
  cairo_get_current_point(cr, &x, &y);
  const RunGlyphs result = glyphs_of(run, text, x, y);
  if (!result.whole) return false;
  cairo_save(cr);
  cairo_matrix_t matrix;
  cairo_scaled_font_get_font_matrix(pango_cairo_font_get_scaled_font(PANGO_CAIRO_FONT(font)), &matrix);
  cairo_set_font_face(cr, face);
  cairo_set_font_matrix(cr, &matrix);
  cairo_show_text_glyphs(cr, text + run->item->offset, run->item->length, result.glyphs.data(),
                         static_cast<int>(result.glyphs.size()), result.clusters.data(),
                         static_cast<int>(result.clusters.size()), result.flags);
  cairo_restore(cr);
  return true;
}

PangoAttrShape* shape_of(const PangoItem& item) {
  for (GSList* at = item.analysis.extra_attrs; at != nullptr; at = at->next) {
    auto* const attribute = static_cast<PangoAttribute*>(at->data);
    if (attribute->klass->type == PANGO_ATTR_SHAPE) return reinterpret_cast<PangoAttrShape*>(attribute);
  }
  return nullptr;
}

}  // namespace

void show_line(cairo_t* cr, PangoLayoutLine* line) {
  cairo_surface_t* const surface = cairo_get_target(cr);
  OutlineFaces* const faces =
      cairo_surface_get_type(surface) == CAIRO_SURFACE_TYPE_PDF ? faces_of(surface) : nullptr;
  if (faces == nullptr) return pango_cairo_show_layout_line(cr, line);
  const char* const text = pango_layout_get_text(line->layout);
  double x = 0, y = 0;
  cairo_get_current_point(cr, &x, &y);
  for (GSList* at = line->runs; at != nullptr; at = at->next) {
    auto* const run = static_cast<PangoGlyphItem*>(at->data);
    cairo_move_to(cr, x, y);
    if (PangoAttrShape* shape = shape_of(*run->item)) {
      gpointer data = nullptr;
      const auto draw = pango_cairo_context_get_shape_renderer(pango_layout_get_context(line->layout), &data);
      if (draw != nullptr) draw(cr, shape, FALSE, data);
    } else if (!show_outlines(cr, *faces, run, text)) {
      pango_cairo_show_glyph_item(cr, text, run);
    }
    x += pango_units_to_double(pango_glyph_string_get_width(run->glyphs));
  }
}

}  // namespace headscope
