#pragma once
#include <memory>
#include <vector>

#include "core/source/engine.h"
#include "core/teach/lesson.h"
#include "core/teach/measures.h"

namespace headscope {

/// What expressions are about where a view shows these runs (`b`: nullptr, none) with that cell locked.
LessonNumbers lesson_numbers(std::shared_ptr<const Trace> a, std::shared_ptr<const Trace> b, const View& view,
                             const std::optional<Cell>& cell);

/// Throws Error (input) where the claim does not hold, with the numbers it compares.
void check_claim(const LessonClaim& claim, const LessonNumbers& numbers);
/// The value of a live number. Throws Error (input) also where it has none, as 0/0.
double live_number(const Expression& expression, const LessonNumbers& numbers);

/// What cannot be evaluated with the numbers of a step and the claims that do not hold, in no order; of a
/// step whose cell is not there that alone. `introduction`: the lesson's, or nullptr.
std::vector<LessonMistake> check_step(const LessonStep& step, const InLanguages<LessonText>* introduction,
                                      const LessonNumbers& numbers);

/// Throws Error (input) where the run left something of its inputs out, as RunOptions::fit_masks lets it.
void check_whole(const Trace& trace);

/// Runs every step and returns, by line, what cannot be run or evaluated and the claims that do not hold.
std::vector<LessonMistake> check_lesson(const Lesson& lesson, Engine& engine);

}  // namespace headscope
