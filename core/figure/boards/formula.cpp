#include "core/figure/boards/formula.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/figure/boards/formula_symbols.h"
#include "core/figure/boards/role_colors.h"

namespace headscope {
namespace {

// Relative to the size of the text.
constexpr double letter_ascent = 0.8, letter_descent = 0.24, axis = 0.33, rule = 0.055;

/// A part of a formula, relative to the left end of its baseline: what is above has a negative y.
struct Box {
  struct Part;
  std::vector<BoardLine> lines;
  std::optional<BoardText> text;
  std::vector<Part> parts;
  double width = 0, ascent = 0, descent = 0;
  AtomKind kind = AtomKind::ordinary;
};
struct Box::Part {
  Box box;
  double x, y;
};

/// With its baseline's left end at (x, y).
void place(Box& line, Box part, double x, double y) {
  line.ascent = std::max(line.ascent, part.ascent - y);
  line.descent = std::max(line.descent, part.descent + y);
  line.parts.push_back({std::move(part), x, y});
}

/// Once all positions are known: each line and text is moved once, however deep it is.
void draw(Board& board, Box box, double x, double y) {
  for (BoardLine& line : box.lines) {
    line.x0 += x, line.x1 += x;
    line.y0 += y, line.y1 += y;
    board.lines.push_back(line);
  }
  if (box.text) {
    box.text->x += x;
    box.text->y += y;
    board.texts.push_back(std::move(*box.text));
  }
  for (Box::Part& part : box.parts) draw(board, std::move(part.box), x + part.x, y + part.y);
}

/// The current text style.
struct Pen {
  double size;
  Rgb color;
  bool script = false;
  Pen smaller(double share, double minimum) const { return {std::max(share * size, minimum), color, true}; }
};

struct Points {
  double x, y;
};

class Typesetter {
 public:
  Typesetter(std::string_view tex, const BoardStyle& style, double size)
      : tex_(tex), style_(style), least_(std::max(min_script * size, std::min(style.minimum, size))) {}

  Box formula(const Pen& pen) {
    constexpr std::size_t longest = 10'000;
    if (tex_.size() > longest)
      throw input_error("the formula \"{}\" has {} bytes; expected at most {}", shown(), tex_.size(),
                        longest);
    Box box = list(pen);
    if (!ended()) found_instead();
    return box;
  }

 private:
  // Larger than in print: at the window's text sizes anything smaller is hard to read.
  static constexpr double script_size = 0.78, min_script = 0.66;

  /// One level deeper: each recursion passes through list() or a command's argument without braces.
  struct Deeper {
    explicit Deeper(Typesetter& its_setter) : setter(its_setter) {
      constexpr int max_depth = 24;
      if (++setter.depth_ > max_depth)
        throw input_error("the formula \"{}\" is nested too deeply; expected at most {} levels",
                          setter.shown(), max_depth);
    }
    ~Deeper() { --setter.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    Typesetter& setter;
  };

  bool ended() const { return at_ >= tex_.size(); }
  bool next_is(std::string_view text) const { return tex_.substr(at_, text.size()) == text; }
  bool take(std::string_view text) {
    if (!next_is(text)) return false;
    at_ += text.size();
    return true;
  }
  void skip_spaces() {
    while (!ended() && (tex_[at_] == ' ' || tex_[at_] == '\n' || tex_[at_] == '\t')) ++at_;
  }
  /// One character, however many bytes it has.
  std::string_view character() {
    const std::size_t begin = std::exchange(at_, code_point_end(tex_, at_));
    return tex_.substr(begin, at_ - begin);
  }
  /// After a backslash.
  std::string_view command() {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const std::size_t begin = at_;
    while (!ended() && letter(tex_[at_])) ++at_;
    if (at_ == begin && !ended()) character();
    return tex_.substr(begin, at_ - begin);
  }
  /// The text of a group, as written.
  std::string_view raw_group() {
    skip_spaces();
    if (!take("{")) found_instead("{");
    const std::size_t end = tex_.find('}', at_);
    if (end == std::string_view::npos) throw ends_before("}");
    const std::string_view text = tex_.substr(at_, end - at_);
    at_ = end + 1;
    return text;
  }

  /// For messages.
  std::string shown() const { return cut_off(tex_, 60); }
  Error ends_before(std::string_view what) const {
    return input_error("the formula \"{}\" ends early; expected \"{}\"", shown(), what);
  }
  [[noreturn]] void found_instead(std::string_view wanted = {}) {
    if (ended()) throw ends_before(wanted);
    const std::string_view found = character();
    if (wanted.empty()) throw input_error("the formula \"{}\" has \"{}\" in a wrong place", shown(), found);
    throw input_error("the formula \"{}\" has \"{}\"; expected \"{}\"", shown(), found, wanted);
  }

  Box text(std::string_view text, const Pen& pen, AtomKind kind = AtomKind::ordinary) const {
    Box box;
    box.kind = kind;
    if (text.empty()) return box;
    box.width = style_.measure(text, pen.size);
    box.ascent = letter_ascent * pen.size;
    box.descent = letter_descent * pen.size;
    box.text = {std::string(text), 0, -baseline_drop * pen.size, {pen.size, pen.color, Anchor::start, false}};
    return box;
  }
  /// Lines extend half their width beyond the points where they meet, so that corners are closed.
  static void stroke(Box& box, std::initializer_list<Points> points, const Pen& pen) {
    const double width = rule * pen.size;
    for (const Points* p = points.begin(); p + 1 < points.end(); ++p) {
      const double x = p[1].x - p->x, y = p[1].y - p->y, length = std::hypot(x, y);
      const double share = length > 0 ? width / 2 / length : 0;
      const double before = p == points.begin() ? 0 : share, after = p + 2 == points.end() ? 0 : share;
      box.lines.push_back({p->x - before * x, p->y - before * y, p[1].x + after * x, p[1].y + after * y,
                           width, pen.color, 1});
    }
  }

  /// Everything up to the end of the group, side by side.
  Box list(const Pen& pen);
  /// Of a group that has been opened.
  Box group(const Pen& pen) {
    Box box = list(pen);
    if (!take("}")) found_instead("}");
    return box;
  }
  std::optional<Box> atom(const Pen& pen);
  std::optional<Box> of_command(const Pen& pen);
  Box argument(const Pen& pen);
  Box with_scripts(Box nucleus, const Pen& pen);
  Box fraction(const Pen& pen);
  Box root(const Pen& pen);
  Box colored(const Pen& pen);
  Box fenced(const Pen& pen);
  Box fence(std::string_view sign, bool opens, double height, const Pen& pen) const;
  std::string_view delimiter();
  double gap(AtomKind before, AtomKind after, const Pen& pen) const;

  std::string_view tex_;
  const BoardStyle& style_;
  double least_;  ///< size of the smallest scripts
  std::size_t at_ = 0;
  int depth_ = 0;
};

double Typesetter::gap(AtomKind before, AtomKind after, const Pen& pen) const {
  const auto either = [&](AtomKind kind) { return before == kind || after == kind; };
  if (either(AtomKind::space)) return 0;
  const auto operates = [](AtomKind kind) { return kind == AtomKind::operation || kind == AtomKind::sum; };
  if (either(AtomKind::relation)) return (pen.script ? 0.12 : 0.28) * pen.size;
  if (either(AtomKind::binary)) return (pen.script ? 0.08 : 0.22) * pen.size;
  if (before == AtomKind::punctuation) return (pen.script ? 0.05 : 0.17) * pen.size;
  if ((operates(before) && after != AtomKind::opening && after != AtomKind::closing) ||
      (operates(after) && before != AtomKind::opening))
    return (pen.script ? 0.08 : 0.17) * pen.size;
  return 0;
}

Box Typesetter::list(const Pen& pen) {
  const Deeper deeper(*this);
  Box line;
  std::optional<AtomKind> before;
  for (skip_spaces(); !ended() && !next_is("}") && !next_is("\\right"); skip_spaces()) {
    std::optional<Box> box = atom(pen);
    if (!box) continue;
    const auto joins_nothing = [](AtomKind kind) {
      return kind == AtomKind::binary || kind == AtomKind::relation || kind == AtomKind::opening ||
             kind == AtomKind::punctuation || kind == AtomKind::operation || kind == AtomKind::space;
    };
    // A sign before its number, not a subtraction.
    if (box->kind == AtomKind::binary && (!before || joins_nothing(*before))) box->kind = AtomKind::ordinary;
    const double x = line.width + (before ? gap(*before, box->kind, pen) : 0);
    line.width = x + box->width;
    before = box->kind;
    place(line, std::move(*box), x, 0);
  }
  return line;
}

/// One part with its scripts.
std::optional<Box> Typesetter::atom(const Pen& pen) {
  std::optional<Box> box;
  if (take("\\")) {
    box = of_command(pen);
  } else if (take("{")) {
    box = group(pen);
  } else if (next_is("_") || next_is("^")) {
    box = Box();  // scripts of nothing
  } else if (next_is("&") || next_is("#") || next_is("$") || next_is("%") || next_is("~")) {
    found_instead();
  } else if (next_is("-")) {
    character();
    box = text("−", pen, AtomKind::binary);
  } else if (next_is("'")) {
    character();
    box = text("′", pen);
  } else {
    std::string_view run = character();
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (is_digit(run.front())) {
      const std::size_t begin = at_ - 1;
      while (!ended() &&
             (is_digit(tex_[at_]) || (tex_[at_] == '.' && at_ + 1 < tex_.size() && is_digit(tex_[at_ + 1]))))
        ++at_;
      run = tex_.substr(begin, at_ - begin);
    }
    box = text(run, pen, kind_of_character(run));
  }
  if (!box || box->kind == AtomKind::space) return box;
  return with_scripts(std::move(*box), pen);
}

std::optional<Box> Typesetter::of_command(const Pen& pen) {
  const std::string_view name = command();
  if (name == "frac" || name == "dfrac" || name == "tfrac") return fraction(pen);
  if (name == "sqrt") return root(pen);
  if (name == "color" || name == "textcolor") return colored(pen);
  if (name == "left") return fenced(pen);
  if (name == "text" || name == "mathrm" || name == "mathbf" || name == "textbf" || name == "textrm")
    return text(raw_group(), pen);
  if (name == "operatorname") return text(raw_group(), pen, AtomKind::operation);
  if (name == "mathbb") {
    const std::string_view letter = raw_group();
    return text(letter == "R" ? "ℝ" : letter == "N" ? "ℕ" : letter == "Z" ? "ℤ" : letter, pen);
  }
  if (name == "displaystyle" || name == "limits") return {};
  const std::optional<FormulaSymbol> symbol = find_formula_symbol(name);
  if (!symbol)
    throw input_error("the formula \"{}\" has the command \"\\{}\", which is not supported", shown(),
                      cut_off(name, 40));
  if (symbol->kind == AtomKind::space) {
    Box box;
    box.width = symbol->space * pen.size;
    box.kind = AtomKind::space;
    return box;
  }
  if (symbol->kind != AtomKind::sum || pen.script) return text(symbol->text, pen, symbol->kind);
  // Larger, centred on the axis.
  constexpr double larger = 1.35;
  Box box;
  Pen big = pen;
  big.size *= larger;
  Box sign = text(symbol->text, big, AtomKind::sum);
  box.width = sign.width;
  box.kind = AtomKind::sum;
  place(box, std::move(sign), 0, (larger - 1) * axis * pen.size);
  return box;
}

/// A group, or one part without scripts.
Box Typesetter::argument(const Pen& pen) {
  skip_spaces();
  if (ended()) throw ends_before("{");
  if (take("{")) return group(pen);
  if (take("\\")) {
    const Deeper deeper(*this);
    if (std::optional<Box> box = of_command(pen)) return std::move(*box);
    found_instead("{");
  }
  if (next_is("_") || next_is("^") || next_is("}")) found_instead("{");
  const std::string_view one = character();
  return text(one == "-" ? "−" : one, pen);
}

Box Typesetter::with_scripts(Box nucleus, const Pen& pen) {
  const Pen small = pen.smaller(script_size, least_);
  std::optional<Box> below, above;
  for (skip_spaces(); next_is("_") || next_is("^"); skip_spaces()) {
    std::optional<Box>& script = next_is("_") ? below : above;
    const std::string_view sign = character();
    if (script) throw input_error("the formula \"{}\" has \"{}\" twice in one place", shown(), sign);
    script = argument(small);
  }
  if (!below && !above) return nucleus;
  Box box;
  box.kind = nucleus.kind;
  const double width = nucleus.width, ascent = nucleus.ascent, descent = nucleus.descent;
  if (nucleus.kind == AtomKind::sum && !pen.script) {  // limits
    const double gap = 0.06 * pen.size;
    box.width = std::max({width, below ? below->width : 0, above ? above->width : 0});
    place(box, std::move(nucleus), (box.width - width) / 2, 0);
    if (below) {
      const double x = (box.width - below->width) / 2, y = descent + gap + below->ascent;
      place(box, std::move(*below), x, y);
    }
    if (above) {
      const double x = (box.width - above->width) / 2, y = -ascent - gap - above->descent;
      place(box, std::move(*above), x, y);
    }
    return box;
  }
  const double x = width + (width > 0 ? 0.03 * pen.size : 0);
  // At the ends of high parts.
  double down = std::max(0.2 * pen.size, descent - 0.12 * pen.size);
  const double up = std::max(0.4 * pen.size, ascent - 0.45 * small.size);
  if (below && above) down = std::max(down, below->ascent + above->descent - up + 0.02 * pen.size);
  place(box, std::move(nucleus), 0, 0);
  box.width = x;
  for (auto& [script, y] : {std::pair{&below, down}, std::pair{&above, -up}}) {
    if (!*script) continue;
    box.width = std::max(box.width, x + (*script)->width);
    place(box, std::move(**script), x, y);
  }
  return box;
}

Box Typesetter::fraction(const Pen& pen) {
  const Pen inner{pen.script ? std::max(0.8 * pen.size, least_) : 0.92 * pen.size, pen.color, pen.script};
  Box numerator = argument(inner), denominator = argument(inner);
  const double side = 0.1 * pen.size, gap = 0.1 * pen.size, bar = -axis * pen.size;
  Box box;
  box.width = std::max(numerator.width, denominator.width) + 4 * side;
  stroke(box, {{side, bar}, {box.width - side, bar}}, pen);
  const double up = bar - gap - numerator.descent, down = bar + gap + denominator.ascent;
  const double over = (box.width - numerator.width) / 2, under = (box.width - denominator.width) / 2;
  place(box, std::move(numerator), over, up);
  place(box, std::move(denominator), under, down);
  return box;
}

Box Typesetter::root(const Pen& pen) {
  Box inner = argument(pen);
  const double gap = 0.08 * pen.size, sign = 0.55 * pen.size;
  const double top = -inner.ascent - gap, bottom = std::max(inner.descent - 0.1 * pen.size, 0.0);
  Box box;
  box.ascent = -top + rule * pen.size;
  box.width = sign + inner.width + 0.1 * pen.size;
  stroke(box,
         {{0.06 * pen.size, -0.3 * pen.size},
          {0.16 * pen.size, -0.36 * pen.size},
          {0.3 * pen.size, bottom},
          {sign - 0.06 * pen.size, top},
          {box.width, top}},
         pen);
  place(box, std::move(inner), sign, 0);
  return box;
}

Box Typesetter::colored(const Pen& pen) {
  const std::string_view name = raw_group();
  Pen inner = pen;
  if (name == "quiet" || name == "accent" || name == "warning" || name == "text") {
    inner.color = name == "quiet"    ? style_.muted
                  : name == "accent" ? style_.accent
                  : name == "text"   ? style_.text
                                     : style_.warning;
  } else if (const Rgb* color = find_role_color(name, style_.background)) {
    inner.color = *color;
  } else {
    std::string names;
    for (const RoleColor& role : role_colors()) names += std::string(role.name) + ", ";
    throw input_error("the formula \"{}\" has the colour \"{}\"; expected one of: {}", shown(),
                      cut_off(name, 40), names + "text, quiet, accent, warning");
  }
  return argument(inner);
}

std::string_view Typesetter::delimiter() {
  skip_spaces();
  if (ended()) throw ends_before("(");
  const std::size_t begin = at_;
  if (take("\\")) {
    const std::string_view name = command();
    const std::optional<FormulaSymbol> symbol = find_formula_symbol(name);
    if (symbol && symbol->kind != AtomKind::space) return symbol->text;
    at_ = begin;
  }
  const std::string_view one = character();
  static constexpr std::string_view known[] = {"(", ")", "[", "]", "|", ".", "/"};
  if (std::ranges::find(known, one) == std::end(known)) {
    at_ = begin;
    found_instead("(");
  }
  return one == "." ? std::string_view() : one;
}

/// As high as its content; drawn, so that it is as thin as the letters.
Box Typesetter::fence(std::string_view sign, bool opens, double height, const Pen& pen) const {
  Box box;
  box.width = 0.34 * pen.size;
  const double inset = 0.08 * pen.size, middle = -axis * pen.size;
  const double far = opens ? inset : box.width - inset;   // its bulge
  const double near = opens ? box.width - inset : inset;  // where its ends are
  const double top = middle - height, bottom = middle + height;
  box.ascent = -top;
  box.descent = bottom;
  if (sign == "(" || sign == ")") {
    constexpr int pieces = 10;
    const auto point = [&](int i) {
      const double t = 2.0 * i / pieces - 1;
      return Points{far + (near - far) * t * t, middle + t * height};
    };
    for (int i = 0; i < pieces; ++i) stroke(box, {point(i), point(i + 1)}, pen);
  } else if (sign == "[" || sign == "]") {
    stroke(box, {{near, top}, {far, top}, {far, bottom}, {near, bottom}}, pen);
  } else if (sign == "⌊" || sign == "⌋") {
    stroke(box, {{far, top}, {far, bottom}, {near, bottom}}, pen);
  } else if (sign == "⟨" || sign == "⟩") {
    stroke(box, {{near, top}, {far, middle}, {near, bottom}}, pen);
  } else if (sign == "{" || sign == "}") {
    const double spine = (near + far) / 2, bend = 0.12 * pen.size;
    stroke(box,
           {{near, top},
            {spine, top + bend},
            {spine, middle - bend},
            {far, middle},
            {spine, middle + bend},
            {spine, bottom - bend},
            {near, bottom}},
           pen);
  } else {
    stroke(box, {{box.width / 2, top}, {box.width / 2, bottom}}, pen);
  }
  return box;
}

Box Typesetter::fenced(const Pen& pen) {
  const std::string_view open = delimiter();
  Box inner = list(pen);
  if (!take("\\right")) found_instead("\\right");
  const std::string_view close = delimiter();
  const double height = std::max(inner.ascent - axis * pen.size, inner.descent + axis * pen.size);
  const bool grown = height > 0.8 * pen.size;
  Box box;
  const auto append = [&](Box part) {
    const double x = box.width;
    box.width += part.width;
    place(box, std::move(part), x, 0);
  };
  if (!open.empty()) append(grown ? fence(open, true, height, pen) : text(open, pen));
  append(std::move(inner));
  if (!close.empty()) append(grown ? fence(close, false, height, pen) : text(close, pen));
  return box;
}

}  // namespace

Formula set_formula(std::string_view tex, const BoardStyle& style, double size) {
  Box box = Typesetter(tex, style, size).formula({size, style.text});
  Formula formula;
  formula.baseline = std::max(box.ascent, letter_ascent * size);
  formula.board.width = box.width;
  formula.board.height = formula.baseline + std::max(box.descent, letter_descent * size);
  draw(formula.board, std::move(box), 0, formula.baseline);
  return formula;
}

}  // namespace headscope
