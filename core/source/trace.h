#pragma once
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/layer_trace.h"
#include "core/attention/mask.h"
#include "core/base/tensor.h"
#include "core/inputs/inputs.h"
#include "core/model/logit_contributions.h"
#include "core/source/maps/map_source.h"
#include "core/source/model/cell_way.h"
#include "core/source/model/translation.h"
#include "core/text/words.h"

namespace headscope {

class Source;

/// How tokens that are parts of a picture lie in it, row by row.
struct Patches {
  int rows = 0, columns = 0;
  int first = 0;        ///< the token of the upper left one
  std::string picture;  ///< a PNG file; empty where there is none
  int count() const { return rows * columns; }
  /// Which patch a token is, or -1.
  int of_token(int token) const { return token >= first && token < first + count() ? token - first : -1; }
};

/// What a block is made of, whoever made it.
struct BlockShape {
  BlockKind kind = BlockKind::self;
  int layers = 1;
  int heads = 1;
  int kv_heads = 1;  ///< key-value heads, each read by heads / kv_heads heads
  int d_model = 0;   ///< 0 where only maps are known, as is d_k
  int d_k = 0;
  bool causal = false;  ///< by the model's own nature: no mask of the user's takes it away
  bool qkv_bias = true, output_bias = true;  ///< whether W_Q, W_K, W_V and W_O have biases
  bool operator==(const BlockShape&) const = default;
};

/// What the layers of a block read and make, computed when it is asked for. Any thread may ask.
class LayerSource {
 public:
  LayerSource() = default;
  virtual ~LayerSource() = default;
  LayerSource(const LayerSource&) = delete;
  LayerSource& operator=(const LayerSource&) = delete;
  /// Without scores and weights, which are the maps' matter.
  virtual LayerTrace layer(int index) const = 0;
  /// Whether q and k are known, of which a cell's way is made: attention that was computed elsewhere may have
  /// come without.
  virtual bool has_arithmetic() const { return true; }
  /// Of one cell that is there, without computing the layer; has_arithmetic() must hold.
  virtual CellWay way(int layer, int head, Index query, Index key) const = 0;
  /// V of a key-value head [n_k, d_k]; empty where it is not known.
  virtual Tensor values(int layer, Index kv_head) const = 0;
  /// How the scores of a row come about.
  virtual RowRule rule(int layer, int head, Index query) const = 0;
  /// The scores of a row [n_k] where the maps know none but the rule gives them. False: it does not.
  virtual bool score_row(int /*layer*/, int /*head*/, Index /*query*/, float* /*out*/) const { return false; }
};

/// What a model expects at the tokens of a trace: next ones, or masked ones. Any thread may ask.
class Predictions {
 public:
  Predictions() = default;
  virtual ~Predictions() = default;
  Predictions(const Predictions&) = delete;
  Predictions& operator=(const Predictions&) = delete;
  virtual BlockKind block() const = 0;  ///< at whose queries
  /// Whether a row tells of the token after it; else of the one in its own place.
  virtual bool of_next_token() const = 0;
  /// Of queries [begin, end): [end - begin, vocabulary].
  virtual Tensor logits(Index begin, Index end) const = 0;
  /// Likewise what the model's head makes of the stream after a layer, counted from 0 (nostalgebraist 2020
  /// calls it the logit lens); of the last layer they are the logits.
  virtual Tensor logits_after(int layer, Index begin, Index end) const = 0;
  /// For people.
  virtual std::string token(Index id) const = 0;
  /// Of a token as the vocabulary writes it, or of a text.
  virtual std::vector<Index> ids(std::string_view text) const = 0;
  virtual Index vocabulary() const = 0;
  /// Whether contributions() are defined.
  virtual bool has_contributions() const = 0;
  /// That logits which were asked for are no numbers; nothing while all are.
  virtual std::optional<Error> trouble() const { return {}; }
  /// At a query, to a token's logit. Nothing if stopped, and where they are not defined.
  virtual std::optional<LogitContributions> contributions(Index position, Index id,
                                                          const std::stop_token& stop = {}) const = 0;
};

/// One stack of layers that attend in the same way.
struct BlockTrace {
  BlockShape shape;
  std::vector<Token> tokens;      ///< queries
  std::vector<Token> key_tokens;  ///< keys; equal to tokens where a sentence attends to itself
  bool words = false;             ///< its tokens are words that a model has in pieces: see with_words()
  /// Of words: the piece that each query and key begins with, and after the last the number of pieces.
  std::vector<Index> first_pieces, first_key_pieces;
  /// How many tokens stand for one row and one column: see with_groups().
  Index query_group = 1, key_group = 1;
  bool sampled = false;                      ///< of groups: one query of each was read
  bool means = false;                        ///< of groups: cells are their means, else their largest
  std::shared_ptr<const BlockTrace> single;  ///< of groups: the block that they are of
  bool grouped() const { return query_group > 1 || key_group > 1; }
  /// Whether its rows and columns are the tokens that masks and the arithmetic are of.
  bool of_tokens() const { return !words && !grouped(); }
  Mask mask;       ///< what was blocked
  Text text;       ///< what the tokens were split from
  WhatIf what_if;  ///< what else was changed
  /// Of each layer, where the model's own masks differ from one to the next; else empty.
  std::vector<Mask> layer_masks;
  /// Where the source keeps them; maps are not in here but in `maps`. Empty without tokens.
  std::vector<LayerTrace> layers;
  /// Where it computes them on demand.
  std::shared_ptr<const LayerSource> computed_layers;
  Tensor key_x;  // [n_k, d_model]  what keys and values are made of, where it is not the queries' stream
  Tensor stack_output;  // [n_q, d_model]  what a next layer would read; empty unless it was asked for
  std::optional<Patches> patches;         ///< where its queries are parts of a picture
  std::optional<Patches> key_patches;     ///< likewise its keys
  std::shared_ptr<const MapSource> maps;  ///< null without tokens

  Index n_q() const { return static_cast<Index>(tokens.size()); }
  Index n_k() const { return static_cast<Index>(key_tokens.size()); }
  int heads() const { return shape.heads; }
  /// Layers that have maps: none without tokens.
  int layer_count() const { return maps ? maps->size().layers : 0; }
  const Mask& mask_of(int layer) const {
    return layer_masks.empty() ? mask : layer_masks[static_cast<std::size_t>(layer)];
  }
  /// Of a block that has maps.
  LayerTrace layer(int index) const {
    return computed_layers ? computed_layers->layer(index) : layers[static_cast<std::size_t>(index)];
  }
  /// Whether something is blocked, in any layer.
  bool masked() const {
    return mask.any() || std::ranges::any_of(layer_masks, [](const Mask& one) { return one.any(); });
  }
  bool cross() const { return shape.kind == BlockKind::cross; }
  bool fills_with_infinity() const { return what_if.mask_fill == MaskFill::minus_infinity; }
  /// Which cells of a head have no weight by the mask, as bytes of [n_q, n_k], nullptr for none: maps hatch
  /// them, for masks that have bytes. Those that it blocks; but where every key of a row is blocked by a
  /// finite fill the row's scores are all the same, softmax gives each key 1 / n_k, and maps show that.
  const std::uint8_t* weightless(int layer, int head) const;
  /// Of one row, [n_k], of masks of any size; `scratch` may hold it.
  const std::uint8_t* weightless_row(int layer, int head, Index query,
                                     std::vector<std::uint8_t>& scratch) const;
  bool weightless(int layer, int head, Index query, Index key) const;
  /// Smallest and largest of the weights of a head that are not weightless.
  Extent extent(int layer, int head) const;
};

/// What one run of the Inputs gave. Immutable once made; shared by all who show it.
struct Trace {
  Inputs inputs;
  Tensor x;      // [n_q, d_model]  the queries' vectors; empty where the source knows none
  Tensor key_x;  // [n_k, d_model]  the keys' vectors; shares x in self-attention
  std::vector<BlockTrace> blocks = std::vector<BlockTrace>(1);  ///< at least one
  std::shared_ptr<const Predictions> predictions;               ///< null where the source makes none
  std::shared_ptr<const Translation> translation;  ///< of an encoder–decoder whose target is not given
  std::shared_ptr<const Source> source;            ///< what it was made by, kept as long as it may be asked
  double milliseconds = 0;                         ///< what the run took
  /// Whether its text goes on from that of a run before, whose rows were taken from there. A product of few
  /// rows adds in another order than one of many, so the last bits may differ from those of a run of the
  /// whole text.
  bool continued = false;
};

/// What of its numbers could not be read or computed, as far as they have been asked for: nothing of it is
/// believed.
std::optional<Error> trouble_of(const Trace& trace);

/// The block of that kind, else the first. Keeps the trace.
std::shared_ptr<const BlockTrace> block_of(std::shared_ptr<const Trace> trace, BlockKind kind);

}  // namespace headscope
