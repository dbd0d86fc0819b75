#include <cairo.h>

#include <algorithm>
#include <cmath>

#include "core/base/budget.h"
#include "core/base/stopped.h"
#include "core/figure/boards/paragraph.h"
#include "core/figure/canvas/canvas.h"
#include "core/figure/expect_read.h"
#include "core/figure/figure_size.h"
#include "core/figure/text/figure_font.h"
#include "core/teach/handout_parts.h"
#include "core/teach/paginate.h"

namespace headscope {
namespace {

constexpr double body_size = 10, gap = 6;  // points

struct PaperSize {
  double width, height;  // points
};
PaperSize size_of(Paper paper) {
  constexpr PaperSize a4{595.28, 841.89}, letter{612, 792};
  return paper == Paper::a4 ? a4 : letter;
}

/// What of a board is between these heights.
Board part_of(const Board& board, double top, double bottom) {
  Board part;
  part.width = board.width;
  part.height = bottom - top;
  const auto inside = [&](double y) { return y >= top && y < bottom; };
  for (BoardFill fill : board.fills) {
    const double from = std::max(fill.rect.y, top), to = std::min(fill.rect.bottom(), bottom);
    if (from >= to) continue;
    fill.rect.y = from - top, fill.rect.height = to - from;
    part.fills.push_back(fill);
  }
  for (BoardMap map : board.maps) {
    if (!inside(map.rect.y)) continue;
    map.rect.y -= top;
    part.maps.push_back(map);
  }
  for (BoardPicture picture : board.pictures) {
    if (!inside(picture.rect.y)) continue;
    picture.rect.y -= top;
    part.pictures.push_back(picture);
  }
  for (BoardLine line : board.lines) {
    if (std::max(line.y0, line.y1) < top || std::min(line.y0, line.y1) >= bottom) continue;
    // Only vertical lines, as those of frames, are longer than a page.
    line.y0 = std::clamp(line.y0, top, bottom) - top;
    line.y1 = std::clamp(line.y1, top, bottom) - top;
    part.lines.push_back(line);
  }
  for (BoardText text : board.texts) {
    if (!inside(text.y)) continue;
    text.y -= top;
    part.texts.push_back(text);
  }
  return part;
}

/// Lays out a handout as a column of pieces.
class Column {
 public:
  /// `height`: of a page.
  Column(const Handout& handout, double left, double width, double height, TextShaper& shaper)
      : handout_(handout),
        tr_(handout.language),
        shaper_(shaper),
        style_(board_style(figure_style(Theme::light), shaper)),
        left_(left),
        width_(width),
        height_(height),
        work_(handout.source, 0) {}

  /// Characters of paragraphs that no font has.
  const std::set<char32_t>& missing() const { return missing_; }

  std::vector<PagePiece> take(const HandoutWatch& watch) {
    caption(name_line(tr_), Anchor::end);
    add_text(handout_.title, 20, gap, true);
    blocks(handout_.text, {});
    int number = 0;
    for (const HandoutStep& one : handout_.steps) {
      check_stop(watch.stop);
      step(one, ++number);
      // Figures are drawn again on their pages.
      if (watch.progress) watch.progress(0.5 * number / static_cast<double>(handout_.steps.size()));
    }
    if (handout_.answers) answers();
    return std::move(pieces_);
  }

 private:
  /// The left edge of blocks: inside lists and quotes further to the right.
  struct Place {
    double indent = 0;
    bool with_next = false;
  };

  void step(const HandoutStep& step, int number) {
    const std::size_t begin = pieces_.size();
    add_text(fmt::format("{}  {}", number, step.title), 13, 2.2 * gap, true);
    blocks(step.text, {});
    if (step.figure.scene) {
      for (std::size_t i = begin; i < pieces_.size(); ++i) pieces_[i].with_figure = true;
      figure(step.figure);
    } else if (!step.figure.caption.empty()) {
      caption(step.figure.caption);
    }
    for (const HandoutQuestion& question : step.questions) {
      for (std::size_t i = begin; i < pieces_.size(); ++i) pieces_[i].with_figure = true;
      add_text(question_title(question, tr_), body_size, 1.5 * gap, true);
      const std::size_t first = pieces_.size() - 1;
      blocks(question.text, {});
      blocks(choice_list(question, false), {});
      room_to_write(lines_of(question));
      mark(first);
    }
  }

  void answers() {
    const auto requested = [](const HandoutStep& step) { return !step.questions.empty(); };
    if (std::ranges::none_of(handout_.steps, requested)) return;
    const std::size_t begin = pieces_.size();
    add_text(tr_("Answers"), 13, 3 * gap, true);
    if (begin < pieces_.size()) pieces_[begin].new_page = true;
    for (const HandoutStep& step : handout_.steps)
      for (const HandoutQuestion& question : step.questions) {
        const std::size_t heading = pieces_.size();
        add_text(question_title(question, tr_), body_size, gap, true);
        const std::size_t first = pieces_.size();
        blocks(question.text, {});
        blocks(choice_list(question, true), {});
        if (!question.predicted.empty()) add_text(predicted_line(question, tr_), body_size, gap, false);
        mark(first);
        blocks(question.answer, {});
        if (!question.solution.scene) continue;
        for (std::size_t i = heading; i < pieces_.size(); ++i) pieces_[i].with_figure = true;
        figure(question.solution);
      }
  }

  void room_to_write(int lines) {
    if (lines == 0) return;
    if (!pieces_.empty()) pieces_.back().with_next = true;
    const double height = lines * answer_line;
    pieces_.push_back(
        {0, height, false,
         [lines, this_left = left_, width = width_, color = style_.border](PdfPages& pages, double y) {
           for (int line = 1; line <= lines; ++line) {
             const double at = y + line * answer_line;
             pages.canvas().line(this_left, at, this_left + width, at, 0.5, color, 1);
           }
         }});
  }

  /// A bar next to the pieces from `first` on.
  void mark(std::size_t first) {
    for (std::size_t i = first; i < pieces_.size(); ++i) {
      PagePiece& piece = pieces_[i];
      const double above = i == first ? 0 : piece.before, height = piece.height + above;
      piece.draw = [draw = std::move(piece.draw), this_left = left_, color = style_.accent, above, height](
                       PdfPages& pages, double y) {
        pages.canvas().fill({this_left - 9, y - above, 2, height}, color);
        draw(pages, y);
      };
    }
  }

  void add_text(const std::string& text, double size, double before, bool strong) {
    ParagraphRun run;
    run.text = text;
    run.strong = strong;
    const std::size_t first = pieces_.size();
    lines({run}, {size, style_.text, handout_.language}, before, {0, true});
    if (first < pieces_.size()) pieces_[first].part = true;
  }

  /// The costs of each element in Pango were measured.
  Paragraph set(const std::vector<ParagraphRun>& runs, const ParagraphStyle& style,
                std::optional<double> width) {
    constexpr std::size_t of_paragraph = 1000, of_run = 150, of_formula = 1000, of_byte = 26, of_line = 600;
    std::size_t steps = of_paragraph;
    for (const ParagraphRun& run : runs)
      steps += of_run + (run.formula ? of_formula : 0) + of_byte * run.text.size() +
               of_line * std::ranges::count(run.text, '\n');
    work_.spend(steps);
    Paragraph paragraph(runs, style, width);
    paragraph.add_missing_to(missing_);
    return paragraph;
  }

  /// One piece per line; neither the first nor the last of several is alone on a page.
  void lines(const std::vector<ParagraphRun>& runs, const ParagraphStyle& style, double before,
             const Place& place) {
    const double left = left_ + place.indent;
    const auto paragraph = std::make_shared<Paragraph>(set(runs, style, width_ - place.indent));
    const int count = paragraph->lines();
    for (int line = 0; line < count; ++line) {
      PagePiece& piece = pieces_.emplace_back();
      piece.before = line == 0 ? before : 0;
      piece.height = paragraph->height(line);
      piece.baseline = paragraph->baseline(line);
      piece.with_next =
          (line == 0 && count > 1) || line == count - 2 || (line == count - 1 && place.with_next);
      piece.draw = [paragraph, line, left](PdfPages& pages, double y) {
        paragraph->draw(line, pages.canvas(), pages.context(), left, y);
      };
    }
  }

  std::vector<ParagraphRun> runs(const std::vector<TextSpan>& spans, bool strong = false) const {
    std::vector<ParagraphRun> runs;
    for (const TextSpan& span : spans) {
      ParagraphRun& run = runs.emplace_back();
      if (span.kind == TextSpan::Kind::formula || span.kind == TextSpan::Kind::display) {
        run.formula = set_formula(span.text, style_, body_size);
      } else {
        run.text = span.kind == TextSpan::Kind::line_break ? "\n" : span.text;
        run.strong = strong || span.strong;
        run.emphasis = span.emphasis;
        run.code = span.kind == TextSpan::Kind::code;
        if (is_web(span.link)) run.link = span.link;
      }
    }
    return runs;
  }
  ParagraphStyle ordinary() const { return {body_size, style_.text, handout_.language}; }

  void blocks(const std::vector<TextBlock>& blocks, const Place& place) {
    for (const TextBlock& one : blocks) block(one, place);
  }

  void block(const TextBlock& block, Place place) {
    using Kind = TextBlock::Kind;
    constexpr double indent = 16;
    constexpr std::size_t of_rule = 400;
    switch (block.kind) {
      case Kind::heading:
        place.with_next = true;
        return lines(runs(block.spans, true), ordinary(), 1.5 * gap, place);
      case Kind::list:
        return list(block, place);
      case Kind::quote:
        place.indent += indent;
        return blocks(block.children, place);
      case Kind::code:
        return code(block, place);
      case Kind::table:
        return table(block, place);
      case Kind::rule:
        work_.spend(of_rule);
        pieces_.push_back(
            {gap, 1, false,
             [this_left = left_, width = width_, color = style_.border](PdfPages& pages, double y) {
               pages.canvas().line(this_left, y, this_left + width, y, 0.5, color, 1);
             }});
        return;
      case Kind::paragraph:
      case Kind::item:
      case Kind::row:
      case Kind::cell:
        break;
    }
    if (const TextSpan* formula = only_formula(block)) return display(formula->text);
    if (!block.spans.empty()) lines(runs(block.spans), ordinary(), gap, place);
    blocks(block.children, place);
  }

  void display(const std::string& tex) {
    constexpr std::size_t of_formula = 1000, of_byte = 100;
    work_.spend(of_formula + of_byte * tex.size());
    constexpr double size = 1.15 * body_size;
    auto board = std::make_shared<Board>(formula_board(tex, style_, size));
    if (board->width > width_) *board = formula_board(tex, style_, size * width_ / board->width);
    const double x = left_ + std::max(0.0, (width_ - board->width) / 2);
    pieces_.push_back({gap, board->height, false,
                       [board, x](PdfPages& pages, double y) { draw_board(pages.canvas(), *board, x, y); }});
  }

  void list(const TextBlock& block, Place place) {
    constexpr double indent = 16;
    int number = block.first_number;
    for (const TextBlock& item : block.children) {
      const std::size_t first = pieces_.size();
      Place inside = place;
      inside.indent += indent;
      this->block(item, inside);
      if (first == pieces_.size()) continue;
      ParagraphRun sign;
      sign.text = number >= 0 ? fmt::format("{}.", number++) : "•";
      const auto paragraph = std::make_shared<Paragraph>(set({sign}, ordinary(), std::nullopt));
      PagePiece& piece = pieces_[first];
      // Next to a fraction the line is higher than its sign.
      const double down = std::max(0.0, piece.baseline - paragraph->baseline(0));
      piece.draw = [draw = std::move(piece.draw), paragraph, x = left_ + place.indent, down](PdfPages& pages,
                                                                                             double y) {
        paragraph->draw(0, pages.canvas(), pages.context(), x, y + down);
        draw(pages, y);
      };
    }
  }

  void code(const TextBlock& block, const Place& place) {
    std::string text = block.spans.empty() ? "" : block.spans.front().text;
    if (text.ends_with('\n')) text.pop_back();
    ParagraphRun run;
    run.text = text;
    run.code = true;
    const std::size_t first = pieces_.size();
    lines({run}, {0.9 * body_size, style_.text, handout_.language}, gap, {place.indent + 6, false});
    for (std::size_t i = first; i < pieces_.size(); ++i) {
      PagePiece& piece = pieces_[i];
      const Rect rect{left_ + place.indent, 0, width_ - place.indent, piece.height + 0.2};
      piece.draw = [draw = std::move(piece.draw), rect, color = style_.panel](PdfPages& pages, double y) {
        pages.canvas().fill({rect.x, y, rect.width, rect.height}, color);
        draw(pages, y);
      };
    }
  }

  void table(const TextBlock& table, const Place& place) {
    constexpr double padding = 12;  // between columns
    std::vector<double> widths;
    for (const TextBlock& row : table.children) {
      widths.resize(std::max(widths.size(), row.children.size()));
      for (std::size_t i = 0; i < row.children.size(); ++i)
        widths[i] = std::max(
            widths[i], set(runs(row.children[i].spans, true), ordinary(), std::nullopt).width() + padding);
    }
    double whole = 0;
    for (const double width : widths) whole += width;
    const double room = width_ - place.indent;
    if (whole > room)
      for (double& width : widths) width *= room / whole;
    for (const TextBlock& row : table.children)
      table_row(row, widths, place, &row == &table.children.front(), &row == &table.children.back());
  }

  void table_row(const TextBlock& row, const std::vector<double>& widths, const Place& place, bool heading,
                 bool last) {
    struct CellText {
      Paragraph paragraph;
      double x;
    };
    constexpr double padding = 12, air = 1.5;
    const auto cells = std::make_shared<std::vector<CellText>>();
    double x = left_ + place.indent, height = 0;
    for (std::size_t i = 0; i < row.children.size(); ++i) {
      const TextBlock& cell = row.children[i];
      ParagraphStyle style = ordinary();
      style.anchor = cell.align == TextBlock::Align::right    ? Anchor::end
                     : cell.align == TextBlock::Align::middle ? Anchor::middle
                                                              : Anchor::start;
      cells->push_back({set(runs(cell.spans, heading), style, widths[i] - padding + 1), x});
      double high = 0;
      for (int line = 0; line < cells->back().paragraph.lines(); ++line)
        high += cells->back().paragraph.height(line);
      height = std::max(height, high);
      x += widths[i];
    }
    const double begin = left_ + place.indent, end = x - padding + 1;
    pieces_.push_back({heading ? gap : 0, height + 2 * air, !last,
                       [cells, begin, end, heading, bottom = height + 2 * air, color = style_.border](
                           PdfPages& pages, double y) {
                         for (const CellText& cell : *cells) {
                           double at = y + air;
                           for (int line = 0; line < cell.paragraph.lines(); ++line) {
                             cell.paragraph.draw(line, pages.canvas(), pages.context(), cell.x, at);
                             at += cell.paragraph.height(line);
                           }
                         }
                         if (heading) pages.canvas().line(begin, y + bottom, end, y + bottom, 0.6, color, 1);
                       }});
  }

  void figure(const HandoutFigure& one) {
    const Scene& scene = *one.scene;
    for (const std::string& text : one.texts) {
      caption(text, Anchor::start);
      pieces_.back().with_next = true;
    }
    if (std::optional<Board> board = handout_board(scene, style_, tr_, one)) {
      for (Board& part : parts_of(*board)) {
        const auto drawn = std::make_shared<Board>(std::move(part));
        figure(scene, drawn->width, drawn->height,
               [drawn](Canvas& canvas) { draw_board(canvas, *drawn, 0, 0); });
      }
    } else {
      const auto page =
          std::make_shared<Page>(scene, handout_figure(scene, handout_.language), shaper_, true);
      figure(scene, page->width(), page->height(), [page](Canvas& canvas) { page->draw(canvas); });
    }
    if (one.caption.empty()) return;
    pieces_.back().with_next = true;
    caption(one.caption);
  }

  /// The board on as many sheets as it needs, about equally filled, so that none has a line or two alone.
  std::vector<Board> parts_of(const Board& board) const {
    const double largest = 0.6 * height_;  // so that a text and a part share a sheet
    const double count = board.height <= height_ ? 1 : std::ceil(board.height / largest);
    const BoardGaps gaps(board, height_ / 2, height_);
    std::vector<Board> parts;
    double top = 0;
    for (double i = 1; top < board.height; ++i) {
      const bool last = i >= count && board.height <= top + height_;
      const double aim = std::min(i * board.height / count, top + largest);
      const double bottom = last ? board.height : gaps.before(aim, top + 1);
      parts.push_back(part_of(board, top, bottom));
      top = bottom;
    }
    return parts;
  }

  void figure(const Scene& scene, double width, double height, std::function<void(Canvas&)> draw) {
    const ViewKindRow& row = scene.view.row();
    const double fitting = std::min(1.0, width_ / width);
    PagePiece piece{1.5 * gap, fitting * height};
    // The tables of a page of the steps are already as small as can be read.
    const bool tables = row.has_steps && scene.view.steps.page != StepsPage::cell;
    piece.smallest = tables ? 0.9 : row.printed.smallest;
    piece.largest = std::min(row.printed.largest, std::max(1.0, width_ / width));
    piece.draw_scaled = [draw, &scene, fitting, width, middle = left_ + width_ / 2](PdfPages& pages, double y,
                                                                                    double scale) {
      scale *= fitting;
      cairo_save(pages.context());
      cairo_translate(pages.context(), middle - scale * width / 2, y);
      cairo_scale(pages.context(), scale, scale);
      draw(pages.canvas());
      expect_read(scene);
      cairo_restore(pages.context());
    };
    pieces_.push_back(std::move(piece));
  }

  void caption(const std::string& text, Anchor anchor = Anchor::middle) {
    ParagraphRun run;
    run.text = text;
    ParagraphStyle style = ordinary();
    style.size = 0.9 * body_size;
    style.color = style_.muted;
    style.anchor = anchor;
    lines({run}, style, 1, {});
  }

  const Handout& handout_;
  Translator tr_;
  TextShaper& shaper_;
  BoardStyle style_;
  double left_, width_, height_;
  std::set<char32_t> missing_;
  WorkBudget work_;
  std::vector<PagePiece> pieces_;
};

void draw_piece(const PlacedPiece& placed, PdfPages& pages) {
  const PagePiece& piece = *placed.piece;
  if (piece.draw_scaled) return piece.draw_scaled(pages, placed.y, placed.scale);
  piece.draw(pages, placed.y);
}

}  // namespace

std::string handout_pdf(const Handout& handout, Paper paper, const HandoutWatch& watch) {
  constexpr double top = 54, bottom = 60, foot = 34;
  const PaperSize size = size_of(paper);
  const double width = handout_width * points_per_inch, left = (size.width - width) / 2;
  TextShaper shaper;
  Column column(handout, left, width, size.height - bottom - top, shaper);
  const std::vector<PagePiece> pieces = column.take(watch);
  PdfPages pages(size.width, size.height, print_dpi, shaper, {handout.title, ""});
  const auto placed = paginate(pieces, top, size.height - bottom);
  const Rgb muted = figure_style(Theme::light).muted;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    check_stop(watch.stop);
    if (watch.progress)
      watch.progress(0.5 + 0.5 * static_cast<double>(i) / static_cast<double>(placed.size()));
    if (i > 0) pages.next_page();
    for (const PlacedPiece& one : placed[i]) draw_piece(one, pages);
    const double y = size.height - foot;
    pages.canvas().text(handout.title, left, y, {8.5, muted});
    pages.canvas().text(fmt::format("{} / {}", i + 1, placed.size()), left + width, y,
                        {8.5, muted, Anchor::end});
  }
  expect_letters(column.missing());
  expect_letters(shaper.missing());
  return pages.finish();
}

}  // namespace headscope
