#include "core/figure/boards/paragraph.h"

#include <fmt/format.h>
#include <pango/pangocairo.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <cstdint>

#include "core/base/utf8.h"
#include "core/figure/boards/board_column.h"
#include "core/figure/text/chinese_text.h"
#include "core/figure/text/figure_font.h"
#include "core/figure/text/pango_context.h"
#include "core/figure/text/show_line.h"

namespace headscope {
namespace {

constexpr double ascent = 1.12, descent = 0.43;  // of a line, relative to its text size
constexpr double code_size = 0.92;               // letters of equal width look larger
constexpr const char* formula_place = "\uFFFC";

int pango_units(double points) {
  return pango_units_from_double(points);
}

struct UnrefAttributes {
  void operator()(PangoAttrList* list) const { pango_attr_list_unref(list); }
};

/// Adds break opportunities to text that has none for long (words, runs of brackets), since Pango looks
/// through all of it for each of its lines; removes blanks beyond those of some lines, between which there
/// can be no break; and removes accents beyond those that any language has on a letter (Unicode's Stream-Safe
/// Text Format, UAX #15), whose placement takes quadratic time.
std::string safe_to_set(std::string_view text) {
  constexpr int longest = 400, max_accents = 30;
  std::string result;
  result.reserve(text.size());
  int characters = 0, accents = 0, blanks = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const std::int32_t c = next_code_point(text, at);
    accents = u_getCombiningClass(c) == 0 ? 0 : accents + 1;
    if (accents > max_accents) continue;
    blanks = c == ' ' ? blanks + 1 : 0;
    if (blanks > longest) continue;
    const bool may_end =
        c == ' ' || c == '\n' || u_getIntPropertyValue(c, UCHAR_LINE_BREAK) == U_LB_IDEOGRAPHIC;
    characters = may_end ? 0 : characters + 1;
    if (characters == longest) {
      result += "\u200B";
      characters = 1;
    }
    result += text.substr(begin, at - begin);
  }
  return result;
}

/// The bytes of a text that lead to an address.
struct PlacedLink {
  std::string address;
  int begin, end;
};

struct PlacedFormula {
  Formula formula;
  std::size_t byte = 0;  // its position in the text
};

}  // namespace

struct Paragraph::State {
  PangoObject<PangoContext> context;
  PangoObject<PangoLayout> layout;
  std::vector<std::unique_ptr<PlacedFormula>> formulas;
  std::vector<PlacedLink> links;
  double size = 10;
  Rgb color;
  Canvas* canvas = nullptr;  // while it is drawn

  /// A line and its aligned position, measured from the left of the text's width.
  struct Line {
    PangoLayoutLine* line;
    double left;
  };
  std::vector<Line> lines;  // Pango walks from the first line to the requested one each time

  PangoLayoutLine* line(int index) const { return lines[index].line; }
  double above(int line) const;
  double below(int line) const;
  template <typename Of>
  double maximum(int line, double minimum, const Of& of) const;

  static void draw_formula(cairo_t* cr, PangoAttrShape* shape, gboolean, gpointer self) {
    double x = 0, y = 0;
    cairo_get_current_point(cr, &x, &y);
    const auto& placed = *static_cast<const PlacedFormula*>(shape->data);
    cairo_save(cr);
    draw_board(*static_cast<State*>(self)->canvas, placed.formula.board, x, y - placed.formula.baseline);
    cairo_restore(cr);
    cairo_move_to(cr, x, y);
  }
};

template <typename Of>
double Paragraph::State::maximum(int index, double minimum, const Of& of) const {
  const PangoLayoutLine* here = line(index);
  const std::size_t begin = here->start_index;
  // Rectangles of one line are adjacent.
  const auto end = begin + here->length;
  for (auto placed = std::ranges::lower_bound(formulas, begin, {}, [](const auto& one) { return one->byte; });
       placed != formulas.end() && (*placed)->byte < end; ++placed)
    minimum = std::max(minimum, of((*placed)->formula) + 0.2 * size);
  return minimum;
}
double Paragraph::State::above(int index) const {
  return maximum(index, ascent * size, [](const Formula& formula) { return formula.baseline; });
}
double Paragraph::State::below(int index) const {
  return maximum(index, descent * size,
                 [](const Formula& formula) { return formula.board.height - formula.baseline; });
}

Paragraph::Paragraph(const std::vector<ParagraphRun>& runs, const ParagraphStyle& style,
                     std::optional<double> width)
    : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.size = style.size;
  state.color = style.color;
  state.context = pango_text_context(style.size);
  if (take_all_fonts(state.context.get())) state.context = pango_text_context(style.size);
  const LanguageRow& language = language_row(style.language);
  const bool chinese = language.han;
  if (chinese) pango_context_set_language(state.context.get(), pango_language_from_string(language.tag));
  std::string text;
  const std::unique_ptr<PangoAttrList, UnrefAttributes> attributes(pango_attr_list_new());
  for (const ParagraphRun& run : runs) {
    const std::size_t begin = text.size();
    const auto add = [&](PangoAttribute* attribute) {
      attribute->start_index = static_cast<guint>(begin);
      attribute->end_index = static_cast<guint>(text.size());
      pango_attr_list_insert(attributes.get(), attribute);
    };
    if (run.formula) {
      text += formula_place;
      auto placed = std::make_unique<PlacedFormula>(PlacedFormula{*run.formula, begin});
      const Board& board = placed->formula.board;
      const PangoRectangle box{0, -pango_units(placed->formula.baseline), pango_units(board.width),
                               pango_units(board.height)};
      add(pango_attr_shape_new_with_data(&box, &box, placed.get(), nullptr, nullptr));
      state.formulas.push_back(std::move(placed));
      continue;
    }
    // Pango would end a line between a formula and the comma after it.
    if (text.ends_with(formula_place) && closes(run.text)) text += "\u2060";
    text += safe_to_set(printable_lines(without_noncharacters(run.text)));
    // Chinese has no italics: emphasis is bold.
    if (run.strong || (run.emphasis && chinese)) add(pango_attr_weight_new(PANGO_WEIGHT_BOLD));
    if (run.emphasis && !chinese) add(pango_attr_style_new(PANGO_STYLE_ITALIC));
    if (run.code) {
      add(pango_attr_family_new("monospace"));
      add(pango_attr_scale_new(code_size));
    }
    if (!run.link.empty())
      state.links.push_back({run.link, static_cast<int>(begin), static_cast<int>(text.size())});
    const std::string_view put = std::string_view(text).substr(begin);
    if (wants_simplified(put) || (chinese && !run.code))
      mark_simplified(attributes.get(), state.context.get(), put, begin, chinese || mostly_han(put));
  }
  state.layout.reset(pango_layout_new(state.context.get()));
  PangoLayout* layout = state.layout.get();
  pango_layout_set_text(layout, text.data(), static_cast<int>(text.size()));
  pango_layout_set_attributes(layout, attributes.get());
  pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
  if (width) pango_layout_set_width(layout, pango_units(std::max(1.0, *width)));
  pango_layout_set_alignment(layout, style.anchor == Anchor::start    ? PANGO_ALIGN_LEFT
                                     : style.anchor == Anchor::middle ? PANGO_ALIGN_CENTER
                                                                      : PANGO_ALIGN_RIGHT);
  PangoLayoutIter* iter = pango_layout_get_iter(layout);
  do {
    PangoRectangle logical;
    pango_layout_iter_get_line_extents(iter, nullptr, &logical);
    state.lines.push_back({pango_layout_iter_get_line_readonly(iter), pango_units_to_double(logical.x)});
  } while (pango_layout_iter_next_line(iter) != FALSE);
  pango_layout_iter_free(iter);
}

Paragraph::~Paragraph() = default;
Paragraph::Paragraph(Paragraph&&) noexcept = default;
Paragraph& Paragraph::operator=(Paragraph&&) noexcept = default;

void Paragraph::add_missing_to(std::set<char32_t>& missing) const {
  add_missing(missing, state_->layout.get());
}

double Paragraph::width() const {
  PangoRectangle logical;
  pango_layout_get_extents(state_->layout.get(), nullptr, &logical);
  return pango_units_to_double(logical.width);
}

int Paragraph::lines() const {
  return static_cast<int>(state_->lines.size());
}

double Paragraph::height(int line) const {
  return state_->above(line) + state_->below(line);
}

double Paragraph::baseline(int line) const {
  return state_->above(line);
}

void Paragraph::draw(int line, Canvas& canvas, cairo_t* context, double x, double y) const {
  State& state = *state_;
  state.canvas = &canvas;
  pango_cairo_context_set_shape_renderer(state.context.get(), State::draw_formula, &state, nullptr);
  cairo_set_source_rgb(context, state.color.r / 255.0, state.color.g / 255.0, state.color.b / 255.0);
  const double begin_of_line = x + state.lines[line].left;
  cairo_move_to(context, begin_of_line, y + state.above(line));
  PangoLayoutLine* const drawn = state.line(line);
  show_line(context, drawn);
  const double base = y + state.above(line);
  for (const PlacedLink& link : state.links) {
    const int begin = std::max(link.begin, drawn->start_index),
              end = std::min(link.end, drawn->start_index + drawn->length);
    if (begin >= end) continue;
    int from = 0, to = 0;
    pango_layout_line_index_to_x(drawn, begin, 0, &from);
    pango_layout_line_index_to_x(drawn, end, 0, &to);
    const double x0 = begin_of_line + pango_units_to_double(from),
                 x1 = begin_of_line + pango_units_to_double(to);
    canvas.line(x0, base + 0.14 * state.size, x1, base + 0.14 * state.size, 0.05 * state.size, state.color,
                1);
    const std::string tag =
        fmt::format("rect=[{:.2f} {:.2f} {:.2f} {:.2f}] uri='{}'", x0, base - ascent * state.size, x1 - x0,
                    (ascent + descent) * state.size, link.address);
    cairo_tag_begin(context, CAIRO_TAG_LINK, tag.c_str());
    cairo_tag_end(context, CAIRO_TAG_LINK);
  }
}

}  // namespace headscope
