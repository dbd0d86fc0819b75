#pragma once
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "core/base/tensor.h"

namespace headscope {

/// How the next token is chosen.
struct Sampling {
  double temperature = 0;  ///< 0: the likeliest token, always
  Index top_k = 0;         ///< only among so many of the likeliest; 0: all
  double top_p = 1;        ///< only among the likeliest that together reach this probability
};

/// Draws tokens one after the other, the same ones from the same seed on any machine.
class Sampler {
 public:
  Sampler(const Sampling& sampling, std::uint64_t seed) : sampling_(sampling), random_(seed) {}
  /// A token by its logits; of equal ones the first is the likelier. Those of -infinity are never chosen
  /// where there is another.
  Index choose(std::span<const float> logits);

 private:
  Sampling sampling_;
  std::mt19937_64 random_;
};

struct TokenProbability {
  Index id = 0;
  double probability = 0;
};
/// softmax(logits) of the `count` likeliest tokens, in double, the likeliest first; of equal ones the first.
std::vector<TokenProbability> likeliest(std::span<const float> logits, Index count);
/// -log2 softmax(logits)[id], in bits: how little the token was expected.
double surprise(std::span<const float> logits, Index id);

}  // namespace headscope
