#include "core/figure/text/text_shaper.h"

#include <pango/pangocairo.h>
#include <unicode/uscript.h>

#include <cctype>
#include <map>

#include "core/base/utf8.h"
#include "core/figure/boards/show_line.h"
#include "core/figure/canvas/pango_context.h"
#include "core/figure/text/embedded_font.h"
#include "core/figure/text/figure_font.h"

namespace headscope {
namespace {

// Lines are shaped at one size and scaled: without hinting, widths are proportional to it.
constexpr double shaped_size = 16;

struct ShapedLine {
  PangoObject<PangoLayout> layout;
  double width = 0;  // at shaped_size
  std::set<char32_t> missing;
};

/// 、。《》 and the forms as wide as Chinese characters: ，：（）
bool is_wide_punctuation(std::int32_t c) {
  return (c >= 0x3001 && c <= 0x3003) || (c >= 0x3008 && c <= 0x3011) || (c >= 0x3014 && c <= 0x301F) ||
         (c >= 0xFF01 && c <= 0xFF0F) || (c >= 0xFF1A && c <= 0xFF20) || (c >= 0xFF3B && c <= 0xFF40) ||
         (c >= 0xFF5B && c <= 0xFF5E);
}
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

bool wants_simplified(std::string_view text) {
  bool found = false;
  for (std::size_t i = 0; i < text.size();) {
    const std::int32_t c = next_code_point(text, i);
    UErrorCode status = U_ZERO_ERROR;
    const UScriptCode script = uscript_getScript(c, &status);
    if (script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA || script == USCRIPT_HANGUL) return false;
    found = found || script == USCRIPT_HAN || is_wide_punctuation(c);
  }
  return found;
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

bool mostly_han(std::string_view text) {
  int han = 0, latin = 0;
  for (std::size_t i = 0; i < text.size();) {
    UErrorCode status = U_ZERO_ERROR;
    const UScriptCode script = uscript_getScript(next_code_point(text, i), &status);
    han += script == USCRIPT_HAN;
    latin += script == USCRIPT_LATIN;
  }
  return 3 * han > latin;
}

struct TextShaper::State {
  std::string families;
  PangoObject<PangoContext> context;
  std::map<std::string, ShapedLine, std::less<>> lines;
  std::set<char32_t> missing;

  const ShapedLine& line(std::string_view text);
};

const ShapedLine& TextShaper::State::line(std::string_view text) {
  const auto found = lines.find(text);
  if (found != lines.end()) return found->second;
  const std::string shaped = printable(without_noncharacters(cut_off(text, TextShaper::max_bytes)));
  ShapedLine line;
  const auto lay_out = [&] {
    line.layout.reset(pango_layout_new(context.get()));
    pango_layout_set_single_paragraph_mode(line.layout.get(), TRUE);
    pango_layout_set_text(line.layout.get(), shaped.data(), static_cast<int>(shaped.size()));
    if (wants_simplified(shaped)) {
      PangoAttrList* attributes = pango_attr_list_new();
      pango_attr_list_insert(attributes, pango_attr_family_new("sans-serif"));
      mark_simplified(attributes, context.get(), shaped, 0, mostly_han(shaped));
      pango_layout_set_attributes(line.layout.get(), attributes);
      pango_attr_list_unref(attributes);
    }
  };
  lay_out();
  if (pango_layout_get_unknown_glyphs_count(line.layout.get()) > 0 && take_all_fonts(context.get())) {
    context = pango_text_context(shaped_size, families.c_str());
    lay_out();
  }
  add_missing(line.missing, line.layout.get());
  PangoRectangle logical;
  pango_layout_get_extents(line.layout.get(), nullptr, &logical);
  line.width = static_cast<double>(logical.width) / PANGO_SCALE;
  return lines.emplace(std::string(text), std::move(line)).first->second;
}

TextShaper::TextShaper(const std::string& family) : state_(std::make_unique<State>()) {
  state_->families = family.empty() ? figure_families() : family + "," + figure_families();
  state_->context = pango_text_context(shaped_size, state_->families.c_str());
}

const std::string& TextShaper::families() const {
  return state_->families;
}

void TextShaper::note(std::string_view text) {
  const ShapedLine& line = state_->line(text);
  state_->missing.insert(line.missing.begin(), line.missing.end());
}

const std::set<char32_t>& TextShaper::missing() const {
  return state_->missing;
}

TextShaper::~TextShaper() = default;

double TextShaper::width(std::string_view text, double size) {
  return text.empty() ? 0 : state_->line(text).width * size / shaped_size;
}

void TextShaper::draw(cairo_t* cr, std::string_view text, double size) {
  if (text.empty()) return;
  note(text);
  const ShapedLine& line = state_->line(text);
  cairo_save(cr);
  cairo_scale(cr, size / shaped_size, size / shaped_size);
  cairo_move_to(cr, 0, 0);
  show_line(cr, pango_layout_get_line_readonly(line.layout.get(), 0));
  cairo_restore(cr);
}

}  // namespace headscope
