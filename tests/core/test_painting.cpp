#include "core/attention/painting.h"
#include "tests/support/traces.h"

namespace headscope::tests {

// One line per query: '#' painted.
std::vector<std::string> drawn(const Runs& painting, const MaskGrid& canvas, int head = 0) {
  std::vector<std::string> rows;
  for (int i = 0; i < canvas.n_q; ++i) {
    rows.emplace_back();
    for (int j = 0; j < canvas.n_k; ++j) rows.back() += painted_at(painting, head, i, j) ? '#' : '.';
  }
  return rows;
}

Runs row_region(const MaskGrid& canvas, int head, int query) {
  return rectangle_region(canvas, head, {query, 0}, {query, canvas.n_k - 1});
}
Runs column_region(const MaskGrid& canvas, int head, int key) {
  return rectangle_region(canvas, head, {0, key}, {canvas.n_q - 1, key});
}

constexpr MaskGrid square{.n_q = 5, .n_k = 5, .heads = 3};

TEST(Painting, lines_between_two_cells_of_a_drag) {
  EXPECT_EQ(drawn(line_region(square, -1, {0, 0}, {4, 4}), square), split("#.... .#... ..#.. ...#. ....#"));
  EXPECT_EQ(drawn(line_region(square, -1, {3, 4}, {1, 0}), square), split("..... #.... .##.. ...## ....."));
  EXPECT_EQ(line_region(square, -1, {1, 0}, {3, 4}), line_region(square, -1, {3, 4}, {1, 0}));
  EXPECT_EQ(drawn(line_region(square, -1, {2, 2}, {2, 2}), square), split("..... ..... ..#.. ..... ....."));
  EXPECT_EQ(drawn(line_region(square, -1, {0, 0}, {0, 1}, 1), square),
            split("###.. ###.. ..... ..... ....."));
}

TEST(Painting, a_line_has_no_gap) {
  std::mt19937 generator(2);
  const MaskGrid canvas{.n_q = 40, .n_k = 60, .heads = 1};
  for (int i = 0; i < 200; ++i) {
    const auto below = [&](int n) { return static_cast<int>(generator() % static_cast<unsigned>(n)); };
    const PaintCell from{below(40), below(60)}, to{below(40), below(60)};
    const Runs line = line_region(canvas, -1, from, to);
    EXPECT_TRUE(painted_at(line, 0, from.query, from.key));
    EXPECT_TRUE(painted_at(line, 0, to.query, to.key));
    for (std::size_t r = 1; r < line.size(); ++r) {
      EXPECT_EQ(line[r].query, line[r - 1].query + 1);  // each row once, none missing
      EXPECT_LE(line[r].key_begin, line[r - 1].key_end);
      EXPECT_GE(line[r].key_end, line[r - 1].key_begin);
    }
  }
}

TEST(Painting, rows_columns_diagonals_and_rectangles) {
  const MaskGrid canvas{.n_q = 3, .n_k = 4, .heads = 1};
  EXPECT_EQ(drawn(row_region(canvas, -1, 1), canvas), split(".... #### ...."));
  EXPECT_EQ(drawn(column_region(canvas, -1, 2), canvas), split("..#. ..#. ..#."));
  EXPECT_EQ(drawn(diagonal_region(canvas, -1, {0, 1}), canvas), split(".#.. ..#. ...#"));
  EXPECT_EQ(drawn(diagonal_region(canvas, -1, {2, 0}), canvas), split(".... .... #..."));
  EXPECT_EQ(drawn(rectangle_region(canvas, -1, {2, 3}, {1, 1}), canvas), split(".... .### .###"));
}

TEST(Painting, shapes_are_clipped_to_the_canvas) {
  EXPECT_THAT(row_region(square, -1, 9), IsEmpty());
  EXPECT_THAT(column_region(square, -1, -1), IsEmpty());
  EXPECT_EQ(drawn(line_region(square, -1, {-3, -3}, {1, 1}), square), split("#.... .#... ..... ..... ....."));
  EXPECT_EQ(drawn(rectangle_region(square, -1, {3, 3}, {90, 90}), square),
            split("..... ..... ..... ...## ...##"));
  EXPECT_THAT(rectangle_region({.n_q = 0, .n_k = 0, .heads = 1}, -1, {0, 0}, {5, 5}), IsEmpty());
}

TEST(Painting, runs_are_merged) {
  Runs painting;
  for (int key : {3, 1, 0, 2}) paint(painting, line_region(square, -1, {1, key}, {1, key}), true, square);
  EXPECT_THAT(painting, ElementsAre(PaintedRun{-1, 1, 0, 4}));
  paint(painting, line_region(square, -1, {1, 1}, {1, 2}), false, square);
  EXPECT_THAT(painting, ElementsAre(PaintedRun{-1, 1, 0, 1}, PaintedRun{-1, 1, 3, 4}));
}

TEST(Painting, freeing_for_one_head_leaves_the_others_blocked) {
  Runs painting;
  paint(painting, row_region(square, -1, 0), true, square);
  paint(painting, column_region(square, 1, 2), false, square);
  EXPECT_EQ(drawn(painting, square, 0)[0], "#####");
  EXPECT_EQ(drawn(painting, square, 1)[0], "##.##");
  EXPECT_EQ(drawn(painting, square, 2)[0], "#####");
}

TEST(Painting, clear_and_invert) {
  Runs painting;
  paint(painting, row_region(square, -1, 0), true, square);
  paint(painting, row_region(square, 1, 1), true, square);
  Runs inverted = painting;
  invert(inverted, -1, square);
  EXPECT_EQ(drawn(inverted, square, 0), split("..... ##### ##### ##### #####"));
  EXPECT_EQ(drawn(inverted, square, 1), split("..... ..... ##### ##### #####"));
  invert(inverted, -1, square);
  EXPECT_EQ(inverted, painting);
  invert(inverted, 2, square);
  EXPECT_EQ(drawn(inverted, square, 0), drawn(painting, square, 0));
  EXPECT_EQ(drawn(inverted, square, 2), split("..... ##### ##### ##### #####"));
  clear(painting, 1, square);
  EXPECT_EQ(drawn(painting, square, 1), split("..... ..... ..... ..... ....."));
  EXPECT_EQ(drawn(painting, square, 0)[0], "#####");
  clear(painting, -1, square);
  EXPECT_THAT(painting, IsEmpty());
}

TEST(Painting, starts_from_a_mask) {
  const auto from = [](const std::vector<std::string>& specs, int heads) {
    const auto tokens = numbered_tokens(4);
    const Mask mask = build_mask(mask_parts(specs), tokens, tokens, heads);
    return to_string(MaskPart{.kind = MaskKind::painted, .painted = painting_from(mask, heads)});
  };
  EXPECT_EQ(from({"causal"}, 8), "painted:0:1-3,1:2-3,2:3");
  EXPECT_EQ(from({}, 8), "painted:none");
  EXPECT_EQ(from({"painted:0:0;head=1,2:2", "padding:3"}, 2), "painted:0:0,0-3:3;head=1,2:2");
  EXPECT_EQ(from({"painted:head=1,2:2"}, 3), "painted:head=1,2:2");
  EXPECT_EQ(from({"painted:head=0,2:2;head=1,2:2"}, 2), "painted:2:2");
}

// Any sequence of strokes gives the same as painting on plain bitmaps, in canonical form.
TEST(Painting, random_strokes_agree_with_bitmaps) {
  std::mt19937 generator(11);
  const auto below = [&](int n) { return static_cast<int>(generator() % static_cast<unsigned>(n)); };
  const MaskGrid canvas{.n_q = 6, .n_k = 9, .heads = 3};
  Runs painting;
  bool bitmap[3][6][9] = {};
  for (int stroke = 0; stroke < 2000; ++stroke) {
    const int head = below(4) - 1;
    const PaintCell a{below(6), below(9)}, b{below(6), below(9)};
    const bool block = below(2) == 0;
    const std::array regions{line_region(canvas, head, a, b, below(2)), row_region(canvas, head, a.query),
                             column_region(canvas, head, a.key), diagonal_region(canvas, head, a),
                             rectangle_region(canvas, head, a, b)};
    const Runs& region = regions[static_cast<std::size_t>(below(5))];
    const int what = below(20);
    if (what == 0)
      invert(painting, head, canvas);
    else if (what == 1)
      clear(painting, head, canvas);
    else
      paint(painting, region, block, canvas);
    for (int h = 0; h < 3; ++h)
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 9; ++j) {
          bool& cell = bitmap[h][i][j];
          if (head < 0 || head == h)
            cell = what == 0 ? !cell : what == 1 ? false : painted_at(region, h, i, j) ? block : cell;
          ASSERT_EQ(painted_at(painting, h, i, j), cell) << "stroke " << stroke;
        }
    const MaskPart part{.kind = MaskKind::painted, .painted = painting};
    ASSERT_EQ(parse_mask_part(to_string(part)), part);
  }
}

}  // namespace headscope::tests
