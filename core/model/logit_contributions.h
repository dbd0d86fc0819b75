#pragma once
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/tensor.h"
#include "core/inputs/inputs.h"

namespace headscope {

class LanguageModel;
class ModelRun;
struct ComputeContext;

/// What the parts of a model add to the logit of one token at one position. The stream that is unembedded is
/// the sum of what every part has written into it, and with the scale of the last norm held (its mean and
/// variance those of this position) the logit is a linear function of the stream: so each part has a share,
/// and the shares sum to the logit (direct logit attribution: Elhage et al. 2021, "A Mathematical Framework
/// for Transformer Circuits"). What a part does through later layers is not in its share but in theirs.
struct LogitContributions {
  struct Attention {
    BlockKind kind = BlockKind::self;
    std::vector<std::vector<double>> heads;  ///< [layers][heads], through W_O, the bias of V with them
    std::vector<double> bias;                ///< [layers] of W_O
  };
  std::vector<Attention> attention;  ///< of self-attention; of the decoder's own and of cross-attention
  std::vector<double> feed_forward, feed_forward_bias;  ///< [layers]; the bias of its last product
  double embedding = 0;                                 ///< of the token that stands there
  double position = 0;     ///< of the position's vector, where one is added to the token's
  double norm_bias = 0;    ///< of the last norm
  double output_bias = 0;  ///< of the unembedding
  double logit = 0;        ///< the model's own

  /// Of all parts, which is the logit but for rounding.
  double sum() const;
  /// Of one kind; nullptr where the model has none.
  const Attention* find(BlockKind kind) const;
};

/// Whether they are defined: the stream must reach the unembedding as a sum, which it does not where every
/// sublayer's sum is normalized again (BERT, Marian), or through a masked language model's head.
bool has_logit_contributions(const LanguageModel& model);

/// At row `position` of the text (the target), which must have a stream. In double but for the float32 of
/// what the parts write. Nothing if stopped.
std::optional<LogitContributions> logit_contributions(const ModelRun& run, Index position, Index token,
                                                      const ComputeContext& context,
                                                      const std::stop_token& stop = {});

}  // namespace headscope
