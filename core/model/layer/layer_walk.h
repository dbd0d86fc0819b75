#pragma once
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "core/model/weights/language_model.h"

namespace headscope {

/// A sublayer of a layer: f in x + factor output_norm(f(input_norm(x))), after which the sum may be normed
/// (Vaswani et al. 2017, section 3.1; Xiong et al. 2020 for the norm before f). nullptr: no such norm.
struct Sublayer {
  enum class Part {
    attention,
    mixer,  ///< in place of it, or beside it: see StateMixer
    feed_forward,
    convolution,      ///< over the first layer's input (DeBERTa)
    laurel,           ///< the linear layer beside attention: see ModelConfig::laurel_rank
    layer_embedding,  ///< vectors of the tokens' own: see LayerEmbeddings
  };
  Part part = Part::attention;
  BlockKind kind = BlockKind::self;  ///< of its heads; of others that of their stack
  Index layer = 0;
  bool reads_input = false;  ///< f reads the layer's input instead of x, to which others have been added
  const Norm *input_norm = nullptr, *output_norm = nullptr, *sum_norm = nullptr;
  double factor = 1;  ///< Granite's

  /// Whether it is what the heads of a layer of a block are of.
  bool is_heads_of(BlockKind block, Index number) const {
    return (part == Part::attention || part == Part::mixer) && kind == block && layer == number;
  }
};
/// The sublayers of a layer, in their order: this is what a family's layer is made of.
std::vector<Sublayer> layer_sublayers(const LanguageModel& model, BlockKind stack, Index layer);
/// One of them; of a layer without attention, its mixer.
Sublayer attention_sublayer(const LanguageModel& model, BlockKind kind, Index layer);
Sublayer feed_forward_sublayer(const LanguageModel& model, BlockKind stack, Index layer);
/// That of a block's own, or the one that it is in.
BlockKind stack_of(BlockKind block);

/// Some rows of x [n, d], one after another.
Tensor picked(const Tensor& x, std::span<const Index> rows, BufferPool& memory);

/// [rows, d_model] each: of AltUp as many as it has, otherwise one.
using Streams = std::vector<Tensor>;
/// The streams of AltUp from rows of the embedding, and what the last norm reads of them.
Streams split(const LanguageModel& model, const Tensor& x, const ComputeContext& context,
              const std::stop_token& stop = {});
Tensor merged(const LanguageModel& model, const Streams& streams, const ComputeContext& context,
              const std::stop_token& stop = {});

/// What a sublayer adds to the stream if f gives y.
Tensor as_added(const Sublayer& sublayer, const Tensor& y, const ComputeContext& context);

/// The one walk through a layer. Who walks says what the heads of an attention give, and may look at what is
/// between the steps, replace what is added, or go on with fewer rows.
class LayerWalk {
 public:
  LayerWalk(const LanguageModel& model, const ComputeContext& context, std::stop_token stop)
      : context_(context), stop_(std::move(stop)), model_(model) {}
  virtual ~LayerWalk() = default;
  LayerWalk(const LayerWalk&) = delete;
  LayerWalk& operator=(const LayerWalk&) = delete;

 protected:
  const LanguageModel& model() const { return model_; }
  const ModelConfig& config() const { return model_.config(); }

  /// The stream behind sublayers, which follow each other, from the stream x [rows, d_model] before them.
  Tensor walk(std::span<const Sublayer> sublayers, Tensor x);

  /// The streams behind a layer of a stack. `active`: of AltUp, what the layer reads in place of its
  /// prediction; nullptr: that.
  Streams walk_layer(BlockKind stack, Index layer, Streams streams, const Tensor* active = nullptr);

  /// x comes to a sublayer.
  virtual void reach(const Sublayer& /*sublayer*/, const Tensor& /*x*/) {}
  /// What it adds to the stream, of the rows that it reads; or of fewer, with which the walk goes on.
  virtual Tensor added(const Sublayer& sublayer, const Tensor& read);
  /// f(y).
  virtual Tensor give(const Sublayer& sublayer, const Tensor& y);
  /// What the heads of an attention give [rows, heads d_k], of y [rows, d_model].
  virtual Tensor attend(const Sublayer& sublayer, const Tensor& y) = 0;
  /// What the last product of a mixer reads, of those rows.
  virtual Tensor mixed(const Sublayer& sublayer, const Tensor& y) = 0;
  /// What the tokens have for a layer, of as many rows as the walk goes on with.
  virtual Tensor own_of_tokens(Index layer, Index rows) = 0;
  /// What the convolution gives, of the layer's input.
  virtual Tensor convolved(const ConvolutionWeights& weights, const Tensor& input);
  /// Of rows x, those that the walk goes on with.
  virtual Tensor kept_rows(const Tensor& x) { return x; }
  /// The sum of the stream and what the sublayer adds, before a norm of it.
  virtual void summed(const Sublayer& /*sublayer*/, const Tensor& /*sum*/) {}

  const ComputeContext& context_;
  const std::stop_token stop_;

 private:
  const LanguageModel& model_;
};

}  // namespace headscope
