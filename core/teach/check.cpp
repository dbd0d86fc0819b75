#include "core/teach/check.h"

#include <algorithm>
#include <cmath>

#include "core/figure/formula.h"

namespace headscope {
namespace {

/// Goes through a lesson, one step after the other.
class Check {
 public:
  explicit Check(Engine& engine) : engine_(engine) {
    style_.measure = [](std::string_view text, double size) {
      return size * static_cast<double>(text.size());
    };
  }

  void step(const LessonStep& step, const InLanguages<LessonText>* introduction) {
    const int line = step.state_line != 0 ? step.state_line : step.line;
    const std::optional<LessonNumbers> numbers = guarded(line, [&] { return run(step); });
    if (!numbers) return;
    if (introduction != nullptr) texts(*introduction, *numbers);
    texts(step.text, *numbers);
    for (const LessonClaim& claim : step.claims)
      guarded(claim.line, [&] { return check_claim(claim, *numbers), true; });
    if (!step.question) return;
    texts(step.question->text, *numbers);
    texts(step.question->answer, *numbers);
    if (const auto& check = step.question->check)
      guarded(check->line, [&] { return check->expression.evaluate(*numbers); });
    if (step.question->solution)
      guarded(step.question->solution_line, [&] { return solution(*step.question, step, *numbers); });
  }

  std::vector<LessonMistake> mistakes;

 private:
  template <typename Act>
  auto guarded(int line, const Act& act) -> std::optional<decltype(act())> {
    try {
      return act();
    } catch (const Error& error) {
      mistakes.push_back({line, error});
      return std::nullopt;
    }
  }

  bool solution(const LessonQuestion& question, const LessonStep& step, const LessonNumbers& given) {
    if (!question.check) throw input_error("there is a solution without a check; expected check:");
    LessonStep solved = step;
    solved.session = *question.solution;
    LessonNumbers numbers = run(solved);
    numbers.set_given(std::make_shared<const LessonNumbers>(given));
    if (question.check->expression.holds(numbers)) return true;
    throw input_error("the solution does not make {} true; expected one that does",
                      question.check->expression.text());
  }

  LessonNumbers run(const LessonStep& step) {
    const auto& compare = step.session.compare;
    a_ = engine_.run(step.session.inputs, options(a_));
    b_ = compare ? engine_.run(*compare, options(b_ ? b_ : a_)) : nullptr;
    if (step.cell) check_cell(*step.cell, step.component, *block_of(a_, step.session.view.block));
    return lesson_numbers(a_, b_, step.session.view, step.cell);
  }
  static RunOptions options(const std::shared_ptr<const Trace>& previous) {
    RunOptions options;
    options.maps_alone = true;
    options.previous = previous;
    return options;
  }
  static void check_cell(const Cell& cell, int component, const BlockTrace& block) {
    const auto within = [](const char* name, int value, Index count) {
      if (value >= count) throw input_error("{} is {}; expected {} to {}", name, value, 0, count - 1);
    };
    if (block.layer_count() == 0) throw input_error("the sentence has no tokens; expected at least one");
    within("cell.head", cell.head, block.heads());
    within("cell.query", cell.query, block.n_q());
    within("cell.key", cell.key, block.n_k());
    within("cell.component", component, block.shape.d_k);
  }

  void texts(const InLanguages<LessonText>& text, const LessonNumbers& numbers) {
    for (const LessonText* one : {&text.en, &text.zh})
      for_each_span(one->blocks, [&](const TextSpan& span) {
        if (span.kind == TextSpan::Kind::formula || span.kind == TextSpan::Kind::display)
          guarded(span.line, [&] { return set_formula(span.text, style_, style_.font_size).baseline; });
        for (const Expression& value : span.value) guarded(span.line, [&] { return number(value, numbers); });
      });
  }
  static double number(const Expression& expression, const LessonNumbers& numbers) {
    const double value = expression.evaluate(numbers);
    if (std::isnan(value)) throw input_error("{} has no value here", expression.text());
    return value;
  }
  Engine& engine_;
  BoardStyle style_;
  std::shared_ptr<const Trace> a_, b_;
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
