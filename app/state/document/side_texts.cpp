#include "app/state/document/side_texts.h"

#include "app/state/workspace.h"

namespace headscope {
namespace {

int lesson_step_of(const OpenSession& open) {
  return open.lesson.playing() ? open.lesson.step : -1;
}

/// Whether the view of the whole model shows two identical models, which look like one.
bool is_one_model(const OpenSession& open, const Inputs& a, const Inputs& b) {
  return open.state.view.row().whole && a == b;
}

bool differ_in_heads_alone(const Inputs& a, Inputs b) {
  if (a == b) return false;
  b.ablated_heads = a.ablated_heads;
  b.ablation = a.ablation;
  return a == b;
}

/// Whether only the text of one side was changed.
bool only_text_changed(Inputs before, const Inputs& now) {
  static_cast<Text&>(before) = now;
  return before == now;
}

}  // namespace

void note_sides(OpenSession& open) {
  SidesBefore& before = open.sides_before;
  before = {};
  if (!open.compare || !open.inputs.about().ablates) return;
  // The sides of a seeded layer are for different texts, too, until a head is ablated.
  if (open.inputs.about().from_seed && open.compare->ablated_heads.empty()) return;
  if (!differ_in_heads_alone(open.inputs, *open.compare) && !is_one_model(open, open.inputs, *open.compare))
    return;
  before = {open.inputs, open.compare, lesson_step_of(open)};
}

void follow_sides(OpenSession& open) {
  const SidesBefore& before = open.sides_before;
  if (!before.b || !open.compare || before.lesson_step != lesson_step_of(open)) return;
  const bool a_changed = open.inputs != *before.a, b_changed = *open.compare != *before.b;
  if (a_changed == b_changed) return;
  if (a_changed && *before.a == *before.b) {
    open.compare = open.inputs;
    return;
  }
  if (*before.a == *before.b) return;
  if (a_changed && only_text_changed(*before.a, open.inputs))
    static_cast<Text&>(*open.compare) = open.inputs;
  else if (b_changed && open.state.view.row().whole && only_text_changed(*before.b, *open.compare))
    static_cast<Text&>(open.inputs) = *open.compare;
}

void note_texts(OpenSession& open) {
  open.text_effect.a.note(open.inputs, open.undo.gesture);
  if (open.compare)
    open.text_effect.b.note(*open.compare, open.undo.gesture);
  else
    open.text_effect.b = {};
}

bool text_has_no_effect(const Workspace& work) {
  if (work.compares() && work.inputs.vectors == work.compare->vectors && work.inputs.about().from_seed &&
      work.inputs.vectors != VectorKind::embedding &&
      other_words_in_the_same_places(*work.block(), *work.block(Side::b)))
    return true;
  return work.text_effect[work.edited_side()].none();
}

}  // namespace headscope
