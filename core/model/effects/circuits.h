#pragma once
#include <Eigen/Core>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/matrix.h"
#include "core/inputs/names.h"
#include "core/model/effects/circuit_numbers.h"

namespace headscope {

class LanguageModel;
struct Kernels;

// What a head's matrices can do, from the weights alone (Elhage et al. 2021, "A Mathematical Framework for
// Transformer Circuits"). Conventions: the weight of the norm that a head reads through is folded into W_Q,
// W_K and W_V, that of the last norm into W_U; where norms subtract a mean, it is removed from what they read
// and from what heads write; no vector is divided by its deviation; biases, positions, and a masked model's
// transform before the unembedding are left out, and so are norms of queries and keys.

/// Of one head, in double precision; key-value heads are those that it reads.
struct HeadMatrices {
  MatrixOf<double> q, k, v;  ///< [d_k, d_model]
  MatrixOf<double> o;        ///< [d_model, d_k]
};

struct TokenScore {
  Index id = 0;
  double score = 0;
};

enum class Composition { q, k, v };

std::span<const EnumName<Composition>> enum_names(Composition);

/// A singular value of W_Qᵀ W_K or W_O W_V with its vectors [d_model]: what is written, or asked for, and
/// what is read.
struct Direction {
  double value = 0;
  Eigen::VectorXd left, right;
};

class Circuits {
 public:
  /// Throws Error (input) for a model without an unembedding, and for an encoder–decoder. Weights are read
  /// when they are needed, those of a layer at a time. `model` must outlive it. With `center_logits` W_U
  /// loses its mean over the vocabulary, which adds the same to all logits and so changes no probability.
  explicit Circuits(const LanguageModel& model, bool center_logits = false);

  Index layers() const { return layers_; }
  Index heads() const { return heads_; }
  HeadMatrices of(Index layer, Index head) const;

  /// The copying score is Σ λ / Σ |λ| over the eigenvalues of W_E W_V W_O W_U, which are those of a matrix
  /// [d_k, d_k]: 1 for a head that raises the logit of every token it attends to. The effective rank is exp
  /// of the entropy of the singular values' shares (Roy and Vetterli 2007), of W_Qᵀ W_K or W_O W_V. Uses all
  /// processors; incomplete if stopped.
  CircuitNumbers numbers(const std::stop_token& stop = {},
                         const std::function<void(double share)>& progress = {}) const;
  /// The singular values of a head, in descending order.
  std::vector<double> singular_values(Index layer, Index head, bool of_ov) const;
  /// The first `count` of them with their directions.
  std::vector<Direction> directions(Index layer, Index head, bool of_ov, Index count) const;

  /// What attending to a token adds to the logit of each token of the vocabulary: W_E W_V W_O W_U.
  Eigen::VectorXd ov_logits(Index layer, Index head, Index token) const;
  /// Whether scores of a layer depend on the distance, by rotary positions.
  bool rotary(Index layer) const;
  /// Scores of a token as the query with every token of the vocabulary as the key, `distance` positions
  /// before it where positions are rotary.
  Eigen::VectorXd qk_scores(Index layer, Index head, Index token, Index distance = 0) const;
  /// Products of a direction with every token's embedding, or its row of the unembedding.
  Eigen::VectorXd embedded(const Eigen::VectorXd& direction) const;
  Eigen::VectorXd unembedded(const Eigen::VectorXd& direction) const;

  /// How much the queries, keys or values of the heads of a later layer read what those of an earlier one
  /// write [earlier head, later head]: ‖W_QKᵀ W_OV‖, ‖W_QK W_OV‖ or ‖W_OV W_OV‖ over the product of both
  /// norms (Frobenius), minus what matrices of random orientation have in the mean square, 1 / √d_model.
  Eigen::MatrixXd composition(Composition of, Index earlier, Index later) const;
  double random_composition() const;

 private:
  std::vector<HeadMatrices> layer_matrices(Index layer) const;
  Eigen::VectorXd read(Index token) const;
  MatrixOf<double> word_rows(Index begin, Index end) const;
  MatrixOf<double> unembedding_rows(Index begin, Index end) const;
  Eigen::RowVectorXd mean_of_outputs() const;

  const LanguageModel& model_;
  const Kernels& kernels_;
  Index layers_ = 0, heads_ = 0, d_model_ = 0;
  bool centred_ = false;            // what is written to the stream loses its mean
  Eigen::RowVectorXd mean_output_;  // of the rows of W_U, where logits are centred
};

/// exp of the entropy of the values' shares; 0 if all are 0.
double effective_rank(const std::vector<double>& singular_values);
/// The `count` largest of `scores`, or the smallest, the most extreme first.
std::vector<TokenScore> extreme_tokens(const Eigen::VectorXd& scores, Index count, bool largest);

}  // namespace headscope
