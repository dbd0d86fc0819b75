#include "core/figure/text/pango_context.h"

#include <fontconfig/fontconfig.h>
#include <pango/pangocairo.h>

#include <cctype>
#include <string>

#include "core/base/utf8.h"
#include "core/figure/text/chinese_text.h"
#include "core/figure/text/embedded_font.h"

namespace headscope {
namespace {

/// “”‘’…—, but no apostrophe, at whose end `rest` begins.
bool is_shared_punctuation(std::int32_t c, std::string_view rest) {
  const bool apostrophe =
      c == 0x2019 && !rest.empty() && std::isalpha(static_cast<unsigned char>(rest[0])) != 0;
  return !apostrophe && ((c >= 0x2018 && c <= 0x201D) || c == 0x2026 || c == 0x2014);
}

/// The family in which Chinese of that language is drawn; empty if there is none.
std::string family_of_han(PangoContext* context, PangoLanguage* language) {
  const PangoObject<PangoFontset> fonts(
      pango_context_load_fontset(context, pango_context_get_font_description(context), language));
  if (!fonts) return {};
  const PangoObject<PangoFont> font(pango_fontset_get_font(fonts.get(), 0x4E2D));
  if (!font) return {};
  PangoFontDescription* description = pango_font_describe(font.get());
  const char* family = pango_font_description_get_family(description);
  std::string name = family != nullptr ? family : "";
  pango_font_description_free(description);
  return name;
}

// No file was read for it: it is the one of draw_with_own_fonts().
bool is_of_own_fonts(FcConfig* config) {
  FcStrList* const files = FcConfigGetConfigFiles(config);
  const bool none = files == nullptr || FcStrListNext(files) == nullptr;
  if (files != nullptr) FcStrListDone(files);
  return none;
}

}  // namespace

void unref_object(void* object) {
  g_object_unref(object);
}

PangoObject<PangoContext> pango_text_context(double size, const char* families) {
  ensure_font();
  PangoObject<PangoContext> owner(pango_font_map_create_context(pango_cairo_font_map_get_default()));
  PangoContext* context = owner.get();
  pango_cairo_context_set_resolution(context, 72);  // a point is a unit
  pango_context_set_language(context, pango_language_from_string("en"));
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options(context, options);
  cairo_font_options_destroy(options);
  pango_context_set_round_glyph_positions(context, FALSE);
  PangoFontDescription* font = pango_font_description_new();
  pango_font_description_set_family(font, families);
  pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
  pango_context_set_font_description(context, font);
  pango_font_description_free(font);
  return owner;
}

void add_missing(std::set<char32_t>& missing, PangoLayout* layout) {
  if (pango_layout_get_unknown_glyphs_count(layout) == 0) return;
  for (const GSList* line = pango_layout_get_lines_readonly(layout); line != nullptr; line = line->next)
    for (const GSList* run = static_cast<PangoLayoutLine*>(line->data)->runs; run != nullptr;
         run = run->next) {
      const PangoGlyphString& glyphs = *static_cast<PangoGlyphItem*>(run->data)->glyphs;
      for (int i = 0; i < glyphs.num_glyphs; ++i)
        if (const PangoGlyph glyph = glyphs.glyphs[i].glyph;
            (glyph & PANGO_GLYPH_UNKNOWN_FLAG) != 0 && glyph != PANGO_GLYPH_EMPTY)
          missing.insert(glyph & ~PANGO_GLYPH_UNKNOWN_FLAG);
    }
}

void mark_simplified(PangoAttrList* list, PangoContext* context, std::string_view text, std::size_t begin,
                     bool quotes) {
  const auto add = [&](PangoAttribute* attribute, std::size_t from, std::size_t to) {
    attribute->start_index = static_cast<guint>(begin + from);
    attribute->end_index = static_cast<guint>(begin + to);
    pango_attr_list_insert(list, attribute);
  };
  PangoLanguage* simplified = pango_language_from_string("zh-cn");
  add(pango_attr_language_new(simplified), 0, text.size());
  const std::string family = family_of_han(context, simplified);
  if (family.empty()) return;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t from = i;
    const std::int32_t c = next_code_point(text, i);
    if (is_wide_punctuation(c) || (quotes && is_shared_punctuation(c, text.substr(i))))
      add(pango_attr_family_new(family.c_str()), from, i);
  }
}

bool take_all_fonts(PangoContext* context) {
  constexpr const char* taken = "headscope-all-fonts";
  if (g_object_get_data(G_OBJECT(pango_context_get_font_map(context)), taken) != nullptr) return false;
  if (is_of_own_fonts(FcConfigGetCurrent())) FcConfigSetCurrent(nullptr);
  ensure_font();
  // A font map caches what it has found: this thread gets a new one.
  pango_cairo_font_map_set_default(nullptr);
  PangoFontMap* const all = pango_cairo_font_map_get_default();
  g_object_set_data(G_OBJECT(all), taken, all);
  return true;
}

}  // namespace headscope
