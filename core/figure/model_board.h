#pragma once
#include <optional>

#include "core/figure/board.h"
#include "core/figure/draw_panel.h"
#include "core/scene/model_picture.h"
#include "core/scene/scene.h"

namespace headscope {

/// A word that is pointed at: of the source, or one that the model has written, by the place of the target's
/// token before it.
struct PointedWord {
  bool of_source = false;
  Index at = 0;
  bool operator==(const PointedWord&) const = default;
};

/// The whole encoder–decoder, laid out for screen and figure as in the figure of Vaswani et al. 2017: the
/// encoder's maps at the left, cross-attention's and the decoder's own beside them, the first layer at the
/// bottom, the source's and the target's tokens below them and what the model writes above. Words are lit by
/// the weights of ModelPicture::looks that the pointed one has. Regions are named "map BLOCK LAYER", "source
/// I", "target I" and "written I", from 0.
Board model_board(const Scene& scene, const std::shared_ptr<const ModelPicture>& picture,
                  const std::optional<PointedWord>& pointed, const BoardStyle& style, double width,
                  double height, const Translator& tr);
/// What the locked cell of cross-attention points at.
std::optional<PointedWord> locked_word(const Scene& scene);

/// "Layer 2 · Cross-attention"
std::string model_map_title(const Translator& tr, BlockKind block, int layer);
/// "Mean over heads", or the head.
std::string model_heads_title(const Translator& tr, const ModelPicture& picture);

/// The same as a view of a figure.
void draw_whole_model(const FigurePen& pen, const Scene& scene, const Rect& area);

}  // namespace headscope
