#include "core/figure/canvas/pool.h"
#include "tests/support/testing.h"

namespace headscope::tests {

std::vector<float> random_map(Index size, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(static_cast<std::size_t>(size));
  for (float& value : values) value = static_cast<float>(random()) / 4294967296.0F;
  return values;
}

MapPart whole(const std::vector<float>& values, Index n_q, Index n_k, int width, int height) {
  return {{0, double(n_q), 0, double(n_k)}, values.data(), nullptr, n_q, n_k, width, height};
}

PooledMap pooled_map(const MapPart& part) {
  PooledMap pooled;
  pool(part, pooled);
  return pooled;
}

float at(const PooledMap& pooled, int x, int y) {
  const int column = pooled.pixel_column[std::size_t(x)], row = pooled.pixel_row[std::size_t(y)];
  return pooled.values[std::size_t(row) * std::size_t(pooled.columns) + std::size_t(column)];
}

TEST(CellsOfPixel, small_cells_belong_to_exactly_one_pixel) {
  for (const Index n : {1, 7, 127, 128, 1000, 4096})
    for (const int pixels : {1, 3, 64, 127})
      for (const double begin : {0.0, 0.3, 2.0 / 3}) {
        if ((double(n) - begin) / pixels < 1) continue;
        int next = 0;
        for (int pixel = 0; pixel < pixels; ++pixel) {
          const CellSpan span = cells_of_pixel(begin, double(n), n, pixels, pixel);
          ASSERT_EQ(span.first, next) << n << " cells, " << pixels << " pixels, from " << begin;
          ASSERT_GE(span.last, span.first);
          next = span.last + 1;
        }
        EXPECT_EQ(next, n);
      }
}

TEST(CellsOfPixel, large_cells_are_the_one_under_the_pixels_centre) {
  // 3 cells in 10 pixels: the centres 0.5, 1.5, … are at 0.15, 0.45 … cells.
  const int expected[] = {0, 0, 0, 1, 1, 1, 1, 2, 2, 2};
  for (int pixel = 0; pixel < 10; ++pixel) {
    const CellSpan span = cells_of_pixel(0, 3, 3, 10, pixel);
    EXPECT_EQ(span, (CellSpan{expected[pixel], expected[pixel]})) << pixel;
  }
}

TEST(CellsOfPixel, outside_there_is_none) {
  EXPECT_TRUE(cells_of_pixel(0, 5, 5, 10, -1).empty());
  EXPECT_TRUE(cells_of_pixel(0, 5, 5, 10, 10).empty());
  EXPECT_TRUE(cells_of_pixel(-5, 5, 5, 10, 3).empty());  // a view that is panned beyond the edge
  EXPECT_TRUE(cells_of_pixel(-50, 50, 5, 10, 0).empty());
  EXPECT_TRUE(cells_of_pixel(0, 0, 5, 10, 0).empty());
}

TEST(Pool, keeps_the_largest_cell_under_every_pixel_at_fractional_scales) {
  const Index n_q = 127, n_k = 301;
  std::vector<float> values = random_map(n_q * n_k, 1);
  const MapPart part = whole(values, n_q, n_k, 100, 37);
  const PooledMap pooled = pooled_map(part);
  EXPECT_EQ(pooled.columns, 100);
  EXPECT_EQ(pooled.rows, 37);
  for (int y = 0; y < part.height; ++y)
    for (int x = 0; x < part.width; ++x) {
      Index query = 0, key = 0;
      float value = 0;
      ASSERT_TRUE(largest_under_pixel(part, x + 0.5, y + 0.5, query, key, value));
      EXPECT_EQ(at(pooled, x, y), value);
      EXPECT_EQ(values[std::size_t(query * n_k + key)], value);
    }
}

TEST(Pool, all_single_bright_cells_survive) {
  const Index n = 1024;
  std::vector<float> values(std::size_t(n * n), 0);
  for (Index i = 0; i < 128; ++i) values[std::size_t((i * 8 + i % 7) * n + (i * 509) % n)] = 1;
  const PooledMap pooled = pooled_map(whole(values, n, n, 301, 299));
  // 128 cells far apart: each gets its own pixel.
  EXPECT_EQ(std::count(pooled.values.begin(), pooled.values.end(), 1.0F), 128);
}

TEST(Pool, uploads_only_what_is_shown) {
  const Index n = 1000;
  const std::vector<float> values = random_map(n * n, 2);
  MapPart part = whole(values, n, n, 400, 400);
  part.query_begin = 100.25, part.query_end = 110.75;
  part.key_begin = 0, part.key_end = 1000;
  const PooledMap pooled = pooled_map(part);
  EXPECT_EQ(pooled.rows, 11);
  EXPECT_EQ(pooled.columns, 400);
  EXPECT_EQ(pooled.pixel_row.front(), 0);
  EXPECT_EQ(pooled.pixel_row.back(), 10);
}

TEST(Pool, differences_keep_what_is_farthest_from_zero_and_means_their_mean) {
  const std::vector<float> values = {1, -3, 2, 0.5F, -1, 0, 5, 5};
  const std::vector<std::uint8_t> blocked = {0, 0, 0, 1, 0, 0, 1, 2};
  MapPart part = whole(values, 1, 8, 4, 1);
  part.blocked = blocked.data();
  Index query = 0, key = 0;
  float value = 0;
  part.pooling = Pooling::farthest;
  EXPECT_EQ(pooled_map(part).values, (std::vector<float>{-3, 2, -1, none_shown}));
  EXPECT_TRUE(largest_under_pixel(part, 0, 0, query, key, value));
  EXPECT_EQ(key, 1);
  EXPECT_EQ(value, -3);
  part.pooling = Pooling::mean;
  EXPECT_EQ(pooled_map(part).values, (std::vector<float>{-1, 2, -0.5F, none_shown}));
  EXPECT_TRUE(largest_under_pixel(part, 0, 0, query, key, value));
  EXPECT_EQ(key, 0);
  EXPECT_FALSE(largest_under_pixel(part, 3, 0, query, key, value));
}

TEST(Pool, reports_masked_from_filtered) {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<std::uint8_t> blocked = {1, 1, 1, 2, 2, 2, 1, 0};
  MapPart part = whole(values, 1, 8, 4, 1);
  part.blocked = blocked.data();
  EXPECT_EQ(pooled_map(part).values, (std::vector<float>{all_masked, none_shown, none_shown, 8}));
  Index query = 0, key = 0;
  float value = 0;
  EXPECT_FALSE(largest_under_pixel(part, 0, 0, query, key, value));
  EXPECT_EQ(query, 0);
  EXPECT_EQ(key, 0);
  EXPECT_FALSE(largest_under_pixel(part, 4, 0, query, key, value));
  EXPECT_EQ(key, -1);
  EXPECT_TRUE(largest_under_pixel(part, 3, 0, query, key, value));
  EXPECT_EQ(key, 7);
}

}  // namespace headscope::tests
