#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/base/budget.h"
#include "core/base/stopped.h"
#include "core/base/utf8.h"
#include "core/figure/boards/board_column.h"
#include "core/figure/boards/formula.h"
#include "core/figure/canvas/formats.h"
#include "core/figure/canvas/svg_text.h"
#include "core/figure/expect_read.h"
#include "core/figure/figure_size.h"
#include "core/teach/handout_parts.h"

namespace headscope {
namespace {

constexpr double text_size = 16;  // CSS pixels per em; everything is relative to it

constexpr const char* sheet = R"(
:root { color-scheme: light; }
body { margin: 0; background: #fff; color: #1a1c20; font: 16px/1.6 "Noto Sans", "Helvetica Neue", Arial, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; }
h1 { font-size: 1.9rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.25rem; line-height: 1.35; margin: 2.2rem 0 .5rem; }
h3, h4 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p, ul, ol, table, pre, blockquote { margin: .6rem 0; }
em:lang(zh) { font-style: normal; font-weight: 600; }
code, pre { font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .92em; }
pre { background: #f1f2f4; padding: .6rem .8rem; overflow-x: auto; }
blockquote { margin-left: 1rem; }
table { border-collapse: collapse; }
th, td { padding: .2rem .9rem .2rem 0; text-align: left; vertical-align: top; }
th { border-bottom: 1px solid #8d939b; }
figure { margin: 1.2rem 0; text-align: center; }
figure svg { max-width: 100%; height: auto; }
figcaption, .see { text-align: center; color: #5b616a; font-size: .9rem; }
.display { display: block; margin: .9rem auto; text-align: center; }
.name { text-align: right; color: #5b616a; font-size: .9rem; white-space: pre; }
.line { height: 1.8rem; border-bottom: 1px solid #b9bec5; }
a { color: #31688e; }
.question { border-left: 3px solid #31688e; padding-left: .9rem; }
@page { margin: 18mm 16mm; }
@media print {
  body { font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  figure, table, pre, .question, .display { break-inside: avoid; }
  h1, h2, h3, h4 { break-after: avoid; }
  figure { break-before: avoid; }
  .answers { break-before: page; }
}
)";

constexpr int decimals = 3;  // of coordinates and lengths, some of them in em

/// Characters that change the text direction are spelled out, non-characters are dropped.
std::string harmless(std::string_view html) {
  std::string result;
  const auto ascii = [](char c) { return is_ascii(c); };
  while (!html.empty()) {
    const std::size_t plain = std::ranges::find_if_not(html, ascii) - html.begin();
    result += html.substr(0, plain);
    html.remove_prefix(plain);
    const std::size_t other = std::ranges::find_if(html, ascii) - html.begin();
    result += printable(html.substr(0, other));
    html.remove_prefix(other);
  }
  return without_noncharacters(result);
}

class Html {
 public:
  explicit Html(const Handout& handout)
      : handout_(handout), tr_(handout.language), style_(board_style(figure_style(Theme::light), shaper_)) {}

  std::string take(Paper paper, const HandoutWatch& watch) {
    add("<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"generator\" content=\"Headscope\">\n<title>{}</title>\n",
        language_row(handout_.language).tag, xml_escaped(handout_.title));
    add("<style>{}@page {{ size: {}; }}\n</style>\n</head>\n<body>\n<main>\n", sheet,
        paper == Paper::a4 ? "A4" : "letter");
    add("<p class=\"name\">{}</p>\n", xml_escaped(name_line(tr_)));
    add("<h1>{}</h1>\n", xml_escaped(handout_.title));
    blocks(handout_.text);
    int step = 0;
    for (const HandoutStep& one : handout_.steps) {
      check_stop(watch.stop);
      add_step(one, ++step);
      if (watch.progress) watch.progress(step / static_cast<double>(handout_.steps.size()));
    }
    if (handout_.answers) answers();
    out_ += "</main>\n</body>\n</html>\n";
    return harmless(out_);
  }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> text, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), text, std::forward<Args>(args)...);
  }

  void add_step(const HandoutStep& step, int number) {
    add("<section>\n<h2>{}  {}</h2>\n", number, xml_escaped(step.title));
    blocks(step.text);
    if (step.figure.scene)
      figure(step.figure, step.title);
    else if (!step.figure.caption.empty())
      add("<p class=\"see\">{}</p>\n", xml_escaped(step.figure.caption));
    for (const HandoutQuestion& question : step.questions) {
      add("<div class=\"question\">\n<h3>{}</h3>\n", xml_escaped(question_title(question, tr_)));
      blocks(question.text);
      blocks(choice_list(question, false));
      for (int line = 0; line < lines_of(question); ++line) out_ += "<div class=\"line\"></div>\n";
      out_ += "</div>\n";
    }
    out_ += "</section>\n";
  }

  void answers() {
    bool any = false;
    for (const HandoutStep& step : handout_.steps)
      for (const HandoutQuestion& question : step.questions) {
        if (!any) add("<section class=\"answers\">\n<h2>{}</h2>\n", xml_escaped(tr_("Answers")));
        any = true;
        add("<h3>{}</h3>\n", xml_escaped(question_title(question, tr_)));
        out_ += "<div class=\"question\">\n";
        blocks(question.text);
        blocks(choice_list(question, true));
        if (!question.predicted.empty()) add("<p>{}</p>\n", xml_escaped(predicted_line(question, tr_)));
        out_ += "</div>\n";
        blocks(question.answer);
        if (question.solution.scene) figure(question.solution, step.title);
      }
    if (any) out_ += "</section>\n";
  }

  void blocks(const std::vector<TextBlock>& blocks) {
    for (const TextBlock& one : blocks) block(one);
  }
  void element(const char* name, const TextBlock& block) {
    add("<{}>", name);
    spans(block.spans);
    blocks(block.children);
    add("</{}>\n", name);
  }

  void block(const TextBlock& block) {
    using Kind = TextBlock::Kind;
    switch (block.kind) {
      case Kind::paragraph:
        return element("p", block);
      case Kind::heading:
        return element("h4", block);
      case Kind::item:
        return element("li", block);
      case Kind::quote:
        return element("blockquote", block);
      case Kind::rule:
        out_ += "<hr>\n";
        return;
      case Kind::list:
        if (block.first_number < 0) return element("ul", block);
        add("<ol start=\"{}\">\n", block.first_number);
        blocks(block.children);
        out_ += "</ol>\n";
        return;
      case Kind::code:
        out_ += "<pre>";
        for (const TextSpan& span : block.spans) out_ += xml_escaped(span.text);
        out_ += "</pre>\n";
        return;
      case Kind::table:
        out_ += "<table>\n";
        for (const TextBlock& row : block.children) table_row(row, &row == &block.children.front());
        out_ += "</table>\n";
        return;
      case Kind::row:
      case Kind::cell:
        return;  // of a table
    }
  }

  void table_row(const TextBlock& row, bool heading) {
    out_ += "<tr>";
    for (const TextBlock& cell : row.children) {
      const char* align = cell.align == TextBlock::Align::right    ? " style=\"text-align:right\""
                          : cell.align == TextBlock::Align::middle ? " style=\"text-align:center\""
                                                                   : "";
      const char* name = heading ? "th" : "td";
      add("<{}{}>", name, align);
      spans(cell.spans);
      add("</{}>", name);
    }
    out_ += "</tr>\n";
  }

  void spans(const std::vector<TextSpan>& spans) {
    for (const TextSpan& span : spans) {
      const bool link = is_web(span.link);
      if (link) add("<a href=\"{}\">", xml_escaped(span.link));
      if (span.strong) out_ += "<strong>";
      if (span.emphasis) out_ += "<em>";
      switch (span.kind) {
        case TextSpan::Kind::code:
          add("<code>{}</code>", xml_escaped(span.text));
          break;
        case TextSpan::Kind::formula:
          formula(span.text, false);
          break;
        case TextSpan::Kind::display:
          formula(span.text, true);
          break;
        case TextSpan::Kind::line_break:
          out_ += "<br>";
          break;
        case TextSpan::Kind::text:
        case TextSpan::Kind::number:
          if (out_.ends_with("</svg>") && closes(span.text)) out_ += "&#8288;";
          out_ += xml_escaped(span.text);
          break;
      }
      if (span.emphasis) out_ += "</em>";
      if (span.strong) out_ += "</strong>";
      if (link) out_ += "</a>";
    }
  }

  /// In em, so that it scales with its line; each text as wide as it was laid out, whatever font draws it.
  void formula(const std::string& tex, bool display) {
    constexpr std::size_t of_formula = 1000, of_byte = 100;
    work_.spend(of_formula + of_byte * tex.size());
    const Formula set = set_formula(tex, style_, display ? 1.15 * text_size : text_size);
    const Board& board = set.board;
    if (display) out_ += "<span class=\"display\">";
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{}\" width=\"{}em\" "
        "height=\"{}em\" viewBox=\"0 0 {} {}\" style=\"vertical-align:{}em;overflow:visible\" "
        "font-family=\"sans-serif\">",
        xml_escaped(tex), svg_number(board.width / text_size, decimals),
        svg_number(board.height / text_size, decimals), svg_number(board.width, decimals),
        svg_number(board.height, decimals), svg_number((set.baseline - board.height) / text_size, decimals));
    for (const BoardFill& fill : board.fills)
      add("<rect {} fill=\"{}\"/>", svg_box(fill.rect, decimals), svg_color(fill.color));
    for (const BoardLine& line : board.lines)
      add("<path d=\"M{} {}L{} {}\" stroke=\"{}\" stroke-width=\"{}\"/>", svg_number(line.x0, decimals),
          svg_number(line.y0, decimals), svg_number(line.x1, decimals), svg_number(line.y1, decimals),
          svg_color(line.color), svg_number(line.width, decimals));
    for (const BoardText& text : board.texts) {
      const char* anchor = text.style.anchor == Anchor::start    ? ""
                           : text.style.anchor == Anchor::middle ? " text-anchor=\"middle\""
                                                                 : " text-anchor=\"end\"";
      add("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{} textLength=\"{}\" "
          "lengthAdjust=\"spacingAndGlyphs\">{}</text>",
          svg_number(text.x, decimals), svg_number(text.y + baseline_drop * text.style.size, decimals),
          svg_number(text.style.size, decimals), svg_color(text.style.color), anchor,
          svg_number(shaper_.width(text.text, text.style.size), decimals), xml_escaped(text.text));
    }
    out_ += display ? "</svg></span>" : "</svg>";
  }

  std::string svg_of(const HandoutFigure& figure, const std::string& title) {
    const FigureMetadata metadata{figure.caption.empty() ? title : figure.caption, ""};
    const auto canvas = [&](double width, double height) {
      return make_canvas(FigureFormat::svg, width, height, print_dpi, shaper_, metadata);
    };
    if (const std::optional<Board> board = handout_board(*figure.scene, style_, tr_, figure)) {
      const auto to = canvas(board->width, board->height);
      draw_board(*to, *board, 0, 0);
      return to->finish();
    }
    const Page page(*figure.scene, handout_figure(*figure.scene, handout_.language), shaper_, true);
    const auto to = canvas(page.width(), page.height());
    page.draw(*to);
    return to->finish();
  }

  void figure(const HandoutFigure& one, const std::string& title) {
    std::string svg = svg_of(one, title);
    expect_read(*one.scene);
    if (svg.starts_with("<?xml")) svg.erase(0, svg.find('\n') + 1);
    // Ids of one figure must not collide with another's.
    const std::string prefix = fmt::format("figure{}-", ++figures_);
    for (const std::string mark : {" id=\"", "=\"url(#"})
      for (std::size_t at = svg.find(mark); at != std::string::npos; at = svg.find(mark, at))
        svg.insert(at += mark.size(), prefix);
    out_ += "<figure>\n";
    for (const std::string& text : one.texts) add("<p class=\"text\">{}</p>\n", xml_escaped(text));
    out_ += svg;
    if (!one.caption.empty()) add("<figcaption>{}</figcaption>\n", xml_escaped(one.caption));
    out_ += "</figure>\n";
  }

  const Handout& handout_;
  Translator tr_;
  TextShaper shaper_;
  BoardStyle style_;
  std::string out_;
  int figures_ = 0;
  WorkBudget work_{handout_.source, 0};
};

}  // namespace

std::string handout_html(const Handout& handout, Paper paper, const HandoutWatch& watch) {
  return Html(handout).take(paper, watch);
}

}  // namespace headscope
