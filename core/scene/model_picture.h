#pragma once
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/translate.h"
#include "core/scene/colormap.h"
#include "core/scene/view.h"
#include "core/source/trace.h"

namespace headscope {

/// An encoder–decoder as a whole: a map for each layer of each kind of attention, and the words around them.
struct ModelPicture {
  /// The mean over the heads, or one head; where it has more than `most_cells` to a side each cell is the
  /// largest of those that it stands for.
  struct Map {
    BlockKind block = BlockKind::encoder;
    int layer = 0;                     ///< from 0
    std::optional<int> head;           ///< not engaged: the mean
    Index n_q = 0, n_k = 0;            ///< of the small map
    Tensor weights;                    ///< [n_q, n_k]
    std::vector<std::uint8_t> states;  ///< CellState of each cell; empty: all are shown
    ColorRange range;
    int heads = 0;  ///< of the layer
    int off = 0;    ///< how many of those that the map is of are switched off
    /// "2 of 8 heads off", or "off" where it is of one; empty: none is.
    std::string off_text(const Translator& tr) const;
  };
  static constexpr Index most_cells = 192;

  std::vector<Map> maps;  ///< of the encoder, of the decoder, of cross-attention, each from the first layer
  std::vector<std::string> source, target;  ///< tokens; the target's begin with the start token
  /// What follows each token of the target: the next one; after the last what the model expects, which is
  /// empty where nothing is known of it.
  std::vector<std::string> written;
  bool outside = false;  ///< what is written is not to be believed: Translation::outside
  CrossLook look;
  Tensor looks;  ///< [target, source], of `look`: the row of a token says what the one after it is made from

  int layers(BlockKind block) const;
  const Map* find(BlockKind block, int layer) const;
};

/// Why there is no such picture of a trace, English, to be translated; nullptr: there is one. `trace` may be
/// nullptr.
const char* no_model_picture(const Trace* trace);
/// The trace that a whole model is drawn of: B's where the view asks for it and there is one. nullptr where
/// there is none.
const std::shared_ptr<const Trace>& pictured_trace(const std::shared_ptr<const Trace>& a,
                                                   const std::shared_ptr<const Trace>& b, const View& view);
/// Of View::head, where a block has it, else of the mean. Nothing if stopped.
std::shared_ptr<const ModelPicture> model_picture(const std::shared_ptr<const Trace>& trace, const View& view,
                                                  const std::stop_token& stop = {});

}  // namespace headscope
