#include "tests/render/heatmap_fixture.h"

namespace headscope::tests {

/// A folder of shader files that a test may break.
class ShaderReload : public HeatmapRenderer {
 protected:
  void SetUp() override {
    HeatmapRenderer::SetUp();
    if (IsSkipped()) return;
    for (const char* name : {"picture.vert", "copy.vert", "heatmap.frag", "copy.frag"}) restore(name);
    painter_ = std::make_unique<gl::GlHeatmapPainter>(folder_.path.string());
  }
  void restore(const std::string& name) const {
    fs::copy_file(fs::path(SOURCE_DIR) / "shaders" / name, folder_.path / name);
  }
  void write(const std::string& source, const char* name = "heatmap.frag") {
    std::ofstream(folder_.path / name) << source;
  }

  const TempFolder folder_;
};

TEST_F(ShaderReload, changed_file_is_taken_over) {
  Map map(4, 4, 8, 8, false, 1);
  painter_->draw(0, map.request);
  EXPECT_FALSE(painter_->begin_frame());
  write("#version 330 core\nout vec4 color;\nvoid main() { color = vec4(1.0, 0.0, 1.0, 1.0); }\n");
  EXPECT_TRUE(painter_->begin_frame());
  EXPECT_EQ(painter_->shader_error(), "");
  const std::vector<Pixel> pixels = read(painter_->draw(0, map.request), 8, 8);
  EXPECT_EQ(pixels[0], (Pixel{255, 0, 255, 255}));
}

TEST_F(ShaderReload, broken_file_keeps_the_picture_and_says_why) {
  Map map(40, 40, 80, 80, false, 1);
  painter_->draw(0, map.request);
  write("#version 330 core\nout vec4 color;\nvoid main() { color = nonsense; }\n");
  EXPECT_FALSE(painter_->begin_frame());
  EXPECT_THAT(painter_->shader_error(), AllOf(HasSubstr("heatmap.frag"), HasSubstr("nonsense")));
  expect_same_as_processor(map.request, "the old program");
  map.request.range.high = 0.3F;
  expect_same_as_processor(map.request, "a new picture by the old program");
  fs::remove(folder_.path / "heatmap.frag");
  EXPECT_FALSE(painter_->begin_frame());
  EXPECT_NE(painter_->shader_error(), "");
  restore("heatmap.frag");
  EXPECT_TRUE(painter_->begin_frame());
  EXPECT_EQ(painter_->shader_error(), "");
}

TEST_F(ShaderReload, the_shader_that_copies_pictures_is_watched_like_the_other) {
  write("nonsense", "copy.frag");
  EXPECT_FALSE(painter_->begin_frame());
  EXPECT_THAT(painter_->shader_error(), HasSubstr("copy.frag"));
  fs::remove(folder_.path / "copy.frag");
  restore("copy.frag");
  EXPECT_TRUE(painter_->begin_frame());
  EXPECT_EQ(painter_->shader_error(), "");
}

TEST_F(ShaderReload, file_broken_from_the_start_leaves_the_programs_own) {
  write("nonsense");
  painter_ = std::make_unique<gl::GlHeatmapPainter>(folder_.path.string());
  EXPECT_NE(painter_->shader_error(), "");
  Map map(4, 4, 80, 80, false, 1);
  expect_same_as_processor(map.request, "the embedded program");
}

}  // namespace headscope::tests
