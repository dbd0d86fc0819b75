// What arrives on the screen: a frame of the grid through ImGui's own backend. With HEADSCOPE_PICTURES=FOLDER
// in the environment each frame is kept there as a .ppm for inspection.
#include <backends/imgui_impl_opengl3.h>
#include <epoxy/gl.h>

#include "app/gl/heatmap_renderer.h"
#include "app/panels/views/views.h"
#include "tests/render/egl_context.h"
#include "tests/ui/ui_fixture.h"

namespace headscope::tests {

class Screen : public UiFixture {
 protected:
  void SetUp() override {
    if (!egl_.missing().empty()) GTEST_SKIP() << egl_.missing();
    ASSERT_TRUE(ImGui_ImplOpenGL3_Init("#version 330 core"));
    gl_painter_ = std::make_unique<gl::GlHeatmapPainter>("");
    panel = [this](Ui& ui) {
      Ui real{ui,         ui.tr,    ui.style,  *gl_painter_,  ui.inputs,
              ui.compare, ui.state, ui.labels, ui.view_cache, ui.memory};
      draw(real);
    };
    texture_ = gl::Texture::make();
    framebuffer_ = gl::Framebuffer::make();
  }
  void TearDown() override {
    if (!gl_painter_) return;
    gl_painter_.reset();
    texture_ = {};
    framebuffer_ = {};
    ImGui_ImplOpenGL3_Shutdown();
  }

  /// Draws two frames and reads the second.
  void show(const std::string& name) {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    width_ = int(size.x), height_ = int(size.y);
    glBindTexture(GL_TEXTURE_2D, texture_.id());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width_, height_, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_.id(), 0);
    for (int i = 0; i < 2; ++i) {
      ImGui_ImplOpenGL3_NewFrame();
      frame();
      glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
      glViewport(0, 0, width_, height_);
      glClearColor(1, 1, 1, 1);
      glClear(GL_COLOR_BUFFER_BIT);
      ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    }
    pixels_.resize(std::size_t(width_ * height_) * 3);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE, pixels_.data());
    keep(name);
  }
  Rgb at(int x, int y) const {
    const std::size_t i = (std::size_t(height_ - 1 - y) * std::size_t(width_) + std::size_t(x)) * 3;
    return {pixels_[i], pixels_[i + 1], pixels_[i + 2]};
  }
  void keep(const std::string& name) const {
    const char* folder = std::getenv("HEADSCOPE_PICTURES");
    if (!folder) return;
    std::ofstream file(std::string(folder) + "/" + name + ".ppm", std::ios::binary);
    file << "P6 " << width_ << " " << height_ << " 255\n";
    for (int y = height_ - 1; y >= 0; --y)
      file.write(reinterpret_cast<const char*>(pixels_.data()) + std::ptrdiff_t(y) * width_ * 3, width_ * 3);
  }

  EglContext egl_;
  std::unique_ptr<gl::GlHeatmapPainter> gl_painter_;
  gl::Texture texture_;
  gl::Framebuffer framebuffer_;
  std::function<void(Ui&)> draw = [](Ui& ui) { draw_grid(ui); };
  int width_ = 0, height_ = 0;
  std::vector<unsigned char> pixels_;
};

TEST_F(Screen, every_pixel_of_every_map_arrives_unblurred) {
  state.view.numbers = Numbers::off;
  set_trace(synthetic_trace(8, 37, 41));
  show("maps");
  for (const PanelLayout& placed : memory.maps.last_layout(0).panels) {
    const ColorRange range = memory.maps.look().ranges(state.view.range)[std::size_t(placed.head)];
    const int left = int(std::round(placed.map.x)), top = int(std::round(placed.map.y));
    const int width = int(std::round(placed.map.right())) - left,
              height = int(std::round(placed.map.bottom())) - top;
    int wrong = 0;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const Index query = cells_of_pixel(0, 37, 37, height, y).first;
        const Index key = cells_of_pixel(0, 41, 41, width, x).first;
        const float value = trace->blocks.front().maps->weight(0, placed.head, query, key);
        wrong += at(left + x, top + y) != colors(state.view.colormap)[std::size_t(range.index(value))];
      }
    EXPECT_EQ(wrong, 0) << "head " << placed.head;
  }
}

TEST_F(Screen, fills_exactly_the_area_and_leaves_what_comes_after) {
  draw = [](Ui& ui) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRectFullScreen();
    ui.painter.fill(list, {100, 50}, {140, 60}, IM_COL32(10, 120, 230, 255));
    list.PushClipRect({0, 0}, {220, 200});
    ui.painter.fill(list, {200, 50}, {240, 60}, IM_COL32(10, 120, 230, 255));
    list.PopClipRect();
    list.AddRectFilled({120, 50}, {130, 60}, IM_COL32(255, 0, 0, 255));
    list.PopClipRect();
  };
  show("filled");
  const Rgb blue{10, 120, 230}, red{255, 0, 0}, before = at(99, 55);
  EXPECT_NE(before, blue);
  const std::tuple<int, int, Rgb> pixels[] = {{100, 50, blue},   {119, 59, blue},   {139, 50, blue},
                                              {120, 50, red},    {129, 59, red},    {130, 55, blue},
                                              {100, 49, before}, {100, 60, before}, {140, 55, before},
                                              {219, 55, blue},   {220, 55, before}};
  for (const auto& [x, y, color] : pixels) EXPECT_EQ(at(x, y), color) << x << ", " << y;
}

TEST_F(Screen, still_frames_draw_no_picture_again) {
  show("still");
  const long drawn = gl_painter_->pictures_drawn();
  EXPECT_EQ(drawn, 8);
  ImGui::GetIO().MousePos = {500, 300};
  show("hovered");
  EXPECT_EQ(gl_painter_->pictures_drawn(), drawn);
}

}  // namespace headscope::tests
