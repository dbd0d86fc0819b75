#include "core/figure/steps_board.h"

#include <algorithm>
#include <cmath>

#include "core/figure/formula.h"
#include "core/figure/inline_math.h"
#include "core/figure/stage_parts.h"

namespace headscope {
namespace {

/// A stage as a card.
class Card {
 public:
  Card(const ArithmeticStage& stage, std::size_t number, bool present, const StepsRequest& request,
       const BoardStyle& style, const Translator& tr)
      : stage_(stage),
        number_(number),
        present_(present),
        style_(style),
        tr_(tr),
        em_(style.font_size),
        room_(std::min(request.width, widest() * em_) - 2 * pad() * em_),
        layout_{style, tr, request.look, stage.name, room_} {}

  Board make() {
    for (const StagePart& part : stage_.parts) blocks_.push_back(lay_out(part, layout_));
    break_lines();
    Formula formula = set_formula(stage_.formula, style_, 1.15 * em_);
    if (formula.board.width > room_ && room_ > 0)
      formula = set_formula(stage_.formula, style_, 1.15 * em_ * room_ / formula.board.width);
    BoardStyle title_style = style_;
    if (present_) title_style.text = style_.accent;
    const std::string title_tex = text_to_tex(std::to_string(number_) + "  " + stage_.title);
    Formula title = set_formula(title_tex, title_style, 1.05 * em_);
    if (title.board.width > room_ && room_ > 0)
      title = set_formula(title_tex, title_style, 1.05 * em_ * room_ / title.board.width);
    width_ = std::max({width_, formula.board.width, title.board.width, std::min(room_, 20 * em_)});
    double y = pad() * em_;
    const double title_height = title.board.height;
    add(board_, std::move(title.board), pad() * em_, y - 0.2 * em_);
    y += title_height + 0.15 * em_;
    const double height = formula.board.height;
    add(board_, std::move(formula.board), pad() * em_, y);
    y += height + 0.35 * em_;
    Board text = math_paragraph(stage_.text, std::max(width_, 4 * em_), 0.88 * em_, style_.quiet, style_);
    const double text_height = text.height;
    width_ = std::max(width_, text.width);
    add(board_, std::move(text), pad() * em_, y);
    y += text_height + 0.5 * em_;
    for (const std::vector<std::size_t>& line : lines_) y = place_line(line, y) + 0.4 * em_;
    board_.width = width_ + 2 * pad() * em_;
    board_.height = y - 0.4 * em_ + pad() * em_;
    return std::move(board_);
  }

 private:
  static constexpr double pad() { return 0.8; }
  static constexpr double widest() { return 60; }  // a line that is longer is hard to follow
  double gap() const { return 0.7 * em_; }
  void break_lines();
  double place_line(const std::vector<std::size_t>& line, double y);
  void link(const StageBlock& from, double from_x, double from_y, const StageBlock& to, double to_x,
            double to_y);

  const ArithmeticStage& stage_;
  std::size_t number_;
  bool present_;
  const BoardStyle& style_;
  const Translator& tr_;
  const double em_, room_;
  StageLayout layout_;
  std::vector<StageBlock> blocks_;
  std::vector<std::vector<std::size_t>> lines_;
  double width_ = 0;
  Board board_;
};

void Card::break_lines() {
  std::vector<std::size_t> line;
  double x = 0;
  const auto end_line = [&] {
    if (!line.empty()) lines_.push_back(std::exchange(line, {}));
    x = 0;
  };
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (blocks_[i].ends_line) {
      end_line();
      continue;
    }
    const double width = blocks_[i].board.width;
    if (!line.empty() && x + gap() + width > room_) {
      // A sign goes along with what it stands before.
      const bool sign = line.size() > 1 && std::holds_alternative<StageFormula>(stage_.parts[line.back()]);
      const std::size_t last = line.back();
      if (sign) line.pop_back();
      end_line();
      if (sign) {
        line.push_back(last);
        x = blocks_[last].board.width;
      }
    }
    x += (line.empty() ? 0 : gap()) + width;
    width_ = std::max(width_, x);
    line.push_back(i);
  }
  end_line();
}

/// Lines from the chosen rows of a matrix to those that were taken out of it.
void Card::link(const StageBlock& from, double from_x, double from_y, const StageBlock& to, double to_x,
                double to_y) {
  const std::size_t count = std::min(from.rows.size(), to.rows.size());
  const double inset = 0.15 * em_;
  for (std::size_t i = 0; i < count; ++i)
    board_.lines.push_back({from_x + inset, from_y + from.rows[i], to_x - inset, to_y + to.rows[i],
                            0.07 * em_, style_.quiet, 1});
}

double Card::place_line(const std::vector<std::size_t>& line, double y) {
  double above = 0, below = 0;
  for (const std::size_t i : line) {
    above = std::max(above, blocks_[i].axis);
    below = std::max(below, blocks_[i].board.height - blocks_[i].axis);
  }
  double x = pad() * em_;
  std::vector<double> lefts;
  for (const std::size_t i : line) {
    lefts.push_back(x);
    x += blocks_[i].board.width + gap();
  }
  const auto has_rows = [&](std::size_t at) { return at < line.size() && !blocks_[line[at]].rows.empty(); };
  const auto top = [&](std::size_t at) { return y + above - blocks_[line[at]].axis; };
  for (std::size_t at = 0; at < line.size(); ++at) {
    const StageBlock& block = blocks_[line[at]];
    if (block.links && at > 0 && has_rows(at - 1) && has_rows(at + 1)) {
      const StageBlock &from = blocks_[line[at - 1]], &to = blocks_[line[at + 1]];
      link(from, lefts[at - 1] + from.board.width, top(at - 1), to, lefts[at + 1], top(at + 1));
    } else {
      add(board_, block.board, lefts[at], top(at));
    }
  }
  return y + above + below;
}

/// An arrow along one of the axes.
void arrow(Board& board, double x0, double y0, double x1, double y1, double em, Rgb color) {
  const double head = 0.3 * em, width = 0.1 * em;
  board.lines.push_back({x0, y0, x1, y1, width, color, 1});
  const bool level = y0 == y1;
  for (const double side : {-head, head})
    board.lines.push_back(level ? BoardLine{x1 - head, y1 + side, x1, y1, width, color, 1}
                                : BoardLine{x1 + side, y1 - head, x1, y1, width, color, 1});
}

/// Where the cards stand: in rows, in which several that are short stand below each other.
class Places {
 public:
  Places(double room, double gap) : room_(room), gap_(gap) {}

  void place(double width, double height) {
    const bool fits_below = !places.empty() && bottom_ + gap_ + height <= row_bottom_ + 1e-9 &&
                            column_ + std::max(column_width_, width) <= room_;
    if (fits_below) {
      column_width_ = std::max(column_width_, width);
      places.push_back({column_, bottom_ + gap_, width, height});
    } else {
      double x = places.empty() ? 0 : column_ + column_width_ + gap_;
      if (!places.empty() && x + width > room_ + 0.01) {
        x = 0;
        top_ = row_bottom_ + gap_;
        row_bottom_ = 0;
      }
      column_ = x;
      column_width_ = width;
      places.push_back({x, top_, width, height});
    }
    bottom_ = places.back().bottom();
    row_bottom_ = std::max(row_bottom_, bottom_);
  }

  std::vector<Rect> places;

 private:
  double room_, gap_;
  double top_ = 0, row_bottom_ = 0;                    // of the row
  double column_ = 0, column_width_ = 0, bottom_ = 0;  // of the last column of it
};

/// From a card to the next, unless that begins a row.
void link_cards(Board& board, const Rect& from, const Rect& to, double em, Rgb color) {
  const double inset = 0.15 * em;
  if (to.x == from.x && to.y > from.bottom())
    return arrow(board, from.x + 2 * em, from.bottom() + inset, from.x + 2 * em, to.y - inset, em, color);
  if (to.x <= from.x) return;
  const double y = std::clamp(from.y + from.height / 2, to.y + em, std::max(to.y + em, to.bottom() - em));
  if (y < from.bottom() - inset && y > from.y + inset)
    arrow(board, from.right() + inset, y, to.x - inset, y, em, color);
}

}  // namespace

Board steps_board(const StepsRequest& request, const BoardStyle& style, const Translator& tr) {
  const double em = style.font_size;
  std::vector<Board> cards;
  Places places(request.width, 1.1 * em);
  const std::size_t first = std::min(request.first, request.present);
  for (std::size_t i = first; i <= request.present && i < request.stages.size(); ++i) {
    cards.push_back(Card(request.stages[i], i + 1, i == request.present, request, style, tr).make());
    places.place(cards.back().width, cards.back().height);
  }
  Board board;
  for (std::size_t c = 0; c < cards.size(); ++c) {
    const Rect& rect = places.places[c];
    const bool present = first + c == request.present;
    const double line = (present ? 0.16 : 0.08) * em;
    const Rect inner{rect.x + line / 2, rect.y + line / 2, rect.width - line, rect.height - line};
    board.fills.push_back({inner, style.background});
    frame(board, inner, line, present ? style.accent : style.border);
    board.regions.push_back({rect, "stage " + request.stages[first + c].name, ""});
    add(board, std::move(cards[c]), rect.x, rect.y);
    if (c > 0) link_cards(board, places.places[c - 1], rect, em, style.quiet);
    board.width = std::max(board.width, rect.right());
    board.height = std::max(board.height, rect.bottom());
  }
  return board;
}

CellPlace steps_cell(const Scene& scene) {
  const BlockTrace& block = *scene.block;
  const int layer = scene.view.layer, head = scene.head.value_or(0);
  if (scene.locked) {
    const Cell& cell = scene.locked->cell;
    return {layer, head, cell.query, cell.key};
  }
  const Cell cell = strongest_cell(block, layer, head);
  return {layer, head, cell.query, cell.key};
}

namespace {

/// Below the steps: that some before them are left out.
void tell_first_step(const FigurePen& pen, std::size_t first, double below, const Rect& area) {
  const BoardStyle style = board_style(pen.style, pen.shaper);
  const std::string text = pen.tr.format("From step {} on; those before would be too small to read", first);
  const double usual = 0.9 * pen.style.font_size, width = style.measure(text, usual);
  const double size = width > area.width ? usual * area.width / width : usual;
  constexpr double readable = 0.7;
  if (size < readable * pen.style.font_size || below + 1.2 * usual > area.height) return;
  Board note;
  note.texts.push_back({text, 0, 0.8 * usual, {size, style.quiet, Anchor::start}});
  draw_board(pen.canvas, note, area.x, area.y + below);
}

}  // namespace

void draw_steps(const FigurePen& pen, const Scene& scene, Rect area) {
  if (scene.trace == nullptr || !has_arithmetic(*scene.block, scene.view.layer))
    return pen.heading(pen.tr("The arithmetic is not known here"), area, 1.3 * pen.style.font_size,
                       pen.style.quiet);
  const auto stages = arithmetic_stages(*scene.trace, *scene.block, steps_cell(scene), scene.steps, pen.tr);
  std::vector<std::string> names;
  for (const ArithmeticStage& stage : stages) names.push_back(stage.name);
  StepsRequest request{stages, stage_place(names, scene.view.stage), 0, scene.steps, area.width};
  BoardStyle style = board_style(pen.style, pen.shaper);
  const double full = 1.8 * style.font_size, note_height = 1.8 * style.font_size;
  const auto at_size = [&](double size) {
    style.font_size = size;
    return steps_board(request, style, pen.tr);
  };
  const auto fits = [&](const Board& board) {
    const double note = request.first > 0 ? note_height : 0;
    return board.width <= area.width + 1e-6 && board.height <= area.height - note + 1e-6;
  };
  // The largest that fits; smaller type needs less room in every case but for the way that lines break.
  const auto fitted = [&] {
    double good = 0, bad = full;
    Board best = at_size(full);
    if (fits(best)) return best;
    constexpr int tries = 9;
    for (int i = 0; i < tries; ++i) {
      const double size = good == 0 ? bad * 0.72 : (good + bad) / 2;
      Board board = at_size(size);
      if (fits(board)) {
        good = size;
        best = std::move(board);
      } else {
        bad = size;
      }
      if (good > 0 && bad - good < 0.03 * bad) break;
    }
    if (good > 0) {
      style.font_size = good;
      return best;
    }
    for (double size = bad * 0.7; !fits(best) && size > 1e-3; size *= 0.7) best = at_size(size);
    return best;
  };
  // As many of the stages before it as leave type that can be read.
  constexpr double readable = 0.6;  // of the usual size
  Board board = fitted();
  const auto too_small = [&] { return style.font_size < readable * pen.style.font_size; };
  if (too_small()) {
    std::size_t low = 1, high = request.present;
    while (low < high) {
      request.first = (low + high) / 2;
      board = fitted();
      too_small() ? low = request.first + 1 : high = request.first;
    }
    request.first = high;
    board = fitted();
  }
  draw_board(pen.canvas, board, area.x + (area.width - board.width) / 2, area.y);
  if (request.first > 0) tell_first_step(pen, request.first + 1, board.height, area);
}

}  // namespace headscope
