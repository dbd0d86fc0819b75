#include "app/state/actions/actions.h"
#include "app/state/app.h"
#include "app/state/view/steps.h"

namespace headscope {
namespace {

bool by_page_keys(const App& app) {
  const auto& keyboard = app.input.keyboard;
  return keyboard.goes_down(Key::page_down) || keyboard.goes_down(Key::page_up);
}

/// Whether the keys control the steps: not while keys navigate the items of another panel. The bar above the
/// view does not use the page keys.
bool has_steps(const App& app) {
  const bool in_bar = app.state.panel == Panel::bar && by_page_keys(app);
  const bool elsewhere =
      app.state.panel == Panel::lesson || (app.input.by_keys && app.state.panel_before != Panel::maps &&
                                           app.state.panel != Panel::maps && !in_bar);
  return app.state.view.kind == ViewKind::steps && !elsewhere;
}

/// While the brush is on, Space paints.
bool paints(const App& app) {
  return app.state.brush.on && app.input.keyboard.goes_down(Key::space);
}

/// A lesson's step sets the stage: Page Up and Page Down turn the lesson's pages, Space advances through the
/// stages.
bool turns_pages(const App& app) {
  return app.lesson.playing() && !is_free_play(app) && by_page_keys(app);
}

std::vector<std::string> steps_in_view(App& app) {
  return steps_of(app.scene(app.block()));
}

void step(App& app, int by) {
  if (paints(app)) return;
  // Forwards, content taller than the view is scrolled to its end first. Backwards, the previous step is
  // shown at once; and where the lesson shows part of a page, its own page turns.
  const bool page = app.state.view.page == StepsPage::cost, turns = turns_pages(app);
  const bool reads = (by > 0 || page) && !(turns && page);
  if (reads && scroll_step(app.state, by)) return;
  if (turns) {
    turn_lesson(app, by);
    return;
  }
  const std::vector<std::string> steps = steps_in_view(app);
  const std::size_t before = steps.empty() ? 0 : present_step(app.state.view, steps);
  change_step(app.state, steps, by);
  if (by_page_keys(app) && app.state.panel == Panel::bar) {
    app.state.panel_wanted = Panel::maps;
    app.state.panel_muted = true;
  }
  // Past the last and the first step, continue with the lesson.
  const bool moved = !steps.empty() && present_step(app.state.view, steps) != before;
  if (!moved) step_lesson(app, by);
}

}  // namespace

void add_step_actions(std::vector<Action>& list) {
  const auto add = [&](Action action) {
    action.group = ActionGroup::view;
    action.submenu = TR("Steps of the arithmetic");
    action.enabled = has_steps;
    list.push_back(std::move(action));
  };
  add({.id = "next step",
       .text = TR("Next step"),
       .keys = {{Key::space, false, false}, {Key::page_down, false, false}},
       .run = [](App& app) { step(app, 1); }});
  add({.id = "step before",
       .text = TR("Previous step"),
       .keys = {{Key::space, false, true}, {Key::page_up, false, false}},
       .run = [](App& app) { step(app, -1); }});
  add({.id = "first step",
       .text = TR("First step"),
       .keys = {{Key::home, false, false}},
       .run = [](App& app) {
         const std::vector<std::string> steps = steps_in_view(app);
         change_step(app.state, steps, -static_cast<int>(steps.size()));
       }});
  add({.id = "play steps", .text = TR("Play steps"), .run = [](App& app) {
         play_steps(app.state, steps_in_view(app), app.input.now);
       }});
  list.back().checked = [](const App& app) { return app.state.next_step.has_value(); };
}

}  // namespace headscope
