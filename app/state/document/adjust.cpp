#include "app/state/document/adjust.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <random>

#include "app/state/view/navigation.h"
#include "app/state/workspace.h"
#include "core/attention/mask.h"
#include "core/base/error.h"
#include "core/base/read_number.h"
#include "core/model/seeded/token_vectors.h"
#include "core/source/source.h"

namespace headscope {

namespace {

/// Converts rows of `from` numbers into rows of `to`.
void change_columns(std::vector<double>& matrix, int from, int to) {
  if (from == to) return;
  const std::size_t old_columns = from, columns = to;
  const std::size_t rows = matrix.size() / old_columns;
  std::vector<double> changed(rows * columns);
  for (std::size_t row = 0; row < rows; ++row)
    std::copy_n(matrix.data() + row * old_columns, std::min(old_columns, columns),
                changed.data() + row * columns);
  matrix = std::move(changed);
}

}  // namespace

int nearest_divisor(int number, int wanted, int largest) {
  int best = 1;
  for (int d = 1; d <= std::min(number, largest); ++d)
    if (number % d == 0 && std::abs(d - wanted) < std::abs(best - wanted)) best = d;
  return best;
}

void set_d_model(Inputs& inputs, int d_model) {
  const int before = std::exchange(inputs.d_model, std::clamp(d_model, 1, Limits::max_d_model));
  change_columns(inputs.typed.x, before, inputs.d_model);
  change_columns(inputs.typed.key_x, before, inputs.d_model);
  if (inputs.d_model % inputs.heads != 0)
    set_heads(inputs, nearest_divisor(inputs.d_model, inputs.heads, Limits::max_heads));
  fit_typed(inputs);
}

/// A seeded layer has one block, whose kind changes with its second sentence.
void move_ablated_heads(Inputs& inputs, BlockKind to) {
  std::set<HeadPlace> moved;
  for (HeadPlace place : inputs.ablated_heads) {
    place.block = to;
    moved.insert(place);
  }
  inputs.ablated_heads = std::move(moved);
}

void set_heads(Inputs& inputs, int heads) {
  inputs.heads = heads;
  std::erase_if(inputs.ablated_heads, [heads](const HeadPlace& place) { return place.head >= heads; });
  if (inputs.kv_heads == 0) return;
  inputs.kv_heads = nearest_divisor(heads, inputs.kv_heads, heads);
  fit_typed(inputs);
}

void change_d_model(Workspace& work, int d_model) {
  Inputs& inputs = work.edited();
  const int heads = inputs.heads;
  set_d_model(inputs, d_model);
  if (inputs.heads != heads)
    work.notices.info(TR("Heads set to {}: {} does not divide d_model {}"), inputs.heads, heads,
                      inputs.d_model);
}

void step_heads(Inputs& inputs, int by) {
  for (int heads = inputs.heads + by; heads >= 1 && heads <= Limits::max_heads; heads += by)
    if (inputs.d_model % heads == 0) return set_heads(inputs, heads);
}

void roll_seed(Inputs& inputs) {
  inputs.seed = std::random_device{}() % 1'000'000;
}

void set_cross(Inputs& inputs, bool cross) {
  if (inputs.about().from_seed) move_ablated_heads(inputs, cross ? BlockKind::cross : BlockKind::self);
  inputs.key_splits = inputs.key_joins = {};
  inputs.key_sentence.reset();
  if (!cross) return;
  inputs.key_sentence = inputs.sentence;
  inputs.key_splits = inputs.splits;
  inputs.key_joins = inputs.joins;
}

void set_target(Inputs& inputs, bool own, const Trace& trace) {
  inputs.target.reset();
  if (!own) return;
  inputs.target = trace.source ? trace.source->decoder_text(trace) : std::string();
}

void set_vectors(Inputs& inputs, VectorKind kind) {
  inputs.vectors = kind;
  if (inputs.typed.x.empty()) inputs.typed = fitted(inputs).typed;
}

void set_weights(Inputs& inputs, WeightKind kind) {
  inputs.weights = kind;
  fit_typed(inputs);
}

void show_side(ViewState& state, Side side) {
  state.edits = side;
  state.view.of_b = side == Side::b;
}

void end_comparison(ViewState& state, std::optional<Inputs>& b) {
  b.reset();
  show_side(state, Side::a);
  state.compared_head.reset();
  state.other_hover.reset();
  state.last_other_hover.reset();
  state.other_lock.reset();
  if (state.view.row().compares) state.view.kind = state.view.head ? ViewKind::head : ViewKind::grid;
}

void begin_comparison(ViewState& state) {
  const ViewKindRow& view = state.view.row();
  if (!view.compares && !view.whole && !view.predicts) state.view.kind = ViewKind::compare;
}

const MaskPart* find_part(const Inputs& inputs, MaskKind kind) {
  const auto found = std::ranges::find(inputs.mask, kind, &MaskPart::kind);
  return found == inputs.mask.end() ? nullptr : &*found;
}

void fit_typed(Inputs& inputs) {
  if (inputs.weights != WeightKind::manual) return;
  if (inputs.d_model > Limits::max_typed_d_model) {
    inputs.weights = WeightKind::linear;
    return;
  }
  const std::size_t d = inputs.d_model;
  const std::size_t d_kv = d / inputs.heads * inputs.key_value_heads();
  const auto fit = [d](std::vector<double>& matrix, std::size_t rows) {
    if (matrix.size() == rows * d) return;
    matrix.assign(rows * d, 0);
    for (std::size_t i = 0; i < rows; ++i) matrix[i * d + i] = 1;
  };
  fit(inputs.typed.w_q, d);
  fit(inputs.typed.w_k, d_kv);
  fit(inputs.typed.w_v, d_kv);
  fit(inputs.typed.w_o, d);
}

MaskPart* find_part(Inputs& inputs, MaskKind kind) {
  return const_cast<MaskPart*>(find_part(static_cast<const Inputs&>(inputs), kind));
}

void switch_part(Inputs& inputs, MaskKind kind, bool on) {
  if (MaskPart* part = find_part(inputs, kind)) {
    part->on = on;
  } else if (on) {
    inputs.mask.push_back(make_mask_part(kind));
  }
}

bool part_on(const Inputs& inputs, MaskKind kind) {
  const MaskPart* part = find_part(inputs, kind);
  return part != nullptr && part->on;
}

Inputs fitted(Inputs inputs) {
  // A model's tokens are only known during a run, which fits the masks itself.
  if (!inputs.about().known_ahead || (inputs.mask.empty() && inputs.vectors != VectorKind::typed))
    return inputs;
  try {
    const InputTokens tokens = tokens_of(inputs);
    if (tokens.empty()) return inputs;
    fit_mask_parts(inputs.mask, std::ssize(tokens.queries), std::ssize(tokens.keys), inputs.heads);
    fit_typed_x(inputs, std::ssize(tokens.queries), std::ssize(tokens.keys));
  } catch (const Error&) {
    // The run reports what is wrong with the sentence.
  }
  return inputs;
}

void toggle_token(MaskPart& part, int token) {
  const auto place = std::ranges::lower_bound(part.tokens, token);
  if (place != part.tokens.end() && *place == token) {
    part.tokens.erase(place);
  } else {
    part.tokens.insert(place, token);
  }
}

std::vector<double> numbers_in(std::string_view text) {
  std::vector<double> numbers;
  const char* end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    double number = 0;
    const auto [after, failed] = read_number(at, end, number);
    if (failed == std::errc() && std::isfinite(number)) numbers.push_back(number);
    at = after == at ? at + 1 : after;
  }
  return numbers;
}

void paste_numbers(Workspace& work, const std::string& text, std::size_t count, std::vector<double>& matrix) {
  std::vector<double> numbers = numbers_in(text);
  if (numbers.size() != count)
    return work.notices.warn(Notice::About::pasting, TR("Numbers pasted: {}; expected {}"), numbers.size(),
                             count);
  for (double& number : numbers)
    number = std::clamp(number, -Limits::max_typed_value, Limits::max_typed_value);
  matrix = std::move(numbers);
  work.notices.settle(Notice::About::pasting);
}

}  // namespace headscope
