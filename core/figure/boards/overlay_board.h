#pragma once
#include <memory>
#include <stop_token>

#include "core/figure/boards/board.h"
#include "core/scene/scene.h"

namespace headscope {

/// Whether overlays can be compared by their colours.
bool shares_range(Range range);

/// Where every head of every layer looks from one query, over the picture: layers down, heads across.
struct OverlaySheet {
  std::shared_ptr<const BlockTrace> block;
  int query = 0;
  Colormap colormap = {};
  bool shared = false;                     ///< one range for all heads; otherwise each has its own
  int side = 0;                            ///< pixels of the longer side of an overlay
  Rgb gaps;                                ///< between overlays
  double largest = 0;                      ///< weight on a patch, of all heads
  int width = 0, height = 0, gap = 0;      ///< of an overlay; pixels between two
  int first = 0, layers = 0;               ///< that it has
  std::shared_ptr<const Picture> picture;  ///< all of them; nullptr if stopped
};
/// The query of the locked cell, if figures mark it, otherwise the first token.
int overlay_query(const Scene& scene);
/// Requires key_patches. `below` is what lies below the weights; may be nullptr. `alone`: the view's layer
/// only.
std::shared_ptr<const OverlaySheet> make_overlays(std::shared_ptr<const BlockTrace> block, int query,
                                                  const View& view, int side, Rgb gaps, const Picture* below,
                                                  const std::stop_token& stop = {}, bool alone = false);
/// Whether the overlays of all layers are large enough in a room of that size, in its unit.
bool overlays_fit(const BlockTrace& block, double width, double height, double smallest, double em);

/// The sheet with its headings, at most that wide and high. Regions are the overlays, as HeadPlace, and with
/// `buttons` what is no patch ("[CLS]"), as TokenOfLayer.
Board overlay_board(const OverlaySheet& sheet, const View& view, const BoardStyle& style, double width,
                    double height, bool buttons, const Translator& tr);

/// Pixels of an overlay on a sheet of this width in pixels.
int overlay_side(const BlockTrace& block, double width);

/// The key token under a point of an overlay's region, in its units.
int token_of_overlay(const OverlaySheet& sheet, const Rect& overlay, double x, double y);

}  // namespace headscope
