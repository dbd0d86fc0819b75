#pragma once
#include <stop_token>

#include "core/attention/compute_context.h"
#include "core/model/layer/model_request.h"
#include "core/model/rows/row_intermediates.h"
#include "core/model/weights/language_model.h"

namespace headscope {

// What of a layer is no softmax attention: see Mixer.

/// What the heads of a state multiply, so that head h gives y_i = Σ_j M_ij v_j, j up to i. With decays a,
/// steps or strengths β, and vectors k, q and v of each token, its state S [d_k, d_v] is
///   a S + β k (v - Sᵀ k a)ᵀ   of the gated delta rule (Yang et al. 2025)
///   a S + β k vᵀ              of Mamba-2 (Dao and Gu 2024), whose k, q, β are its B, C, Δ
/// behind each token, and y = Sᵀ q, of Mamba-2 with D v more.
class StateHeads {
 public:
  /// Of rows y [n, d_model] of a whole text.
  StateHeads(const LanguageModel& model, Index layer, const Tensor& y, const ComputeContext& context,
             const std::stop_token& stop = {});

  Index heads() const { return size_.heads; }
  Index n() const { return rows_.dim(0); }
  /// Row `query` of M [n] of a head, in double.
  Eigen::RowVectorXd row(Index head, Index query) const;
  /// Its rows [begin, end).
  void rows(Index head, Index begin, Index end, float* out) const {
    for (Index query = begin; query < end; ++query, out += n())
      Eigen::Map<Eigen::RowVectorXf>(out, n()) = row(head, query).cast<float>();
  }
  /// [n, d_v] of a head.
  Tensor values(Index head) const;
  /// y of all heads [n, heads d_v], by their states.
  Tensor give(const ComputeContext& context, const std::stop_token& stop = {}) const;

  /// One cell of M, in double.
  StateCell cell(Index head, Index query, Index key) const;

 private:
  using Vector = Eigen::Map<const Eigen::VectorXf>;
  Vector q(Index head, Index row) const { return {rows_.at(row) + q_ + group(head) * size_.d_k, size_.d_k}; }
  Vector k(Index head, Index row) const { return {rows_.at(row) + k_ + group(head) * size_.d_k, size_.d_k}; }
  Vector v(Index head, Index row) const { return {rows_.at(row) + v_ + head * size_.d_v, size_.d_v}; }
  Index group(Index head) const { return head * size_.groups / size_.heads; }
  bool replaces() const { return size_.kind == Mixer::delta_rule; }

  const StateMixer size_;
  Index q_ = 0, k_ = 0, v_ = 0;  // where they begin in a row
  Tensor rows_;                  // [n, channels] behind the convolution
  Tensor strength_, decay_;      // [n, heads]; its logarithm
  Tensor skip_;                  // [heads]; empty: none
};

/// What the last product of a layer's mixer reads [n, heads d_v], or of a short convolution [n, d_model], of
/// rows y of a whole text; heads are ablated.
Tensor mixed_rows(const LanguageModel& model, Index layer, const Tensor& y, const AttentionChange& change,
                  const ComputeContext& context, const std::stop_token& stop = {});

/// What the layer adds [n, d_model] of those.
Tensor mixer_output(const LanguageModel& model, Index layer, const Tensor& mixed,
                    const ComputeContext& context, const std::stop_token& stop = {});

}  // namespace headscope
