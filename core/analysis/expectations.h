#pragma once
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/model/sampling.h"
#include "core/source/trace.h"

namespace headscope {

/// Layers [first_layer, end_layer) and queries [begin, end) of the block that predictions are made at.
struct ExpectationRange {
  int first_layer = 0, end_layer = 0;
  Index begin = 0, end = 0;
  bool operator==(const ExpectationRange&) const = default;
};
/// All queries after the last layer: the model's own expectations; with `layers` after each.
ExpectationRange whole_range(const Trace& trace, bool layers);

/// What a model's head makes of the stream after layers: of the last one what it expects, of those before
/// what each would say (nostalgebraist 2020, "interpreting GPT: the logit lens": the last norm, where the
/// family has one, and the unembedding, on the layer's stream).
struct Expectations {
  static constexpr Index tokens = 10;

  ExpectationRange range;
  std::vector<std::vector<std::vector<TokenProbability>>> likeliest;  ///< by layer and query
  /// By query, in bits: how little the token that stands there was expected, by the one before it or in its
  /// own place. Known where the last layer is in the range.
  std::vector<std::optional<double>> surprise;

  const std::vector<TokenProbability>& at(int layer, Index query) const {
    return likeliest[static_cast<std::size_t>(layer - range.first_layer)]
                    [static_cast<std::size_t>(query - range.begin)];
  }
};
/// Of a trace with predictions. nullptr if stopped.
std::shared_ptr<const Expectations> expectations(const Trace& trace, const ExpectationRange& range,
                                                 const std::stop_token& stop = {});

/// What people read for a token of the vocabulary: for one that carries a word of this text, that word, as
/// the text's own tokens have it.
std::string expected_text(const Trace& trace, Index id);
/// Likewise, and for such a word which token carries it; else empty.
std::string carrying_token(const Trace& trace, Index id);

/// The id of a token that somebody names: "id:5", as the vocabulary writes it, or a text that is one token;
/// "5" is the token of that text where there is one, else the id. Nothing for another text, or an id beyond
/// the vocabulary.
std::optional<Index> named_token(const Predictions& predictions, const std::string& text);
/// "id:5", by which named_token() finds that one whatever its text is.
std::string name_of_id(Index id);

/// What the parts of the model add to the logit of a token, and which one it is.
struct TokenContributions {
  Index position = 0, token = 0;
  double probability = 0;
  LogitContributions parts;
};
/// Of a token as View::token and View::position name it; of the likeliest one, and at the last query, where
/// they name none that there is. nullptr where no contributions are defined, or if stopped.
std::shared_ptr<const TokenContributions> token_contributions(const Trace& trace, const std::string& token,
                                                              std::optional<int> position,
                                                              const std::stop_token& stop = {});

}  // namespace headscope
