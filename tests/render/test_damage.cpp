// What part of a frame has to be drawn, and that drawing only that gives the same picture.
#include <backends/imgui_impl_opengl3.h>
#include <epoxy/gl.h>

#include "app/gl/frame_renderer.h"
#include "app/gl/heatmap_renderer.h"
#include "tests/render/egl_context.h"
#include "tests/ui/app_fixture.h"

namespace headscope::gl {
void PrintTo(const PixelRect& rect, std::ostream* out) {
  *out << fmt::format("({} {} {} {})", rect.left, rect.top, rect.right, rect.bottom);
}
}  // namespace headscope::gl

namespace headscope::tests {

using gl::CommandContent;
using gl::PixelRect;

/// Shapes before everything else in a window of 1200 x 700.
class Damage : public UiFixture {
 protected:
  static constexpr unsigned white = IM_COL32_WHITE, red = IM_COL32(255, 0, 0, 255),
                            blue = IM_COL32(0, 0, 255, 255);
  using Shapes = std::function<void(ImDrawList&)>;

  std::vector<PixelRect> damage(const Shapes& shapes, unsigned background = white) {
    panel = [&](Ui&) { shapes(*ImGui::GetForegroundDrawList()); };
    frame();
    give_textures();
    return tracker_.update(*ImGui::GetDrawData(), background, [&](const ImDrawCmd& command) {
      return command.UserCallback == nullptr ? std::optional(CommandContent{}) : callback_;
    });
  }
  static Shapes rect(ImVec2 from, ImVec2 to, unsigned color = red) {
    return [=](ImDrawList& list) { list.AddRectFilled(from, to, color); };
  }

  gl::DamageTracker tracker_;
  std::optional<CommandContent> callback_;
  const std::vector<PixelRect> whole_{{0, 0, 1200, 700}};
};

TEST_F(Damage, the_first_frame_is_all_of_it_and_the_same_again_is_nothing) {
  const Shapes shapes = rect({40, 40}, {50, 50});
  EXPECT_EQ(damage(shapes), whole_);
  EXPECT_THAT(damage(shapes), IsEmpty());
  tracker_.forget();
  EXPECT_EQ(damage(shapes), whole_);
}

TEST_F(Damage, is_what_was_and_what_is_there) {
  const struct {
    const char* what;
    Shapes before, after;
    std::vector<PixelRect> damage;
  } cases[] = {
      {"another color", rect({40, 40}, {50, 50}), rect({40, 40}, {50, 50}, blue), {{32, 32, 64, 64}}},
      {"moved",
       rect({40, 40}, {50, 50}),
       rect({840, 340}, {850, 350}),
       {{32, 32, 64, 64}, {832, 320, 864, 352}}},
      {"two that are near",
       rect({40, 40}, {41, 41}),
       [](ImDrawList& list) {
         list.AddRectFilled({40, 40}, {50, 50}, blue);
         list.AddRectFilled({104, 72}, {114, 82}, blue);
       },
       {{32, 32, 64, 64}, {96, 64, 128, 96}}},
      {"moved by a part of a pixel",
       rect({40, 40}, {50, 50}),
       rect({40.2F, 40}, {50, 50}),
       {{32, 32, 64, 64}}},
      {"over edges of tiles", rect({60, 60}, {70, 70}), rect({60, 60}, {70, 70}, blue), {{32, 32, 96, 96}}},
      {"at the edge of the window",
       rect({1190, 690}, {1300, 800}),
       rect({1190, 690}, {1200, 700}, blue),
       {{1184, 672, 1200, 700}}},
      {"other order",
       [](ImDrawList& list) {
         list.AddRectFilled({40, 40}, {50, 50}, red);
         list.AddRectFilled({45, 40}, {55, 50}, blue);
       },
       [](ImDrawList& list) {
         list.AddRectFilled({45, 40}, {55, 50}, blue);
         list.AddRectFilled({40, 40}, {50, 50}, red);
       },
       {{32, 32, 64, 64}}},
      {"one more in front moves no other",
       rect({40, 40}, {50, 50}),
       [](ImDrawList& list) {
         list.AddRectFilled({440, 40}, {450, 50}, red);
         list.AddRectFilled({40, 40}, {50, 50}, red);
       },
       {{416, 32, 480, 64}}},
      {"clipped away",
       rect({40, 40}, {350, 50}),
       [](ImDrawList& list) {
         list.PushClipRect({0, 0}, {300, 700});
         list.AddRectFilled({40, 40}, {350, 50}, red);
         list.PopClipRect();
       },
       {{32, 32, 352, 64}}},
      {"outside of the clip",
       rect({40, 40}, {40, 40}),
       [](ImDrawList& list) {
         list.PushClipRect({0, 0}, {30, 30});
         list.AddRectFilled({40, 40}, {50, 50}, red);
         list.PopClipRect();
       },
       {}},
  };
  for (const auto& each : cases) {
    damage(each.before);
    EXPECT_EQ(damage(each.after), each.damage) << each.what;
  }
}

TEST_F(Damage, of_much_or_of_another_background_is_all_of_it) {
  const Shapes shapes = rect({0, 0}, {1100, 650});
  damage(shapes);
  EXPECT_EQ(damage(rect({0, 0}, {1100, 650}, blue)), whole_);
  damage(shapes);
  EXPECT_EQ(damage(shapes, red), whole_);
  ImGui::GetIO().DisplaySize = {1200, 690};
  EXPECT_EQ(damage(shapes, red), (std::vector<PixelRect>{{0, 0, 1200, 690}}));
}

TEST_F(Damage, of_a_callback_is_where_it_draws_when_its_content_differs) {
  const Shapes shapes = [](ImDrawList& list) {
    list.AddCallback([](const ImDrawList*, const ImDrawCmd*) {}, nullptr);
  };
  callback_ = {1, {100, 100, 110, 110}};
  damage(shapes);
  EXPECT_THAT(damage(shapes), IsEmpty());
  callback_->version = 2;
  EXPECT_EQ(damage(shapes), (std::vector<PixelRect>{{96, 96, 128, 128}}));
  callback_.reset();  // an unknown one
  EXPECT_EQ(damage(shapes), whole_);
  EXPECT_EQ(damage(shapes), whole_);
}

TEST_F(Damage, lists_are_cut_to_it_and_put_back) {
  damage([](ImDrawList& list) {
    list.AddRectFilled({0, 0}, {1200, 700}, red);
    for (int i = 0; i < 10; ++i)
      list.AddRectFilled({100.0F * float(i), 0}, {100.0F * float(i) + 10, 10}, blue);
  });
  ImDrawData& data = *ImGui::GetDrawData();
  ImDrawList& list = *data.CmdLists[data.CmdListsCount - 1];
  const int indices = list.IdxBuffer.Size, commands = list.CmdBuffer.Size;
  {
    const std::vector<PixelRect> rects{{0, 0, 32, 32}, {192, 0, 224, 32}};
    const gl::ClippedLists clipped(data, rects, [](const ImDrawCmd&) { return CommandContent{}; });
    ASSERT_EQ(list.CmdBuffer.Size, 2);
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(list.CmdBuffer[i].ElemCount, 4 * 3U) << "two triangles of the large one, two of a small one";
      EXPECT_EQ(gl::PixelSpace(data).clip(list.CmdBuffer[i].ClipRect), rects[std::size_t(i)]);
    }
  }
  EXPECT_EQ(list.IdxBuffer.Size, indices);
  EXPECT_EQ(list.CmdBuffer.Size, commands);
}

TEST_F(Damage, pixels_of_a_clip_are_those_of_the_backend_on_any_screen) {
  frame();
  ImDrawData data = *ImGui::GetDrawData();
  for (const float scale : {1.0F, 1.25F, 1.5F, 2.0F, 3.3F}) {
    data.FramebufferScale = {scale, scale};
    const gl::PixelSpace space(data);
    for (int at = 0; at < 200; ++at) {
      const PixelRect pixels{at, 2 * at, at + 1 + at % 5, 2 * at + 1 + at % 7};
      EXPECT_EQ(space.clip(space.clip_of(pixels)), pixels) << scale;
    }
  }
}

/// The whole window through a renderer that keeps its frames; every third is compared with a full redraw.
class DamagedWindow : public AppFixture {
 protected:
  void SetUp() override {
    if (!egl_.missing().empty()) GTEST_SKIP() << egl_.missing();
    ASSERT_TRUE(ImGui_ImplOpenGL3_Init("#version 330 core"));
    gl_painter_ = std::make_unique<gl::GlHeatmapPainter>("");
    maps_by = gl_painter_.get();
    resize(1100, 800);
  }
  void TearDown() override {
    if (!gl_painter_) return;
    maps_by = &painter;
    gl_painter_.reset();
    for (Target* target : {&kept_, &whole_}) *target = {};
    ImGui_ImplOpenGL3_Shutdown();
  }

  void resize(int width, int height) {
    ImGui::GetIO().DisplaySize = {float(width), float(height)};
    for (Target* target : {&kept_, &whole_}) {
      target->texture = gl::Texture::make();
      target->framebuffer = gl::Framebuffer::make();
      glBindTexture(GL_TEXTURE_2D, target->texture.id());
      glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
      glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer.id());
      glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->texture.id(), 0);
    }
  }

  void frame() override {
    if (gl_painter_) {
      gl_painter_->begin_frame();
      ImGui_ImplOpenGL3_NewFrame();
    }
    AppFixture::frame();
    if (gl_painter_) draw();
  }

  void draw() {
    ImDrawData& data = *ImGui::GetDrawData();
    const unsigned background = palette(app.settings.theme).background;
    const auto content = [this](const ImDrawCmd& command) { return gl_painter_->content(command); };
    glBindFramebuffer(GL_FRAMEBUFFER, kept_.framebuffer.id());
    renderer_.draw(data, background, true, content);
    if (!compares_ || ++frames_ % 3 != 0) return;  // an error stays until it is drawn again
    glBindFramebuffer(GL_FRAMEBUFFER, whole_.framebuffer.id());
    gl::FrameRenderer().draw(data, background, false, content);
    EXPECT_EQ(different_pixels(), 0) << "frame " << frames_;
  }

  std::vector<unsigned> read(const gl::Framebuffer& framebuffer) const {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    std::vector<unsigned> pixels(std::size_t(size.x * size.y));
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
    glReadPixels(0, 0, int(size.x), int(size.y), GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    return pixels;
  }
  long different_pixels() const {
    const std::vector<unsigned> kept = read(kept_.framebuffer), whole = read(whole_.framebuffer);
    if (kept == whole) return 0;
    long different = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) different += kept[i] != whole[i];
    return different;
  }

  struct Target {
    gl::Texture texture;
    gl::Framebuffer framebuffer;
  };
  EglContext egl_;
  std::unique_ptr<gl::GlHeatmapPainter> gl_painter_;
  gl::FrameRenderer renderer_;
  Target kept_, whole_;
  bool compares_ = true;
  int frames_ = 0;
};

TEST_F(DamagedWindow, is_drawn_as_if_it_were_drawn_whole_wherever_a_walk_leads) {
  const auto drag_temperature = [&] {
    move(middle("temperature"));
    button(true);
    for (const float across : {-20.0F, 40.0F}) {
      const ImVec2 at = middle("temperature");
      move(at.x + across, at.y);
    }
    button(false);
    settle();
  };
  frames(2);
  for (const char* sentence : {"one two three one two four", "many tokens so that cells are small "}) {
    app.inputs.sentence = sentence;
    if (sentence[0] == 'm')
      for (int i = 0; i < 9; ++i) app.inputs.sentence += sentence;
    for (const char* view : {"views 0", "views 1", "views 2", "views 3", "views 4", "views 5"}) {
      click(view);
      app.view_cache.wait();
      drag_temperature();
      move(600, 500);  // whatever is pointed at has its cross and tooltip
      move(631, 477);
    }
  }
  click_each({"views 0", "Causal", "Numbers in cells", "title 2", "order of heads"});
  press_each({Key::escape, {Key::f10}, Key::right, Key::escape});
  app.set_theme(Theme::dark);
  frames(2);
  resize(1000, 760);
  drag_temperature();
}

TEST_F(DamagedWindow, draws_nothing_where_nothing_has_changed) {
  frames(3);
  compares_ = false;
  glBindFramebuffer(GL_FRAMEBUFFER, kept_.framebuffer.id());
  glClearColor(1, 0, 1, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  click("Causal");
  const std::vector<unsigned> pixels = read(kept_.framebuffer);
  const auto untouched = std::ranges::count(pixels, 0xffff00ffU);
  EXPECT_GT(untouched, std::ssize(pixels) / 2) << "maps, mask and status differ";
  EXPECT_LT(untouched, std::ssize(pixels) * 9 / 10);
}

}  // namespace headscope::tests
