#include "core/scene/prediction_text.h"

#include "core/analysis/expectations.h"
#include "core/scene/readable_numbers.h"

namespace headscope {

const char* prediction_title(const Translator& tr, const Predictions& predictions) {
  switch (predictions.output().kind) {
    case OutputKind::text_label:
      return tr("Label of the text");
    case OutputKind::token_label:
      return tr("Label of the token");
    case OutputKind::span:
      return tr("Start and end of the answer");
    case OutputKind::replaced:
      return tr("Original or replaced");
    case OutputKind::picture_label:
      return tr("Label of the picture");
    case OutputKind::sentence:
      return tr("Sentence for the picture");
    case OutputKind::tokens:
      break;
  }
  return predictions.of_next_token() ? tr("Expected next") : tr("Expected in its place");
}

std::string prediction_place(const Translator& tr, const Predictions& predictions, const std::string& token,
                             bool few_words) {
  switch (predictions.output().kind) {
    case OutputKind::text_label:
      return tr("Label of the text");
    case OutputKind::token_label:
      return few_words ? tr("Of {}", token) : tr("Label of {}", token);
    case OutputKind::span:
      return few_words ? tr("At {}", token) : tr("Answer starts or ends at {}", token);
    case OutputKind::replaced:
      return few_words ? tr("Of {}", token) : tr("Original or replaced: {}", token);
    case OutputKind::picture_label:
      return tr("Label of the picture");
    case OutputKind::sentence:
      return tr("Sentence for the picture");
    case OutputKind::tokens:
      break;
  }
  if (predictions.of_next_token()) return few_words ? tr("After {}", token) : tr("Expected after {}", token);
  return few_words ? tr("In place of {}", token) : tr("Expected in place of {}", token);
}

const char* predictions_heading(const Translator& tr, const Predictions& predictions) {
  switch (predictions.output().kind) {
    case OutputKind::text_label:
      return tr("The likeliest labels of the text");
    case OutputKind::token_label:
      return tr("The likeliest labels of each token");
    case OutputKind::span:
      return tr("The probability that the answer starts or ends at each token");
    case OutputKind::replaced:
      return tr("The probability that each token is the original, or has replaced it");
    case OutputKind::picture_label:
      return tr("The likeliest labels of the picture");
    case OutputKind::sentence:
      return tr("How well each sentence fits the picture");
    case OutputKind::tokens:
      break;
  }
  return predictions.of_next_token() ? tr("The likeliest tokens after each token")
                                     : tr("The likeliest tokens in the place of each token");
}

std::string predicted_text(const Translator& tr, const Trace& trace, Index id) {
  // In the order of read_output().
  static constexpr const char* of_span[] = {TR("start"), TR("end")};
  static constexpr const char* of_replaced[] = {TR("original"), TR("replaced")};
  const OutputKind kind = trace.predictions->output().kind;
  const auto at = static_cast<std::size_t>(id);
  if (kind == OutputKind::span) return tr(of_span[at]);
  if (kind == OutputKind::replaced) return tr(of_replaced[at]);
  return expected_text(trace, id);
}

const char* prediction_word(const Predictions& predictions) {
  constexpr const char* words[] = {"this token", "label of the text",    "label of this token",     "answer",
                                   "replaced",   "label of the picture", "sentence for the picture"};
  return predictions.of_next_token() ? "next token"
                                     : words[static_cast<std::size_t>(predictions.output().kind)];
}

std::string prediction_number(const Predictions& predictions, double value) {
  return predictions.output().scale == LabelScale::number ? printed(value) : printed_percent(value);
}

std::string prediction_in_column(const Predictions& predictions, double value) {
  return predictions.output().scale == LabelScale::number ? printed(value) : percent_in_column(value);
}

}  // namespace headscope
