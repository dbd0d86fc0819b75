#pragma once
#include <Eigen/Core>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/model/effects/circuits.h"
#include "core/source/trace.h"

namespace headscope {

/// Which head, and what about it.
struct CircuitChoice {
  int layer = 0, head = 0;
  std::string token;  ///< as named_token(); empty: the last of the text
  Composition composition = Composition::k;
  Index distance = 0;  ///< of the keys that are matched, in positions
  bool center_logits = false;
  bool operator==(const CircuitChoice&) const = default;
};

/// A head, and what it does with a token.
struct HeadCircuit {
  HeadPlace head;
  std::optional<Index> token;
  Index distance = 0;  ///< of the keys that are matched, in positions
};
/// What a choice means for a trace of a trained model with predictions: a head that exists, the token, and no
/// distance where positions are not rotary.
HeadCircuit head_circuit(const Circuits& circuits, const Trace& trace, const CircuitChoice& choice);

/// The tokens along the two vectors of a Direction, the largest products first.
struct DirectionTokens {
  double share = 0;  ///< of the sum of the singular values
  std::vector<TokenScore> left, right;
};

/// What its matrices do.
struct ShownCircuits {
  int layer = 0, head = 0;
  Index token = 0;
  bool center_logits = false;  ///< minus their mean over the vocabulary
  bool rotary = false;         ///< matches depend on the distance
  bool global_tokens = false;  ///< some tokens have projections of their own, which are left out
  Index distance = 0;
  Composition composition = Composition::k;
  std::vector<double> qk_values, ov_values;         ///< singular values, descending
  std::vector<TokenScore> raises, lowers, matches;  ///< ov_logits() and qk_scores() of the token
  std::vector<DirectionTokens> ov_directions, qk_directions;
  /// Circuits::composition() of the heads of an earlier layer with those of the head's own; of the first
  /// layer with the second.
  int earlier = 0, later = 0;
  Eigen::MatrixXd between;
  /// [layers, heads]: of each head in an earlier layer with this head, and of this head with each in a later
  /// one.
  Eigen::MatrixXd with_head;
  double random = 0;  ///< what was subtracted
  std::optional<Error> refusal;
};

/// Circuits::numbers() of a block's heads. nullptr if stopped, or if it has none.
std::shared_ptr<const CircuitNumbers> circuit_numbers(const BlockTrace& block, bool center_logits,
                                                      const std::stop_token& stop = {},
                                                      const std::function<void(double share)>& progress = {});

/// The tokens along the first directions of a head's W_O W_V or W_Qᵀ W_K; fewer if stopped.
std::vector<DirectionTokens> direction_tokens(const Circuits& circuits, Index layer, Index head, bool of_ov,
                                              const std::stop_token& stop = {});

/// Of a trace of a trained model with predictions. nullptr if stopped.
std::shared_ptr<const ShownCircuits> shown_circuits(const Trace& trace, const CircuitChoice& choice,
                                                    const std::stop_token& stop = {},
                                                    const std::function<void(double share)>& progress = {});

}  // namespace headscope
