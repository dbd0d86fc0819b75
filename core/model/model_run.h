#pragma once
#include <array>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/attention/attend_heads.h"
#include "core/model/language_model.h"
#include "core/model/row_store.h"

namespace headscope {

/// What is changed about the attention of one layer.
struct AttentionChange {
  enum class HeadsOff {
    zero,  ///< a head that is off gives nothing
    mean,  ///< it gives the mean of its context over the positions of this text
  };
  std::shared_ptr<const Mask> mask;  ///< blocks beside what the model blocks itself
  float fill = -INFINITY;            ///< what its blocked scores count as
  float temperature = 1;
  bool scale = true;             ///< by 1 / sqrt(d_k), where the model does
  float gain_q = 1, gain_k = 1;  ///< on the products with W_Q and W_K, before biases
  std::vector<int> heads_off;
  HeadsOff off_by = HeadsOff::zero;

  bool operator==(const AttentionChange&) const = default;
};

/// What is changed about a model's attention, by block and layer.
class ModelChanges {
 public:
  void set(BlockKind kind, Index layer, AttentionChange change);
  const AttentionChange& at(BlockKind kind, Index layer) const;
  /// Whether what is said of the layers of a block is the same, and adding tokens would not change it for
  /// those before: no mask, no mean.
  bool same_for_a_prefix(const ModelChanges& other, BlockKind kind) const;
  bool operator==(const ModelChanges&) const = default;

 private:
  std::array<std::vector<AttentionChange>, 4> layers_;  // by BlockKind
};

/// Token ids of a text, or of an encoder–decoder's source and of its target, which begins with the start
/// token.
struct ModelInput {
  std::vector<Index> ids;
  std::vector<Index> types;  ///< of the ids, 0 or 1; empty: all 0
  std::vector<Index> decoder_ids;
  bool operator==(const ModelInput&) const = default;
};

/// Q, K and V of one layer as they are multiplied, after norms and rotation, and the rule by which they
/// become weights.
struct LayerQkv {
  Tensor q;     // [heads, n_q, d_k]
  Tensor k, v;  // [kv_heads, n_k, d_k]
  AttentionRule rule;

  /// As attention_rows().
  void rows(Index head, Index begin, Index end, float* weights, float* scores, const Kernels& kernels,
            BufferPool& memory) const {
    attention_rows(HeadRows(q), HeadRows(k), rule, head, begin, end, weights, scores, kernels, memory);
  }
};

class ModelRun;

struct ModelRequest {
  ModelInput input;
  ModelChanges changes;
  /// A run of the same model before: the rows of its text that this one begins with, too, are not computed
  /// again where nothing that follows can change them. What is computed then differs from that without it by
  /// rounding alone (below 1e-5 of logits in tests).
  std::shared_ptr<const ModelRun> previous;
  std::stop_token stop;
  std::function<void(Index done, Index layers)> progress;  ///< after each layer of all stacks; may be empty
  /// Of what the last layer gives nothing but the last row is wanted, to go on from there: see
  /// ModelRun::first_row().
  bool last_alone = false;
};

/// What one pass through a model keeps: each layer's input, from which everything else of it is made when it
/// is asked for. Immutable once made.
class ModelRun {
 public:
  /// Throws Error (input) for no tokens, more than the model has positions for, and ids outside of its
  /// vocabulary, with both numbers, and where the weights were cut short meanwhile. nullptr if stopped.
  static std::shared_ptr<const ModelRun> run(std::shared_ptr<const LanguageModel> model, ModelRequest request,
                                             const ComputeContext& context);

  const LanguageModel& model() const { return *model_; }
  const ModelInput& input() const { return input_; }
  const ModelChanges& changes() const { return changes_; }
  /// How many rows of the text (the target) were taken from the previous run.
  Index reused() const { return reused_; }

  /// From which row on there are stream() and logits() of the text (the target).
  Index first_row() const { return first_row_; }

  /// What a layer of the block reads [n, d_model]: the stream, before a norm. For `cross` the stream of the
  /// decoder's layer after its own attention.
  Tensor x(BlockKind kind, Index layer, BufferPool& memory) const;
  /// What the last layer of a block's stack gives [n, d_model], before the last norm.
  Tensor stream(BlockKind kind, BufferPool& memory) const;
  /// What cross-attention reads of the source [n_source, d_model].
  const Tensor& encoded() const { return encoded_; }

  /// Of rotary positions, of each pair of dimensions; empty where there are none.
  const std::vector<double>& frequencies(BlockKind kind) const { return kept(kind).frequencies; }

  LayerQkv layer_qkv(BlockKind kind, Index layer, const ComputeContext& context,
                     const std::stop_token& stop = {}) const;
  /// Of rows [begin, end) of the text (the target): [end - begin, vocabulary]; empty where the model has no
  /// head.
  Tensor logits(Index begin, Index end, const ComputeContext& context,
                const std::stop_token& stop = {}) const;
  /// Context [n, heads d_k] of a layer, heads side by side, after heads are switched off.
  Tensor context(BlockKind kind, Index layer, const ComputeContext& compute,
                 const std::stop_token& stop = {}) const;
  /// A row of it [1, heads d_k], computed alone where the layer keeps its keys.
  Tensor context_row(BlockKind kind, Index layer, Index row, const ComputeContext& compute,
                     const std::stop_token& stop = {}) const;

 private:
  friend class ModelPass;
  // What a run keeps of one stack.
  struct Kept {
    Index n = 0;
    std::vector<RowStore> x, cross_x;      // of each layer [1, n, d_model]
    std::vector<RowStore> k, v;            // of each layer [kv_heads, n, d_k], where the stack is causal
    std::vector<Tensor> cross_k, cross_v;  // of each layer [heads, n_source, d_k]
    RowStore stream;                       // after the last layer
    std::vector<double> frequencies;       // of rotary positions
  };
  const Kept& kept(BlockKind kind) const;

  std::shared_ptr<const LanguageModel> model_;
  ModelInput input_;
  ModelChanges changes_;
  Kept encoder_, body_;  // `encoder_` beside a decoder alone; the only stack is the body
  Tensor encoded_;
  Index reused_ = 0, first_row_ = 0;
};

}  // namespace headscope
