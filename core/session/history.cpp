#include "core/session/history.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/translate.h"
#include "core/inputs/fields.h"

namespace headscope {
namespace {

void add(std::vector<const char*>& names, const std::vector<const char*>& more) {
  for (const char* name : more)
    if (std::ranges::none_of(names, [&](const char* known) { return std::strcmp(known, name) == 0; }))
      names.push_back(name);
}

template <typename Counts>
std::vector<const char*> changed_fields(const Inputs& a, const Inputs& b, const Counts& counts) {
  std::vector<const char*> names;
  for (const InputField& field : input_fields())
    std::visit(
        [&](auto member) {
          if (a.*member != b.*member && counts(field)) add(names, {field.change});
        },
        field.member);
  return names;
}

}  // namespace

std::vector<const char*> changed_inputs(const Inputs& a, const Inputs& b) {
  return changed_fields(a, b, [](const InputField&) { return true; });
}

std::vector<const char*> differing_inputs(const Inputs& a, const Inputs& b) {
  return changed_fields(a, b, [&](const InputField& field) {
    const auto condition = std::ranges::find(field_conditions(), field.member, &FieldCondition::member);
    return condition == field_conditions().end() || condition->met(a) || condition->met(b);
  });
}

const char* describe_change(const DocumentState& before, const DocumentState& after) {
  // Another source brings its own text, and leaves what belonged to the one before.
  const bool both = before.compare && after.compare;
  for (std::string Inputs::*source : {&Inputs::model, &Inputs::capture})
    if (before.inputs.*source != after.inputs.*source ||
        (both && (*before.compare).*source != (*after.compare).*source))
      return input_field(source).change;
  std::vector<const char*> names = changed_inputs(before.inputs, after.inputs);
  // A comparison begins as a copy of A.
  add(names, changed_inputs(before.compare.value_or(before.inputs), after.compare.value_or(after.inputs)));
  const bool compares = before.compare.has_value() != after.compare.has_value();
  if (compares && names.size() != 1) return TR("Comparison");
  if (before.labels != after.labels) names.push_back(TR("Names and colours of heads"));
  if (before.marks != after.marks) names.push_back(TR("Marks"));
  if (before.bookmarks != after.bookmarks) names.push_back(TR("Bookmarks"));
  if (before.answers != after.answers) names.push_back(TR("Answers"));
  return names.empty() ? TR("No change") : names.size() == 1 ? names.front() : TR("Several inputs");
}

History::History(DocumentState start) {
  steps_.push_back({std::move(start), TR("Initial state"), 0});
}

void History::record(const DocumentState& state, std::uint64_t gesture) {
  Step& now = steps_[current_];
  if (state == now.state) return;
  const char* what = describe_change(now.state, state);
  steps_.resize(current_ + 1, now);
  if (current_ > 0 && now.gesture == gesture && std::strcmp(now.what, what) == 0) {
    steps_.back().state = state;
    // A drag that ends where it began has changed nothing.
    if (state == steps_[current_ - 1].state) {
      steps_.pop_back();
      --current_;
    }
    return;
  }
  steps_.push_back({state, what, gesture});
  if (steps_.size() > max_steps) steps_.erase(steps_.begin());
  current_ = steps_.size() - 1;
}

bool History::add_answers(const std::vector<LessonAnswer>& answers) {
  if (current_ == 0) return false;
  steps_[current_].state.answers = answers;
  return true;
}

const DocumentState& History::undo() {
  return jump(current_ == 0 ? 0 : current_ - 1);
}
const DocumentState& History::redo() {
  return jump(current_ + 1);
}

const DocumentState& History::jump(std::size_t step) {
  current_ = std::min(step, steps_.size() - 1);
  return steps_[current_].state;
}

}  // namespace headscope
