#include <epoxy/gl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "app/gl/color_thresholds.h"
#include "app/gl/heatmap_renderer.h"
#include "core/analysis/filter.h"
#include "tests/render/egl_context.h"

namespace headscope {
namespace {

struct Pixel {
  unsigned char r = 0, g = 0, b = 0, a = 0;
  bool operator==(const Pixel&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Pixel& p) {
  return out << "(" << int(p.r) << " " << int(p.g) << " " << int(p.b) << " " << int(p.a) << ")";
}

/// A random map with its request; about a third of the cells are masked or filtered if `masked`.
struct Map {
  std::shared_ptr<std::vector<float>> values;
  std::vector<std::uint8_t> blocked;
  HeatmapRequest request;

  Map(Index n_q, Index n_k, int width, int height, bool masked, unsigned seed) {
    std::mt19937 random(seed);
    values = std::make_shared<std::vector<float>>(std::size_t(n_q * n_k));
    for (float& value : *values) {
      const float u = float(random()) / 4294967296.0F;
      value = u * u * u * 1.2F - 0.01F;  // some lie outside of the range 0 to 1
    }
    if (masked) {
      for (Index i = 0; i < n_q * n_k; ++i)
        blocked.push_back(std::uint8_t(random() % 5 < 3 ? 0 : random() % 3));
      // A block that is masked all over, so that whole pixels are.
      for (Index q = 0; q < n_q / 2; ++q) {
        for (Index k = n_k / 2; k < n_k; ++k) blocked[std::size_t(q * n_k + k)] = cell_masked;
      }
    }
    request.owner = values;
    request.values = values->data();
    request.blocked = masked ? blocked.data() : nullptr;
    request.n_q = n_q, request.n_k = n_k;
    request.query_end = double(n_q), request.key_end = double(n_k);
    request.width = width, request.height = height;
    request.colors = &colors(Colormap::viridis);
    request.masked = masked_style(Theme::light);
  }
};

/// What the processor says that pixel (x, y) shows.
Pixel expected_pixel(const HeatmapRequest& request, int x, int y) {
  Index query = 0, key = 0;
  float value = 0;
  Rgb color;
  if (value_under_pixel(request, x + 0.5, y + 0.5, query, key, value)) {
    color = (*request.colors)[std::size_t(request.range.index(value))];
  } else {
    if (query < 0) return {};
    const CellSpan rows =
        cells_of_pixel(request.query_begin, request.query_end, request.n_q, request.height, y);
    const CellSpan columns =
        cells_of_pixel(request.key_begin, request.key_end, request.n_k, request.width, x);
    bool all = true;
    for (Index q = rows.first; q <= rows.last; ++q) {
      for (Index k = columns.first; k <= columns.last; ++k)
        all = all && request.blocked[q * request.n_k + k] == cell_masked;
    }
    color = all && hatch_line(x, y) ? request.masked.line : request.masked.background;
  }
  return {color.r, color.g, color.b, 255};
}

class HeatmapRenderer : public testing::Test {
 protected:
  void SetUp() override {
    if (!egl_.missing().empty()) GTEST_SKIP() << egl_.missing();
    painter_ = std::make_unique<gl::GlHeatmapPainter>("");
    ASSERT_EQ(painter_->shader_error(), "");
  }
  void TearDown() override { painter_.reset(); }

  static std::vector<Pixel> read(ImTextureID picture, int width, int height) {
    const auto id = static_cast<GLuint>(reinterpret_cast<std::intptr_t>(picture));
    const gl::Framebuffer framebuffer = gl::Framebuffer::make();
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, id, 0);
    std::vector<Pixel> pixels(std::size_t(width) * std::size_t(height));
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    EXPECT_EQ(glGetError(), GLenum(GL_NO_ERROR));
    return pixels;
  }

  void expect_same_as_processor(const HeatmapRequest& request, const std::string& what) {
    const std::vector<Pixel> pixels = read(painter_->draw(0, request), request.width, request.height);
    int wrong = 0;
    for (int y = 0; y < request.height && wrong < 3; ++y) {
      for (int x = 0; x < request.width && wrong < 3; ++x) {
        const Pixel found = pixels[std::size_t(y) * std::size_t(request.width) + std::size_t(x)];
        const Pixel expected = expected_pixel(request, x, y);
        if (found == expected) continue;
        ADD_FAILURE() << what << ": pixel " << x << ", " << y << " is " << found << ", not " << expected;
        ++wrong;
      }
    }
  }

  EglContext egl_;
  std::unique_ptr<gl::GlHeatmapPainter> painter_;
};

TEST_F(HeatmapRenderer, EveryPixelHasTheProcessorsColor) {
  const struct {
    Index n_q, n_k;
    int width, height;
  } sizes[] = {{1, 1, 5, 7},           {10, 10, 187, 187},  {3, 17, 340, 61},    {101, 37, 37, 101},
               {1000, 1000, 301, 299}, {512, 64, 200, 333}, {4096, 33, 66, 310}, {7, 1000, 500, 70}};
  const ColorRange ranges[] = {{0, 1, false}, {0.013F, 0.71F, false}, {1e-4F, 1, true}, {0.5F, 0.5F, false}};
  unsigned seed = 0;
  for (const auto& size : sizes) {
    for (const bool masked : {false, true}) {
      Map map(size.n_q, size.n_k, size.width, size.height, masked, ++seed);
      map.request.range = ranges[seed % 4];
      expect_same_as_processor(map.request, "n_q " + std::to_string(size.n_q) + (masked ? " masked" : ""));
    }
  }
}

TEST_F(HeatmapRenderer, FourThousandTokensHaveTheProcessorsColor) {
  Map map(4096, 4096, 183, 181, false, 5);
  map.request.range = {0.2F, 1.18F, false};  // the largest of 500 cells is seldom small
  expect_same_as_processor(map.request, "n 4096");
}

TEST_F(HeatmapRenderer, ZoomedPartsHaveTheProcessorsColor) {
  Map map(64, 50, 211, 190, true, 9);
  const double parts[][4] = {{3.25, 9.5, 10, 30.75}, {0, 64, 49.5, 50}, {-4, 20, -3.5, 60}, {10, 64, 0, 50}};
  for (const auto& part : parts) {
    map.request.query_begin = part[0], map.request.query_end = part[1];
    map.request.key_begin = part[2], map.request.key_end = part[3];
    expect_same_as_processor(map.request, "from query " + std::to_string(part[0]));
  }
}

TEST_F(HeatmapRenderer, EveryColormapAndRangeIsExactAtTheEdgesOfColors) {
  for (const ColorRange range : {ColorRange{0.1F, 0.9F, false}, ColorRange{3e-5F, 0.3F, true}}) {
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

TEST_F(HeatmapRenderer, SingleBrightCellsSurvive) {
  Map map(1024, 1024, 187, 187, false, 1);
  std::fill(map.values->begin(), map.values->end(), 0.0F);
  for (std::size_t i = 0; i < 128; ++i) (*map.values)[i * 8 * 1024 + (i * 509 + 3) % 1024] = 1;
  const std::vector<Pixel> pixels = read(painter_->draw(0, map.request), 187, 187);
  const Rgb bright = colors(Colormap::viridis)[255];
  EXPECT_EQ(std::count(pixels.begin(), pixels.end(), Pixel{bright.r, bright.g, bright.b, 255}), 128);
}

TEST_F(HeatmapRenderer, DrawsAgainOnlyWhenTheRequestDiffers) {
  Map map(10, 10, 100, 100, false, 1);
  const ImTextureID first = painter_->draw(3, map.request);
  EXPECT_EQ(painter_->draw(3, map.request), first);
  EXPECT_EQ(painter_->pictures_drawn(), 1);
  map.request.range.high = 0.5F;
  painter_->draw(3, map.request);
  EXPECT_EQ(painter_->pictures_drawn(), 2);
  map.request.colors = &colors(Colormap::magma);
  painter_->draw(3, map.request);
  map.request.key_end = 9;
  painter_->draw(3, map.request);
  EXPECT_EQ(painter_->pictures_drawn(), 4);
  // Another owner at the same address: a new trace in recycled memory.
  map.request.owner = std::make_shared<int>(1);
  painter_->draw(3, map.request);
  EXPECT_EQ(painter_->pictures_drawn(), 5);
  map.request.width = 90;
  painter_->draw(3, map.request);
  EXPECT_EQ(painter_->pictures_drawn(), 6);
}

TEST_F(HeatmapRenderer, KeepsNoTraceAlive) {
  Map map(10, 10, 100, 100, false, 1);
  painter_->draw(0, map.request);
  const std::weak_ptr<std::vector<float>> watched = map.values;
  map.request.owner.reset();
  map.values.reset();
  EXPECT_TRUE(watched.expired());
}

TEST_F(HeatmapRenderer, DrawsNothingForNothing) {
  Map map(10, 10, 0, 100, false, 1);
  EXPECT_EQ(painter_->draw(0, map.request), ImTextureID{});
  map.request.width = 10;
  map.request.n_q = 0;
  EXPECT_EQ(painter_->draw(0, map.request), ImTextureID{});
}

TEST_F(HeatmapRenderer, LeavesTheContextAsItWas) {
  const gl::Texture texture = gl::Texture::make();
  glActiveTexture(GL_TEXTURE2);
  glBindTexture(GL_TEXTURE_2D, texture.id());
  glActiveTexture(GL_TEXTURE1);
  glEnable(GL_BLEND);
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 0, 1, 1);
  glViewport(1, 2, 3, 4);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 8);
  Map map(10, 10, 33, 33, true, 1);
  expect_same_as_processor(map.request, "with a scissor rectangle and blending");
  const auto get = [](GLenum name) {
    GLint value = 0;
    glGetIntegerv(name, &value);
    return value;
  };
  EXPECT_EQ(get(GL_ACTIVE_TEXTURE), GL_TEXTURE1);
  EXPECT_EQ(get(GL_UNPACK_ALIGNMENT), 8);
  EXPECT_EQ(get(GL_CURRENT_PROGRAM), 0);
  EXPECT_EQ(get(GL_VERTEX_ARRAY_BINDING), 0);
  EXPECT_EQ(get(GL_FRAMEBUFFER_BINDING), 0);
  EXPECT_TRUE(glIsEnabled(GL_BLEND));
  EXPECT_TRUE(glIsEnabled(GL_SCISSOR_TEST));
  GLint viewport[4] = {};
  glGetIntegerv(GL_VIEWPORT, viewport);
  EXPECT_EQ(viewport[0], 1);
  EXPECT_EQ(viewport[3], 4);
  glActiveTexture(GL_TEXTURE2);
  EXPECT_EQ(get(GL_TEXTURE_BINDING_2D), GLint(texture.id()));
}

/// A folder of shader files that a test may break.
class ShaderReload : public HeatmapRenderer {
 protected:
  void SetUp() override {
    HeatmapRenderer::SetUp();
    if (IsSkipped()) return;
    folder_ = std::filesystem::temp_directory_path() /
              ("headscope-shaders-" + std::to_string(std::random_device{}()));
    std::filesystem::create_directory(folder_);
    for (const char* name : {"picture.vert", "heatmap.frag"})
      std::filesystem::copy_file(std::filesystem::path(SOURCE_DIR) / "shaders" / name, folder_ / name);
    painter_ = std::make_unique<gl::GlHeatmapPainter>(folder_.string());
  }
  void TearDown() override {
    HeatmapRenderer::TearDown();
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }
  void write(const std::string& source) { std::ofstream(folder_ / "heatmap.frag") << source; }

  std::filesystem::path folder_;
};

TEST_F(ShaderReload, ChangedFileIsTakenOver) {
  Map map(4, 4, 8, 8, false, 1);
  painter_->draw(0, map.request);
  EXPECT_FALSE(painter_->begin_frame());
  write("#version 330 core\nout vec4 color;\nvoid main() { color = vec4(1.0, 0.0, 1.0, 1.0); }\n");
  EXPECT_TRUE(painter_->begin_frame());
  EXPECT_EQ(painter_->shader_error(), "");
  const std::vector<Pixel> pixels = read(painter_->draw(0, map.request), 8, 8);
  EXPECT_EQ(pixels[0], (Pixel{255, 0, 255, 255}));
}

TEST_F(ShaderReload, BrokenFileKeepsThePictureAndSaysWhy) {
  Map map(40, 40, 80, 80, false, 1);
  painter_->draw(0, map.request);
  write("#version 330 core\nout vec4 color;\nvoid main() { color = nonsense; }\n");
  EXPECT_FALSE(painter_->begin_frame());
  EXPECT_NE(painter_->shader_error().find("heatmap.frag"), std::string::npos);
  EXPECT_NE(painter_->shader_error().find("nonsense"), std::string::npos);
  expect_same_as_processor(map.request, "the old program");
  map.request.range.high = 0.3F;
  expect_same_as_processor(map.request, "a new picture by the old program");
  std::filesystem::remove(folder_ / "heatmap.frag");
  EXPECT_FALSE(painter_->begin_frame());
  EXPECT_NE(painter_->shader_error(), "");
  std::filesystem::copy_file(std::filesystem::path(SOURCE_DIR) / "shaders/heatmap.frag",
                             folder_ / "heatmap.frag");
  EXPECT_TRUE(painter_->begin_frame());
  EXPECT_EQ(painter_->shader_error(), "");
}

TEST_F(ShaderReload, FileBrokenFromTheStartLeavesTheProgramsOwn) {
  write("nonsense");
  painter_ = std::make_unique<gl::GlHeatmapPainter>(folder_.string());
  EXPECT_NE(painter_->shader_error(), "");
  Map map(4, 4, 80, 80, false, 1);
  expect_same_as_processor(map.request, "the embedded program");
}

}  // namespace
}  // namespace headscope
