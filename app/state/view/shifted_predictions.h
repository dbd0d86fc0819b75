#pragma once
#include <memory>
#include <stop_token>
#include <vector>

#include "core/source/trace.h"

namespace headscope {

/// What A and B of a comparison expect of one token.
struct ShiftedToken {
  Index id = 0;
  double a = 0, b = 0;  ///< probabilities
};

/// What changes in what a model expects at one query.
struct ShiftedPredictions {
  static constexpr std::size_t most = 10;
  Index query_a = 0, query_b = 0;
  std::vector<ShiftedToken> tokens;  ///< those of either side's likeliest, the largest change first
};

/// Of two traces with predictions of one vocabulary, each at a query that it has. nullptr if stopped.
std::shared_ptr<const ShiftedPredictions> shifted_predictions(const Trace& a, const Trace& b, Index query_a,
                                                              Index query_b,
                                                              const std::stop_token& stop = {});

}  // namespace headscope
