#pragma once
#include <imgui.h>

#include <array>
#include <cstdint>
#include <memory>

#include "core/base/tensor.h"
#include "core/figure/canvas/picture.h"
#include "core/figure/canvas/pool.h"
#include "core/inputs/inputs.h"
#include "core/scene/colormap.h"

namespace headscope {

/// One heatmap to be drawn at exactly width x height framebuffer pixels.
struct HeatmapRequest {
  std::shared_ptr<const void> owner;  ///< keeps values and blocked alive as long as the picture is cached
  const float* values = nullptr;      ///< [n_q, n_k]
  /// [n_q, n_k] or nullptr: 0 shown, 1 masked (background and hatch), 2 filtered out or without a partner
  /// (background alone, no hatch); the Cell values of core/analysis/filtered_layer.h.
  const std::uint8_t* blocked = nullptr;
  Index n_q = 0, n_k = 0;
  double query_begin = 0, query_end = 0;  ///< the part that is shown, in cells; pan and zoom
  double key_begin = 0, key_end = 0;
  int width = 0, height = 0;  ///< framebuffer pixels
  const std::array<Rgb, 256>* colors = nullptr;
  ColorRange range;
  MaskedStyle masked;
  Pooling pooling = Pooling::largest;
  int hatch = 6;  ///< pixels from line to line where cells are masked
  int hatch_line() const { return hatch < 12 ? 1 : hatch / 6; }  ///< how thick they are
};

/// Draws heatmaps for panels, which know nothing of OpenGL. The window's own is in app/gl; tests have
/// another.
class HeatmapPainter {
 public:
  virtual ~HeatmapPainter() = default;
  /// The picture as a texture that ImDrawList can show 1:1 (uv 0,0 top left to 1,1). Pictures are kept by
  /// `slot` (one place on the screen) and drawn again only when the request differs. nullptr: nothing could
  /// be drawn yet.
  virtual ImTextureID draw(int slot, const HeatmapRequest& request) = 0;
  /// Draws the picture at its place in a list, whose pixels it covers one to one.
  virtual void show(ImDrawList& list, int slot, const HeatmapRequest& request, ImVec2 from, ImVec2 to) {
    if (const ImTextureID picture = draw(slot, request)) list.AddImage(picture, from, to);
  }
  /// A finished picture as such a texture.
  virtual ImTextureID picture(int /*slot*/, const std::shared_ptr<const FigurePicture>& /*picture*/) {
    return {};
  }
  /// Fills a large area with one opaque colour, in whole pixels.
  virtual void fill(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 color) {
    list.AddRectFilled(from, to, color);
  }
};

/// Slots of the views that draw many pictures, so that they don't meet; a view's own begin at its number.
struct PainterSlots {
  static constexpr int grid = 1000;    ///< + head
  static constexpr int head = 100;     ///< + 0 the map, 1 its overview
  static constexpr int compare = 200;  ///< + picture
  static constexpr int others = 900;   ///< anything else
  static constexpr int board = 5000;   ///< + map, of the only board with maps
  static constexpr int page = 990;     ///< of the figure that is about to be exported
  static constexpr int patches = 991;  ///< of a picture
  /// Of the layers view; of any number of layers.
  static constexpr int thumbnail(int layer, int of_head) {
    return 10'000 + layer * Limits::max_view_heads + of_head;
  }
};

/// What of a request decides which cells stand for which pixel.
MapPart map_part(const HeatmapRequest& request);

/// The largest value among the cells under pixel (x, y) of a request, and where it stands: what the picture
/// shows there when cells are smaller than pixels. False where the pixel lies outside or every cell under it
/// is blocked (then query and key name a blocked one; -1 outside).
bool value_under_pixel(const HeatmapRequest& request, double x, double y, Index& query, Index& key,
                       float& value);

}  // namespace headscope
