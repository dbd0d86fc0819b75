#pragma once
#include <string>
#include <vector>

#include "core/base/translate.h"
#include "core/teach/lesson.h"
#include "core/teach/sentences.h"

namespace headscope {

/// The words of a sentence by which it may say what causes what in a model ("because", "decides"); those in
/// code, emphasis and quotation marks are tokens and do not count, nor do those of a question.
std::vector<std::string> causal_words(const Sentence& sentence, Language language);

/// Whether the expression knocks out or patches parts of a model, which takes runs of its own.
bool changes_parts(const Expression& expression);
/// Whether the claim tries what a change does: knocked out or patched parts, or a state, A's or B's, that
/// differs from the step's in more than the seed.
bool is_experiment(const LessonStep& step, const LessonClaim& claim);

/// The sentences with such words that no quote marks, by the line of their step. Throws OverBudget for a file
/// with too many.
std::vector<LessonMistake> unmarked_causes(const Lesson& lesson, Budget& budget);

}  // namespace headscope
