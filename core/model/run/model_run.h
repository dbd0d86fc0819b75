#pragma once
#include <array>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/attention/attend_heads.h"
#include "core/model/layer/layer_walk.h"
#include "core/model/layer/model_request.h"
#include "core/model/rows/row_store.h"
#include "core/model/weights/language_model.h"

namespace headscope {

class ModelRun;
class StateHeads;
struct LayerHeads;

struct ModelRequest {
  ModelInput input;
  ModelChanges changes;
  /// An earlier run of the same model: rows of the common prefix of the texts are reused if later tokens
  /// cannot affect them. Results then differ only by rounding (below 1e-5 of logits in tests).
  std::shared_ptr<const ModelRun> previous;
  std::stop_token stop;
  std::function<void(Index done, Index layers)> progress;  ///< after each layer of all stacks; may be empty
  /// Only the last row of the last layer's output is needed, to continue from there: see
  /// ModelRun::first_row().
  bool last_alone = false;
};

/// What one forward pass keeps: each layer's input, from which everything else is computed on demand.
/// Immutable once created.
class ModelRun {
 public:
  /// Throws Error (input) without tokens, for more tokens than positions and for ids outside of the
  /// vocabulary, with both numbers, and if a weight file was truncated meanwhile. nullptr if stopped.
  static std::shared_ptr<const ModelRun> run(std::shared_ptr<const LanguageModel> model, ModelRequest request,
                                             const ComputeContext& context);

  const LanguageModel& model() const { return *model_; }
  const ModelInput& input() const { return input_; }
  const ModelChanges& changes() const { return changes_; }
  /// How many rows of the text (the target) were taken from the previous run.
  Index reused() const { return reused_; }

  /// The first row of the text (the target) that has stream() and logits().
  Index first_row() const { return first_row_; }

  /// A layer's input [n, d_model]: the stream, before a norm; of AltUp the prediction of the active one. For
  /// `cross` the stream of the decoder's layer after its own attention.
  Tensor x(BlockKind kind, Index layer, BufferPool& memory) const;
  /// What the keys and values of a layer are of, if not of x() (Funnel's layer that pools); otherwise empty.
  Tensor key_x(Index layer, BufferPool& memory) const;
  /// The rows that those of a layer are pooled from, or upsampled; empty: they are the layer's before it.
  Tensor rows_before(Index layer, BufferPool& memory) const;
  /// What a layer of AltUp begins with, rows [begin, end) of every stream.
  Streams streams(Index layer, Index begin, Index end, BufferPool& memory) const;
  /// The output of the last layer of a block's stack [n, d_model], before the last norm.
  Tensor stream(BlockKind kind, BufferPool& memory) const;
  /// The encoded source read by cross-attention [n_source, d_model].
  const Tensor& encoded() const { return encoded_; }

  /// Rotary frequencies of each pair of dimensions in a layer; empty if it has none.
  const std::vector<double>& frequencies(BlockKind kind, Index layer) const;

  /// Of a layer with attention.
  LayerQkv layer_qkv(BlockKind kind, Index layer, const ComputeContext& context,
                     const std::stop_token& stop = {}) const;
  /// The heads of a layer's state, if it has one, in place of attention or beside it.
  std::shared_ptr<const StateHeads> state_heads(Index layer, const ComputeContext& context,
                                                const std::stop_token& stop = {}) const;
  /// What the last product of a layer's mixer reads [n, its width]: see StateMixer.
  Tensor mixed(Index layer, const ComputeContext& context, const std::stop_token& stop = {}) const;
  /// Logits of rows [begin, end) of the text (the target): [end - begin, vocabulary], for a label of the text
  /// the same in every row; empty if the model has no head.
  Tensor logits(Index begin, Index end, const ComputeContext& context,
                const std::stop_token& stop = {}) const;
  /// The same from the stream after a layer before the last one (the logit lens).
  Tensor logits_after(Index layer, Index begin, Index end, const ComputeContext& context,
                      const std::stop_token& stop = {}) const;
  /// Context [n, heads d_k] of a layer, heads concatenated, after ablation; of a layer without attention,
  /// mixed().
  Tensor context(BlockKind kind, Index layer, const ComputeContext& compute,
                 const std::stop_token& stop = {}) const;
  /// A row of it [1, heads d_k], computed separately if the layer keeps its keys.
  Tensor context_row(BlockKind kind, Index layer, Index row, const ComputeContext& compute,
                     const std::stop_token& stop = {}) const;

 private:
  friend class ModelPass;
  bool has_attention(BlockKind kind, Index layer) const { return model_->attends(kind, layer); }
  // Rotary frequencies of `rope` and of `local_rope`.
  using Frequencies = std::array<std::vector<double>, 2>;
  // Which of the two a layer has.
  std::size_t rope_number(Index layer) const {
    const ModelConfig& config = model_->config();
    return config.local_rope && config.rope_of(layer) == &*config.local_rope ? 1 : 0;
  }
  // Of one attention of each layer.
  struct KeptAttention {
    std::vector<RowStore> x;     // [1, n, d_model]  what it reads, before a norm
    std::vector<RowStore> k, v;  // [kv_heads, n_k, d_k]; empty: they are computed again, or another layer's
  };
  // The kept data of one stack.
  struct Kept {
    Index n = 0;
    KeptAttention own, cross;
    RowStore stream;                // after the last layer; of AltUp all streams merged
    std::vector<RowStore> streams;  // of AltUp [streams, n, d_model], what each layer begins with
    std::vector<RowStore> before;   // of Funnel, [1, n, d_model]: see rows_before()
    Frequencies frequencies;
    KeptAttention& of(BlockKind kind) { return kind == BlockKind::cross ? cross : own; }
    const KeptAttention& of(BlockKind kind) const { return kind == BlockKind::cross ? cross : own; }
  };
  LayerHeads heads(BlockKind kind, Index layer, Index first, Index count, const ComputeContext& context,
                   const std::stop_token& stop) const;
  Tensor contexts(BlockKind kind, Index layer, Index first, Index count, const ComputeContext& context,
                  const std::stop_token& stop) const;
  const Kept& kept(BlockKind kind) const;
  /// What a layer's keys and values are of, if not what its queries are; nullptr: that.
  const RowStore* other_keys(BlockKind kind, Index layer) const;
  Index rows(BlockKind kind, Index layer) const { return kept(kind).of(kind).x[layer].rows(); }
  /// What a layer's mixer reads, of all rows.
  Tensor mixer_input(Index layer, const ComputeContext& context) const;
  /// `rows`: of the stream that is read.
  Tensor logits_of(const std::function<Tensor(Index begin, Index end)>& rows, Index begin, Index end,
                   const ComputeContext& context, const std::stop_token& stop) const;

  std::shared_ptr<const LanguageModel> model_;
  ModelInput input_;
  ModelChanges changes_;
  Kept encoder_, body_;  // `encoder_` only with a decoder; a single stack is the body
  Tensor encoded_;
  Index reused_ = 0, first_row_ = 0;
};

}  // namespace headscope
