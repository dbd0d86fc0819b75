#pragma once
#include <optional>
#include <span>
#include <stop_token>

#include "core/attention/dense.h"
#include "core/model/rows/norm.h"
#include "core/model/steps/positions.h"

namespace headscope {

/// What is projected [n, in].
struct ReadRows {
  const float* y = nullptr;
  Index n = 0;
  Index turn_row = 0;  // of the table of rotations, for the first row of y
};
/// The short row that heads' rows come from, and what all of them have behind their own: see Latent.
struct LatentProjection {
  Dense down;
  Norm norm;
  Dense shared;  // empty: none
};
/// From rows to Q, K or V [heads, n, d_k].
struct HeadProjection {
  const Dense* dense = nullptr;
  const Norm* norm = nullptr;         // see QkNorm; nullptr or empty: none
  const RotaryTable* turn = nullptr;  // nullptr: none
  Index heads = 0;
  float gain = 1;
  ReadRows from = {};
  float* to = nullptr;
  Index stride = 0;  // floats from one head to the next
  bool of_queries = false;
  const LatentProjection* latent = nullptr;  // read by `dense` in place of y; nullptr: none
  Index shared = 0;                          // components behind those of `dense`

  /// Of a head's row.
  Index width() const { return dense->out / heads + shared; }
  HeadProjection of(const ReadRows& rows, float* heads_rows, Index head_stride) const {
    return {dense, norm, turn, heads, gain, rows, heads_rows, head_stride, of_queries, latent, shared};
  }
};
/// Y = gain y Wᵀ + b, clamped, normed, rotated; y may be a short row of itself.
void project_heads(std::span<const HeadProjection> projections, const ModelConfig& config,
                   const ComputeContext& context, const std::stop_token& stop);

/// One row of one head in double through the same steps up to the rotation, with what is between.
struct ProjectedRow {
  std::optional<NormedRow> latent;  ///< the short row that is projected
  Eigen::RowVectorXd projected;     ///< [d_k]
  std::optional<NormedRow> norm;    ///< of the head's own row, or of all heads'
  Eigen::RowVectorXd before_turn;   ///< [d_k]  the head's own, clamped and normed
};
ProjectedRow projected_row(const HeadProjection& projection, const ModelConfig& config, Index head,
                           const Eigen::RowVectorXd& x);

}  // namespace headscope
