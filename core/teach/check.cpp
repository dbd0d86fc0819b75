#include "core/teach/check.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/attention/mask.h"
#include "core/base/no_such.h"
#include "core/model/token_vectors.h"
#include "core/source/mask_places.h"

namespace headscope {
namespace {

/// Adds what `act` throws, as of that line.
template <typename Act>
bool guarded(std::vector<LessonMistake>& mistakes, int line, const Act& act) {
  try {
    act();
    return true;
  } catch (const Error& error) {
    mistakes.push_back({line, error});
    return false;
  }
}

void check_cell(const LessonStep& step, const LessonNumbers& numbers) {
  if (!step.cell) return;
  const BlockTrace& block = numbers.block(false);
  const auto within = [](const char* name, int value, Index count) {
    if (value >= count) throw no_such(name, value, count);
  };
  if (block.layer_count() == 0) throw input_error("the sentence has no tokens; expected at least one");
  within("cell.head", step.cell->head, block.heads());
  within("cell.query", step.cell->query, block.n_q());
  within("cell.key", step.cell->key, block.n_k());
  within("cell.component", step.component, block.shape.d_k);
}

void check_text(const InLanguages<LessonText>& text, const LessonNumbers& numbers,
                std::vector<LessonMistake>& mistakes) {
  for (const LessonText* one : {&text.en, &text.zh})
    for_each_span(one->blocks, [&](const TextSpan& span) {
      for (const Expression& value : span.value)
        guarded(mistakes, span.line, [&] { live_number(value, numbers); });
    });
}

/// Goes through a lesson, one step after the other.
class Check {
 public:
  explicit Check(Engine& engine) : engine_(engine) {}

  void step(const LessonStep& step, const InLanguages<LessonText>* introduction) {
    // What does not hold of a state that could not be read says nothing.
    if (step.state_failed) return;
    std::vector<LessonMistake> failed;
    if (!guarded(failed, step.line_of_state(), [&] { check_cell(step, run(step)); })) {
      // Steps that go on from a state that cannot be run are no mistakes of their own.
      const std::string told = failed.front().error.what();
      if (std::exchange(told_, told) != told) mistakes.push_back(failed.front());
      return;
    }
    told_.clear();
    std::ranges::move(check_step(step, introduction, *numbers_), std::back_inserter(mistakes));
    if (step.question && step.question->solution)
      guarded(mistakes, step.question->solution_line, [&] { check_solution(*step.question, step); });
  }

  std::vector<LessonMistake> mistakes;

 private:
  void check_solution(const LessonQuestion& question, const LessonStep& step) {
    if (!question.check) throw input_error("there is a solution without a check; expected check:");
    const auto given = std::make_shared<const LessonNumbers>(*numbers_);
    LessonStep solved = step;
    solved.session = *question.solution;
    LessonNumbers numbers = run(solved);
    numbers.set_given(given);
    if (question.check->expression.holds(numbers)) return;
    throw input_error("the solution does not make {} true; expected one that does",
                      question.check->expression.text());
  }

  /// Steps that show the same share their numbers.
  const LessonNumbers& run(const LessonStep& step) {
    const auto& compare = step.session.compare;
    a_ = trace(step.session.inputs, a_);
    b_ = compare ? trace(*compare, b_ ? b_ : a_) : nullptr;
    const LessonNumbers numbers = lesson_numbers(a_, b_, step.session.view, step.cell);
    if (!numbers_ || !(*numbers_ == numbers)) numbers_ = numbers;
    return *numbers_;
  }
  std::shared_ptr<const Trace> trace(const Inputs& inputs, const std::shared_ptr<const Trace>& previous) {
    if (previous && previous->inputs == inputs) return previous;
    RunOptions options;
    options.maps_alone = true;
    options.previous = previous;
    return engine_.run(inputs, options);
  }

  Engine& engine_;
  std::shared_ptr<const Trace> a_, b_;
  std::optional<LessonNumbers> numbers_;
  std::string told_;  // of the step before, why it could not be run
};

}  // namespace

void check_claim(const LessonClaim& claim, const LessonNumbers& numbers) {
  if (claim.expression.holds(numbers)) return;
  const std::string compared = claim.expression.compared(numbers);
  throw compared.empty()
      ? input_error("{} does not hold; expected a claim that is true", claim.expression.text())
      : input_error("{} does not hold ({}); expected a claim that is true", claim.expression.text(),
                    compared);
}

double live_number(const Expression& expression, const LessonNumbers& numbers) {
  const double value = expression.evaluate(numbers);
  if (std::isnan(value)) throw input_error("{} has no value here", expression.text());
  return value;
}

std::vector<LessonMistake> check_step(const LessonStep& step, const InLanguages<LessonText>* introduction,
                                      const LessonNumbers& numbers) {
  std::vector<LessonMistake> mistakes;
  if (!guarded(mistakes, step.line_of_state(), [&] { check_cell(step, numbers); })) return mistakes;
  if (introduction != nullptr) check_text(*introduction, numbers, mistakes);
  check_text(step.text, numbers, mistakes);
  for (const LessonClaim& claim : step.claims)
    guarded(mistakes, claim.line, [&] { check_claim(claim, numbers); });
  if (!step.question) return mistakes;
  check_text(step.question->text, numbers, mistakes);
  check_text(step.question->answer, numbers, mistakes);
  if (const auto& check = step.question->check)
    guarded(mistakes, check->line, [&] { check->expression.evaluate(numbers); });
  return mistakes;
}

void check_whole(const Trace& trace) {
  const BlockTrace& block = trace.blocks.front();
  if (block.layer_count() == 0) return;
  if (block.what_if.mask != trace.inputs.mask)
    for (int layer = 0; layer < block.shape.layers; ++layer)
      build_mask(parts_of(trace.inputs.mask, block.shape.kind, layer), block.tokens, block.key_tokens,
                 block.heads());
  check_mask_places(trace.inputs.mask, std::span(&block.shape, 1));
  if (trace.inputs.vectors != VectorKind::typed) return;
  TorchRandom none(0);
  draw_token_vectors(trace.inputs, block.tokens, block.key_tokens, none);
}

LessonNumbers lesson_numbers(std::shared_ptr<const Trace> a, std::shared_ptr<const Trace> b, const View& view,
                             const std::optional<Cell>& cell) {
  LessonNumbers::Place place;
  place.layer = std::clamp(view.layer, 0, std::max(0, block_of(a, view.block)->layer_count() - 1));
  place.head = view.head;
  if (cell) {
    place.head = cell->head;
    place.query = cell->query;
    place.key = cell->key;
  }
  return {std::move(a), std::move(b), view.block, place};
}

std::vector<LessonMistake> check_lesson(const Lesson& lesson, Engine& engine) {
  Check check(engine);
  for (const LessonStep& step : lesson.steps)
    check.step(step, &step == &lesson.steps.front() ? &lesson.text : nullptr);
  std::ranges::stable_sort(check.mistakes, {}, &LessonMistake::line);
  return std::move(check.mistakes);
}

}  // namespace headscope
