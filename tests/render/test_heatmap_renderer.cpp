#include <epoxy/gl.h>

#include "app/gl/color_thresholds.h"
#include "app/gl/heatmap_renderer.h"
#include "core/analysis/filtered_layer.h"
#include "tests/render/heatmap_fixture.h"

namespace headscope::tests {

TEST_F(HeatmapRenderer, every_pixel_has_the_processors_color) {
  const struct {
    Index n_q, n_k;
    int width, height;
  } sizes[] = {{1, 1, 5, 7},           {10, 10, 187, 187},  {3, 17, 340, 61},    {101, 37, 37, 101},
               {1000, 1000, 301, 299}, {512, 64, 200, 333}, {4096, 33, 66, 310}, {7, 1000, 500, 70}};
  const ColorRange ranges[] = {{0, 1, false}, {0.013F, 0.71F, false}, {1e-4F, 1, true}, {0.5F, 0.5F, false}};
  unsigned seed = 0;
  for (const auto& size : sizes)
    for (const bool masked : {false, true}) {
      Map map(size.n_q, size.n_k, size.width, size.height, masked, ++seed);
      map.request.range = ranges[seed % 4];
      if (seed % 2 == 0) map.request.hatch = 20;
      expect_same_as_processor(map.request, "n_q " + std::to_string(size.n_q) + (masked ? " masked" : ""));
    }
}

TEST_F(HeatmapRenderer, four_thousand_tokens_have_the_processors_color) {
  Map map(4096, 4096, 183, 181, false, 5);
  map.request.range = {0.2F, 1.18F, false};  // the largest of 500 cells is seldom small
  expect_same_as_processor(map.request, "n 4096");
}

TEST_F(HeatmapRenderer, zoomed_parts_have_the_processors_color) {
  Map map(64, 50, 211, 190, true, 9);
  const double parts[][4] = {{3.25, 9.5, 10, 30.75}, {0, 64, 49.5, 50}, {-4, 20, -3.5, 60}, {10, 64, 0, 50}};
  for (const auto& part : parts) {
    map.request.query_begin = part[0], map.request.query_end = part[1];
    map.request.key_begin = part[2], map.request.key_end = part[3];
    expect_same_as_processor(map.request, "from query " + std::to_string(part[0]));
  }
}

TEST_F(HeatmapRenderer, every_colormap_and_range_is_exact_at_the_edges_of_colors) {
  for (const ColorRange& range : {ColorRange{0.1F, 0.9F, false}, ColorRange{3e-5F, 0.3F, true}}) {
    Map map(16, 16, 16, 16, false, 1);
    const std::array<float, 256> thresholds = gl::color_thresholds(range);
    for (std::size_t i = 0; i < 256; ++i) {  // each threshold and the float below it
      const float edge = i == 0 ? range.low : thresholds[i];
      (*map.values)[i] = i % 2 == 0 ? edge : std::nextafter(edge, -1.0F);
      if (i > 0) {
        EXPECT_EQ(range.index(thresholds[i]), int(i));
        EXPECT_EQ(range.index(std::nextafter(thresholds[i], -1.0F)), int(i) - 1);
      }
    }
    map.request.range = range;
    for (const Colormap colormap : {Colormap::viridis, Colormap::magma, Colormap::cividis, Colormap::greys}) {
      map.request.colors = &colors(colormap);
      expect_same_as_processor(map.request, range.logarithm ? "logarithm" : "linear");
    }
  }
}

TEST_F(HeatmapRenderer, single_bright_cells_survive) {
  Map map(1024, 1024, 187, 187, false, 1);
  std::fill(map.values->begin(), map.values->end(), 0.0F);
  for (std::size_t i = 0; i < 128; ++i) (*map.values)[i * 8 * 1024 + (i * 509 + 3) % 1024] = 1;
  const std::vector<Pixel> pixels = read(painter_->draw(0, map.request), 187, 187);
  const Rgb bright = colors(Colormap::viridis)[255];
  EXPECT_EQ(std::count(pixels.begin(), pixels.end(), Pixel{bright.r, bright.g, bright.b, 255}), 128);
}

TEST_F(HeatmapRenderer, draws_again_only_when_the_request_differs) {
  Map map(10, 10, 100, 100, false, 1);
  HeatmapRequest& request = map.request;
  const ImTextureID first = painter_->draw(3, request);
  EXPECT_EQ(painter_->draw(3, request), first);
  EXPECT_EQ(painter_->pictures_drawn(), 1);
  const std::function<void()> changes[] = {
      [&] { request.range.high = 0.5F; },
      [&] { request.colors = &colors(Colormap::magma); },
      [&] { request.key_end = 9; },
      // Another owner at the same address: a new trace in recycled memory.
      [&] { request.owner = std::make_shared<int>(1); },
      [&] { request.width = 90; },
  };
  long drawn = 1;
  for (const auto& change : changes) {
    change();
    painter_->draw(3, request);
    EXPECT_EQ(painter_->pictures_drawn(), ++drawn);
  }
}

TEST_F(HeatmapRenderer, keeps_no_trace_alive) {
  Map map(10, 10, 100, 100, false, 1);
  painter_->draw(0, map.request);
  const std::weak_ptr<std::vector<float>> watched = map.values;
  map.request.owner.reset();
  map.values.reset();
  EXPECT_TRUE(watched.expired());
}

TEST_F(HeatmapRenderer, draws_nothing_for_nothing) {
  Map map(10, 10, 0, 100, false, 1);
  EXPECT_EQ(painter_->draw(0, map.request), ImTextureID{});
  map.request.width = 10;
  map.request.n_q = 0;
  EXPECT_EQ(painter_->draw(0, map.request), ImTextureID{});
}

TEST_F(HeatmapRenderer, shows_a_finished_picture_and_uploads_it_once) {
  const auto picture = [](std::uint8_t first) {
    Picture made{3, 2, {}};
    for (std::uint8_t i = 0; i < 6; ++i)
      for (const std::uint8_t part : {first, i, std::uint8_t(10 * i), std::uint8_t(255)})
        made.rgba.push_back(part);
    return std::make_shared<const Picture>(std::move(made));
  };
  EXPECT_EQ(painter_->picture(7, nullptr), ImTextureID{});
  const auto shown = picture(1);
  const std::vector<Pixel> pixels = read(painter_->picture(7, shown), 3, 2);
  for (unsigned char i = 0; i < 6; ++i)
    EXPECT_EQ(pixels[i], (Pixel{1, i, static_cast<unsigned char>(10 * i), 255})) << "row by row from the top";
  const long drawn = painter_->pictures_drawn();
  painter_->picture(7, shown);
  EXPECT_EQ(painter_->pictures_drawn(), drawn);
  EXPECT_EQ(read(painter_->picture(7, picture(2)), 3, 2)[0], (Pixel{2, 0, 0, 255}));
  EXPECT_EQ(painter_->pictures_drawn(), drawn + 1);
}

TEST_F(HeatmapRenderer, needs_no_state_and_leaves_the_framebuffer_bound) {
  glEnable(GL_BLEND);
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 0, 1, 1);
  glViewport(1, 2, 3, 4);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 8);
  Map map(10, 10, 33, 33, true, 1);
  expect_same_as_processor(map.request, "with a scissor rectangle and blending");
  GLint bound = 1;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
  EXPECT_EQ(bound, 0);
}

}  // namespace headscope::tests
