#include "app/state/text/side_texts.h"

#include "app/state/app.h"

namespace headscope {
namespace {

int lesson_step_of(const App& app) {
  return app.lesson.playing() ? app.lesson.step : -1;
}

/// Whether the view of the whole model shows two identical models, which look like one.
bool is_one_model(const App& app, const Inputs& a, const Inputs& b) {
  return app.state.view.kind == ViewKind::model && a == b;
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

void note_sides(App& app) {
  SidesBefore& before = app.sides_before;
  before = {};
  if (!app.compare || !app.inputs.trained()) return;
  if (!differ_in_heads_alone(app.inputs, *app.compare) && !is_one_model(app, app.inputs, *app.compare))
    return;
  before = {app.inputs, app.compare, lesson_step_of(app)};
}

void follow_sides(App& app) {
  const SidesBefore& before = app.sides_before;
  if (!before.b || !app.compare || before.lesson_step != lesson_step_of(app)) return;
  const bool a_changed = app.inputs != *before.a, b_changed = *app.compare != *before.b;
  if (a_changed == b_changed) return;
  if (a_changed && *before.a == *before.b) {
    app.compare = app.inputs;
    return;
  }
  if (*before.a == *before.b) return;
  if (a_changed && only_text_changed(*before.a, app.inputs))
    static_cast<Text&>(*app.compare) = app.inputs;
  else if (b_changed && app.state.view.kind == ViewKind::model && only_text_changed(*before.b, *app.compare))
    static_cast<Text&>(app.inputs) = *app.compare;
}

}  // namespace headscope
