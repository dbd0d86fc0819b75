#include "core/figure/boards/board.h"
#include "tests/support/testing.h"

namespace headscope::tests {

// A card of 200 with a line of text at 20, two adjacent rows of cells from 40 to 60 and to 80, and a bracket
// next to a matrix from 100 to 150.
Board card() {
  Board board;
  board.fills.push_back({{0, 0, 100, 200}, {}});
  TextStyle style;
  style.size = 10;
  board.texts.push_back({"text", 0, 20, style});
  board.fills.push_back({{0, 40, 100, 20}, {}});
  board.fills.push_back({{0, 60, 100, 20}, {}});
  board.lines.push_back({0, 100, 0, 150, 1, {}, 1});
  for (const double y : {105.0, 125.0}) board.texts.push_back({"1.0", 5, y + 10, style});
  return board;
}

TEST(BoardGaps, are_between_lines_and_rows) {
  const BoardGaps gaps(card(), 100, 100);
  EXPECT_EQ(gaps.before(30, 0), 30) << "nothing is there";
  EXPECT_EQ(gaps.before(18, 0), 14.5) << "above the line of text";
  EXPECT_EQ(gaps.after(18, 200), 26);
  EXPECT_EQ(gaps.before(70, 0), 60) << "between rows that touch";
  EXPECT_EQ(gaps.before(120, 0), 99.5) << "above the matrix, not between its rows";
  EXPECT_EQ(gaps.after(120, 200), 150.5);
}

TEST(BoardGaps, are_given_up_where_too_much_would_be_left_out) {
  const BoardGaps gaps(card(), 100, 100);
  EXPECT_EQ(gaps.before(120, 110), 120);
  EXPECT_EQ(gaps.after(120, 140), 120);
}

TEST(BoardGaps, do_not_part_a_chart_from_its_legend) {
  Board board = card();
  board.wholes.push_back({0, 30, 100, 130});
  EXPECT_EQ(BoardGaps(board, 100, 150).before(90, 0), 30);
  EXPECT_EQ(BoardGaps(board, 100, 150).after(90, 200), 160);
  EXPECT_EQ(BoardGaps(board, 100, 100).before(90, 0), 90) << "one that has no room is";
}

}  // namespace headscope::tests
