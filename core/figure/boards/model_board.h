#pragma once
#include <optional>

#include "core/figure/boards/board.h"
#include "core/figure/boards/draw_panel.h"
#include "core/scene/model_picture.h"
#include "core/scene/scene.h"

namespace headscope {

/// A cell of one of the maps, by its tokens.
struct ModelCell {
  BlockKind block = BlockKind::encoder;
  int layer = 0;
  Index query = 0, key = 0;
  bool operator==(const ModelCell&) const = default;
};
/// What is pointed at: one of them or neither.
struct PointedInModel {
  std::optional<PointedWord> word;
  std::optional<ModelCell> cell;
  bool any() const { return word || cell; }
};

/// Tokens found by a search, by position; shorter if none is found further on.
struct FoundInModel {
  std::vector<bool> source, target;
};

/// The whole encoder–decoder, laid out for screen and figure as in the figure of Vaswani et al. 2017: the
/// encoder's maps at the left, cross-attention's and the decoder's own to their right, the first layer at the
/// bottom. The tokens are at the left of the maps whose rows they are and below the lowest maps; what the
/// model writes is at the top. Words are lit by the pointed word's weights in ModelPicture::looks, or by the
/// pointed cell; what is found has strokes at the maps' left and lower edges and a frame. Regions are named
/// "map BLOCK LAYER", "title BLOCK LAYER", "source I" and "key I" (the source's tokens below the encoder and
/// below cross-attention), "text I" (the same as a line), "target I" and "written I", from 0.
Board model_board(const Scene& scene, const std::shared_ptr<const ModelPicture>& picture,
                  const PointedInModel& pointed, const BoardStyle& style, double width, double height,
                  const Translator& tr, const FoundInModel& found = {});
/// What the locked cell of cross-attention points at; nothing if no cell is locked.
PointedInModel locked_in_model(const Scene& scene);
/// The cell of a map drawn at `rect` under a point.
ModelCell model_cell_at(const ModelPicture& picture, const ModelPicture::Map& map, const Rect& rect, double x,
                        double y);
/// The tokens of the queries and of the keys of a kind of maps.
const std::vector<std::string>& query_words(const ModelPicture& picture, BlockKind block);
const std::vector<std::string>& key_words(const ModelPicture& picture, BlockKind block);

/// "Layer 2 · Cross-attention"
std::string model_map_title(const Translator& tr, BlockKind block, int layer);
/// "Mean over heads", or the head.
std::string model_heads_title(const Translator& tr, const ModelPicture& picture);

/// "B · " if the scene is of a comparison and shows that side; empty if there is only one.
std::string model_side(const Scene& scene);

/// The same as a view of a figure.
void draw_whole_model(const FigurePen& pen, const Scene& scene, const Rect& area);

}  // namespace headscope
