#include "core/teach/text_board.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "core/base/utf8.h"
#include "core/figure/boards/board_column.h"
#include "core/figure/boards/formula.h"

namespace headscope {
namespace {

/// An unbreakable piece of a line.
struct TextPiece {
  Board board;                  // of the piece alone
  double above = 0, below = 0;  // the baseline
  double space = 0;             // in front of it, unless it begins a line
  bool may_break = true;        // before it
  bool ends_line = false;
  double width() const { return board.width; }
};

constexpr double line_ascent = 0.8, line_descent = 0.24;  // relative to the text size
constexpr double smallest_table = 0.72;                   // of the size of the text around it

class TextLayout {
 public:
  TextLayout(const BoardStyle& style, const ShowNumber& show) : style_(style), show_(show) {}

  Board blocks(std::span<const TextBlock> list, double width) {
    Board board;
    board.width = width;
    double y = 0;
    for (const TextBlock& block : list) {
      if (y > 0) y += gap(block);
      Board part = of(block, width);
      const double height = part.height;
      add(board, std::move(part), 0, y);
      y += height;
    }
    board.height = y;
    return board;
  }

 private:
  double em() const { return style_.font_size; }
  double line_height() const { return 1.45 * em(); }
  double gap(const TextBlock& block) const {
    return (block.kind == TextBlock::Kind::item ? 0.15 : 0.6) * em();
  }
  double measure(std::string_view text, double size) const { return style_.measure(text, size); }

  Board of(const TextBlock& block, double width) {
    using Kind = TextBlock::Kind;
    switch (block.kind) {
      case Kind::paragraph:
        return paragraph(block.spans, width, Align::left, false);
      case Kind::heading:
        return paragraph(block.spans, width, Align::left, true);
      case Kind::list:
        return list(block, width);
      case Kind::quote:
        return quote(block, width);
      case Kind::code:
        return code(block, width);
      case Kind::table:
        return table(block, width);
      case Kind::rule:
        return rule(width);
      case Kind::item:
      case Kind::row:
      case Kind::cell:
        break;
    }
    return inside(block, width);
  }
  /// A block with its own text, with parts, or both.
  Board inside(const TextBlock& block, double width) {
    Board board;
    if (!block.spans.empty()) board = paragraph(block.spans, width, Align::left, false);
    if (block.children.empty()) return board;
    const double y = block.spans.empty() ? 0 : board.height + 0.15 * em();
    Board rest = blocks(block.children, width);
    board.height = y + rest.height;
    board.width = width;
    add(board, std::move(rest), 0, y);
    return board;
  }

  using Align = TextBlock::Align;

  // Spans to pieces.

  void put(std::vector<TextPiece>& pieces, TextPiece piece) {
    piece.space = space_;
    piece.may_break = space_ > 0 || may_break_;
    space_ = 0;
    may_break_ = true;
    pieces.push_back(std::move(piece));
  }
  TextPiece word(std::string_view text, const TextSpan& span, bool strong) const {
    const bool code = span.kind == TextSpan::Kind::code;
    const double size = em();
    TextPiece piece;
    piece.above = line_ascent * size;
    piece.below = line_descent * size;
    piece.board.width = measure(text, size);
    const double inset = code ? 0.12 * em() : 0;
    if (code) {
      piece.board.width += 2 * inset;
      piece.board.fills.push_back(
          {{0, 0.02 * em(), piece.board.width, 0.96 * (piece.above + piece.below)}, style_.panel});
    }
    const bool live = span.kind == TextSpan::Kind::number;
    // The accent is reserved for live numbers.
    const Rgb color = span.changed ? style_.muted : live ? style_.accent : style_.text;
    const double y = piece.above - baseline_drop * size;
    piece.board.texts.push_back({std::string(text), inset, y, {size, color, Anchor::start, false}});
    // A font with only one weight is drawn twice.
    if (strong || span.strong || span.emphasis)
      piece.board.texts.push_back(
          {std::string(text), inset + 0.04 * size, y, {size, color, Anchor::start, false}});
    piece.board.height = piece.above + piece.below;
    if (!span.link.empty()) {
      const double line = y + 0.55 * size;
      piece.board.lines.push_back(
          {inset, line, inset + measure(text, size), line, 0.06 * size, style_.accent});
      piece.board.regions.push_back({{0, 0, piece.board.width, piece.board.height}, "link", span.link});
    }
    if (live)
      piece.board.regions.push_back(
          {{0, 0, piece.board.width, piece.board.height}, "number", "{" + span.text + "}"});
    return piece;
  }

  void add_text(std::vector<TextPiece>& pieces, std::string_view text, const TextSpan& span, bool strong) {
    for (const std::string_view piece : line_pieces(text)) {
      const std::string_view whole = piece.substr(0, piece.find_first_of(" \n\t"));
      if (!whole.empty()) {
        if (space_ == 0 && !pieces.empty() && !may_break("中", whole.substr(0, code_point_end(whole, 0))))
          may_break_ = false;
        put(pieces, word(whole, span, strong));
      }
      if (whole.size() < piece.size()) space_ = measure(" ", em());
    }
  }

  TextPiece formula(const TextSpan& span, double width, double size) {
    Formula set;
    try {
      set = set_formula(span.text, style_, size);
      if (set.board.width > width) set = set_formula(span.text, style_, size * width / set.board.width);
    } catch (const Error&) {
      TextSpan plain = span;
      plain.kind = TextSpan::Kind::code;
      return word(span.text, plain, false);
    }
    TextPiece piece;
    piece.board = std::move(set.board);
    piece.above = set.baseline;
    piece.below = piece.board.height - set.baseline;
    return piece;
  }

  std::vector<TextPiece> pieces_of(const std::vector<TextSpan>& spans, double width, bool strong) {
    std::vector<TextPiece> pieces;
    space_ = 0;
    may_break_ = true;
    for (const TextSpan& span : spans) {
      switch (span.kind) {
        case TextSpan::Kind::text:
          add_text(pieces, span.text, span, strong);
          break;
        case TextSpan::Kind::code:
          if (measure(span.text, em()) > 0.8 * width)
            add_text(pieces, span.text, span, strong);
          else
            put(pieces, word(span.text, span, strong));
          break;
        case TextSpan::Kind::number:
          put(pieces, word(show_(span), span, strong));
          break;
        case TextSpan::Kind::formula:
          put(pieces, formula(span, width, em()));
          break;
        case TextSpan::Kind::display: {
          if (!pieces.empty()) pieces.back().ends_line = true;
          put(pieces, formula(span, width, 1.15 * em()));
          pieces.back().ends_line = true;
          break;
        }
        case TextSpan::Kind::line_break:
          if (!pieces.empty()) pieces.back().ends_line = true;
          break;
      }
      // Next to another span a line breaks at a blank or at Chinese.
      may_break_ = false;
      if (span.kind == TextSpan::Kind::text && !span.text.empty()) {
        const std::string_view end = std::string_view(span.text).substr(last_character(span.text));
        may_break_ = may_break(end, "x");
      } else if (span.kind != TextSpan::Kind::text) {
        may_break_ = true;
      }
    }
    return pieces;
  }

  // Pieces to lines.

  Board paragraph(const std::vector<TextSpan>& spans, double width, Align align, bool strong) {
    std::vector<TextPiece> pieces = pieces_of(spans, width, strong);
    Board board;
    board.width = width;
    for (std::size_t begin = 0; begin < pieces.size();) {
      std::size_t end = begin;
      double room = width;
      while (end < pieces.size()) {
        // Up to the next place where the line may break.
        std::size_t next = end + 1;
        double needed = (end > begin ? pieces[end].space : 0) + pieces[end].width();
        while (next < pieces.size() && !pieces[next].may_break && !pieces[next - 1].ends_line) {
          needed += pieces[next].space + pieces[next].width();
          ++next;
        }
        if (needed > room + 1e-6 && end > begin) break;
        room -= needed;
        end = next;
        if (pieces[end - 1].ends_line) break;
      }
      add_line(board, std::span(pieces).subspan(begin, end - begin), width, align);
      begin = end;
    }
    return board;
  }

  void add_line(Board& board, std::span<TextPiece> pieces, double width, Align align) const {
    double above = line_ascent * em(), below = line_descent * em(), all = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      above = std::max(above, pieces[i].above);
      below = std::max(below, pieces[i].below);
      all += pieces[i].width() + (i > 0 ? pieces[i].space : 0);
    }
    const double lead = std::max(0.3 * em(), line_height() - above - below);
    double x = align == Align::right ? width - all : align == Align::middle ? (width - all) / 2 : 0;
    const double base = board.height + lead / 2 + above;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (i > 0) x += pieces[i].space;
      const double step = pieces[i].width();
      headscope::add(board, std::move(pieces[i].board), x, base - pieces[i].above);
      x += step;
    }
    board.height += lead + above + below;
  }

  // Blocks that consist of blocks.

  Board list(const TextBlock& block, double width) {
    Board board;
    board.width = width;
    const bool numbered = block.first_number >= 0;
    const std::string widest =
        std::to_string(block.first_number + static_cast<int>(block.children.size())) + ".";
    const double indent = numbered ? measure(widest, em()) + 0.5 * em() : 1.2 * em();
    for (std::size_t i = 0; i < block.children.size(); ++i) {
      if (i > 0) board.height += 0.15 * em();
      Board item = inside(block.children[i], std::max(width - indent, 4 * em()));
      const std::string mark =
          numbered ? std::to_string(block.first_number + static_cast<int>(i)) + "." : "•";
      board.texts.push_back({mark,
                             indent - 0.5 * em(),
                             board.height + line_height() / 2,
                             {em(), style_.muted, Anchor::end, false}});
      const double height = item.height;
      add(board, std::move(item), indent, board.height);
      board.height += height;
    }
    return board;
  }

  Board quote(const TextBlock& block, double width) {
    const double indent = 0.9 * em();
    Board inner = blocks(block.children, std::max(width - indent, 4 * em())), board;
    board.width = width;
    board.height = inner.height;
    board.fills.push_back({{0, 0, 0.18 * em(), board.height}, style_.border});
    add(board, std::move(inner), indent, 0);
    return board;
  }

  Board code(const TextBlock& block, double width) {
    std::string text;
    for (const TextSpan& span : block.spans) text += span.text;
    while (text.ends_with('\n')) text.pop_back();
    std::vector<std::string> lines(1);
    for (const char c : text)
      if (c == '\n')
        lines.emplace_back();
      else
        lines.back() += c;
    const double inset = 0.5 * em();
    double widest = 1;
    for (const std::string& line : lines) widest = std::max(widest, measure(line, em()));
    const double size = std::min(0.95, (width - 2 * inset) / widest) * em(), step = 1.3 * size;
    Board board;
    board.width = width;
    board.height = 2 * inset + step * static_cast<double>(lines.size());
    board.fills.push_back({{0, 0, width, board.height}, style_.panel});
    for (std::size_t i = 0; i < lines.size(); ++i)
      board.texts.push_back({lines[i],
                             inset,
                             inset + step * (static_cast<double>(i) + 0.5),
                             {size, style_.text, Anchor::start, false}});
    return board;
  }

  Board rule(double width) const {
    Board board;
    board.width = width;
    board.height = em();
    board.lines.push_back({0, em() / 2, width, em() / 2, 1, style_.border, 1});
    return board;
  }

  /// As wide as its cells need; in smaller text if that keeps each of them on one line, otherwise the
  /// available width is divided by their needs.
  Board table(const TextBlock& block, double width) {
    std::size_t columns = 0;
    for (const TextBlock& row : block.children) columns = std::max(columns, row.children.size());
    if (columns == 0) return {};
    const double inset = 0.4 * em();
    std::vector<double> wanted(columns, 2 * em()), minimum(columns, 2 * em());
    for (std::size_t r = 0; r < block.children.size(); ++r)
      for (std::size_t c = 0; c < block.children[r].children.size(); ++c) {
        double all = 0;
        for (const TextPiece& piece : pieces_of(block.children[r].children[c].spans, width, r == 0)) {
          all += piece.space + piece.width();
          minimum[c] = std::max(minimum[c], piece.width() + 2 * inset);
        }
        wanted[c] = std::max(wanted[c], all + 2 * inset + 0.05 * em());
      }
    const double sum = std::accumulate(wanted.begin(), wanted.end(), 0.0);
    if (sum > width && sum * smallest_table <= width) {
      BoardStyle smaller = style_;
      smaller.font_size *= 0.99 * width / sum;
      return TextLayout(smaller, show_).table(block, width);
    }
    if (sum > width) share(wanted, minimum, width);
    Board board;
    board.width = std::min(sum, width);
    for (std::size_t r = 0; r < block.children.size(); ++r) {
      double x = 0, height = 0;
      std::vector<Board> cells;
      for (std::size_t c = 0; c < block.children[r].children.size(); ++c) {
        const TextBlock& cell = block.children[r].children[c];
        cells.push_back(paragraph(cell.spans, wanted[c] - 2 * inset, cell.align, r == 0));
        height = std::max(height, cells.back().height);
      }
      height = std::max(height, line_height()) + 0.2 * em();
      for (std::size_t c = 0; c < cells.size(); ++c) {
        add(board, std::move(cells[c]), x + inset, board.height + 0.1 * em());
        x += wanted[c];
      }
      board.height += height;
      board.lines.push_back(
          {0, board.height, board.width, board.height, r == 0 ? 1.5 : 0.75, style_.border, 1});
    }
    return board;
  }
  /// Columns that need no more than an even share keep what they need; the others share what is left, without
  /// breaking words if possible.
  static void share(std::vector<double>& wanted, const std::vector<double>& minimum, double width) {
    std::vector<std::size_t> wide(wanted.size());
    std::iota(wide.begin(), wide.end(), std::size_t{0});
    const auto min_of = [&](const std::vector<std::size_t>& columns) {
      return std::accumulate(columns.begin(), columns.end(), 0.0,
                             [&](double sum, std::size_t c) { return sum + minimum[c]; });
    };
    for (bool changed = true; changed;) {
      const double even = width / static_cast<double>(wide.size());
      const auto fits = std::ranges::find_if(wide, [&](std::size_t c) { return wanted[c] <= even; });
      changed = fits != wide.end();
      if (!changed) break;
      std::vector<std::size_t> others;
      std::ranges::copy_if(wide, std::back_inserter(others), [&](std::size_t c) { return c != *fits; });
      if (min_of(others) > width - wanted[*fits]) break;
      width -= wanted[*fits];
      wide = std::move(others);
    }
    const double all = min_of(wide), spare = width - all;
    double more = 0;
    for (const std::size_t c : wide) more += wanted[c] - minimum[c];
    for (const std::size_t c : wide)
      wanted[c] = spare > 0 && more > 0 ? minimum[c] + (wanted[c] - minimum[c]) * spare / more
                                        : minimum[c] * width / all;
  }

  const BoardStyle& style_;
  const ShowNumber& show_;
  double space_ = 0;       // before the next piece
  bool may_break_ = true;  // there
};

}  // namespace

Board text_board(std::span<const TextBlock> blocks, const BoardStyle& style, double width,
                 const ShowNumber& show) {
  return TextLayout(style, show).blocks(blocks, width);
}

}  // namespace headscope
