#pragma once
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/matrix.h"
#include "core/base/tensor.h"
#include "core/inputs/inputs.h"

namespace headscope {

class LanguageModel;
class ModelRun;
struct ComputeContext;

/// Logit contributions of the parts of a model, for one token at one position. The final stream is the sum of
/// the outputs of all parts, and with the scale of the last norm held fixed (its mean and variance those of
/// this position) the logit is a linear function of the stream: so each part has a contribution, and they sum
/// to the logit (direct logit attribution: Elhage et al. 2021, "A Mathematical Framework for Transformer
/// Circuits"). Where a sublayer's output is normed before it is added (Gemma 2, OLMo 2), that norm's scale is
/// held in the same way, and where logits have a cap, the ratio of the logit to what it was before. The
/// effect of a part through later layers is in their contributions, not in its own.
struct LogitContributions {
  struct Attention {
    BlockKind kind = BlockKind::self;
    std::vector<std::vector<double>> heads;  ///< [layers][heads], through W_O, including the bias of V
    std::vector<double> bias;                ///< [layers] of W_O
  };
  std::vector<Attention> attention;  ///< self-attention; or the decoder's self-attention and cross-attention
  std::vector<double> feed_forward, feed_forward_bias;  ///< [layers]; and the bias of its last product
  double embedding = 0;    ///< of the token at this position; of the normed sum with its position (mBART)
  double position = 0;     ///< of the position vector, if one is added to the token's
  double norm_bias = 0;    ///< of the last norm
  double output_bias = 0;  ///< of the unembedding
  double logit = 0;        ///< the model's own

  /// The sum of all parts, equal to the logit up to rounding.
  double sum() const;
  /// Those of one kind; nullptr if the model has none.
  const Attention* find(BlockKind kind) const;
};

/// Whether they are defined: the stream must reach the unembedding as a sum, which is not the case if every
/// sublayer's sum is normalized again (BERT, Marian), or with a masked language model's head.
bool has_logit_contributions(const LanguageModel& model);

/// At row `position` of the text (the target), which must have a stream. In double precision, except for the
/// float32 outputs of the parts. Nothing if stopped.
std::optional<LogitContributions> logit_contributions(const ModelRun& run, Index position, Index token,
                                                      const ComputeContext& context,
                                                      const std::stop_token& stop = {});

/// The direction of a token's logit in the heads of a layer: what row c [heads d_k] of the concatenated
/// contexts at a position adds to that logit is positions[position] heads · c, the contribution of all heads.
struct LogitDirection {
  Eigen::VectorXd heads;      ///< [heads d_k]
  Eigen::VectorXd positions;  ///< [n]; 0 for rows that have no stream
};
/// Of the attention of one kind in a layer that contributes; the norms are held as in logit_contributions().
/// Nothing if stopped.
std::optional<LogitDirection> logit_direction(const ModelRun& run, BlockKind kind, Index layer, Index token,
                                              const ComputeContext& context,
                                              const std::stop_token& stop = {});

}  // namespace headscope
