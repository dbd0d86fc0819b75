#include "core/figure/text/text_shaper.h"

#include <pango/pangocairo.h>

#include <map>

#include "core/base/utf8.h"
#include "core/figure/text/chinese_text.h"
#include "core/figure/text/figure_font.h"
#include "core/figure/text/pango_context.h"
#include "core/figure/text/show_line.h"

namespace headscope {
namespace {

// Lines are shaped at one size and scaled: without hinting, widths are proportional to it.
constexpr double shaped_size = 16;

struct ShapedLine {
  PangoObject<PangoLayout> layout;
  double width = 0;  // at shaped_size
  std::set<char32_t> missing;
};

}  // namespace

struct TextShaper::State {
  std::string families;
  PangoObject<PangoContext> context;
  std::map<std::string, ShapedLine, std::less<>> lines, bold_lines;
  std::set<char32_t> missing;

  const ShapedLine& line(std::string_view text, bool bold = false);
};

const ShapedLine& TextShaper::State::line(std::string_view text, bool bold) {
  auto& known = bold ? bold_lines : lines;
  const auto found = known.find(text);
  if (found != known.end()) return found->second;
  const std::string shaped = printable(without_noncharacters(cut_off(text, TextShaper::max_bytes)));
  ShapedLine line;
  const auto lay_out = [&] {
    line.layout.reset(pango_layout_new(context.get()));
    pango_layout_set_single_paragraph_mode(line.layout.get(), TRUE);
    pango_layout_set_text(line.layout.get(), shaped.data(), static_cast<int>(shaped.size()));
    PangoAttrList* attributes = pango_attr_list_new();
    if (bold) pango_attr_list_insert(attributes, pango_attr_weight_new(PANGO_WEIGHT_BOLD));
    if (wants_simplified(shaped)) {
      pango_attr_list_insert(attributes, pango_attr_family_new("sans-serif"));
      mark_simplified(attributes, context.get(), shaped, 0, mostly_han(shaped));
    }
    pango_layout_set_attributes(line.layout.get(), attributes);
    pango_attr_list_unref(attributes);
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
  return known.emplace(std::string(text), std::move(line)).first->second;
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

double TextShaper::width(std::string_view text, double size, bool bold) {
  return text.empty() ? 0 : state_->line(text, bold).width * size / shaped_size;
}

void TextShaper::draw(cairo_t* cr, std::string_view text, double size, bool bold) {
  if (text.empty()) return;
  note(text);
  const ShapedLine& line = state_->line(text, bold);
  cairo_save(cr);
  cairo_scale(cr, size / shaped_size, size / shaped_size);
  cairo_move_to(cr, 0, 0);
  show_line(cr, pango_layout_get_line_readonly(line.layout.get(), 0));
  cairo_restore(cr);
}

}  // namespace headscope
