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

/// Runs every step and returns, by line, what cannot be run or evaluated and the claims that do not hold.
std::vector<LessonMistake> check_lesson(const Lesson& lesson, Engine& engine);

}  // namespace headscope
