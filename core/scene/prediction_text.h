#pragma once
#include <string>

#include "core/base/translate.h"
#include "core/source/trace.h"

namespace headscope {

// What a model predicts, in words: tokens of its vocabulary, or labels. The strip, the inspector, boards and
// the command line say the same.

/// "Expected next": the heading over a list.
const char* prediction_title(const Translator& tr, const Predictions& predictions);
/// The same of the prediction at a query, whose token's text is `token`: "Expected after {}", or in fewer
/// words.
std::string prediction_place(const Translator& tr, const Predictions& predictions, const std::string& token,
                             bool few_words = false);
/// The heading of a whole text's predictions on the command line.
const char* predictions_heading(const Translator& tr, const Predictions& predictions);
/// What is predicted, as it is shown: the text of a token, or the name of a label.
std::string predicted_text(const Translator& tr, const Trace& trace, Index id);
/// A word for files: "next token", "this token", "text", "label of this token", "answer", "replaced".
const char* prediction_word(const Predictions& predictions);
/// What of the run is held so that contributions add up to a logit: a sentence, English, to be translated.
const char* held_text(Held held);
/// A probability as 12.3%, or the number itself where labels have none (regression).
std::string prediction_number(const Predictions& predictions, double value);
/// The same in a list: one decimal in every row.
std::string prediction_in_column(const Predictions& predictions, double value);

}  // namespace headscope
