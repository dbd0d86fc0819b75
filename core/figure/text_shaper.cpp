#include "core/figure/text_shaper.h"

#include <pango/pangocairo.h>
#include <unicode/uscript.h>

#include <map>

#include "core/base/code_points.h"
#include "core/base/utf8.h"
#include "core/figure/pango_context.h"
#include "core/figure/show_line.h"

namespace headscope {
namespace {

// Lines are shaped at one size and scaled: without hinting, widths are proportional to it.
constexpr double shaped_size = 16;

struct Line {
  PangoObject<PangoLayout> layout;
  double width = 0;  // at shaped_size
};

}  // namespace

void unref_object(void* object) {
  g_object_unref(object);
}

PangoObject<PangoContext> pango_text_context(double size) {
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
  pango_font_description_set_family_static(font, "sans-serif");
  pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
  pango_context_set_font_description(context, font);
  pango_font_description_free(font);
  return owner;
}

bool wants_simplified(std::string_view text) {
  bool han = false;
  for (std::size_t i = 0; i < text.size();) {
    UErrorCode status = U_ZERO_ERROR;
    const UScriptCode script = uscript_getScript(next_code_point(text, i), &status);
    if (script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA || script == USCRIPT_HANGUL) return false;
    han = han || script == USCRIPT_HAN;
  }
  return han;
}

struct TextShaper::State {
  PangoObject<PangoContext> context;
  std::map<std::string, Line, std::less<>> lines;

  const Line& line(std::string_view text);
};

const Line& TextShaper::State::line(std::string_view text) {
  const auto found = lines.find(text);
  if (found != lines.end()) return found->second;
  const std::string shaped = without_noncharacters(cut_off(text, TextShaper::most_bytes));
  Line line;
  line.layout.reset(pango_layout_new(context.get()));
  pango_layout_set_single_paragraph_mode(line.layout.get(), TRUE);
  pango_layout_set_text(line.layout.get(), shaped.data(), static_cast<int>(shaped.size()));
  if (wants_simplified(shaped)) {
    PangoAttrList* attributes = pango_attr_list_new();
    pango_attr_list_insert(attributes, pango_attr_language_new(pango_language_from_string("zh-cn")));
    pango_layout_set_attributes(line.layout.get(), attributes);
    pango_attr_list_unref(attributes);
  }
  PangoRectangle logical;
  pango_layout_get_extents(line.layout.get(), nullptr, &logical);
  line.width = static_cast<double>(logical.width) / PANGO_SCALE;
  return lines.emplace(std::string(text), std::move(line)).first->second;
}

TextShaper::TextShaper() : state_(std::make_unique<State>()) {
  state_->context = pango_text_context(shaped_size);
}

TextShaper::~TextShaper() = default;

double TextShaper::width(std::string_view text, double size) {
  return text.empty() ? 0 : state_->line(text).width * size / shaped_size;
}

void TextShaper::draw(cairo_t* cr, std::string_view text, double size) {
  if (text.empty()) return;
  const Line& line = state_->line(text);
  cairo_save(cr);
  cairo_scale(cr, size / shaped_size, size / shaped_size);
  cairo_move_to(cr, 0, 0);
  show_line(cr, pango_layout_get_line_readonly(line.layout.get(), 0));
  cairo_restore(cr);
}

}  // namespace headscope
