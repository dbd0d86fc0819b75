#include "core/model/run/sampling.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace headscope {
namespace {

using Logits = Eigen::Map<const Eigen::ArrayXf>;

Logits as_array(std::span<const float> logits) {
  return {logits.data(), std::ssize(logits)};
}

// log Σ exp(logits / temperature), in double.
double log_sum(std::span<const float> logits, double temperature = 1) {
  const double largest = as_array(logits).maxCoeff() / temperature;
  return largest + std::log((as_array(logits).cast<double>() / temperature - largest).exp().sum());
}

std::vector<Index> likeliest_ids(std::span<const float> logits, Index count) {
  std::vector<Index> ids(logits.size());
  std::iota(ids.begin(), ids.end(), Index{0});
  const auto before = [&](Index a, Index b) {
    const float x = logits[a], y = logits[b];
    return x > y || (x == y && a < b);
  };
  count = std::min(count, std::ssize(ids));
  std::partial_sort(ids.begin(), ids.begin() + count, ids.end(), before);
  ids.resize(count);
  return ids;
}

}  // namespace

std::vector<TokenProbability> likeliest(std::span<const float> logits, Index count) {
  const double sum = log_sum(logits);
  std::vector<TokenProbability> tokens;
  for (const Index id : likeliest_ids(logits, count)) tokens.push_back({id, std::exp(logits[id] - sum)});
  return tokens;
}

std::vector<TokenProbability> likeliest(std::span<const float> logits, LabelScale scale, Index count) {
  if (scale == LabelScale::one) return likeliest(logits, count);
  std::vector<TokenProbability> all;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double logit = logits[i];
    all.push_back({static_cast<Index>(i), scale == LabelScale::number ? logit : 1 / (1 + std::exp(-logit))});
  }
  std::ranges::stable_sort(all, std::greater<>(), &TokenProbability::probability);
  if (std::ssize(all) > count) all.resize(count);
  return all;
}

double surprise(std::span<const float> logits, Index id) {
  return (log_sum(logits) - logits[id]) / std::log(2.0);
}

Index Sampler::choose(std::span<const float> logits) {
  if (sampling_.temperature <= 0) return std::ranges::max_element(logits) - logits.begin();
  const Index all = std::ssize(logits), maximum = sampling_.top_k > 0 ? std::min(sampling_.top_k, all) : all;
  const std::vector<Index> ids = likeliest_ids(logits, maximum);
  std::vector<double> weights;
  const double largest = logits[ids.front()];
  double kept = 0;
  for (const Index id : ids) {
    const double logit = logits[id];
    weights.push_back(std::exp((logit - largest) / sampling_.temperature));
    kept += weights.back();
  }
  // The nucleus: the smallest set of the most probable tokens that reaches top_p of what top_k has left.
  double sum = 0;
  std::size_t count = 0;
  while (count < weights.size() && (count == 0 || sum < sampling_.top_p * kept)) sum += weights[count++];
  constexpr double steps = 9007199254740992.0;  // 2^53
  double place = static_cast<double>(random_() >> 11) / steps * sum;
  for (std::size_t i = 0; i < count; ++i)
    if ((place -= weights[i]) < 0) return ids[i];
  return ids[count - 1];
}

}  // namespace headscope
