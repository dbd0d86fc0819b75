#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/config/config.h"
#include "core/model/config/config_fields.h"

namespace headscope {

/// What is added to the logit of the last of these tokens where the others have just been written.
struct SequenceBias {
  std::vector<Index> tokens;  ///< at least one
  double bias = 0;            ///< -infinity: never written
  bool operator==(const SequenceBias&) const = default;
};

/// How a model's files say that text is generated (transformers' GenerationConfig). Lengths count all tokens
/// of the growing text: a prompt's, or an encoder–decoder's start token.
struct GenerationRules {
  std::vector<Index> eos_tokens;
  std::optional<Index> max_length, max_new_tokens;
  Index min_length = 0;                   ///< no end before
  std::optional<Index> min_new_tokens;    ///< in place of min_length
  double repetition_penalty = 1;          ///< logits of tokens in the text are divided by it; negative: times
  double encoder_repetition_penalty = 1;  ///< the same, by its inverse, of tokens of the source
  Index no_repeat_ngram = 0;              ///< no n-gram of this size twice; 0: any
  Index encoder_no_repeat_ngram = 0;      ///< none of the source's either
  std::vector<SequenceBias> biases;       ///< before the penalties
  std::vector<SequenceBias> bad_words;    ///< after them, with -infinity
  std::vector<Index> suppressed;          ///< never written
  std::vector<Index> first_suppressed;    ///< not as the first new token
  std::optional<Index> forced_bos_token;  ///< the token after a text of one token
  std::optional<Index> forced_eos_token;  ///< the last token where the length is at its limit
  /// After `start` new tokens the end's logit grows by |logit| (factor^n - 1) with each of the next n.
  struct Decay {
    Index start = 0;
    double factor = 1;
  };
  std::optional<Decay> decay;
  std::vector<std::string> not_obeyed;  ///< fields that change the text and are not supported here

  /// The length that the files limit new text to, after a prompt of `given` tokens; none: any, and a limit
  /// that the prompt has reached.
  std::optional<Index> longest_after(Index given) const;
};

/// Reads the fields of one file. Throws Error (input).
GenerationRules read_generation_rules(const ConfigFields& config);
/// What generation_config.json says, or the same fields of config.json in an older folder without one; of a
/// model that is no folder ("") what its config has. Throws Error (input).
GenerationRules generation_rules(const std::string& folder, const ModelConfig& config);

/// A text that is being generated.
struct GeneratedText {
  std::span<const Index> tokens;  ///< at least one
  Index given = 0;                ///< how many of them were not generated
  std::span<const Index> source;  ///< of the encoder, or of the prompt
  bool is_last = false;           ///< whether the next token is the last one that may come
};

/// The logits as the rules change them before a token is chosen, in float32 and in transformers' order.
void apply_rules(const GenerationRules& rules, const GeneratedText& text, std::span<float> logits);
/// The token that comes next whatever the logits are.
std::optional<Index> forced_token(const GenerationRules& rules, const GeneratedText& text);

}  // namespace headscope
