#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/inputs/inputs.h"
#include "core/io/safetensors_reader.h"
#include "core/model/config.h"
#include "core/model/dense.h"
#include "core/model/family.h"
#include "core/model/load_progress.h"
#include "core/model/norm.h"

namespace headscope {

/// The weights of one multi-head attention.
struct AttentionWeights {
  Dense q, k, v, o;     // heads head_dim and kv_heads head_dim columns of d_model; o back
  Norm q_norm, k_norm;  // of each head's rows
  Norm norm;
};
struct FeedForwardWeights {
  Dense up, down;
  std::optional<Dense> gate;
  Norm norm;
};
struct TransformerLayer {
  AttentionWeights self;
  std::optional<AttentionWeights> cross;
  FeedForwardWeights feed_forward;
};
struct TransformerStack {
  LayerStack size;
  Index head_dim = 0;
  Norm first_norm, last_norm;
  std::vector<TransformerLayer> layers;
  Tensor relative_bias;  // [buckets, heads]
};
/// Of queries, keys and values. In Marian it follows from the heads, which its two stacks may have different
/// numbers of.
Index head_dim_of(const ModelConfig& config, const LayerStack& size);

/// From what the last layer gives to a number for each token of the vocabulary.
struct OutputHead {
  std::optional<Dense> transform;  // of a masked language model, with its activation and norm
  Norm norm;
  Dense output;  // [vocabulary, d_model]
};

/// Attention of one kind in a model.
struct ModelBlock {
  BlockKind kind = BlockKind::self;
  Index layers = 0, heads = 0, kv_heads = 0;
  Index d_model = 0, d_k = 0;
  bool causal = false;
};

/// What of weights is looked at before they are used: names, types and shapes, or every number as well, for
/// NaN and infinity, which reads all of the files.
enum class WeightCheck { structure, numbers };

/// A trained model: its weights where they lie in their files, found by name and checked against config.json.
/// Nothing of matrices is copied, whatever their type; only what has one axis (biases, norms) becomes
/// float32. Immutable; any thread may read it.
class LanguageModel {
 public:
  /// A folder with weights for what its config.json says. Throws Error (input) in one line for what
  /// WeightFiles refuses, for a tensor that is missing, has another shape than config.json makes it or holds
  /// NaN or infinity, and when `progress`, which may be nullptr, is stopped.
  static std::shared_ptr<const LanguageModel> open(const std::string& folder, ModelConfig config,
                                                   const ComputeContext& context,
                                                   LoadProgress* progress = nullptr,
                                                   WeightCheck check = WeightCheck::numbers);
  LanguageModel(ModelConfig config, WeightFiles files, const ComputeContext& context,
                LoadProgress* progress = nullptr, WeightCheck check = WeightCheck::numbers);
  LanguageModel(const LanguageModel&) = delete;
  LanguageModel& operator=(const LanguageModel&) = delete;

  const ModelConfig& config() const { return config_; }
  const WeightFiles& files() const { return files_; }
  const Family& family() const { return family_of(config_.family); }
  /// self, or encoder, decoder and cross.
  std::vector<ModelBlock> blocks() const;

  const StoredMatrix& words(bool decoder) const {
    return decoder && decoder_words_ ? *decoder_words_ : words_;
  }
  const std::optional<StoredMatrix>& positions() const { return positions_; }
  const std::optional<StoredMatrix>& token_types() const { return types_; }
  const TransformerStack& encoder() const { return encoder_; }
  const TransformerStack& decoder() const { return decoder_; }
  /// The only stack, or the one that `kind` belongs to.
  const TransformerStack& stack(BlockKind kind) const;
  const std::optional<OutputHead>& head() const { return head_; }

  /// The head's answer [n, vocabulary] to rows [n, d_model] of the stream after any layer (nostalgebraist
  /// 2020 calls it the logit lens; after the last layer it is the model's own). Empty where the model has no
  /// head.
  Tensor logits(const float* stream, Index n, const ComputeContext& context,
                const std::stop_token& stop = {}) const;

 private:
  ModelConfig config_;
  WeightFiles files_;
  StoredMatrix words_;
  std::optional<StoredMatrix> decoder_words_, positions_, types_;
  TransformerStack encoder_, decoder_;
  std::optional<OutputHead> head_;
};

}  // namespace headscope
