#pragma once
#include <memory>
#include <vector>

#include "core/source/engine/engine.h"
#include "core/teach/lesson.h"
#include "core/teach/measures.h"

namespace headscope {

/// The numbers for expressions in a view that shows these runs (`b`: nullptr, none) with that cell locked.
LessonNumbers lesson_numbers(std::shared_ptr<const Trace> a, std::shared_ptr<const Trace> b, const View& view,
                             const std::optional<Cell>& cell,
                             std::shared_ptr<WorkBudget> work = std::make_shared<WorkBudget>("", 0));

/// Whether a choice is right, by the numbers of the step.
bool is_right(const LessonChoice& choice, const LessonNumbers& numbers);
/// Whether a single one of the question's choices is right.
bool takes_one(const LessonQuestion& question, const LessonNumbers& numbers);
/// A number as people type it: with a decimal comma, thousands apart, in full width, as a fraction or per
/// cent. Throws Error (input).
double read_answer(std::string_view typed);
/// Whether the answer to a question of choices or about a number is right, by the numbers of the step as
/// given; of a state to find see LessonRun. Throws Error (input) if that cannot be computed.
bool is_right(const LessonQuestion& question, const LessonAnswer& answer, const LessonNumbers& numbers);

/// Throws Error (input) if the claim does not hold, with the numbers it compares.
void check_claim(const LessonClaim& claim, const LessonNumbers& numbers);
/// The value of a live number. Throws Error (input) also if it has none, as 0/0.
double live_number(const Expression& expression, const LessonNumbers& numbers);

/// What cannot be evaluated with the numbers of a step and the claims that do not hold, in no order; for a
/// step whose cell, layer or head does not exist only that. `introduction`: the lesson's, or nullptr. Throws
/// OverBudget if they are too much work.
std::vector<LessonMistake> check_step(const LessonStep& step, const InLanguages<LessonText>* introduction,
                                      const LessonNumbers& numbers);

/// Throws Error (input) if the run left something of its inputs out, which RunOptions::fit_masks allows.
void check_whole(const Trace& trace);

/// Runs the steps of a lesson one after the other and checks each, so that checks and handouts use the same
/// runs.
class LessonRun {
 public:
  LessonRun(Engine& engine, RunOptions options) : engine_(engine), options_(std::move(options)) {}

  /// What is wrong with the step, by line: what cannot be run or evaluated, the claims that do not hold and a
  /// solution that does not solve its question. `introduction`: the lesson's, or nullptr.
  std::vector<LessonMistake> check(const LessonStep& step, const InLanguages<LessonText>* introduction);
  /// Whether the answer to a question of the step that was checked last is right; a state is run. Throws
  /// Error, OverBudget if it takes more than a lesson may.
  bool is_right(const LessonStep& step, const LessonQuestion& question, const LessonAnswer& answer);
  /// Whether the steps so far have used up a lesson's budget, which the mistake says: later steps are not
  /// run.
  bool is_over() const { return over_; }

  // For the step that was checked last, if it could be run.
  const LessonNumbers& numbers() const { return *numbers_; }
  const std::shared_ptr<const Trace>& a() const { return a_; }
  const std::shared_ptr<const Trace>& b() const { return b_; }

 private:
  void check_solution(const LessonQuestion& question, const LessonStep& step);
  void check_withs(const LessonStep& step, std::vector<LessonMistake>& mistakes);
  LessonNumbers beside(const LessonStep& step, const Session& session,
                       const std::shared_ptr<WorkBudget>& work);
  const LessonNumbers& run(const LessonStep& step);
  std::shared_ptr<const Trace> trace(const Inputs& inputs, const std::shared_ptr<const Trace>& previous);
  void check_budget(const Inputs& inputs, const Trace* previous);

  Engine& engine_;
  RunOptions options_;
  std::shared_ptr<const Trace> a_, b_;
  std::optional<LessonNumbers> numbers_;
  std::shared_ptr<WorkBudget> work_ = std::make_shared<WorkBudget>("", 0);
  bool over_ = false;
  std::string lesson_;  // of a course: each has a budget of its own
};

/// Of runs whose numbers alone are of interest.
RunOptions check_options();

/// Runs every step and returns, by line, what is wrong with them: about max_lesson_mistakes at most.
std::vector<LessonMistake> check_lesson(const Lesson& lesson, Engine& engine);

}  // namespace headscope
