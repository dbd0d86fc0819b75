#include "core/scene/prediction_text.h"

#include "core/analysis/expectations.h"
#include "core/base/enum_table.h"
#include "core/scene/readable_numbers.h"

namespace headscope {

namespace {

/// English, to be translated; {} is the token's text.
struct PredictionWords {
  const char* title;
  const char* place;
  const char* brief;    ///< the place in fewer words
  const char* heading;  ///< of all predictions of a text
  const char* word;     ///< in files
};

constexpr PredictionWords of_next{TR("Expected next"), TR("Expected after {}"), TR("After {}"),
                                  TR("The likeliest tokens after each token"), "next token"};

const PredictionWords& words_of(const Predictions& predictions) {
  // In the order of OutputKind.
  static constexpr PredictionWords words[] = {
      {TR("Expected in its place"), TR("Expected in place of {}"), TR("In place of {}"),
       TR("The likeliest tokens in the place of each token"), "this token"},
      {TR("Label of the text"), TR("Label of the text"), TR("Label of the text"),
       TR("The likeliest labels of the text"), "label of the text"},
      {TR("Label of the token"), TR("Label of {}"), TR("Of {}"), TR("The likeliest labels of each token"),
       "label of this token"},
      {TR("Start and end of the answer"), TR("Answer starts or ends at {}"), TR("At {}"),
       TR("The probability that the answer starts or ends at each token"), "answer"},
      {TR("Original or replaced"), TR("Original or replaced: {}"), TR("Of {}"),
       TR("The probability that each token is the original, or has replaced it"), "replaced"},
      {TR("Label of the picture"), TR("Label of the picture"), TR("Label of the picture"),
       TR("The likeliest labels of the picture"), "label of the picture"},
      {TR("Sentence for the picture"), TR("Sentence for the picture"), TR("Sentence for the picture"),
       TR("How well each sentence fits the picture"), "sentence for the picture"}};
  return predictions.of_next_token() ? of_next : words[static_cast<std::size_t>(predictions.output().kind)];
}

}  // namespace

const char* prediction_title(const Translator& tr, const Predictions& predictions) {
  return tr(words_of(predictions).title);
}

std::string prediction_place(const Translator& tr, const Predictions& predictions, const std::string& token,
                             bool few_words) {
  const PredictionWords& words = words_of(predictions);
  return tr(few_words ? words.brief : words.place, token);
}

const char* predictions_heading(const Translator& tr, const Predictions& predictions) {
  return tr(words_of(predictions).heading);
}

std::string predicted_text(const Translator& tr, const Trace& trace, Index id) {
  // In the order of read_output().
  static constexpr const char* of_span[] = {TR("start"), TR("end")};
  static constexpr const char* of_replaced[] = {TR("original"), TR("replaced")};
  const OutputKind kind = trace.predictions->output().kind;
  const std::size_t at = id;
  if (kind == OutputKind::span) return tr(of_span[at]);
  if (kind == OutputKind::replaced) return tr(of_replaced[at]);
  return expected_text(trace, id);
}

const char* prediction_word(const Predictions& predictions) {
  return words_of(predictions).word;
}

const char* held_text(Held held) {
  // In the order of Held.
  static constexpr const char* texts[] = {
      TR("Norms are held at this run's values, so that the terms add up."),
      TR("Activations and norms are held at this run's values, so that the terms add up."),
      TR("Norms and the cap of the logit are held at this run's values, so that the terms add up."),
      TR("Norms and the length of the picture's vector are held at this run's values, so that the terms "
         "add up."),
      TR("Norms, activations and attention of the pooling, and the length of the picture's vector are "
         "held at this run's values, so that the terms add up.")};
  return of_kind(texts, held);
}

std::string prediction_number(const Predictions& predictions, double value) {
  return predictions.output().scale == LabelScale::number ? printed(value) : printed_percent(value);
}

std::string prediction_in_column(const Predictions& predictions, double value) {
  return predictions.output().scale == LabelScale::number ? printed(value) : percent_in_column(value);
}

}  // namespace headscope
