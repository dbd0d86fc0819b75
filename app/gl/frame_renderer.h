#pragma once
#include <imgui.h>

#include <vector>

#include "app/gl/damage.h"

namespace headscope::gl {

/// Draws ImGui's frames with its OpenGL backend: the whole frame, or only what differs from the previous one
/// if the framebuffer still holds it. With a software renderer drawing takes most of a frame's time.
class FrameRenderer {
 public:
  /// Draws to the bound framebuffer. `kept`: it still holds what the previous call drew.
  void draw(ImDrawData& data, unsigned background, bool kept, const ContentOf& content);
  /// The content of a texture has changed, such as a font: the next frame is drawn in full.
  void forget() { damage_.forget(); }

 private:
  DamageTracker damage_;
};

/// While it exists, draw lists are reduced to the parts that meet a set of rectangles, which must be disjoint
/// and have their edges on tile or window edges. A command that meets several is repeated for each.
class ClippedLists {
 public:
  ClippedLists(ImDrawData& data, const std::vector<PixelRect>& rects, const ContentOf& content);
  ~ClippedLists();
  ClippedLists(const ClippedLists&) = delete;
  ClippedLists& operator=(const ClippedLists&) = delete;

 private:
  struct Kept {
    ImDrawList* list;
    ImVector<ImDrawCmd> commands;
    ImVector<ImDrawIdx> indices;
  };
  void cut(const ImDrawCmd& command, const ContentOf& content, Kept& kept);
  void cut_callback(const ImDrawCmd& command, const ImVec4& area, Kept& kept);
  void cut_triangles(const ImDrawCmd& command, Kept& kept);

  const PixelSpace space_;
  const Tiles tiles_;
  const std::vector<PixelRect>& rects_;
  std::vector<int> rect_of_;                     // of each tile, or -1
  std::vector<std::vector<ImDrawIdx>> indices_;  // of one command, for each rectangle
  std::vector<unsigned> last_;                   // the last triangle added to each of them
  std::vector<Kept> kept_;
  bool reset_ = true;  // ImGui's state is unchanged since it was set
};

}  // namespace headscope::gl
