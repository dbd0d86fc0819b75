#pragma once
#include <imgui.h>

#include <vector>

#include "app/gl/damage.h"

namespace headscope::gl {

/// While it lives, what is to be drawn is cut down to what meets some rectangles, which must lie apart from
/// each other, on edges of tiles or of the window. A command that meets several is there once for each.
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
  std::vector<unsigned> last_;                   // the triangle that came into each of them last
  std::vector<Kept> kept_;
  bool reset_ = true;  // nothing has changed ImGui's state since it was set
};

}  // namespace headscope::gl
