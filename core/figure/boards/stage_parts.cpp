#include "core/figure/boards/stage_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/stage_numbers.h"
#include "core/base/round_up.h"
#include "core/figure/boards/formula.h"
#include "core/figure/boards/inline_math.h"
#include "core/figure/boards/role_colors.h"

namespace headscope {

Rgb diverging(double share, Rgb background) {
  constexpr Rgb low{0x21, 0x66, 0xac}, high{0xb2, 0x18, 0x2b};
  return blend(background, share < 0 ? low : high, std::min(1.0, std::abs(share)));
}

namespace {

constexpr double number_size = 0.92, label_size = 0.82;  // in sizes of the text

void write(Board& board, std::string text, double x, double y, double size, Rgb color,
           Anchor anchor = Anchor::start) {
  board.texts.push_back({std::move(text), x, y, {size, color, anchor, false}});
}

/// "b_O" with its subscript.
void write_label(Board& board, const std::string& text, double x, double y, double size, Rgb color,
                 const BoardStyle& style) {
  if (text != StageTerms::output_bias) return write(board, text, x, y, size, color);
  BoardStyle in_color = style;
  in_color.text = color;
  Formula label = set_formula(text_to_tex(text), in_color, size);
  const double up = label.baseline - baseline_drop * size;
  add(board, std::move(label.board), x, y - up);
}

/// The square brackets of a matrix.
void bracket(Board& board, const Rect& rect, double width, Rgb color) {
  const double tick = 4 * width;
  for (const auto& [x, inward] : {std::pair{rect.x, tick}, {rect.right(), -tick}}) {
    const double corner = inward > 0 ? x - width / 2 : x + width / 2;
    board.lines.push_back({x, rect.y, x, rect.bottom(), width, color, 1});
    board.lines.push_back({corner, rect.y, x + inward, rect.y, width, color, 1});
    board.lines.push_back({corner, rect.bottom(), x + inward, rect.bottom(), width, color, 1});
  }
}

/// A matrix as digits or colours.
class MatrixBlock {
 public:
  MatrixBlock(const StageMatrix& m, const StageLayout& layout)
      : m_(m),
        layout_(layout),
        style_(layout.style),
        em_(layout.em()),
        color_(layout.role(m.role)),
        size_(style_.sized(number_size)) {}

  StageBlock make() {
    heading();
    labels();
    if (in_colors())
      colors();
    else if (m_.values.rows() == 1 && layout_.unfolded())
      all_digits();
    else
      digits();
    Board& board = block_.board;
    board.width = std::max(board.width, area_.right() + 0.35 * em_);
    board.height = area_.bottom() + 0.3 * em_;
    block_.axis = area_.y + area_.height / 2;
    return std::move(block_);
  }

 private:
  using Matrices = StepsLook::Matrices;

  bool in_colors() const {
    constexpr Index large = 400;
    if (layout_.look.matrices != Matrices::automatic) return layout_.look.matrices == Matrices::colors;
    return m_.values.rows() > 1 && m_.values.size() > large;
  }
  /// Its name and shape, above it.
  void heading() {
    Board& board = block_.board;
    Formula name = set_formula(
        fmt::format("\\color{{{}}}{{{}}}", m_.role.empty() ? "text" : m_.role, m_.name), style_, em_);
    const double width = name.board.width, baseline = name.baseline;
    area_.y = name.board.height + 0.15 * em_;
    add(board, std::move(name.board), 0, 0);
    write(board, m_.shape, width + 0.5 * em_, baseline - baseline_drop * em_, style_.sized(label_size),
          style_.muted);
    board.width = width + 0.5 * em_ + style_.measure(m_.shape, style_.sized(label_size));
  }
  /// The width of the rows' labels, and what they leave.
  void labels() {
    double width = 0;
    for (const std::string& label : m_.rows)
      width = std::max(width, style_.measure(label, style_.sized(label_size)));
    width = std::min(width, 6.5 * em_);
    area_.x = width > 0 ? width + 0.6 * em_ : 0.1 * em_;
    if (!m_.columns.empty()) area_.y += layout_.line_height * style_.sized(label_size);
  }

  void digits() {
    Board& board = block_.board;
    const double number = widest() + 0.6 * em_, row_height = layout_.line_height * size_;
    const double gap = style_.measure("… 888 …", style_.sized(label_size)) + 0.4 * em_;
    const double room = layout_.width - area_.x - 0.5 * em_;
    constexpr Index max_unfolded = 24;
    const auto fit = static_cast<Index>(std::floor(std::max(room, 0.0) / number));
    Index maximum = std::clamp<Index>(fit, 1, layout_.unfolded() ? max_unfolded : m_.maximum);
    const Index chosen = m_.column >= 0 && m_.column < m_.values.cols() ? m_.column : 0;
    const Index all = m_.values.cols();  // a gap for two or three takes more room than it saves
    const Index few =
        maximum + (m_.columns.empty() ? 3 : 6);  // named columns are folded less readily than others
    if (all <= std::min(fit, few)) maximum = all;
    const auto fold = [&] { return folded(all, maximum, chosen, std::min<Index>(m_.span, 3)); };
    std::vector<Index> columns = fold();
    const auto wide = [&] {
      const auto gaps = std::ranges::count(columns, Index{-1});
      return static_cast<double>(std::ssize(columns) - gaps) * number + static_cast<double>(gaps) * gap;
    };
    while (maximum > 1 && wide() > room) {
      --maximum;
      columns = fold();
    }
    const auto left_over = std::ranges::count_if(columns, [](Index c) { return c >= 0; });
    constexpr Index min_shown = 3;
    block_.squeezed = left_over < all && (all <= m_.maximum + 3 || left_over < min_shown);
    const double top = area_.y;
    double x = area_.x;
    const std::vector<Index> rows = shown_rows();
    const auto middle = [&](std::size_t line) {
      return top + (static_cast<double>(line) + 0.5) * row_height;
    };
    const double height = static_cast<double>(rows.size()) * row_height;
    for (const Index column : columns) {
      const double width = column < 0 ? gap : number;
      if (column < 0) {
        const auto shown = std::ranges::count_if(columns, [](Index c) { return c >= 0; });
        const Index gaps = std::ranges::count(columns, Index{-1});
        const std::string hidden =
            gaps == 1 ? fmt::format("… {} …", m_.values.cols() - shown) : std::string("…");
        for (std::size_t line = 0; line < rows.size(); ++line)
          if (rows[line] >= 0)
            write(board, line == 0 ? hidden : "…", x + width / 2, middle(line), style_.sized(label_size),
                  style_.muted, Anchor::middle);
        if (rows.size() == 1)
          board.regions.push_back(layout_.region(StagePlace::unfold, {x, top, width, height},
                                                 layout_.tr("Click to show all numbers")));
      } else {
        column_label(column, x, width);
        for (std::size_t line = 0; line < rows.size(); ++line) {
          const Index row = rows[line];
          if (row < 0) continue;
          const bool in_row = m_.row < 0 || row == m_.row || row == m_.other_row;
          cell(row, column, {x, middle(line) - row_height / 2, width, row_height},
               (chosen_column(column) && in_row) || (rows.size() > 1 && row == m_.row) ||
                   (rows.size() > 1 && row == m_.other_row));
        }
      }
      x += width;
    }
    area_.width = x - area_.x;
    area_.height = height;
    for (std::size_t line = 0; line < rows.size(); ++line) {
      const Index row = rows[line];
      if (row < 0) {
        hidden_rows(hidden_count(rows, line), middle(line));
      } else if (row < std::ssize(m_.rows)) {
        const double size = style_.sized(label_size);
        write(board, shortened(m_.rows[row], area_.x - 0.5 * em_, size, style_), area_.x - 0.45 * em_,
              middle(line), size,
              row == m_.row || row == m_.other_row || rows.size() == 1 ? style_.text : style_.muted,
              Anchor::end);
      }
    }
    bracket(board, area_, 0.07 * em_, color_);
    note_rows(row_height, rows);
  }
  /// All of a few, otherwise the selected ones, their neighbours and those at the ends, with -1 for each gap.
  std::vector<Index> shown_rows() const {
    constexpr Index maximum = 12;
    const Index all = m_.values.rows();
    std::vector<Index> shown = folded(all, all <= maximum + 3 ? all : maximum, std::max<Index>(m_.row, 0));
    std::erase(shown, Index{-1});
    if (m_.other_row >= 0 && std::ranges::find(shown, m_.other_row) == shown.end())
      shown.insert(std::ranges::upper_bound(shown, m_.other_row), m_.other_row);
    return with_gaps(shown);
  }
  /// With -1 where rows of the whole are not among these.
  std::vector<Index> with_gaps(const std::vector<Index>& rows) const {
    std::vector<Index> lines;
    for (const Index row : rows) {
      if (id_of(row) > (lines.empty() ? 0 : id_of(lines.back()) + 1)) lines.push_back(-1);
      lines.push_back(row);
    }
    if (!lines.empty() && lines.back() + 1 < m_.values.rows()) lines.push_back(-1);
    return lines;
  }
  /// The row's number in the whole matrix.
  Index id_of(Index row) const { return m_.row_ids.empty() ? row : m_.row_ids[row]; }
  /// The range of the lines above and below that one.
  Index hidden_count(const std::vector<Index>& lines, std::size_t gap) const {
    const Index next = gap + 1 < lines.size() ? id_of(lines[gap + 1]) : id_of(m_.values.rows() - 1) + 1;
    return next - (gap == 0 ? 0 : id_of(lines[gap - 1]) + 1);
  }

  void hidden_rows(Index count, double y) {
    write(block_.board, fmt::format("… {} …", count), area_.x + area_.width / 2, y, style_.sized(label_size),
          style_.muted, Anchor::middle);
  }
  /// Every number of a row, over several lines.
  void all_digits() {
    Board& board = block_.board;
    const double number = widest() + 0.6 * em_, row_height = layout_.line_height * size_;
    const double header = m_.columns.empty() ? 0 : layout_.line_height * style_.sized(label_size);
    const double left = area_.x;
    constexpr Index maximum = 16;
    const Index in_line =
        std::clamp<Index>(static_cast<Index>(std::floor((layout_.width - left - 0.5 * em_) / number)), 1,
                          std::min<Index>(maximum, m_.values.cols()));
    const double top = area_.y;
    for (Index column = 0; column < m_.values.cols(); ++column) {
      const Index line = column / in_line;
      const double x = left + static_cast<double>(column % in_line) * number;
      const double y = top + static_cast<double>(line) * (row_height + header);
      area_.y = y;
      column_label(column, x, number);
      cell(0, column, {x, y, number, row_height}, chosen_column(column));
    }
    const auto lines = static_cast<double>(divide_up(m_.values.cols(), in_line));
    area_ = {left, top, static_cast<double>(in_line) * number, lines * (row_height + header) - header};
    bracket(board, area_, 0.07 * em_, color_);
    if (!m_.rows.empty())
      write(board, shortened(m_.rows[0], left - 0.5 * em_, style_.sized(label_size), style_),
            left - 0.45 * em_, top + row_height / 2, style_.sized(label_size), style_.text, Anchor::end);
    const Rect last{area_.right() - 4 * em_, area_.bottom(), 4 * em_, row_height};
    write(board, layout_.tr("Fold"), last.right() - 0.2 * em_, last.y + 0.75 * em_, style_.sized(label_size),
          style_.accent, Anchor::end);
    board.regions.push_back(layout_.region(StagePlace::fold, last));
    block_.rows = {top + row_height / 2};
    area_.height += row_height;
  }
  /// As many cells as can be distinguished, each showing one number: a sketch of the kind of numbers.
  void colors() {
    constexpr double max_columns = 64, max_rows = 24;
    Board& board = block_.board;
    const auto n = static_cast<double>(m_.values.rows()), d = static_cast<double>(m_.values.cols());
    area_.width = std::min({d * 1.2 * em_, (m_.rows.empty() ? 8 : 13) * em_,
                            std::max(layout_.width - area_.x - 0.5 * em_, 2 * em_)});
    // Rows with labels are as high as the labels.
    const double row_height = m_.rows.size() > 1 ? std::max(0.95 * em_, 1.1 * style_.minimum)
                                                 : std::clamp((layout_.max_terms == 0 ? 2.2 : 4.5) * em_ / n,
                                                              0.002 * em_, 1.1 * em_);
    const Index all = m_.values.rows();
    const bool labelled = m_.rows.size() > 1;
    // Rows that are left out between labelled ones take one line.
    const std::vector<Index> lines = labelled ? with_gaps(folded(all, all, 0)) : folded(all, all, 0);
    const auto line_y = [&](Index row) {
      return area_.y + static_cast<double>(std::ranges::find(lines, row) - lines.begin()) * row_height;
    };
    area_.height = static_cast<double>(lines.size()) * row_height;
    const Index columns = static_cast<Index>(std::min(d, max_columns)),
                rows = labelled ? std::ssize(lines) : static_cast<Index>(std::min(n, max_rows));
    double maximum = 0;
    for (Index i = 0; i < m_.values.size(); ++i)
      if (std::isfinite(m_.values.data()[i])) maximum = std::max(maximum, std::abs(m_.values.data()[i]));
    const auto edge = [](Index i, Index parts, double count) {
      return static_cast<Index>(std::round(static_cast<double>(i) * count / static_cast<double>(parts)));
    };
    board.fills.push_back({area_, style_.background});
    for (Index r = 0; r < rows; ++r) {
      const Index row = labelled ? lines[r] : edge(r, rows, n);
      if (row < 0) {
        hidden_rows(hidden_count(lines, r), area_.y + (static_cast<double>(r) + 0.5) * row_height);
        continue;
      }
      for (Index c = 0; c < columns; ++c) {
        const double value = m_.values(row, edge(c, columns, d));
        const double x0 = area_.x + area_.width * static_cast<double>(c) / static_cast<double>(columns);
        const double y0 = area_.y + area_.height * static_cast<double>(r) / static_cast<double>(rows);
        const double share = !std::isfinite(value) ? -1 : maximum > 0 ? value / maximum : 0;
        board.fills.push_back(
            {{x0, y0, area_.width / static_cast<double>(columns), area_.height / static_cast<double>(rows)},
             diverging(share, style_.background)});
      }
    }
    frame(board, area_, 0.06 * em_, color_);
    const double cell_width = area_.width / d;
    for (const Index row : {m_.row, m_.other_row})
      if (row >= 0 && n > 1) frame(board, {area_.x, line_y(row), area_.width, row_height}, 0.1 * em_, color_);
    if (m_.column >= 0)
      frame(board,
            {area_.x + static_cast<double>(m_.column) * cell_width, area_.y,
             cell_width * static_cast<double>(m_.span), area_.height},
            0.1 * em_, style_.text);
    const double size = std::min(style_.sized(label_size), 0.95 * row_height);
    for (Index row = 0; row < std::min<Index>(m_.values.rows(), std::ssize(m_.rows)); ++row)
      write(board, shortened(m_.rows[row], area_.x - 0.5 * em_, size, style_), area_.x - 0.45 * em_,
            line_y(row) + 0.5 * row_height, size,
            row == m_.row || row == m_.other_row || n == 1 ? style_.text : style_.muted, Anchor::end);
    for (Index c = 0; c < m_.values.cols(); ++c)
      region(c, {area_.x + static_cast<double>(c) * cell_width, area_.y, cell_width, area_.height});
    note_rows(row_height, lines);
  }

  void cell(Index row, Index column, const Rect& rect, bool tinted) {
    Board& board = block_.board;
    if (tinted)
      board.fills.push_back({rect, blend(style_.background, color_, chosen_column(column) ? 0.24 : 0.12)});
    const double inset = 0.3 * em_;
    write(board, text(row, column), rect.right() - inset, rect.y + rect.height / 2, size_,
          tinted ? color_ : style_.text, Anchor::end);
    region(column, rect);
  }

  void column_label(Index column, double x, double width) {
    if (m_.columns.empty()) return;
    const double size = style_.sized(label_size);
    write(block_.board, shortened(m_.columns[column], width - 0.3 * em_, size, style_), x + width / 2,
          area_.y - layout_.line_height * size / 2, size, chosen_column(column) ? style_.text : style_.muted,
          Anchor::middle);
  }

  void note_rows(double row_height, const std::vector<Index>& shown) {
    const auto note = [&](Index row) {
      const auto line = std::ranges::find(shown, row) - shown.begin();
      block_.rows.push_back(area_.y + (static_cast<double>(line) + 0.5) * row_height);
    };
    for (const Index row : {m_.row, m_.other_row})
      if (row >= 0) note(row);
    std::ranges::sort(block_.rows);
    if (m_.row < 0)
      for (Index row = 0; row < std::min<Index>(m_.values.rows(), 2); ++row) note(row);
  }
  /// Of a number that a click selects.
  void region(Index column, const Rect& rect) {
    if (m_.click == StageMatrix::Click::nothing) return;
    const bool output = m_.click == StageMatrix::Click::output;
    block_.board.regions.push_back({rect, fmt::format("{} {}", output ? "output" : "component", column),
                                    layout_.tr("Click to list its terms"), StageNumber{output, column}});
  }
  bool chosen_column(Index column) const { return column >= m_.column && column < m_.column + m_.span; }
  std::string text(Index row, Index column) const {
    return printed_number(m_.values(row, column), m_.decimals);
  }
  double widest() const {
    // Digits are equally wide: the longest number is the widest, except for those in powers of ten.
    constexpr double in_powers = 1e7;
    double maximum = 0, width = style_.measure("−∞", size_);
    for (const double value : m_.values.reshaped()) {
      if (!std::isfinite(value)) continue;
      if (std::abs(value) >= in_powers)
        width = std::max(width, style_.measure(printed_number(value, m_.decimals), size_));
      else
        maximum = std::max(maximum, std::abs(value));
    }
    return std::max(width, style_.measure(printed_number(-maximum, m_.decimals), size_));
  }

  const StageMatrix& m_;
  const StageLayout& layout_;
  const BoardStyle& style_;
  const double em_;
  const Rgb color_;
  const double size_;
  StageBlock block_;
  Rect area_;  // of the numbers
};

/// A list of terms with their sum.
class TermsBlock {
 public:
  TermsBlock(const StageTerms& t, const StageLayout& layout)
      : t_(t), layout_(layout), style_(layout.style), em_(layout.em()), size_(style_.sized(number_size)) {}

  StageBlock make() {
    plan();
    y_ = header();
    block_.board.regions.push_back(layout_.region(StagePlace::list, {0, y_, 0, 0}));
    for (std::size_t line = 0; line < rows_.size(); ++line)
      rows_[line] < 0 ? gap(hidden_at(line)) : terms(rows_[line]);
    total();
    block_.board.width = right_;
    block_.board.height = y_ + 0.2 * em_;
    block_.axis = block_.board.height / 2;
    if (!layout_.unfolded())
      block_.board.wholes.push_back({0, 0, right_, y_});  // a page begins with its titles
    return std::move(block_);
  }

 private:
  struct Place {
    double sign = 0, right = 0;  ///< middle of the sign before it, right end of its numbers
  };

  void plan() {
    constexpr Index max_unfolded = 600;
    const Index maximum = layout_.max_terms;
    const Index count = std::ssize(t_.labels);
    const bool few = count <= maximum + 3;  // a gap for one or two is not worth its row
    rows_ = folded(count,
                   layout_.unfolded() ? max_unfolded
                   : few              ? count
                                      : maximum,
                   std::max<Index>(t_.row, 0));
    std::vector<Hidden> gaps;
    for (std::size_t line = 0; line < rows_.size(); ++line)
      if (rows_[line] < 0) gaps.push_back(hidden_at(line));
    const double small = style_.sized(label_size);
    for (const Index row : rows_)
      if (row >= 0) label_ = std::max(label_, style_.measure(t_.labels[row], small));
    label_ = std::min(label_, 7 * em_);
    for (const Hidden& hidden : gaps) label_ = std::max(label_, style_.measure(hidden_text(hidden), small));
    if (!t_.total_label.empty())
      label_ = std::max(label_, set_formula(t_.total_label, style_, size_).board.width);
    double x = label_ + 0.4 * em_;
    for (const StageTerms::Column& column : t_.columns) {
      double width =
          std::max(set_formula(column.name, style_, size_).board.width, style_.measure(column.total, size_));
      for (const Index row : rows_)
        if (row >= 0) width = std::max(width, style_.measure(text(column, row), size_));
      for (const Hidden& hidden : gaps)
        if (column.adds) width = std::max(width, style_.measure(hidden_sum(column, hidden), size_));
      const double sign = column.sign.empty() ? 0.9 * em_ : 1.5 * em_;
      places_.push_back({x + sign / 2, x + sign + width});
      x += sign + width;
    }
    right_ = x + 0.3 * em_;
  }

  double header() {
    double height = 0;
    for (std::size_t i = 0; i < t_.columns.size(); ++i) {
      const StageTerms::Column& column = t_.columns[i];
      Formula name = set_formula(
          fmt::format("\\color{{{}}}{{{}}}", column.role.empty() ? "text" : column.role, column.name), style_,
          size_);
      height = std::max(height, name.board.height);
      const double width = name.board.width;
      add(block_.board, std::move(name.board), places_[i].right - width, 0);
    }
    return height + 0.15 * em_;
  }

  void terms(Index row) {
    Board& board = block_.board;
    const double middle = y_ + row_height() / 2, small = style_.sized(label_size);
    const bool chosen = row == t_.row;
    if (chosen)
      board.fills.push_back({{0, y_, right_, row_height()}, blend(style_.background, style_.accent, 0.16)});
    write_label(board, shortened(t_.labels[row], label_, small, style_), 0.2 * em_, middle, small,
                chosen ? style_.text : style_.muted, style_);
    for (std::size_t i = 0; i < t_.columns.size(); ++i) {
      const StageTerms::Column& column = t_.columns[i];
      const std::string number = text(column, row);
      if (number.empty()) continue;
      const bool sign = i > 0 && !text(t_.columns[i - 1], row).empty();
      if (sign && !column.sign.empty())
        write(board, column.sign, places_[i].sign, middle, size_, style_.muted, Anchor::middle);
      write(board, number, places_[i].right, middle, size_,
            column.role.empty() ? style_.text : layout_.role(column.role), Anchor::end);
    }
    y_ += row_height();
  }
  /// Rows [begin, end) are folded.
  struct Hidden {
    Index begin = 0, end = 0;
  };

  void gap(const Hidden& hidden) {
    Board& board = block_.board;
    const double middle = y_ + row_height() / 2, small = style_.sized(label_size);
    write(board, hidden_text(hidden), 0.2 * em_, middle, small, style_.accent);
    for (std::size_t i = 0; i < t_.columns.size(); ++i)
      if (t_.columns[i].adds)
        write(board, hidden_sum(t_.columns[i], hidden), places_[i].right, middle, size_, style_.muted,
              Anchor::end);
    board.regions.push_back(layout_.region(StagePlace::unfold, {0, y_, right_, row_height()},
                                           layout_.tr("Click to show all terms")));
    y_ += row_height();
  }

  void total() {
    Board& board = block_.board;
    const bool any =
        std::ranges::any_of(t_.columns, [](const auto& column) { return !column.total.empty(); });
    if (any) {
      y_ += 0.15 * em_;
      board.lines.push_back({0.2 * em_, y_, right_ - 0.2 * em_, y_, 0.06 * em_, style_.muted, 1});
      y_ += 0.15 * em_;
      if (!t_.total_label.empty()) {
        Formula label = set_formula(t_.total_label, style_, size_);
        const double up = label.baseline - baseline_drop * size_;
        add(board, std::move(label.board), 0.2 * em_, y_ + row_height() / 2 - up);
      }
      for (std::size_t i = 0; i < t_.columns.size(); ++i)
        write(board, t_.columns[i].total, places_[i].right, y_ + row_height() / 2, size_,
              t_.columns[i].role.empty() ? style_.text : layout_.role(t_.columns[i].role), Anchor::end);
      board.regions.push_back(layout_.region(StagePlace::result, {0, y_, right_, 1.15 * row_height()}));
      y_ += 1.15 * row_height();
    }
    constexpr Index long_list = 9;
    if (layout_.unfolded() && std::ssize(t_.labels) > long_list) {
      write(board, layout_.tr("Fold"), 0.2 * em_, y_ + row_height() / 2, style_.sized(label_size),
            style_.accent);
      board.regions.push_back(layout_.region(StagePlace::fold, {0, y_, right_, row_height()}));
      y_ += row_height();
    }
  }
  double row_height() const { return layout_.line_height * size_; }
  std::string text(const StageTerms::Column& column, Index row) const {
    const double value = column.values[row];
    return std::isnan(value) ? "" : printed_number(value, column.decimals);
  }
  Hidden hidden_at(std::size_t line) const {
    return {line == 0 ? 0 : rows_[line - 1] + 1,
            line + 1 < rows_.size() ? rows_[line + 1] : std::ssize(t_.labels)};
  }
  std::string hidden_text(const Hidden& hidden) const {
    return layout_.tr("… {} more …", hidden.end - hidden.begin);
  }
  std::string hidden_sum(const StageTerms::Column& column, const Hidden& hidden) const {
    double sum = 0;
    for (Index row = hidden.begin; row < hidden.end; ++row) sum += column.values[row];
    return printed_number(sum, column.decimals);
  }

  const StageTerms& t_;
  const StageLayout& layout_;
  const BoardStyle& style_;
  const double em_, size_;
  StageBlock block_;
  std::vector<Index> rows_;
  std::vector<Place> places_;
  double label_ = 0, right_ = 0, y_ = 0;
};

StageBlock formula_block(const StageFormula& part, const StageLayout& layout) {
  constexpr double size = 1.1;
  StageBlock block;
  block.links = part.tex == "\\to";
  Formula formula = set_formula(part.tex, layout.style, size * layout.em());
  block.axis = formula.baseline - 0.33 * size * layout.em();
  block.board = std::move(formula.board);
  return block;
}

/// The heads as boxes side by side.
StageBlock segments_block(const StageSegments& part, const StageLayout& layout) {
  const double em = layout.em();
  const Rgb color = layout.role(part.role);
  StageBlock block;
  Board& board = block.board;
  Formula name = set_formula(fmt::format("\\color{{{}}}{{{}}}", part.role, part.name), layout.style, em);
  const double width = std::min(layout.width - em, std::max(12 * em, 0.5 * em * part.count));
  const double each = width / part.count, top = name.board.height + 0.2 * em, height = 1.3 * em;
  add(board, std::move(name.board), 0, 0);
  for (int i = 0; i < part.count; ++i)
    board.fills.push_back(
        {{each * i, top, each, height},
         i == part.chosen ? color : blend(layout.style.background, color, i % 2 == 0 ? 0.12 : 0.22)});
  frame(board, {0, top, width, height}, 0.06 * em, color);
  const double size = layout.style.sized(label_size), half = layout.style.measure(part.label, size) / 2;
  const double x = std::clamp(each * (part.chosen + 0.5), half, std::max(half, width - half));
  write(board, part.label, x, top + height + 0.75 * em, size, color, Anchor::middle);
  board.width = std::max(width, 2 * half);
  board.height = top + height + 1.5 * em;
  block.axis = top + height / 2;
  return block;
}

}  // namespace

Rgb StageLayout::role(const std::string& name) const {
  return name.empty() ? style.text : role_color(name, style.background);
}

BoardRegion stage_region(StagePlace place, const Rect& rect, std::string help) {
  constexpr const char* names[] = {"stage ", "note ", "list ", "result ", "fold ", "unfold "};
  return {rect, names[place.part] + place.stage, std::move(help), place};
}

std::vector<Index> folded(Index count, Index maximum, Index chosen, Index span) {
  std::vector<Index> shown;
  if (count <= maximum) {
    for (Index i = 0; i < count; ++i) shown.push_back(i);
    return shown;
  }
  // From the selected ones outwards, and the ends, while there is room.
  std::vector<Index> wanted;
  for (Index i = chosen; i < std::min(chosen + span, count); ++i) wanted.push_back(i);
  const Index last = chosen + span - 1;
  for (const Index i :
       {Index{0}, count - 1, last + 1, chosen - 1, Index{1}, last + 2, chosen - 2, Index{2}, last + 3,
        Index{3}, count - 2, last + 4, Index{4}, Index{5}, Index{6}, Index{7}, Index{8}})
    if (i >= 0 && i < count && std::ranges::find(wanted, i) == wanted.end()) wanted.push_back(i);
  wanted.resize(std::min<Index>(maximum, std::ssize(wanted)));
  std::ranges::sort(wanted);
  Index before = -1;
  for (const Index i : wanted) {
    if (i > before + 1) shown.push_back(-1);
    shown.push_back(i);
    before = i;
  }
  if (before < count - 1) shown.push_back(-1);
  return shown;
}

StageBlock lay_out(const StagePart& part, const StageLayout& layout) {
  if (const auto* matrix = std::get_if<StageMatrix>(&part)) return MatrixBlock(*matrix, layout).make();
  if (const auto* terms = std::get_if<StageTerms>(&part)) return TermsBlock(*terms, layout).make();
  if (const auto* formula = std::get_if<StageFormula>(&part)) return formula_block(*formula, layout);
  if (const auto* segments = std::get_if<StageSegments>(&part)) return segments_block(*segments, layout);
  StageBlock block;
  block.ends_line = true;
  return block;
}

}  // namespace headscope
