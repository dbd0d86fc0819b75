#pragma once
#include <string>

#include "core/teach/lesson.h"
#include "core/teach/measures.h"

namespace headscope {

/// The link of the word behind a sentence that no longer holds.
inline constexpr const char* way_back = "#back";

/// A text of a step in a state that a reader has changed (`now`, which has the step's own numbers as given).
/// Its sentences are marked as changed, and followed by `word`, a link to way_back, where they need not hold
/// any more:
/// - a claim behind them is false now, or is about experiments, which are not repeated, in other inputs;
/// - a live number has no value any more, or is now that of another cell than the one that is named;
/// - they name words that are not in the texts any more.
LessonText with_changes(const LessonText& text, Language language, const LessonStep& step,
                        const LessonNumbers& now, const std::string& word);

}  // namespace headscope
