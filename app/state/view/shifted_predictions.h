#pragma once
#include <memory>
#include <stop_token>
#include <vector>

#include "core/source/trace.h"

namespace headscope {

/// A's and B's predictions for one token.
struct ShiftedToken {
  Index id = 0;
  double a = 0, b = 0;  ///< probabilities
};

/// Changes in a model's predictions at one query.
struct ShiftedPredictions {
  static constexpr std::size_t maximum = 10;
  Index query_a = 0, query_b = 0;
  std::vector<ShiftedToken> tokens;  ///< the likeliest of either side, the largest change first
};

/// For two traces with predictions over one vocabulary, each at one of its queries. nullptr if stopped.
std::shared_ptr<const ShiftedPredictions> shifted_predictions(const Trace& a, const Trace& b, Index query_a,
                                                              Index query_b,
                                                              const std::stop_token& stop = {});

}  // namespace headscope
