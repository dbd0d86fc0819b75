#include "core/teach/check.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/analysis/expectations.h"
#include "core/analysis/shown_causes.h"
#include "core/attention/mask.h"
#include "core/base/error.h"
#include "core/base/read_number.h"
#include "core/base/translate.h"
#include "core/base/utf8.h"
#include "core/inputs/cost.h"
#include "core/model/seeded/token_vectors.h"
#include "core/scene/model_picture.h"
#include "core/scene/view_kinds.h"
#include "core/source/maps/cell_maps.h"
#include "core/source/maps/pooled_maps.h"
#include "core/source/maps/rollout.h"
#include "core/source/source.h"

namespace headscope {
namespace {

void within(const char* name, int value, Index count) {
  if (value >= count) throw out_of_range(name, value, count);
}

/// The window corrects such a view silently.
void check_view(const View& view, const BlockTrace& block) {
  if (view.block != View{}.block && view.block != block.shape.kind)
    throw input_error("view.block is {}; there is no attention of this kind", to_name(view.block));
  within("view.layer", view.layer, block.shape.layers);
  if (view.head) within("view.head", *view.head, block.shape.heads);
  if (!view.hidden_heads.empty()) within("view.hidden_heads", *view.hidden_heads.rbegin(), block.shape.heads);
  const auto tokens = [](const char* hidden_name, const std::set<int>& hidden, const char* range_name,
                         const std::optional<TokenRange>& range, Index count) {
    if (!hidden.empty()) within(hidden_name, *hidden.rbegin(), count);
    if (range) within(range_name, range->begin, count);
  };
  if (block.layer_count() == 0) return;
  tokens("view.filter.hidden_queries", view.filter.hidden_queries, "view.filter.queries", view.filter.queries,
         block.n_q());
  tokens("view.filter.hidden_keys", view.filter.hidden_keys, "view.filter.keys", view.filter.keys,
         block.n_k());
}

/// For a view of a trained model's predictions.
void check_predictions(const View& view, const Trace& trace) {
  if (view.row().whole && no_model_picture(&trace) != nullptr)
    throw input_error("view.kind is {}; expected a model with an encoder and a decoder", to_name(view.kind));
  if (!view.row().predicts) return;
  const auto& predictions = trace.predictions;
  if (!predictions)
    throw input_error("view.kind is {}; expected a trained model that predicts tokens", to_name(view.kind));
  if (view.predictions.position)
    within("view.position", *view.predictions.position, predicting_block(trace).n_q());
  if (!view.predictions.token.empty() && !named_token(*predictions, view.predictions.token))
    throw input_error("view.token is \"{}\"; expected a token of the model", view.predictions.token);
}

void check_cells(const View& view, const Trace& trace, const BlockTrace& block) {
  if (const char* why = missing_for_cells(trace, block, view.cells)) throw input_error(why).at("view.cells");
  if (const char* why = missing_for_rollout(trace, block, view.rollout.of))
    throw input_error(why).at("view.rollout");
}

void check_cell(const LessonStep& step, const BlockTrace& block) {
  if (!step.cell) return;
  if (block.layer_count() == 0) throw input_error("the sentence has no tokens; expected at least one");
  within("cell.head", step.cell->head, block.heads());
  within("cell.query", step.cell->query, block.n_q());
  within("cell.key", step.cell->key, block.n_k());
  within("cell.component", step.component, block.shape.d_k_of(step.session.view.layer));
}

/// What the step shows must exist.
void check_shown(const LessonStep& step, const LessonNumbers& numbers) {
  const BlockTrace& block = numbers.block(false);
  check_view(step.session.view, block);
  check_predictions(step.session.view, numbers.trace(false));
  check_cells(step.session.view, numbers.trace(false), block);
  check_cell(step, block);
}

void check_text(const InLanguages<LessonText>& text, const LessonNumbers& numbers,
                std::vector<LessonMistake>& mistakes) {
  for (const LessonText& one : text.each)
    for_each_span(one.blocks, [&](const TextSpan& span) {
      for (const Expression& value : span.value)
        guarded(mistakes, span.line, [&] { live_number(value, numbers); });
    });
}

void check_question(const LessonQuestion& question, const LessonNumbers& numbers,
                    std::vector<LessonMistake>& mistakes) {
  check_text(question.text, numbers, mistakes);
  check_text(question.answer, numbers, mistakes);
  if (const auto& check = question.check)
    guarded(mistakes, check->line, [&] { check->expression.evaluate(numbers); });
  if (const auto& number = question.number)
    guarded(mistakes, number->line, [&] {
      live_number(number->value, numbers);
      if (!(live_number(number->within, numbers) >= 0))
        throw input_error("{} is negative; expected how far off an answer may be", number->within.text());
    });
  std::size_t right = 0;
  // Those of the file alone were counted when it was read.
  bool known = std::ranges::any_of(question.choices,
                                   [](const LessonChoice& choice) { return choice.when.has_value(); });
  for (const LessonChoice& choice : question.choices) {
    check_text(choice.text, numbers, mistakes);
    known &=
        choice.known && guarded(mistakes, choice.line, [&] { right += is_right(choice, numbers) ? 1 : 0; });
  }
  const std::size_t all = question.choices.size();
  if (known && all > 0 && (right == 0 || right == all))
    mistakes.push_back(
        {question.line,
         input_error("{} of {} choices are right; expected some right and some wrong", right, all)});
}

}  // namespace

bool is_right(const LessonChoice& choice, const LessonNumbers& numbers) {
  return choice.when ? choice.when->holds(numbers) : choice.right;
}

bool takes_one(const LessonQuestion& question, const LessonNumbers& numbers) {
  return std::ranges::count_if(question.choices,
                               [&](const LessonChoice& choice) { return is_right(choice, numbers); }) == 1;
}

double read_answer(std::string_view typed) {
  std::string text;
  for (std::size_t at = 0; at < typed.size();) {
    const char32_t character = next_code_point(typed, at);
    constexpr char32_t wide_first = U'\uFF01', wide_last = U'\uFF5E', blank = U'\u3000', no_break = U'\u00A0',
                       narrow = U'\u202F';
    if (character >= wide_first && character <= wide_last)
      append_utf8(text, character - wide_first + U'!');
    else if (character == U'−' || character == U'–')
      text += '-';
    else if (character == U'。')
      text += '.';
    else if (character != ' ' && character != blank && character != no_break && character != narrow)
      append_utf8(text, character);
  }
  const auto wrong = [&] {
    return input_error("“{}” is not a number; expected one such as 0.25, 1/4 or 25%",
                       cut_off(printable(typed), 40));
  };
  double divisor = 1;
  if (text.ends_with('%')) {
    divisor = 100;
    text.pop_back();
  }
  const auto number_of = [&](std::string part) {
    if (part.starts_with('+')) part.erase(0, 1);
    const auto commas = std::ranges::count(part, ',');
    // 1,234,567 or 12,345.6 in thousands, otherwise one comma is the decimal one.
    const auto in_thousands = [&] {
      std::size_t group = part.find(',');
      const std::size_t end = std::min(part.find('.'), part.size()), sign = part.starts_with('-') ? 1 : 0;
      if (group == sign || group > sign + 3 || part[sign] == '0') return false;
      for (; group < end; group += 4)
        if (part[group] != ',' || std::min(part.find(',', group + 1), end) != group + 4) return false;
      return true;
    };
    if (commas > 0 && in_thousands())
      std::erase(part, ',');
    else if (commas == 1 && part.find('.') == std::string::npos)
      std::ranges::replace(part, ',', '.');
    double value = 0;
    const auto [end, error] = read_number(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size() || !std::isfinite(value)) throw wrong();
    return value;
  };
  const std::size_t slash = text.find('/');
  double value = number_of(text.substr(0, slash)) / divisor;
  if (slash != std::string::npos) value /= number_of(text.substr(slash + 1));
  if (!std::isfinite(value)) throw wrong();
  return value;
}

bool is_right(const LessonQuestion& question, const LessonAnswer& answer, const LessonNumbers& numbers) {
  if (const auto& number = question.number)
    return answer.number && std::abs(*answer.number - live_number(number->value, numbers)) <=
                                live_number(number->within, numbers);
  std::set<int> right;
  for (int i = 0; i < std::ssize(question.choices); ++i)
    if (is_right(question.choices[i], numbers)) right.insert(i);
  return answer.choices == right;
}

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
  if (!guarded(mistakes, step.line_of_state(), [&] { check_shown(step, numbers); })) return mistakes;
  if (introduction != nullptr) check_text(*introduction, numbers, mistakes);
  check_text(step.claim, numbers, mistakes);
  check_text(step.text, numbers, mistakes);
  check_text(step.notes, numbers, mistakes);
  for (const LessonClaim& claim : step.claims) {
    if (mistakes.size() >= max_lesson_mistakes) return mistakes;
    if (claim.with == 0) guarded(mistakes, claim.line, [&] { check_claim(claim, numbers); });
  }
  for (const LessonQuestion& question : step.questions) check_question(question, numbers, mistakes);
  return mistakes;
}

void check_whole(const Trace& trace) {
  const BlockTrace& block = trace.blocks.front();
  if (block.layer_count() == 0) return;
  if (block.interventions.mask != trace.inputs.mask)
    for (int layer = 0; layer < block.shape.layers; ++layer)
      build_mask(parts_of(trace.inputs.mask, block.shape.kind, layer), block.tokens, block.key_tokens,
                 block.heads());
  check_mask_places(trace.inputs.mask, std::span(&block.shape, 1));
  if (trace.inputs.vectors != VectorKind::typed) return;
  TorchRandom none(0);
  draw_token_vectors(trace.inputs, block.tokens, block.key_tokens, none);
}

LessonNumbers lesson_numbers(std::shared_ptr<const Trace> a, std::shared_ptr<const Trace> b, const View& view,
                             const std::optional<Cell>& cell, std::shared_ptr<WorkBudget> work) {
  LessonNumbers::Place place;
  place.layer = std::clamp(view.layer, 0, std::max(0, block_of(a, view.block)->layer_count() - 1));
  place.head = view.head;
  if (cell) {
    place.head = cell->head;
    place.query = cell->query;
    place.key = cell->key;
  }
  return {std::move(a), std::move(b), view.block, place, std::move(work)};
}

std::vector<LessonMistake> LessonRun::check(const LessonStep& step,
                                            const InLanguages<LessonText>* introduction) {
  std::vector<LessonMistake> mistakes;
  if (lesson_ != step.lesson_name) {
    lesson_ = step.lesson_name;
    work_ = std::make_shared<WorkBudget>("", 0);
  }
  try {
    if (!guarded(mistakes, step.line_of_state(), [&] { run(step); })) return mistakes;
    mistakes = check_step(step, introduction, *numbers_);
    for (const LessonQuestion& question : step.questions)
      if (question.solution)
        guarded(mistakes, question.solution_line, [&] { check_solution(question, step); });
    check_withs(step, mistakes);
  } catch (const OverBudget& error) {
    over_ = true;
    return {{step.line_of_state(), error}};
  }
  std::ranges::stable_sort(mistakes, {}, &LessonMistake::line);
  return mistakes;
}

void LessonRun::check_solution(const LessonQuestion& question, const LessonStep& step) {
  if (!question.check) throw input_error("there is a solution without a check; expected check:");
  if (question.check->expression.holds(beside(step, *question.solution, work_))) return;
  throw input_error("the solution does not make {} true; expected one that does",
                    question.check->expression.text());
}

void LessonRun::check_withs(const LessonStep& step, std::vector<LessonMistake>& mistakes) {
  for (std::size_t i = 0; i < step.withs.size(); ++i)
    for (const Session& session : step.withs[i].sessions)
      guarded(mistakes, step.withs[i].line, [&] {
        const LessonNumbers numbers = beside(step, session, work_);
        for (const LessonClaim& claim : step.claims)
          if (claim.with == i + 1) guarded(mistakes, claim.line, [&] { check_claim(claim, numbers); });
      });
}

bool LessonRun::is_right(const LessonStep& step, const LessonQuestion& question, const LessonAnswer& answer) {
  if (!question.check) return headscope::is_right(question, answer, *numbers_);
  if (!answer.state) return false;
  LessonStep found = step;
  found.cell = answer.state->cell;
  Session session;
  session.inputs = answer.state->inputs;
  session.compare = answer.state->compare;
  session.view = answer.state->view;
  return question.check->expression.holds(beside(found, session, std::make_shared<WorkBudget>("", 0)));
}

/// Of another state of the step; the checked one stays current.
LessonNumbers LessonRun::beside(const LessonStep& step, const Session& session,
                                const std::shared_ptr<WorkBudget>& work) {
  LessonStep other = step;
  other.session = session;
  LessonRun run(engine_, options_);
  run.work_ = work;
  run.a_ = a_;
  run.b_ = b_;
  LessonNumbers numbers = run.run(other);
  numbers.set_given(std::make_shared<const LessonNumbers>(*numbers_));
  return numbers;
}

/// Steps that show the same share their numbers.
const LessonNumbers& LessonRun::run(const LessonStep& step) {
  const auto& compare = step.session.compare;
  a_ = trace(step.session.inputs, a_);
  if (compare) {
    Inputs b = *compare;
    if (asks_b(step.session.view)) read_same_target(*a_, b);
    b_ = trace(b, b_ ? b_ : a_);
  } else {
    b_ = nullptr;
  }
  const LessonNumbers numbers = lesson_numbers(a_, b_, step.session.view, step.cell, work_);
  if (!numbers_ || !(*numbers_ == numbers)) numbers_ = numbers;
  return *numbers_;
}

/// Before anything is computed; for a trained model only the model knows the cost.
void LessonRun::check_budget(const Inputs& inputs, const Trace* previous) {
  if (!inputs.about().known_ahead) return;
  // Everything other than multiply–adds, converted by the time it takes.
  constexpr double of_cell = 10, of_draw = 1500, of_token = 10e3, max_bytes = 128e6;
  const InputTokens tokens = tokens_of(inputs);
  const auto n_q = static_cast<double>(tokens.queries.size()), n_k = static_cast<double>(tokens.keys.size());
  const double d = inputs.d_model, parameters = static_cast<double>(parameter_count(inputs));
  const double vectors = (inputs.cross() ? n_q + n_k : n_q) * d;
  // The last layer's maps are computed only on request.
  const Index whole = inputs.layers - (inputs.feed_forward ? 0 : 1);
  const double of_maps = static_cast<double>(whole) * n_q * n_k * (2 * d + of_cell * inputs.heads);
  const auto of_layers = static_cast<double>(multiply_count(inputs, 1, 0)) * (n_q + n_k);
  const LayerParameters& key = inputs;
  const bool drawn = previous != nullptr && previous->source != nullptr && previous->inputs == key;
  spend(*work_,
        of_token * (n_q + n_k) + of_layers + of_maps + of_draw * (vectors + (drawn ? 0 : parameters)));
  constexpr double vectors_of_layer = 6;
  const double bytes = sizeof(float) * (parameters + vectors_of_layer * inputs.layers * vectors);
  if (bytes > max_bytes)
    throw OverBudget(
        Error::Kind::input,
        TR("the run takes about {} MB of memory; expected {} MB at most in a lesson: fewer tokens or "
           "layers, or a smaller d_model"),
        std::llround(bytes / 1e6), std::llround(max_bytes / 1e6));
}

std::shared_ptr<const Trace> LessonRun::trace(const Inputs& inputs,
                                              const std::shared_ptr<const Trace>& previous) {
  if (previous && previous->inputs == inputs) return previous;
  RunOptions options = options_;
  options.previous = previous;
  // For a long text the steps compute the row that they show.
  if (has_long_text(inputs)) options.maps_alone = true;
  check_budget(inputs, previous.get());
  std::shared_ptr<const Trace> trace = engine_.run(inputs, options);
  if (trace->source) {
    const Index tokens = trace->blocks.front().n_q(), target = trace->blocks.back().n_q();
    spend(*work_, static_cast<double>(trace->source->multiplications(tokens, target)));
  }
  return trace;
}

RunOptions check_options() {
  RunOptions options;
  options.maps_alone = true;
  options.map_budget = std::size_t{1} << 26;
  return options;
}

std::vector<LessonMistake> check_lesson(const Lesson& lesson, Engine& engine) {
  LessonRun run(engine, check_options());
  std::vector<LessonMistake> mistakes = lesson.flaws;
  std::string reported;  // what is wrong with the state of the step before
  for (const LessonStep& step : lesson.steps) {
    // Claims about a state that could not be read are meaningless.
    if (step.state_failed) continue;
    const auto of_step = run.check(step, &step == &lesson.steps.front() ? &lesson.text : nullptr);
    const bool of_state = !of_step.empty() && of_step.front().line == step.line_of_state();
    const std::string of_this = of_state ? of_step.front().error.what() : "";
    // A later step based on a state that cannot be shown is not reported again.
    if (!of_state || of_this != reported) std::ranges::copy(of_step, std::back_inserter(mistakes));
    reported = of_this;
    if (run.is_over() || mistakes.size() >= max_lesson_mistakes) break;
  }
  std::ranges::stable_sort(mistakes, {}, &LessonMistake::line);
  return mistakes;
}

}  // namespace headscope
