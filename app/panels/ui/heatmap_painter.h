#pragma once
#include <imgui.h>

#include <memory>

#include "core/figure/canvas/pool.h"
#include "core/inputs/inputs.h"
#include "core/picture/picture.h"

namespace headscope {

/// A heatmap to be drawn at exactly width x height framebuffer pixels.
struct HeatmapRequest : MapPicture {
  int hatch = 6;  ///< pixels between the lines of the hatch on masked cells
  int hatch_line() const { return hatch < 12 ? 1 : hatch / 6; }  ///< thickness of these lines
};

/// Draws heatmaps for panels, which do not depend on OpenGL. The window's implementation is in app/gl; tests
/// have another.
class HeatmapPainter {
 public:
  virtual ~HeatmapPainter() = default;
  /// The picture as a texture that ImDrawList can show 1:1 (uv 0,0 top left to 1,1). Pictures are cached by
  /// `slot` (one place on the screen) and redrawn only when the request differs. nullptr: nothing could be
  /// drawn yet.
  virtual ImTextureID draw(int slot, const HeatmapRequest& request) = 0;
  /// Adds the picture to a draw list at its place, where it covers the pixels one to one.
  virtual void show(ImDrawList& list, int slot, const HeatmapRequest& request, ImVec2 from, ImVec2 to) {
    if (const ImTextureID picture = draw(slot, request)) list.AddImage(picture, from, to);
  }
  /// An existing picture as such a texture.
  virtual ImTextureID picture(int /*slot*/, const std::shared_ptr<const Picture>& /*picture*/) { return {}; }
  /// Fills a large area with one opaque colour, in whole pixels.
  virtual void fill(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 color) {
    list.AddRectFilled(from, to, color);
  }
};

/// Slots of the views that draw many pictures, so that they don't collide; a view's slots begin at its
/// number.
struct PainterSlots {
  static constexpr int grid = 1000;    ///< + head
  static constexpr int head = 100;     ///< + 0 the map, 1 its overview
  static constexpr int compare = 200;  ///< + picture
  static constexpr int others = 900;   ///< anything else
  static constexpr int board = 5000;   ///< + map, of the only board with maps
  static constexpr int page = 990;     ///< of the figure to be exported
  static constexpr int patches = 991;  ///< of an image
  static constexpr int crop = 992;     ///< the image itself
  static constexpr int detail = 993;   ///< of a thumbnail, large
  static constexpr int course = 4000;  ///< + step, of the page of a course
  static constexpr int source = 980;   ///< + built-in model, in the menu of sources
  /// For the layers view, with any number of layers.
  static constexpr int thumbnail(int layer, int of_head) {
    return 10'000 + layer * Limits::max_view_heads + of_head;
  }
};

}  // namespace headscope
