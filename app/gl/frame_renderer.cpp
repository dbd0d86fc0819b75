#include "app/gl/frame_renderer.h"

#include <backends/imgui_impl_opengl3.h>
#include <epoxy/gl.h>

#include "app/gl/clipped_lists.h"

namespace headscope::gl {

void FrameRenderer::draw(ImDrawData& data, unsigned background, bool kept, const ContentOf& content) {
  const PixelRect window = PixelSpace(data).window();
  const auto clear = [&](const PixelRect& rect) {
    glScissor(rect.left, window.bottom - rect.bottom, rect.right - rect.left, rect.bottom - rect.top);
    glClear(GL_COLOR_BUFFER_BIT);
  };
  glViewport(0, 0, window.right, window.bottom);
  const ImVec4 color = ImGui::ColorConvertU32ToFloat4(background);
  glClearColor(color.x, color.y, color.z, 1);
  if (!kept) {
    damage_.forget();
    glDisable(GL_SCISSOR_TEST);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(&data);
    return;
  }
  const std::vector<PixelRect> damage = damage_.update(data, background, content);
  if (damage.empty()) return;
  glEnable(GL_SCISSOR_TEST);
  for (const PixelRect& rect : damage) clear(rect);
  glDisable(GL_SCISSOR_TEST);
  if (damage.front() == window) {
    ImGui_ImplOpenGL3_RenderDrawData(&data);
  } else {
    const ClippedLists clipped(data, damage, content);
    ImGui_ImplOpenGL3_RenderDrawData(&data);
  }
}

}  // namespace headscope::gl
