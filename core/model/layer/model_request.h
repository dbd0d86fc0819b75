#pragma once
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "core/attention/mask.h"
#include "core/base/tensor.h"
#include "core/inputs/block_kind.h"

namespace headscope {

/// Token ids of a text, or of an encoder–decoder's source and of its target, which begins with the start
/// token.
struct ModelInput {
  std::vector<Index> ids;
  std::vector<Index> types;  ///< of the ids, 0 or 1, XLNet's last token 2, Funnel's first; empty: all 0
  std::vector<Index> decoder_ids;
  /// [3, height, width] of a picture that is read in place of a text: `ids` then only number its tokens.
  std::shared_ptr<const Tensor> pixels = nullptr;
  /// The places of the global tokens, ascending (Longformer); not engaged: see global_tokens().
  std::optional<std::vector<Index>> global = {};
  /// [frames, bands] of a log-mel spectrogram that the encoder reads in place of a text (Whisper); see
  /// pixels.
  std::shared_ptr<const Tensor> sound = nullptr;
  bool operator==(const ModelInput&) const = default;
};

/// Changes to the attention of one layer.
struct AttentionChange {
  enum class AblatedHeads {
    zero,  ///< an ablated head outputs zero
    mean,  ///< it outputs its context averaged over the positions of this text
  };
  std::shared_ptr<const Mask> mask;  ///< in addition to what the model itself blocks
  float fill = -INFINITY;            ///< value of its blocked scores
  float temperature = 1;
  bool scale = true;             ///< by 1 / sqrt(d_k), if the model does
  float gain_q = 1, gain_k = 1;  ///< factors on the products with W_Q and W_K, before biases
  std::vector<int> ablated_heads;
  AblatedHeads off_by = AblatedHeads::zero;

  /// Whether rows of the context depend on those of other queries.
  bool mixes_rows() const { return !ablated_heads.empty() && off_by == AblatedHeads::mean; }
  bool operator==(const AttentionChange&) const = default;
};

/// Changes to a model's attention, by block and layer.
class ModelChanges {
 public:
  void set(BlockKind kind, Index layer, AttentionChange change);
  const AttentionChange& at(BlockKind kind, Index layer) const;
  /// Whether the changes to a block's layers are the same and independent of later tokens: no mask, no mean
  /// ablation.
  bool same_for_a_prefix(const ModelChanges& other, BlockKind kind) const;
  bool operator==(const ModelChanges&) const = default;

 private:
  std::array<std::vector<AttentionChange>, block_kinds> layers_;  // by BlockKind
};

}  // namespace headscope
