#include "app/gl/frame_renderer.h"

#include <backends/imgui_impl_opengl3.h>

#include <algorithm>

#include "app/gl/opengl.h"
#include "app/gl/textures.h"

namespace headscope::gl {

void FrameRenderer::draw(ImDrawData& data, unsigned background, bool kept, const ContentOf& content) {
  if (update_textures(data)) forget();
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

ClippedLists::ClippedLists(ImDrawData& data, const std::vector<PixelRect>& rects, const ContentOf& content)
    : space_(data),
      tiles_(space_.window()),
      rects_(rects),
      rect_of_(tiles_.count(), -1),
      indices_(rects.size()) {
  for (std::size_t i = 0; i < rects.size(); ++i)
    tiles_.meeting(rects[i], [&](std::size_t tile) { rect_of_[tile] = static_cast<int>(i); });
  for (int i = 0; i < data.CmdListsCount; ++i) {
    Kept& kept = kept_.emplace_back(Kept{data.CmdLists[i], {}, {}});
    for (const ImDrawCmd& command : kept.list->CmdBuffer) cut(command, content, kept);
    kept.list->CmdBuffer.swap(kept.commands);
    kept.list->IdxBuffer.swap(kept.indices);
  }
}

ClippedLists::~ClippedLists() {
  for (Kept& kept : kept_) {
    kept.list->CmdBuffer.swap(kept.commands);
    kept.list->IdxBuffer.swap(kept.indices);
  }
}

void ClippedLists::cut(const ImDrawCmd& command, const ContentOf& content, Kept& kept) {
  if (command.UserCallback == ImDrawCallback_ResetRenderState) {
    if (!reset_) kept.commands.push_back(command);
    reset_ = true;
  } else if (command.UserCallback != nullptr) {
    cut_callback(command, content(command)->area, kept);
  } else {
    cut_triangles(command, kept);
  }
}

void ClippedLists::cut_callback(const ImDrawCmd& command, const ImVec4& area, Kept& kept) {
  const PixelRect around = space_.around(area);
  for (const PixelRect& rect : rects_) {
    if (intersect(around, rect).empty()) continue;
    const ImVec4 clip = space_.clip_of(rect);
    ImDrawCmd part = command;
    part.ClipRect = {std::max(clip.x, command.ClipRect.x), std::max(clip.y, command.ClipRect.y),
                     std::min(clip.z, command.ClipRect.z), std::min(clip.w, command.ClipRect.w)};
    if (part.ClipRect.x >= part.ClipRect.z || part.ClipRect.y >= part.ClipRect.w) continue;
    kept.commands.push_back(part);
    reset_ = false;
  }
}

void ClippedLists::cut_triangles(const ImDrawCmd& command, Kept& kept) {
  const PixelRect clip = space_.clip(command.ClipRect);
  const ImDrawList& list = *kept.list;
  last_.assign(rects_.size(), command.ElemCount);
  for (unsigned i = 0; i < command.ElemCount; i += 3) {
    const ImDrawIdx* triangle = &list.IdxBuffer[command.IdxOffset + i];
    const auto corner = [&](int c) { return list.VtxBuffer[command.VtxOffset + triangle[c]].pos; };
    tiles_.meeting(intersect(space_.around(corner(0), corner(1), corner(2)), clip), [&](std::size_t tile) {
      if (rect_of_[tile] < 0) return;
      const std::size_t rect = rect_of_[tile];
      if (last_[rect] == i) return;
      last_[rect] = i;
      indices_[rect].insert(indices_[rect].end(), triangle, triangle + 3);
    });
  }
  for (std::size_t r = 0; r < rects_.size(); ++r) {
    if (indices_[r].empty()) continue;
    ImDrawCmd part = command;
    part.ClipRect = space_.clip_of(intersect(rects_[r], clip));
    part.IdxOffset = kept.indices.Size;
    part.ElemCount = static_cast<unsigned>(indices_[r].size());
    for (const ImDrawIdx index : indices_[r]) kept.indices.push_back(index);
    kept.commands.push_back(part);
    indices_[r].clear();
  }
}

}  // namespace headscope::gl
