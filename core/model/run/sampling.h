#pragma once
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "core/base/tensor.h"
#include "core/model/config/output_config.h"

namespace headscope {

/// How the next token is chosen.
struct Sampling {
  double temperature = 0;  ///< 0: always the most probable token
  Index top_k = 0;         ///< only among this many most probable tokens; 0: all
  double top_p = 1;        ///< only among the most probable that together reach this probability
};

/// Draws tokens in sequence, the same ones from the same seed on any machine.
class Sampler {
 public:
  Sampler(const Sampling& sampling, std::uint64_t seed) : sampling_(sampling), random_(seed) {}
  /// Chooses a token by its logits; of equal ones the first counts as more probable. Logits of -infinity are
  /// never chosen if there is another.
  Index choose(std::span<const float> logits);

 private:
  Sampling sampling_;
  std::mt19937_64 random_;
};

struct TokenProbability {
  Index id = 0;
  double probability = 0;
};
/// softmax(logits) of the `count` most probable tokens, in double, in descending order; ties in order of id.
std::vector<TokenProbability> likeliest(std::span<const float> logits, Index count);
/// The same of labels, each by its scale: for a number the logit itself.
std::vector<TokenProbability> likeliest(std::span<const float> logits, LabelScale scale, Index count);
/// -log2 softmax(logits)[id], in bits: the token's surprisal.
double surprise(std::span<const float> logits, Index id);

}  // namespace headscope
