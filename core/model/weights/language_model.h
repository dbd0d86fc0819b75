#pragma once
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/attention/dense.h"
#include "core/inputs/inputs.h"
#include "core/io/safetensors_reader.h"
#include "core/model/config/config.h"
#include "core/model/config/family.h"
#include "core/model/rows/norm.h"
#include "core/model/steps/head_projection.h"
#include "core/model/weights/load_progress.h"
#include "core/model/weights/picture_parts.h"
#include "core/model/weights/sound_parts.h"

namespace headscope {

class ModelFiles;

/// The weights of one multi-head attention.
struct AttentionWeights {
  Dense gate;           // of what the heads give [heads d_v, d_model]; empty: none
  Dense q, k, v, o;     // heads head_dim and kv_heads head_dim columns of d_model; o back
  Norm q_norm, k_norm;  // of heads' rows, see QkNorm
  Norm v_norm;          // of each value; empty: none
  Norm norm, output_norm;
  Tensor sinks;  // [heads]; empty: none
  std::optional<LatentProjection> query_latent, latent;
  /// Of vectors of relative positions, to what queries and keys are multiplied with (DeBERTa); empty: none.
  Dense position_q, position_k;
  /// What queries have in these products beyond their own bias, and the vectors of segments (XLNet).
  Tensor position_shift, segment_shift;  // [heads, d_k]; empty: none
  Tensor segments;                       // [heads, 2, d_k] the query's, another
  Dense q_global, k_global,
      v_global;  // of global tokens' queries, and of what they see (Longformer); or empty
};
/// The weights of what is no softmax attention: see StateMixer.
struct MixerWeights {
  Dense mixed;                    // [channels, d_model] what is convolved: q, k and v, of Mamba-2 x, B and C
  Dense in_gate;                  // what that is multiplied by before (LFM2); empty: nothing
  Dense gate;                     // of what the heads, or the convolution, give
  Dense strength, decay;          // [heads, d_model]; of Mamba-2 one, the step
  Tensor taps, taps_bias;         // [taps, channels], [channels]
  Tensor rates, step_bias, skip;  // [heads]
  Norm heads_norm;                // [parts, width]
  Norm norm;
  Dense o;
  /// [heads] which of o's blocks of d_v columns each head's values are multiplied by; empty: its own.
  std::vector<Index> blocks;

  Index block(Index head) const { return blocks.empty() ? head : blocks[head]; }
};
struct RoutedExperts;
struct FeedForwardWeights {
  Dense up, down;
  std::optional<Dense> gate;
  Norm norm, output_norm;
  std::shared_ptr<const RoutedExperts> experts;  // instead of the products, if not nullptr
  /// Gates become what they exceed their mean by, and so many deviations; not engaged: they stay.
  std::optional<double> cutoff;
};
struct RoutedExperts {
  Dense router;                         // [experts, d_model]
  Tensor bias;                          // [experts] of what they are chosen by; empty: none
  Norm router_norm, norm, output_norm;  // see Experts::normed_apart; empty: none
  Tensor factors;                       // [experts] of their weights; empty: 1
  std::vector<FeedForwardWeights> each;
  std::optional<FeedForwardWeights> shared;
  std::optional<Dense> shared_router;  // [1, d_model]
};
/// See LayerEmbeddings.
struct LayerEmbeddingWeights {
  StoredMatrix table;  // [vocabulary, width] of the layer
  Dense from_words;    // [width, d_model] of the embedding, and the norm of what that gives
  Norm norm;
  Dense gate, project;  // [width, d_model], [d_model, width]
  Norm output_norm;
};
/// See AltUp and ModelConfig::laurel_rank.
struct AltUpWeights {
  Dense prediction, correction;  // [streams streams, streams], [streams, streams]
  Dense router;                  // [streams, d_model]
  Norm router_norm, scale;       // scale: empty: none
  Dense left, right;             // the linear layer beside attention
  Norm norm, half;               // of what it gives; of the sum
};
struct TransformerLayer {
  AttentionWeights self;                      // empty of a layer without
  std::shared_ptr<const MixerWeights> mixer;  // nullptr: none, as of the next two
  std::shared_ptr<const LayerEmbeddingWeights> embedding;
  std::shared_ptr<const AltUpWeights> alt_up;
  Norm factor;  // of the layer's output; empty: none
  std::optional<AttentionWeights> cross;
  FeedForwardWeights feed_forward;
};
/// See TokenConvolution.
struct ConvolutionWeights {
  std::vector<Dense> groups;  // d_model / groups columns of as many channels times the taps
  Norm norm;
};
struct TransformerStack {
  LayerStack size;
  Index head_dim = 0, value_dim = 0;
  Norm first_norm, last_norm;
  std::vector<TransformerLayer> layers;
  std::vector<Tensor> relative_biases;  // [buckets, heads] of each layer, or one of all
  Tensor slopes;                        // [heads] of linear biases
  Tensor positions;                     // [Disentangled::rows(), d_model] vectors of relative positions
  std::optional<ConvolutionWeights> convolution;
  std::vector<Dense> split, merge;  // [streams - 1] of AltUp
  /// Of a layer's queries and keys, and of its values.
  Index d_k_of(Index layer) const { return size.head_dims.empty() ? head_dim : size.head_dims[layer]; }
  Index d_v_of(Index layer) const { return size.head_dims.empty() ? value_dim : size.head_dims[layer]; }
  /// nullptr: none.
  const Tensor* relative_bias(Index layer) const {
    if (relative_biases.empty()) return nullptr;
    return &relative_biases[relative_biases.size() == 1 ? 0 : static_cast<std::size_t>(layer)];
  }
};
/// Whether the output's matrix is the embedding's: as config.json says, unless the files have one of its own
/// that differs, which is then the output's, as in transformers.
bool ties_embeddings(const ModelConfig& config, const WeightFiles& files);

/// Of queries, keys and values. In encoder–decoders other than T5 it follows from the number of heads, which
/// may differ between the two stacks.
Index head_dim_of(const ModelConfig& config, const LayerStack& size, Index layer = 0);

/// From the last layer's output to one logit per token of the vocabulary, or per label.
struct OutputHead {
  std::optional<Dense> transform;  // before it, with its activation and norm
  Activation activation = Activation::gelu;
  Norm norm;
  std::optional<FeedForwardWeights> network;  // whose norm is of its sum with what it reads (BigBird)
  std::optional<Dense> project_out;           // to the embedding's width
  Dense output;                               // [tokens or labels, d_model or the embedding's width]
  std::optional<Dense> second_output;         // of the second row, averaged with it (DeiT)
};

/// Attention of one kind in a model.
struct ModelBlock {
  BlockKind kind = BlockKind::self;
  Index layers = 0, heads = 0, kv_heads = 0;  // `heads`: of the layer with most of them
  Index d_model = 0, d_k = 0, d_v = 0;
  bool causal = false;
  Index first = 0;  ///< the number in its stack of its first layer
};

/// A layer of a stack.
struct StackPlace {
  BlockKind kind = BlockKind::self;
  Index layer = 0;
};

/// What is checked before weights are used: names, types and shapes, or also every number for NaN and
/// infinity, which reads the whole files.
enum class WeightCheck { structure, numbers };

/// A trained model: its weights in place in their files, found by name and checked against config.json.
/// Matrices are never copied, whatever their type; only vectors (biases, norms) are converted to float32.
/// Immutable and thread-safe.
class LanguageModel {
 public:
  /// Opens a folder with config.json and weights, or a GGUF file. Throws Error (input) for what WeightFiles
  /// rejects, for a tensor that is missing, has another shape than config.json implies or contains NaN or
  /// infinity, and when `progress`, which may be nullptr, is stopped.
  static std::shared_ptr<const LanguageModel> open(const std::string& folder, ModelConfig config,
                                                   const ComputeContext& context,
                                                   LoadProgress* progress = nullptr,
                                                   WeightCheck check = WeightCheck::numbers);
  static std::shared_ptr<const LanguageModel> open(const ModelFiles& files, const std::string& path,
                                                   ModelConfig config, const ComputeContext& context,
                                                   LoadProgress* progress = nullptr,
                                                   WeightCheck check = WeightCheck::numbers);
  LanguageModel(ModelConfig config, WeightFiles files, const ComputeContext& context,
                LoadProgress* progress = nullptr, WeightCheck check = WeightCheck::numbers);
  LanguageModel(const LanguageModel&) = delete;
  LanguageModel& operator=(const LanguageModel&) = delete;

  const ModelConfig& config() const { return config_; }
  const WeightFiles& files() const { return files_; }
  const Family& family() const { return family_of(config_); }
  /// The names of the tensors that it reads, with those of their copies under other names.
  const std::set<std::string>& read_tensors() const { return read_tensors_; }
  /// self, with state if that is beside it, or encoder, decoder and cross; of Funnel runs of layers with as
  /// many rows and keys.
  std::vector<ModelBlock> blocks() const;
  /// A layer of a block by its number in its stack.
  StackPlace in_stack(BlockKind block, Index layer) const;

  const StoredMatrix& words(bool decoder) const {
    return decoder && decoder_words_ ? *decoder_words_ : words_;
  }
  const std::optional<StoredMatrix>& positions(bool decoder) const {
    return decoder && decoder_positions_ ? decoder_positions_ : positions_;
  }
  const std::optional<StoredMatrix>& token_types() const { return types_; }
  const std::optional<Dense>& project_in() const { return project_in_; }
  const TransformerStack& encoder() const { return encoder_; }
  const TransformerStack& decoder() const { return decoder_; }
  /// Whether the heads of a layer of a block are of softmax attention.
  bool attends(BlockKind kind, Index layer) const {
    return kind != BlockKind::state && (kind != BlockKind::self || config_.has_attention(layer));
  }
  /// The single stack, or the one that `kind` belongs to.
  const TransformerStack& stack(BlockKind kind) const;
  const std::optional<OutputHead>& head() const { return head_; }
  /// The number of tokens or labels that the head has logits of; 0 without a head.
  Index outputs() const;
  /// Which rows [begin, end) a label of the whole is read from, of a text or an encoder–decoder's source of
  /// these tokens; nothing for other outputs.
  std::optional<std::pair<Index, Index>> text_rows(std::span<const Index> ids) const;
  /// Of a model that reads pictures; and what such a model, or a text tower, says of the whole.
  const std::optional<PictureEmbedding>& picture() const { return picture_; }
  const TowerHead& tower_head() const { return tower_head_; }
  /// Of an encoder that reads sound.
  const std::optional<SoundEmbedding>& sound() const { return sound_; }

  /// The head's logits [n, vocabulary] for rows [n, d_model] of the stream after any layer (the logit lens,
  /// nostalgebraist 2020; after the last layer, the model's own). Of a label of the whole [1, labels], from
  /// the rows of text_rows(). Empty if the model has no head.
  Tensor logits(const float* stream, Index n, const ComputeContext& context,
                const std::stop_token& stop = {}) const;

 private:
  /// What a label of the whole is read from, of the normed rows of text_rows().
  Tensor read_rows(const Tensor& rows, const ComputeContext& context) const;

  ModelConfig config_;
  WeightFiles files_;
  StoredMatrix words_;
  std::optional<StoredMatrix> decoder_words_, positions_, decoder_positions_, types_;
  std::optional<Dense> project_in_;
  TransformerStack encoder_, decoder_;
  std::optional<OutputHead> head_;
  std::optional<PictureEmbedding> picture_;
  std::optional<SoundEmbedding> sound_;
  TowerHead tower_head_;
  std::set<std::string> read_tensors_;
};

}  // namespace headscope
