#include "core/figure/boards/steps_board.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/figure/boards/formula.h"
#include "core/figure/boards/inline_math.h"
#include "core/figure/boards/role_colors.h"
#include "core/figure/boards/shape_strip.h"
#include "core/figure/boards/stage_parts.h"

namespace headscope {
namespace {

/// A stage as a card: its title, formula and explanation above its parts, or left of them.
class Card {
 public:
  Card(const ArithmeticStage& stage, std::size_t number, bool present, const StepsRequest& request,
       const BoardStyle& style, const Translator& tr)
      : stage_(stage),
        number_(number),
        present_(present),
        request_(request),
        style_(style),
        tr_(tr),
        em_(style.font_size),
        room_(std::min(request.width, widest() * em_) - 2 * pad() * em_) {}

  Board make() {
    heading_width_ = std::max(title().width, formula(0).width);
    lay_out_parts(room_);
    Board best = in_columns(lines_.size(), 0);
    if (request_.height <= 0) return best;
    const bool squeezed = has_squeezed();
    // A formula that fits on one line is worth a wider column.
    const double heading = std::max(22 * em_, formula(room_).width);
    // In two columns, with parts at full width and narrower, but with every number of a small matrix.
    for (const double share : {1.0, 0.64, 0.5, 0.4}) {
      if (best.height <= request_.height) break;
      lay_out_parts(share * room_);
      if (has_squeezed() && !squeezed) break;
      for (std::size_t left = 0; left < lines_.size(); ++left) {
        const double minimum = column_width(left), right = lines_width(left, lines_.size());
        if (minimum + column_gap() + right > room_) continue;
        Board board = in_columns(left, std::min(room_ - column_gap() - right, std::max(minimum, heading)));
        if (board.height < best.height) best = std::move(board);
      }
      // The formula may be wider than its column.
      for (std::size_t left = 1; left < lines_.size() && best.height > request_.height; ++left) {
        if (lines_width(0, left) + column_gap() + lines_width(left, lines_.size()) > room_) continue;
        Board board = in_columns(left, lines_width(0, left), true);
        if (board.height < best.height) best = std::move(board);
      }
    }
    return best;
  }

 private:
  struct Line {
    std::vector<std::size_t> blocks;
    double width = 0, above = 0, below = 0;  ///< about its axis
  };
  /// Lines that are close together have little space around them, too.
  bool close() const { return request_.line_height < 1.2; }
  double pad() const { return close() ? 0.5 : 0.8; }
  static constexpr double widest() { return 60; }  // longer lines are hard to follow
  double gap() const { return 0.7 * em_; }
  double line_gap() const { return (close() ? 0.2 : 0.4) * em_; }
  double column_gap() const { return (close() ? 1.2 : 2) * em_; }
  double title_gap() const { return 1.5 * em_; }  // to a formula next to it

  void lay_out_parts(double room) {
    const StageLayout layout{
        style_, tr_, request_.look, stage_.name, room, request_.max_terms, request_.line_height};
    blocks_.clear();
    for (const StagePart& part : stage_.parts)
      blocks_.push_back(request_.max_terms == 0 && std::holds_alternative<StageTerms>(part)
                            ? lay_out(StageBreak{}, layout)
                            : lay_out(part, layout));
    break_lines(room);
    for (Line& line : lines_)
      for (const std::size_t i : line.blocks) {
        line.width += (line.width > 0 ? gap() : 0) + blocks_[i].board.width;
        line.above = std::max(line.above, blocks_[i].axis);
        line.below = std::max(line.below, blocks_[i].board.height - blocks_[i].axis);
      }
  }

  void break_lines(double room) {
    lines_.clear();
    std::vector<std::size_t> line;
    double x = 0;
    const auto end_line = [&] {
      if (!line.empty()) lines_.push_back({std::exchange(line, {})});
      x = 0;
    };
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (blocks_[i].ends_line) {
        end_line();
        continue;
      }
      const double width = blocks_[i].board.width;
      if (!line.empty() && x + gap() + width > room) {
        // A sign stays with the term after it.
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
      line.push_back(i);
    }
    end_line();
  }
  bool has_squeezed() const { return std::ranges::any_of(blocks_, &StageBlock::squeezed); }
  Board fitted(const std::string& tex, const BoardStyle& style, double size) const {
    Board formula = formula_board(tex, style, size);
    if (formula.width <= room_ || room_ <= 0) return formula;
    return formula_board(tex, style, size * room_ / formula.width);
  }
  Board title() const {
    BoardStyle style = style_;
    if (present_) style.text = style_.accent;
    return fitted(text_to_tex(std::to_string(number_) + "  " + stage_.title), style, 1.05 * em_);
  }
  /// The formula, broken after its commas if it is wider than that.
  Board formula(double width) const {
    const double size = 1.15 * em_;
    Board whole = fitted(stage_.formula, style_, size);
    constexpr std::string_view space = "\\quad ";
    if (whole.width <= width || stage_.formula.find(space) == std::string::npos) return whole;
    Board lines;
    for (std::size_t at = 0; at < stage_.formula.size();) {
      const std::size_t end = std::min(stage_.formula.find(space, at), stage_.formula.size());
      Board line = fitted(stage_.formula.substr(at, end - at), style_, size);
      const double high = line.height;
      lines.width = std::max(lines.width, line.width);
      add(lines, std::move(line), 0, lines.height);
      lines.height += high;
      at = end == stage_.formula.size() ? end : end + space.size();
    }
    return lines;
  }
  double lines_width(std::size_t from, std::size_t to) const {
    double width = 0;
    for (std::size_t i = from; i < to; ++i) width = std::max(width, lines_[i].width);
    return width;
  }
  /// For the left one, which has this many lines.
  double column_width(std::size_t lines) const {
    return std::max({heading_width_, lines_width(0, lines), request_.notes ? std::min(room_, 12 * em_) : 0});
  }
  /// The first `left` lines below the heading, `width` wide, the others next to it or, if it goes `across`,
  /// below it too; or all of them in one column, as wide as it is.
  Board in_columns(std::size_t left, double width, bool across = false) const {
    Board board;
    const bool one = left == lines_.size();
    if (one)
      width =
          std::max({lines_width(0, left), formula(room_).width, heading_width_, std::min(room_, 20 * em_)});
    const double right = lines_width(left, lines_.size());
    const double whole = across
                             ? std::max(width + column_gap() + right,
                                        std::min(room_, title().width + title_gap() + formula(room_).width))
                             : width;
    board.width = pad() * em_ + whole;
    const double heading = place_heading(board, whole);
    const double bottom = place_lines(board, 0, left, pad() * em_, heading);
    double other = 0;
    if (!one) {
      const double top = across ? heading : pad() * em_,
                   x = (across ? pad() * em_ + width : board.width) + column_gap();
      other = place_lines(board, left, lines_.size(), x, top);
      board.width = std::max(across ? board.width : 0, x + right);
      board.lines.push_back({x - column_gap() / 2, top, x - column_gap() / 2, std::max(bottom, other),
                             0.06 * em_, style_.border, 1});
    }
    board.width += pad() * em_;
    board.height = std::max(bottom, other) + pad() * em_;
    return board;
  }
  /// Title, formula and explanation; returns where they end.
  double place_heading(Board& board, double width) const {
    double y = pad() * em_;
    Board head = title();
    const double title_height = head.height;
    board.regions.push_back(stage_region({StagePlace::title, stage_.name},
                                         {pad() * em_, y, head.width, title_height},
                                         request_.notes ? std::string() : stage_.text));
    Board set = formula(width);
    const double height = set.height, title_width = head.width;
    const bool beside = close() && title_width + title_gap() + set.width <= width;
    add(board, std::move(head), pad() * em_, y - 0.2 * em_ + (beside ? (height - title_height) / 2 : 0));
    if (!beside) y += title_height + 0.15 * em_;
    add(board, std::move(set), pad() * em_ + (beside ? title_width + title_gap() : 0), y);
    y += height + 0.35 * em_;
    const std::string& said = request_.notes ? stage_.text : stage_.reason;
    if (said.empty()) return y;
    Board text = math_paragraph(said, std::max(width, 4 * em_), style_.sized(0.88), style_.muted, style_);
    const double text_height = text.height;
    board.width = std::max(board.width, pad() * em_ + text.width);
    add(board, std::move(text), pad() * em_, y);
    return y + text_height + 0.5 * em_;
  }

  double place_lines(Board& board, std::size_t from, std::size_t to, double x, double y) const {
    for (std::size_t i = from; i < to; ++i) {
      place_line(board, lines_[i], x, y);
      y += lines_[i].above + lines_[i].below + (i + 1 < to ? line_gap() : 0);
    }
    return y;
  }

  void place_line(Board& board, const Line& line, double x, double y) const {
    std::vector<double> lefts;
    for (const std::size_t i : line.blocks) {
      lefts.push_back(x);
      x += blocks_[i].board.width + gap();
    }
    const auto block = [&](std::size_t at) -> const StageBlock& { return blocks_[line.blocks[at]]; };
    const auto has_rows = [&](std::size_t at) { return at < line.blocks.size() && !block(at).rows.empty(); };
    const auto top = [&](std::size_t at) { return y + line.above - block(at).axis; };
    for (std::size_t at = 0; at < line.blocks.size(); ++at) {
      if (block(at).links && at > 0 && has_rows(at - 1) && has_rows(at + 1)) {
        const StageBlock &from = block(at - 1), &to = block(at + 1);
        link(board, from, lefts[at - 1] + from.board.width, top(at - 1), to, lefts[at + 1], top(at + 1));
      } else {
        add(board, block(at).board, lefts[at], top(at));
      }
    }
  }
  /// Lines from the selected rows of a matrix to what was extracted from them.
  void link(Board& board, const StageBlock& from, double from_x, double from_y, const StageBlock& to,
            double to_x, double to_y) const {
    const std::size_t count = std::min(from.rows.size(), to.rows.size());
    const double inset = 0.15 * em_;
    for (std::size_t i = 0; i < count; ++i)
      board.lines.push_back({from_x + inset, from_y + from.rows[i], to_x - inset, to_y + to.rows[i],
                             0.07 * em_, style_.muted, 1});
  }

  const ArithmeticStage& stage_;
  std::size_t number_;
  bool present_;
  const StepsRequest& request_;
  const BoardStyle& style_;
  const Translator& tr_;
  const double em_, room_;
  std::vector<StageBlock> blocks_;
  std::vector<Line> lines_;
  double heading_width_ = 0;  ///< its minimum
};

/// The positions of the cards: in rows, in which several short ones may be stacked.
class CardPlaces {
 public:
  CardPlaces(double room, double gap) : room_(room), gap_(gap) {}

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

/// From a card to the next, unless that starts a row.
void link_cards(Board& board, const Rect& from, const Rect& to, double em, Rgb color) {
  const double inset = 0.15 * em;
  if (to.x == from.x && to.y > from.bottom())
    return arrow(board, from.x + 2 * em, from.bottom() + inset, from.x + 2 * em, to.y - inset, 0.3 * em,
                 0.1 * em, color);
  if (to.x <= from.x) return;
  const double y = std::clamp(from.y + from.height / 2, to.y + em, std::max(to.y + em, to.bottom() - em));
  if (y < from.bottom() - inset && y > from.y + inset)
    arrow(board, from.right() + inset, y, to.x - inset, y, 0.3 * em, 0.1 * em, color);
}

/// Below the steps: a note that some earlier ones are left out.
void report_first_step(const FigurePen& pen, std::size_t first, double below, const Rect& area) {
  const BoardStyle style = board_style(pen.style, pen.width);
  const std::string text = pen.tr("From step {} on; those before would be too small to read", first);
  const double usual = 0.9 * pen.style.font_size, width = style.measure(text, usual);
  const double size = width > area.width ? usual * area.width / width : usual;
  constexpr double readable = 0.7;
  if (size < readable * pen.style.font_size || below + 1.2 * usual > area.height) return;
  Board note;
  note.texts.push_back({text, 0, 0.8 * usual, {size, style.muted, Anchor::start}});
  draw_board(pen.canvas, note, area.x, area.y + below);
}

constexpr double symbol_height = 1.5, matrix_width = 3.6, matrix_height = 1.2, box_pad = 0.35,
                 box_gap = 1.0;  // em

/// As many cells as can be distinguished. A blocked score has no colour.
void draw_values(Board& board, const StageThumbnail& t, const Rect& area, const BoardStyle& style) {
  constexpr Index max_columns = 16;
  const Index columns = std::min(t.values.cols(), max_columns);
  const double height = area.height / static_cast<double>(t.values.rows());
  for (Index r = 0; r < t.values.rows(); ++r) {
    const Rgb color = role_color(t.roles[r], style.background);
    double maximum = 0;
    for (const double value : t.values.row(r))
      if (std::isfinite(value)) maximum = std::max(maximum, std::abs(value));
    for (Index c = 0; c < columns; ++c) {
      const double value = t.values(r, c * t.values.cols() / columns);
      const double share = std::isfinite(value) && maximum > 0 ? std::abs(value) / maximum : 0;
      const double width = area.width / static_cast<double>(columns);
      board.fills.push_back(
          {{area.x + static_cast<double>(c) * width, area.y + static_cast<double>(r) * height, width, height},
           blend(style.background, color, std::min(share, 1.0))});
    }
  }
  frame(board, area, 0.06 * style.font_size, role_color(t.roles.front(), style.background));
  if (t.column < 0) return;
  const double column = area.width / static_cast<double>(t.values.cols()),
               width = std::max(column * static_cast<double>(t.span), 0.25 * style.font_size),
               x = std::clamp(area.x + column * static_cast<double>(t.column), area.x, area.right() - width);
  frame(board, {x, area.y, width, area.height}, 0.12 * style.font_size, style.text);
}

}  // namespace

Board steps_board(const StepsRequest& request, const BoardStyle& style, const Translator& tr) {
  const double em = style.font_size;
  std::vector<Board> cards;
  CardPlaces places(request.width, 1.1 * em);
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
    board.regions.push_back(stage_region({StagePlace::card, request.stages[first + c].name}, rect));
    add(board, std::move(cards[c]), rect.x, rect.y);
    if (c > 0) link_cards(board, places.places[c - 1], rect, em, style.muted);
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

std::optional<Board> steps_row(const Scene& scene, const BoardStyle& style, double width,
                               const Translator& tr) {
  if (scene.trace == nullptr || !has_arithmetic(*scene.block, scene.view.layer)) return {};
  const auto stages = arithmetic_stages(*scene.trace, *scene.block, steps_cell(scene), scene.steps, tr);
  std::vector<std::string> names;
  for (const ArithmeticStage& stage : stages) names.push_back(stage.name);
  const std::size_t present = stage_place(names, scene.view.steps.stage);
  const auto from = [&](std::size_t first) {
    return steps_board({stages, present, first, scene.steps, width}, style, tr);
  };
  const auto in_one_row = [](const Board& board, std::size_t count) {
    std::vector<double> lefts;
    for (const BoardRegion& region : board.regions)
      if (const auto* place = region.of<StagePlace>(); place != nullptr && place->part == StagePlace::card)
        lefts.push_back(region.rect.x);
    return lefts.size() == count && std::ranges::adjacent_find(lefts, std::greater_equal()) == lefts.end();
  };
  Board row = from(present);
  for (std::size_t first = present; first > 0;) {
    Board longer = from(--first);
    if (longer.width > width || !in_one_row(longer, present - first + 1)) break;
    row = std::move(longer);
  }
  return row;
}

namespace {

Board flow_of(std::span<const ArithmeticStage> stages, std::size_t present, const BoardStyle& style) {
  const double em = style.font_size, small = 0.72 * em;
  Board flow;
  flow.height = (symbol_height + matrix_height + 1.1 + 2 * box_pad) * em;
  double x = 0;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const StageThumbnail& t = stages[i].thumbnail;
    BoardStyle in = style;
    if (i == present) in.text = style.accent;
    Formula symbol = set_formula(t.symbol, in, 0.9 * em);
    const double width =
        std::max({matrix_width * em, symbol.board.width, style.measure(t.shape, small)}) + 2 * box_pad * em;
    const double middle = (box_pad + symbol_height + matrix_height / 2) * em;
    if (i > 0) {
      const double end = x + box_gap * em;
      arrow(flow, x + 0.1 * em, middle, end - 0.1 * em, middle, 0.22 * em, 0.08 * em, style.muted);
      x = end;
    }
    const Rect node{x, 0, width, flow.height};
    if (i == present) {
      flow.fills.push_back({node, blend(style.background, style.accent, 0.1)});
      frame(flow, node, 0.1 * em, style.accent);
    }
    const double center = x + width / 2, top = (box_pad + symbol_height) * em;
    const double symbol_width = symbol.board.width;
    const double symbol_y = std::max(0.1 * em, (box_pad + symbol_height - 0.4) * em - symbol.baseline);
    add(flow, std::move(symbol.board), center - symbol_width / 2, symbol_y);
    if (t.values.size() > 0)
      draw_values(flow, t, {center - matrix_width * em / 2, top, matrix_width * em, matrix_height * em},
                  style);
    flow.texts.push_back(
        {t.shape, center, top + (matrix_height + 0.65) * em, {small, style.muted, Anchor::middle}});
    flow.regions.push_back({node, "steps " + std::to_string(i), stages[i].title});
    x += width;
  }
  flow.width = x;
  return flow;
}

/// The map of the steps' head with the cell marked.
void draw_map_of_steps(const FigurePen& pen, const Scene& scene, const Rect& area) {
  Scene map = scene;
  map.view.kind = ViewKind::head;
  map.view.zoom = {};
  map.marks_locked = true;
  const CellPlace at = steps_cell(scene);
  map.locked = Locked{{at.head, at.query, at.key}};
  FigureExtras extras = pen.extras;
  extras.as_on_screen = false;
  view_figure(map.view.kind)
      .draw({pen.canvas, pen.width, pen.style, pen.tr, pen.range, extras, pen.findings}, map, area);
}

/// The shapes of the layer's tensors, at the lower edge if they leave enough room for the cards; returns what
/// is left.
Rect draw_shapes(const FigurePen& pen, const Scene& scene, const Rect& area) {
  if (scene.block->maps->given()) return area;
  constexpr double enough = 0.5;  // of the height, for the cards
  const auto sums = row_sums(*scene.block, scene.view.layer, scene.stop);
  const Board strip = shape_strip(
      *scene.block, scene.view.layer, sums.get(), board_style(pen.style, pen.width), area.width, pen.tr,
      {.marked = shape_mark_of_stage(scene.view.steps.stage), .token = steps_cell(scene).query});
  const double height = strip.height + pen.style.font_size;
  if (area.height - height < enough * area.height) return area;
  draw_board(pen.canvas, strip, area.x, area.bottom() - strip.height);
  return {area.x, area.y, area.width, area.height - height};
}

/// The cards up to the present stage; returns their height.
double draw_cards(const FigurePen& pen, const Scene& scene, std::span<const ArithmeticStage> stages,
                  std::size_t present, const Rect& area) {
  StepsRequest request{stages, present, 0, scene.steps, area.width};
  BoardStyle style = board_style(pen.style, pen.width);
  const double full = 1.8 * style.font_size, note_height = 1.8 * style.font_size;
  const auto at_size = [&](double size) {
    style.font_size = size;
    return steps_board(request, style, pen.tr);
  };
  const auto fits = [&](const Board& board) {
    const double note = request.first > 0 ? note_height : 0;
    return board.width <= area.width + 1e-6 && board.height <= area.height - note + 1e-6;
  };
  // The largest that fits; smaller text needs less room except for the way that lines break.
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
  // As many of the preceding stages as leave readable text.
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
  const double spare = pen.extras.as_on_screen ? 0 : (area.width - board.width) / 2;
  draw_board(pen.canvas, board, area.x + spare, area.y);
  if (request.first > 0) report_first_step(pen, request.first + 1, board.height, area);
  return board.height + (request.first > 0 ? note_height : 0);
}

}  // namespace

std::optional<Board> steps_chain(std::span<const ArithmeticStage> stages, std::size_t present,
                                 BoardStyle style, double width) {
  Board flow = flow_of(stages, present, style);
  // May be smaller than numbers without pictures, as long as it stays readable; larger if there is space.
  constexpr double smallest = 0.75, largest = 1.6;
  const double scale = 0.99 * width / flow.width;
  if (scale < smallest) return {};
  style.font_size *= std::min(scale, largest);
  return flow_of(stages, present, style);
}

double steps_map_width(double width, double height, double em) {
  const double wide = std::min(0.3 * width, std::max(17 * em, std::min(0.25 * width, 0.5 * height)));
  return wide > 9 * em ? wide : 0;
}

void draw_steps(const FigurePen& pen, const Scene& scene, Rect area) {
  if (scene.trace == nullptr || !has_arithmetic(*scene.block, scene.view.layer))
    return pen.heading(pen.tr("The arithmetic is not known here"), area, 1.3 * pen.style.font_size,
                       pen.style.muted);
  const auto stages = arithmetic_stages(*scene.trace, *scene.block, steps_cell(scene), scene.steps, pen.tr);
  std::vector<std::string> names;
  for (const ArithmeticStage& stage : stages) names.push_back(stage.name);
  const std::size_t present = stage_place(names, scene.view.steps.stage);
  if (pen.extras.as_on_screen) {
    const double em = pen.style.font_size;
    if (const auto chain = steps_chain(stages, present, board_style(pen.style, pen.width), area.width)) {
      draw_board(pen.canvas, *chain, area.x, area.y);
      area.y += chain->height + em;
      area.height -= chain->height + em;
    }
    if (const double wide = steps_map_width(area.width, area.height, em); wide > 0) {
      draw_map_of_steps(pen, scene, {area.x, area.y, wide, std::min(area.height, 1.1 * wide + 2 * em)});
      area.x += wide + em;
      area.width -= wide + em;
    }
    area = draw_shapes(pen, scene, area);
  }
  draw_cards(pen, scene, stages, present, area);
}

}  // namespace headscope
