#pragma once
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/attention/dense.h"
#include "core/base/matrix.h"
#include "core/model/config/config.h"
#include "core/model/rows/norm.h"

namespace headscope {

class LanguageModel;
class WeightFinder;

/// The first rows of a stream that begins with a picture.
struct PictureEmbedding {
  Dense patches;      // [d_model, 3 patch_height patch_width]
  Tensor own_tokens;  // [class and distillation token, d_model]; empty if none
  Tensor registers;   // [registers, d_model]; empty if none
  Tensor positions;   // [own tokens and patches, d_model]; empty if none
};

/// Attention of one learnt query over the patches, and a feed-forward network (SigLIP).
struct ProbePooling {
  Tensor probe;  // [1, d_model]
  Dense qkv, o;  // [3 d_model, d_model], [d_model, d_model]
  Norm norm;     // of what the network reads
  Dense up, down;
};

/// How what a tower read becomes a vector that is compared with another tower's.
struct TowerHead {
  std::optional<Dense> projection;  ///< into the space that towers share
  std::optional<ProbePooling> probe;
  /// The similarity of two projected vectors becomes a logit: factor cosine + shift.
  double similarity_factor = 1, similarity_shift = 0;
  bool sigmoid = false;  ///< of each logit for itself, rather than a softmax over the sentences
};

PictureEmbedding find_picture_embedding(const WeightFinder& find, const ModelConfig& config);
TowerHead find_tower_head(const WeightFinder& find, const ModelConfig& config);

/// How many patches a picture of this size has, down and across.
struct PatchCounts {
  Index rows = 0, columns = 0;
};
PatchCounts count_patches(const PictureInput& input, const Tensor& pixels);

/// Rows of a model's stream [tokens, d_model] for pixels [3, height, width]: own tokens, registers, patches.
/// Positions are resized bicubically where the picture has another number of patches. Throws Error (input)
/// for one that is smaller than a patch.
Tensor embed_picture(const PictureInput& input, const PictureEmbedding& embedding, const Tensor& pixels,
                     const ComputeContext& context, const std::stop_token& stop);

/// BEiT's row of the table of biases for two tokens, of which the first is the class's: by how far their
/// patches are apart, down and across, or one of the last three.
Index patch_distance(Index query, Index key, const PatchCounts& counts);
/// Its bias [heads, n n] for each query and key, from `table` [distances, heads], resized for pictures of
/// another size than it was trained with.
Tensor patch_bias(const PictureInput& input, const Tensor& table, const PatchCounts& counts);

/// What ProbePooling does with rows that are normed.
struct PooledByProbe {
  MatrixOf<double> weights;    ///< [heads, rows] of its attention
  MatrixOf<double> attended;   ///< [1, d_model]
  Tensor inner;                ///< [1, d_ff] of the network, before its activation
  std::vector<double> vector;  ///< the network's result added
};
PooledByProbe pooled_by_probe(const LanguageModel& model, const ProbePooling& pooling, const Tensor& rows,
                              const ComputeContext& context);
/// The projected vector of a picture, or of a text with these ids; empty if the model has none.
std::vector<double> projected_vector(const LanguageModel& model, const Tensor& stream,
                                     std::span<const Index> ids, const ComputeContext& context);
/// The logit of a picture and a text from their projected vectors.
double similarity_logit(const TowerHead& head, const std::vector<double>& picture,
                        const std::vector<double>& text);

}  // namespace headscope
