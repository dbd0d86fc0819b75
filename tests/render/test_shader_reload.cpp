#include <filesystem>
#include <fstream>
#include <random>

#include "tests/render/heatmap_fixture.h"

namespace headscope {
namespace {

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

TEST_F(ShaderReload, file_broken_from_the_start_leaves_the_programs_own) {
  write("nonsense");
  painter_ = std::make_unique<gl::GlHeatmapPainter>(folder_.string());
  EXPECT_NE(painter_->shader_error(), "");
  Map map(4, 4, 80, 80, false, 1);
  expect_same_as_processor(map.request, "the embedded program");
}

}  // namespace
}  // namespace headscope
