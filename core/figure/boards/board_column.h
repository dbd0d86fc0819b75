#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/translate.h"
#include "core/figure/boards/board.h"

namespace headscope {

/// Whether a line may end between these characters, neither of them a blank: next to a Chinese one, but not
/// before punctuation that closes or after punctuation that opens.
bool may_break(std::string_view before, std::string_view after);
/// Whether a text begins with punctuation that closes what is before it, such as a formula.
bool closes(std::string_view text);
/// What lines do not break: words, Chinese characters with their punctuation, each with the blanks after it.
std::vector<std::string_view> line_pieces(std::string_view text);

/// `text` in lines no wider than `width`, broken at blanks and between Chinese characters; text without
/// either is cut where necessary.
std::vector<std::string> wrapped(std::string_view text, double width, double size,
                                 const MeasureSized& measure);

/// Rows of texts: the first column is their names, the others are right-aligned.
struct BoardTable {
  std::vector<std::string> titles;             ///< of the columns
  std::vector<std::vector<std::string>> rows;  ///< all of the same length
  int marked = -1;                             ///< the row of the current setting; -1: none
};

/// Headings, paragraphs, tables and other boards, from top to bottom.
class BoardColumn {
 public:
  BoardColumn(const BoardStyle& style, double width, const Translator& tr) : style_(style), tr_(tr) {
    board_.width = width;
  }

  void heading(std::string_view text);
  void paragraph(std::string_view text) { paragraph(text, style_.text); }
  void paragraph(std::string_view text, Rgb color);
  void note(std::string_view text) { paragraph(text, style_.muted); }
  /// Scaled down if it is too wide; if that is not enough, each row becomes separate lines.
  void table(const BoardTable& table);
  /// Whether the rows stay rows.
  bool fits(const BoardTable& table) const { return scale_of(table) >= min_scale(); }
  void part(Board board, double x = 0);
  /// A region from `top` to the current position.
  void region(std::string name, double top) {
    board_.regions.push_back({{0, top, board_.width, y_ - top}, std::move(name), ""});
  }
  /// As many per row as fit with at least `minimum` each, all equally wide; `make` gets the width.
  template <typename Make>
  void parts_in_rows(int count, double minimum, const Make& make);
  void gap(double lines) { y_ += lines * style_.font_size; }

  double width() const { return board_.width; }
  double bottom() const { return y_; }
  Board take();

 private:
  double min_scale() const;
  std::vector<double> widths_of(const BoardTable& table) const;
  double scale_of(const BoardTable& table) const;
  void add_mark(const Rect& rect);
  void line(std::string_view text, double x, double size, Rgb color, Anchor anchor = Anchor::start);

  const BoardStyle& style_;
  const Translator& tr_;
  Board board_;
  double y_ = 0;
};

template <typename Make>
void BoardColumn::parts_in_rows(int count, double minimum, const Make& make) {
  const double gap_between = 1.5 * style_.font_size;
  const auto columns = static_cast<int>((board_.width + gap_between) / (minimum + gap_between));
  const int in_row = columns < 1 ? 1 : columns < count ? columns : count;
  const double each = (board_.width - (in_row - 1) * gap_between) / in_row;
  for (int first = 0; first < count; first += in_row) {
    double height = 0;
    for (int i = first; i < first + in_row && i < count; ++i) {
      Board part = make(i, each);
      height = part.height > height ? part.height : height;
      add(board_, std::move(part), (i - first) * (each + gap_between), y_);
    }
    y_ += height + gap_between;
  }
}

}  // namespace headscope
