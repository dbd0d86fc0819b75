#include "app/state/view/shifted_predictions.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/model/sampling.h"

namespace headscope {
namespace {

/// softmax(logits)[id]
double probability_of(std::span<const float> logits, Index id) {
  return std::exp2(-surprise(logits, id));
}

}  // namespace

std::shared_ptr<const ShiftedPredictions> shifted_predictions(const Trace& a, const Trace& b, Index query_a,
                                                              Index query_b, const std::stop_token& stop) {
  const Tensor of_a = a.predictions->logits(query_a, query_a + 1);
  if (stop.stop_requested()) return nullptr;
  const Tensor of_b = b.predictions->logits(query_b, query_b + 1);
  if (stop.stop_requested()) return nullptr;
  const auto vocabulary = static_cast<std::size_t>(a.predictions->vocabulary());
  const std::span<const float> logits_a(of_a.data(), vocabulary), logits_b(of_b.data(), vocabulary);
  std::set<Index> ids;
  for (const auto& logits : {logits_a, logits_b})
    for (const TokenProbability& token : likeliest(logits, ShiftedPredictions::maximum)) ids.insert(token.id);
  auto result = std::make_shared<ShiftedPredictions>();
  result->query_a = query_a;
  result->query_b = query_b;
  for (const Index id : ids)
    result->tokens.push_back({id, probability_of(logits_a, id), probability_of(logits_b, id)});
  std::ranges::stable_sort(result->tokens, [](const ShiftedToken& x, const ShiftedToken& y) {
    return std::abs(x.b - x.a) > std::abs(y.b - y.a);
  });
  if (result->tokens.size() > ShiftedPredictions::maximum) result->tokens.resize(ShiftedPredictions::maximum);
  return result;
}

}  // namespace headscope
