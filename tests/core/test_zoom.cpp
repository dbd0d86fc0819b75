#include "core/scene/zoom.h"
#include "tests/support/testing.h"

namespace headscope::tests {

TEST(Zoom, never_leaves_the_map_and_keeps_the_place_under_the_pointer) {
  Zoom zoom;
  zoom_about(zoom, 4, 0.25, 0.5, 40, 80);
  EXPECT_EQ(zoom.factor, 4);
  EXPECT_DOUBLE_EQ(zoom.key + 0.25 * 80 / 4, 20);
  EXPECT_DOUBLE_EQ(zoom.query + 0.5 * 40 / 4, 20);
  zoom_about(zoom, 1e9, 1, 1, 40, 80);
  EXPECT_DOUBLE_EQ(zoom.factor, 80 / closest_cells);
  zoom_about(zoom, 1e-9, 0.3, 0.9, 40, 80);
  EXPECT_EQ(zoom, (Zoom{.query = 0, .key = 0, .factor = 1}));
  zoom.factor = 8;
  show_cell(zoom, 39, 0, 40, 80);
  EXPECT_DOUBLE_EQ(zoom.query, 35);
  EXPECT_DOUBLE_EQ(zoom.key, 0);
  keep_inside(zoom, 3, 3);  // another, shorter sentence
  EXPECT_EQ(zoom.factor, 1);
}

TEST(Zoom, of_a_few_keys_next_to_a_long_text_all_stay_in_view) {
  for (const double factor : {1.0, 3.0, 500.0}) {
    const CellPart part = part_of({.query = 4000, .key = 2, .factor = factor}, 20000, 6);
    EXPECT_EQ(part.key_begin, 0) << factor;
    EXPECT_EQ(part.key_end, 6) << factor;
    EXPECT_DOUBLE_EQ(part.query_end - part.query_begin, 20000 / factor);
  }
  const CellPart more = part_of({.query = 0, .key = 90, .factor = 500}, 20000, 100);
  EXPECT_EQ(more.key_begin, 88);
  EXPECT_EQ(more.key_end, 100);
  const CellPart near = part_of({.query = 0, .key = 0, .factor = 4}, 40, 80);
  EXPECT_EQ(near.query_end, 10);
  EXPECT_EQ(near.key_end, 20);
}

}  // namespace headscope::tests
