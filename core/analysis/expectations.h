#pragma once
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/model/run/sampling.h"
#include "core/source/trace.h"

namespace headscope {

/// The block at whose tokens a trace with predictions makes them.
const BlockTrace& predicting_block(const Trace& trace);

/// Layers [first_layer, end_layer) and queries [begin, end) of the block that predictions are made at.
struct ExpectationRange {
  int first_layer = 0, end_layer = 0;
  Index begin = 0, end = 0;
  bool operator==(const ExpectationRange&) const = default;
};
/// All queries with predictions after the last layer, i.e. the model's own; with `layers`, after each layer.
ExpectationRange whole_range(const Trace& trace, bool layers);

/// What a model's head predicts from the stream after a layer: after the last one the model's own
/// predictions, after those before it the logit lens (nostalgebraist 2020, "interpreting GPT: the logit
/// lens": the last norm, if the family has one, and the unembedding, applied to the layer's stream).
struct Expectations {
  static constexpr Index tokens = 10;

  ExpectationRange range;
  /// By layer and query. Of the start and the end of an answer: both, in this order; of sentences all.
  std::vector<std::vector<std::vector<TokenProbability>>> likeliest;
  /// By query, in bits: the surprisal of its token, as predicted at the token before it or in its own place.
  /// Known if the last layer is in the range.
  std::vector<std::optional<double>> surprise;

  const std::vector<TokenProbability>& at(int layer, Index query) const {
    return likeliest[layer - range.first_layer][query - range.begin];
  }
};
/// Of a trace with predictions. nullptr if stopped.
std::shared_ptr<const Expectations> expectations(const Trace& trace, const ExpectationRange& range,
                                                 const std::stop_token& stop = {});

/// The likeliest answer in a trace whose predictions are its start and its end: queries [start, end], and the
/// product of the probabilities of both. Nothing for other predictions, or if `expected` has other ranges.
struct AnswerSpan {
  Index start = 0, end = 0;
  double probability = 0;
};
std::optional<AnswerSpan> answer_span(const Trace& trace, const Expectations& expected);

/// The query of the predicting block whose prediction is asked for when none is chosen: the one with the
/// label of the text, or the last one; of a masked model the first mask token, otherwise its last word.
Index default_query(const Trace& trace);
/// A chosen query, up to the last one; without a choice, and of the whole, default_query().
Index chosen_query(const Trace& trace, std::optional<int> choice);
/// The token that the text has where a query's prediction is: after it, or in its place. -1: the text ends.
Index predicted_place(const Trace& trace, Index query);
/// Mean over the tokens of a text, in bits; nothing if none is known.
std::optional<double> mean_surprise(const Expectations& expected);

/// The text to show for a token of the vocabulary: if it represents a word of this text, that word, as the
/// text's own tokens have it.
std::string expected_text(const Trace& trace, Index id);
/// For a token that represents such a word, the token itself; otherwise empty.
std::string placeholder_of_text(const Trace& trace, Index id);

/// The id of a token given as "id:5", as the vocabulary writes it, or as a text that is one token; "5" is the
/// token of that text if there is one, otherwise the id. Nothing for any other text, or an id beyond the
/// vocabulary.
std::optional<Index> named_token(const Predictions& predictions, const std::string& text);
/// The token of that name, or if there is none the likeliest at a query.
Index token_or_likeliest(const Predictions& predictions, const std::string& text, Index query);
/// "id:5", by which named_token() finds that token whatever its text is.
std::string name_of_id(Index id);

/// The probability of a token or label at a query; of a number the logit itself.
double prediction_at(const Trace& trace, Index query, Index id);

/// What the parts of the model contribute to the logit of a token, and which token it is.
struct TokenContributions {
  Index position = 0, token = 0;
  double probability = 0;
  LogitContributions parts;
};
/// For the token and query of PredictionOptions; if they name none that exists, the likeliest
/// token and default_query(). nullptr without predictions, or if stopped.
std::shared_ptr<const TokenContributions> token_contributions(const Trace& trace, const std::string& token,
                                                              std::optional<int> position,
                                                              const std::stop_token& stop = {});

/// A's and B's predictions for one token.
struct ShiftedToken {
  Index id = 0;
  double a = 0, b = 0;  ///< probabilities
};

/// Changes in a model's predictions at one query.
struct ShiftedPredictions {
  static constexpr std::size_t maximum = 10;
  static constexpr double smallest_shift = 5e-4;  ///< smaller ones are printed as 0
  Index query_a = 0, query_b = 0;
  std::vector<ShiftedToken> tokens;  ///< the likeliest of either side, the largest change first
  bool same = false;                 ///< no probability of them changes by as much as is printed
};

/// For two traces with predictions over one vocabulary, each at one of its queries. nullptr if stopped.
std::shared_ptr<const ShiftedPredictions> shifted_predictions(const Trace& a, const Trace& b, Index query_a,
                                                              Index query_b,
                                                              const std::stop_token& stop = {});

}  // namespace headscope
