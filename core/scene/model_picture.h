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
  /// The mean over the heads, or one head; if it has more than `max_cells` to a side, each cell is the
  /// largest of those that it represents.
  struct Map {
    BlockKind block = BlockKind::encoder;
    int layer = 0;                     ///< from 0
    std::optional<int> head;           ///< not engaged: the mean
    Index n_q = 0, n_k = 0;            ///< of the pooled map
    Tensor weights;                    ///< [n_q, n_k]
    std::vector<std::uint8_t> states;  ///< CellState of each cell; empty: all are shown
    ColorRange range;
    int heads = 0;  ///< of the layer
    int off = 0;    ///< how many of the map's heads are ablated
    /// "2 of 8 heads off", or "off" for a single head; empty: none is.
    std::string off_text(const Translator& tr) const;
  };
  static constexpr Index max_cells = 192;

  std::vector<Map> maps;  ///< of the encoder, of the decoder, of cross-attention, each from the first layer
  std::vector<std::string> source, target;  ///< tokens; the target's begin with the start token
  /// What follows each token of the target: the next one; after the last one the model's prediction, which is
  /// empty if not known.
  std::vector<std::string> written;
  bool outside = false;  ///< the output is unreliable: Translation::outside
  CrossLook look;
  Tensor looks;  ///< [target, source], of `look`: a token's row shows what the next one is computed from

  int layers(BlockKind block) const;
  const Map* find(BlockKind block, int layer) const;
};

/// Why there is no such picture of a trace, English, to be translated; nullptr if there is one. `trace` may
/// be nullptr.
const char* no_model_picture(const Trace* trace);
/// The trace that a whole model is drawn from: B's if the view requests it and there is one. nullptr if there
/// is none.
const std::shared_ptr<const Trace>& pictured_trace(const std::shared_ptr<const Trace>& a,
                                                   const std::shared_ptr<const Trace>& b, const View& view);
/// Of View::head, if a block has it, otherwise of the mean. Nothing if stopped.
std::shared_ptr<const ModelPicture> model_picture(const std::shared_ptr<const Trace>& trace, const View& view,
                                                  const std::stop_token& stop = {});

}  // namespace headscope
