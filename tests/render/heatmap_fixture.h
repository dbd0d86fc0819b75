#pragma once
#include <epoxy/gl.h>

#include "app/gl/heatmap_renderer.h"
#include "app/panels/widgets/imgui_calls.h"
#include "core/analysis/filtered_layer.h"
#include "tests/render/egl_context.h"
#include "tests/support/testing.h"

namespace headscope::tests {

struct Pixel {
  unsigned char r = 0, g = 0, b = 0, a = 0;
  bool operator==(const Pixel&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const Pixel& p) {
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
      value = u * u * u * 1.2F - 0.01F;  // some are outside the range 0 to 1
    }
    if (masked) {
      for (Index i = 0; i < n_q * n_k; ++i)
        blocked.push_back(std::uint8_t(random() % 5 < 3 ? 0 : random() % 3));
      // A fully masked block, so that whole pixels are masked.
      for (Index q = 0; q < n_q / 2; ++q)
        for (Index k = n_k / 2; k < n_k; ++k) blocked[std::size_t(q * n_k + k)] = cell_masked;
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

/// What the CPU computes for pixel (x, y).
inline Pixel expected_pixel(const HeatmapRequest& request, int x, int y) {
  Index query = 0, key = 0;
  float value = 0;
  Rgb color;
  if (largest_under_pixel(request, x + 0.5, y + 0.5, query, key, value)) {
    color = (*request.colors)[std::size_t(request.range.index(value))];
  } else {
    const Rgb beyond = request.masked.background;
    if (query < 0) return {beyond.r, beyond.g, beyond.b, 255};
    const CellSpan rows =
        cells_of_pixel(request.query_begin, request.query_end, request.n_q, request.height, y);
    const CellSpan columns =
        cells_of_pixel(request.key_begin, request.key_end, request.n_k, request.width, x);
    bool all = true;
    for (Index q = rows.first; q <= rows.last; ++q)
      for (Index k = columns.first; k <= columns.last; ++k)
        all = all && request.blocked[q * request.n_k + k] == cell_masked;
    color = all && (x + y) % request.hatch < request.hatch_line() ? request.masked.line
                                                                  : request.masked.background;
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
    const auto id = (GLuint)(std::uintptr_t)picture;
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
    for (std::size_t i = 0; i < pixels.size() && !HasFailure(); ++i) {
      const int x = int(i) % request.width, y = int(i) / request.width;
      EXPECT_EQ(pixels[i], expected_pixel(request, x, y)) << what << ": pixel " << x << ", " << y;
    }
  }

  EglContext egl_;
  std::unique_ptr<gl::GlHeatmapPainter> painter_;
};

}  // namespace headscope::tests
