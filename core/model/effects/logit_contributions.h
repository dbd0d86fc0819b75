#pragma once
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/matrix.h"
#include "core/inputs/inputs.h"
#include "core/model/effects/linear_output.h"

namespace headscope {

/// Logit contributions of the parts of a model, for one token or label. With what is not linear held as it is
/// in the run (see Held), the logit is a linear function of what the layers add: so each part has a
/// contribution, and they sum to the logit (direct logit attribution: Elhage et al. 2021, "A Mathematical
/// Framework for Transformer Circuits"; through norms of sums as Kobayashi et al. 2021). The effect of a part
/// through what later layers read is in their contributions, not in its own.
struct LogitContributions {
  struct Attention {
    BlockKind kind = BlockKind::self;
    std::vector<std::vector<double>> heads;  ///< [layers][heads], through W_O, including the bias of V
    std::vector<double> bias;                ///< [layers] of W_O and of the norms behind it
  };
  std::vector<Attention> attention;  ///< self-attention; or the decoder's self-attention and cross-attention
  std::vector<double> feed_forward;  ///< [layers]
  std::vector<double> feed_forward_bias;  ///< [layers] of its last product and of the norms behind it
  double embedding = 0;                   ///< of the token at this position; of patches with their positions
  double position = 0;                    ///< of the position vector, if one is added to the token's
  double token_type = 0;                  ///< of the vector of the first or the second text
  double embedding_bias = 0;              ///< of the embedding's norm and projection
  double convolution = 0;                 ///< of the one over the first layer's input (DeBERTa)
  double mixers = 0;                      ///< of short convolutions (see StateMixer)
  double layer_embeddings = 0;            ///< of vectors of tokens for each layer
  double norm_bias = 0;                   ///< of the last norm
  double output_bias = 0;                 ///< of the unembedding, and of a layer before it
  double logit = 0;                       ///< the model's own
  Index rows = 1;                         ///< of the stream that it is read from
  Held held = Held::norms;

  /// The sum of all parts, equal to the logit up to rounding.
  double sum() const;
  /// Those of one kind; nullptr if the model has none.
  const Attention* find(BlockKind kind) const;
};

/// Those of the difference of two logits at one position of one run.
LogitContributions difference(LogitContributions parts, const LogitContributions& against);

/// Of a logit that is linear in rows of the stream. In double precision, except for the float32 outputs of
/// the parts. Nothing if stopped.
std::optional<LogitContributions> logit_contributions(const ModelRun& run, LinearOutput output,
                                                      const ComputeContext& context,
                                                      const std::stop_token& stop = {});
/// At row `position` of the text (the target), which must have a stream; of a label of the whole, of all rows
/// that it is read from.
std::optional<LogitContributions> logit_contributions(const ModelRun& run, Index position, Index token,
                                                      const ComputeContext& context,
                                                      const std::stop_token& stop = {});

/// The direction of a logit in the heads of a layer [n, heads d_k]: with row c [heads d_k] of the
/// concatenated contexts at a position, row · c is what all heads there add to the logit of that position, or
/// of the whole; of gated heads, the contexts before the gates. 0 for rows that have no stream, or that a
/// label of the whole is not read from.
using LogitDirection = Matrix;
/// Of the attention of one kind in a layer that contributes. Nothing if stopped.
std::optional<LogitDirection> logit_direction(const ModelRun& run, LinearOutput output, BlockKind kind,
                                              Index layer, const ComputeContext& context,
                                              const std::stop_token& stop = {});
std::optional<LogitDirection> logit_direction(const ModelRun& run, BlockKind kind, Index layer, Index token,
                                              const ComputeContext& context,
                                              const std::stop_token& stop = {});

}  // namespace headscope
