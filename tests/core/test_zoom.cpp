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

}  // namespace headscope::tests
