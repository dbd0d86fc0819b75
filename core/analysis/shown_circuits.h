#pragma once
#include <Eigen/Core>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/model/circuits.h"
#include "core/source/trace.h"

namespace headscope {

/// Which head, and what about it.
struct CircuitChoice {
  int layer = 0, head = 0;
  std::string token;  ///< as named_token(); empty: the last of the text
  Composition composition = Composition::k;
  bool operator==(const CircuitChoice&) const = default;
};

/// What its matrices do.
struct ShownCircuits {
  int layer = 0, head = 0;
  Index token = 0;
  Composition composition = Composition::k;
  std::vector<double> qk_values, ov_values;         ///< singular values, descending
  std::vector<TokenScore> raises, lowers, matches;  ///< ov_logits() and qk_scores() of the token
  /// The tokens along a direction's two vectors, the largest products first.
  struct DirectionTokens {
    double share = 0;  ///< of the sum of the singular values
    std::vector<TokenScore> left, right;
  };
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

/// Of a trace of a trained model with predictions. nullptr if stopped.
std::shared_ptr<const ShownCircuits> shown_circuits(const Trace& trace, const CircuitChoice& choice,
                                                    const std::stop_token& stop = {},
                                                    const std::function<void(double share)>& progress = {});

}  // namespace headscope
