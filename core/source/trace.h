#pragma once
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/attend_heads.h"
#include "core/attention/layer_trace.h"
#include "core/attention/mask.h"
#include "core/base/tensor.h"
#include "core/inputs/inputs.h"
#include "core/model/config/mixer.h"
#include "core/model/config/output_config.h"
#include "core/model/effects/logit_contributions.h"
#include "core/source/cell_intermediates.h"
#include "core/source/cell_value.h"
#include "core/source/map_source.h"
#include "core/source/rollout_options.h"
#include "core/source/translation.h"
#include "core/text/words.h"

namespace headscope {

class LanguageModel;
class ModelRun;
class Source;
struct SourceAbout;
struct CauseQuestion;
struct CauseRequest;
struct Causes;
struct HeadPaths;
struct Picture;

/// The grid of tokens that are patches of a picture, row by row.
struct Patches {
  int rows = 0, columns = 0;
  int first = 0;        ///< the token of the upper left one
  std::string picture;  ///< its file; may be empty
  std::shared_ptr<const Picture> shown =
      nullptr;  ///< what the patches are of, where it is not the whole file
  int count() const { return rows * columns; }
  /// The patch number of a token, or -1.
  int of_token(int token) const { return token >= first && token < first + count() ? token - first : -1; }
};

/// What a layer has, and how many heads of it have a map.
struct LayerMixer {
  Mixer kind = Mixer::softmax;
  int heads = 0;
  /// Of a state: heads of queries and keys, and how long those and values are; 0 of others.
  int groups = 0, d_k = 0, d_v = 0;
  bool operator==(const LayerMixer&) const = default;
};

/// Sizes of a layer's attention.
struct LayerSizes {
  int kv_heads = 1, d_k = 0;
  bool operator==(const LayerSizes&) const = default;
};

/// The shape of a block, whatever its source.
struct BlockShape {
  BlockKind kind = BlockKind::self;
  int layers = 1;
  int heads = 1;     ///< of the layer with most of them
  int kv_heads = 1;  ///< key-value heads, each read by heads / kv_heads heads
  int d_model = 0;   ///< 0 if only maps are known; d_k too
  int d_k = 0;
  int own_d_v = 0;  ///< of values, where it is not d_k
  /// [layers] of `kv_heads` and `d_k`, where layers differ (Gemma 4), whose first those are; empty: the same
  /// in all.
  std::vector<LayerSizes> sizes;
  int kv_heads_of(int layer) const { return sizes.empty() ? kv_heads : sizes[layer].kv_heads; }
  int d_k_of(int layer) const { return sizes.empty() ? d_k : sizes[layer].d_k; }
  int d_v_of(int layer) const { return own_d_v > 0 ? own_d_v : d_k_of(layer); }
  int latent = 0;       ///< numbers of the short row that keys and values come from (DeepSeek); 0: none
  bool causal = false;  ///< by the model itself: user masks cannot remove it
  /// Whether W_Q, W_K, W_V and W_O have biases.
  bool q_bias = true, k_bias = true, v_bias = true, output_bias = true;
  /// [layers] where some have no softmax attention; empty: all have it, and as many heads. What is about
  /// sizes of keys and values is about attention alone.
  std::vector<LayerMixer> mixers;
  Mixer mixer_of(int layer) const { return mixers.empty() ? Mixer::softmax : mixers[layer].kind; }
  /// Whether a layer's maps are those of softmax attention: rows that sum to 1, of numbers from 0. Otherwise
  /// they are what the layer applies to its values, row by row, and may have any sign.
  bool is_softmax(int layer) const { return mixer_of(layer) == Mixer::softmax; }
  /// Whether some layers' maps are no softmax.
  bool has_equivalent_maps() const {
    return std::ranges::any_of(
        mixers, [](const LayerMixer& one) { return one.kind != Mixer::softmax && one.heads > 0; });
  }
  int heads_of(int layer) const { return mixers.empty() ? heads : mixers[layer].heads; }
  /// How long a query and a key of that layer are, of attention or of a state; 0: not known, or it has none.
  int key_length_of(int layer) const { return is_softmax(layer) ? d_k_of(layer) : mixers[layer].d_k; }
  /// How many have softmax attention.
  int softmax_layers() const {
    return mixers.empty() ? layers
                          : static_cast<int>(std::ranges::count(mixers, Mixer::softmax, &LayerMixer::kind));
  }
  /// The first one with attention; 0: none.
  int softmax_layer() const {
    const auto found = std::ranges::find(mixers, Mixer::softmax, &LayerMixer::kind);
    return found == mixers.end() ? 0 : static_cast<int>(found - mixers.begin());
  }
  /// This one if it has maps, or the next one that has, or else the one before.
  int layer_with_maps(int layer) const {
    const auto has = [](const LayerMixer& one) { return one.heads > 0; };
    const auto from = mixers.begin() + std::min<std::ptrdiff_t>(layer, std::ssize(mixers));
    const auto next = std::find_if(from, mixers.end(), has);
    if (next != mixers.end()) return static_cast<int>(next - mixers.begin());
    const auto before = std::find_if(std::make_reverse_iterator(from), mixers.rend(), has);
    return before == mixers.rend() ? layer : static_cast<int>(mixers.rend() - before) - 1;
  }
  bool has_map(int layer, int head) const { return head < heads_of(layer); }
  /// Of layers with attention.
  int attention_heads() const {
    const auto found = std::ranges::find(mixers, Mixer::softmax, &LayerMixer::kind);
    return found == mixers.end() ? heads : found->heads;
  }
  bool no_token = false;  ///< each head has a sink: its weights on tokens sum to less than 1
  bool operator==(const BlockShape&) const = default;
};

/// Intermediates of a block's layers, computed on demand. Thread-safe.
class LayerSource {
 public:
  LayerSource() = default;
  virtual ~LayerSource() = default;
  LayerSource(const LayerSource&) = delete;
  LayerSource& operator=(const LayerSource&) = delete;
  /// Without scores and weights, which come from the maps.
  virtual LayerTrace layer(int index) const = 0;
  /// Whether q and k are known, which a cell's arithmetic needs: a capture may lack them.
  virtual bool has_arithmetic() const { return true; }
  /// Intermediates of one existing cell, without computing the layer; requires has_arithmetic().
  virtual CellIntermediates way(int layer, int head, Index query, Index key) const = 0;
  /// V of a key-value head [n_k, d_k]; empty if unknown.
  virtual Tensor values(int layer, Index kv_head) const = 0;
  /// The keys and values that some queries of a layer have for themselves; nullptr: none.
  virtual std::shared_ptr<const OwnKeys> own_keys(int /*layer*/) const { return nullptr; }
  /// How the scores of a row are computed.
  virtual RowRule rule(int layer, int head, Index query) const = 0;
  /// The scores of a row [n_k], if the maps have none but the rule can compute them. False if it cannot.
  virtual bool score_row(int /*layer*/, int /*head*/, Index /*query*/, float* /*out*/) const { return false; }
};

/// A model's predictions at the tokens of a trace: next tokens, masked ones, or labels. Thread-safe.
class Predictions {
 public:
  Predictions() = default;
  virtual ~Predictions() = default;
  Predictions(const Predictions&) = delete;
  Predictions& operator=(const Predictions&) = delete;
  virtual BlockKind block() const = 0;  ///< the block whose queries have predictions
  /// What is predicted. Without tokens of the vocabulary, what is called a token here is a label.
  virtual const OutputConfig& output() const = 0;
  bool of_tokens() const { return output().kind == OutputKind::tokens; }
  /// The query at which the whole text or picture has its label; nothing if each query has predictions of its
  /// own.
  virtual std::optional<Index> text_query() const { return {}; }
  /// Of how many queries that label is, from that one on: of several where it is read from their mean.
  virtual Index text_queries() const { return 1; }
  /// Whether a row predicts the token after it; otherwise what is at its own position.
  virtual bool of_next_token() const = 0;
  /// Logits of queries [begin, end): [end - begin, vocabulary]. Every query has the same of the whole.
  virtual Tensor logits(Index begin, Index end) const = 0;
  /// Whether the layers of block() are those that logits_after() is about.
  virtual bool has_lens() const { return true; }
  /// The logit lens (nostalgebraist 2020): logits from the stream after a layer, counted from 0; for the last
  /// layer the model's own.
  virtual Tensor logits_after(int layer, Index begin, Index end) const = 0;
  /// A token's display text.
  virtual std::string token(Index id) const = 0;
  /// Ids of a token as written in the vocabulary, or of a text; none for a word unknown to the model.
  virtual std::vector<Index> ids(std::string_view text) const = 0;
  virtual Index vocabulary() const = 0;  ///< the number of tokens, or labels
  /// Set once requested logits were not finite.
  virtual std::optional<Error> error() const { return {}; }
  /// Contributions to a token's logit at a query. Nothing if stopped.
  virtual std::optional<LogitContributions> contributions(Index position, Index id,
                                                          const std::stop_token& stop = {}) const = 0;
  /// find_causes() and find_paths() in the run of these predictions; `other` as there. nullptr if stopped.
  virtual std::shared_ptr<const Causes> causes(const ModelRun* other, const CauseRequest& request) const = 0;
  virtual std::shared_ptr<const HeadPaths> paths(const CauseQuestion& question,
                                                 std::span<const HeadPlace> heads,
                                                 const std::stop_token& stop = {}) const = 0;
  /// The direction of a token's logit in the heads of a layer of a block that reaches the output.
  virtual std::optional<LogitDirection> direction(BlockKind block, int layer, Index id) const = 0;
};

/// What the cells of a block show in place of the weights.
struct ShownCells {
  CellValue value = CellValue::weight;
  std::shared_ptr<const MapSource> maps;  ///< null: the weights
  /// Display texts of the tokens whose logits it is about; `against` may be empty.
  std::string token, against;
  Rollout rollout = Rollout::off;  ///< its maps are one for each layer: see with_rollout()
};

/// One stack of layers that attend in the same way.
struct BlockTrace {
  BlockShape shape;
  std::vector<Token> tokens;      ///< queries
  std::vector<Token> key_tokens;  ///< keys; equal to tokens in self-attention
  bool words = false;             ///< its tokens are words that a model splits: see with_words()
  /// With words: the first piece of each query and key, followed by the number of pieces.
  std::vector<Index> first_pieces, first_key_pieces;
  /// Tokens pooled into one row and one column: see with_pooling().
  Index query_pool = 1, key_pool = 1;
  bool sampled = false;                      ///< pooled: only one query per block was read
  bool means = false;                        ///< pooled: cells are means, otherwise maxima
  std::shared_ptr<const BlockTrace> single;  ///< pooled: the block before pooling
  bool pooled() const { return query_pool > 1 || key_pool > 1; }
  /// Whether its rows and columns are single tokens, as for masks and arithmetic.
  bool of_tokens() const { return !words && !pooled(); }
  Mask mask;                    ///< what was blocked
  Text text;                    ///< what the tokens were split from
  Interventions interventions;  ///< other changes
  /// Per layer, if the model's own masks differ between layers; otherwise empty.
  std::vector<Mask> layer_masks;
  /// If the source keeps them; their maps are in `maps`. Empty without tokens.
  std::vector<LayerTrace> layers;
  /// If it computes them on demand.
  std::shared_ptr<const LayerSource> computed_layers;
  Tensor key_x;                        // [n_k, d_model]  input of keys and values, if not the queries' stream
  Tensor stack_output;                 // [n_q, d_model]  input of a next layer; empty unless requested
  std::optional<Patches> patches;      ///< if its queries are patches of a picture
  std::optional<Patches> key_patches;  ///< the same for its keys
  std::shared_ptr<const MapSource> maps;  ///< of the weights; null without tokens
  ShownCells cells;                       ///< see with_cells()
  /// Of a block whose last key is no token: the block without it, see with_no_token().
  std::shared_ptr<const BlockTrace> tokens_alone;
  /// Of a rollout: the block whose heads it mixes.
  std::shared_ptr<const BlockTrace> rolled;
  /// The model of a single stack that predicts tokens, whose heads have circuit_numbers(); otherwise null.
  std::shared_ptr<const LanguageModel> circuits;
  /// The maps that are drawn. Requires maps.
  const MapSource& shown_maps() const { return cells.maps ? *cells.maps : *maps; }

  Index n_q() const { return tokens.size(); }
  Index n_k() const { return key_tokens.size(); }
  bool is_no_token(Index key) const { return tokens_alone && key + 1 == n_k(); }
  int heads() const { return shape.heads; }
  int heads_of(int layer) const { return shape.heads_of(layer); }
  /// What the shown cells of a layer are.
  const CellValueRow& cells_of(int layer) const {
    const bool of_weights = cells.rollout == Rollout::off && cells.value == CellValue::weight;
    return of_weights && !shape.is_softmax(layer) ? equivalent_map() : cell_value(cells.value);
  }
  /// Whether their colours diverge around 0.
  bool is_signed(int layer) const { return cells_of(layer).is_signed; }
  /// Number of layers with maps: 0 without tokens.
  int layer_count() const { return maps ? maps->size().layers : 0; }
  const Mask& mask_of(int layer) const { return layer_masks.empty() ? mask : layer_masks[layer]; }
  /// Requires maps.
  LayerTrace layer(int index) const {
    return computed_layers ? computed_layers->layer(index) : layers[index];
  }
  /// The scores of rows [begin, end) of a head, from the maps or by the layer's rule, as
  /// MapSource::score_rows(). False if the source has none.
  bool score_rows(int layer, int head, Index begin, Index end, float* out) const;
  /// The key-value head that a head of a layer reads.
  Index kv_head_of(int layer, int head) const {
    return Index{head} * shape.kv_heads_of(layer) / shape.attention_heads();
  }
  /// V as a head reads it [n_k, d_k]; empty if unknown.
  Tensor values(int layer, int head) const;
  /// See LayerSource::own_keys().
  std::shared_ptr<const OwnKeys> own_keys(int layer) const {
    return computed_layers ? computed_layers->own_keys(layer) : nullptr;
  }
  /// Whether something is blocked, in any layer.
  bool masked() const {
    return mask.any() || std::ranges::any_of(layer_masks, [](const Mask& one) { return one.any(); });
  }
  /// Whether its queries and keys are different tokens.
  bool cross() const { return shape.kind == BlockKind::cross || is_pooling(shape.kind); }
  bool fills_with_infinity() const { return interventions.mask_fill == MaskFill::minus_infinity; }
  /// Cells of a head without weight due to the mask, as bytes [n_q, n_k], nullptr for none: maps hatch them.
  /// Only for masks that have bytes. These are the blocked cells, except in rows where every key is blocked
  /// with a finite fill: there all scores are equal, softmax gives each key 1 / n_k, and maps show that.
  const std::uint8_t* weightless(int layer, int head) const;
  /// The same for one row [n_k], for masks of any size; may point into `scratch`.
  const std::uint8_t* weightless_row(int layer, int head, Index query,
                                     std::vector<std::uint8_t>& scratch) const;
  bool weightless(int layer, int head, Index query, Index key) const;
  /// Smallest and largest of the shown cells of a head that are not weightless.
  Extent extent(int layer, int head) const;
};

/// The result of one run of the Inputs. Immutable once created; shared by all views.
struct Trace {
  Inputs inputs;
  Tensor x;      // [n_q, d_model]  the queries' vectors; empty if unknown
  Tensor key_x;  // [n_k, d_model]  the keys' vectors; shares x in self-attention
  std::vector<BlockTrace> blocks = std::vector<BlockTrace>(1);  ///< at least one
  std::shared_ptr<const Predictions> predictions;               ///< null if the source has none
  std::shared_ptr<const Translation> translation;  ///< of an encoder–decoder with generated target
  std::shared_ptr<const Source> source;            ///< its source, kept alive for queries
  std::shared_ptr<const ModelRun> run;             ///< a trained model's, which a longer text may continue
  double milliseconds = 0;                         ///< duration of the run
  /// Whether its text continues that of an earlier run whose rows were reused. A product of few rows sums in
  /// another order than one of many, so the last bits may differ from a run of the whole text.
  bool continued = false;

  /// Those of its source; without a source all of them are empty.
  const SourceAbout& about() const;
};

/// The error if any requested number could not be read or computed: then nothing of the trace is valid.
std::optional<Error> error_of(const Trace& trace);

/// The block of that kind, otherwise the first. Keeps the trace alive.
std::shared_ptr<const BlockTrace> block_of(std::shared_ptr<const Trace> trace, BlockKind kind);

}  // namespace headscope
