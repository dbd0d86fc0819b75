#include "app/state/actions/present.h"

#include <algorithm>
#include <array>

#include "app/state/actions/actions.h"
#include "app/state/app.h"
#include "app/state/lesson/play_lesson.h"
#include "app/state/view/navigation.h"
#include "app/state/view/panels.h"
#include "app/state/view/steps.h"
#include "core/figure/canvas/png_writer.h"
#include "core/scene/view_kinds.h"
#include "core/system/process.h"

namespace headscope {
namespace {

constexpr const char* leave_hint = TR("Esc leaves. Menus, controls and the inspector are at the edges.");

/// Colormaps that are readable with any colour vision deficiency, and in grey.
constexpr std::array safe_maps{Colormap::cividis, Colormap::viridis, Colormap::greys};

void next_safe_map(OpenSession& open) {
  Colormap& map = open.state.view.colormap;
  const auto found = std::ranges::find(safe_maps, map);
  const std::size_t next =
      found == safe_maps.end() ? 0 : static_cast<std::size_t>(found - safe_maps.begin()) + 1;
  map = safe_maps[next % safe_maps.size()];
}

}  // namespace

void start_presentation(App& app) {
  if (app.presentation.on) return;
  app.presentation.on = true;
  app.dialogs.course.open = false;
  app.presentation.edge = Edge::none;
  app.presentation.switch_wanted = true;
  app.state.brush.on = false;
  app.state.pointer_rests = true;
  go_to_panel(app, Panel::maps);
  app.state.panel_muted = true;
  app.notices.info(leave_hint);
}

void end_presentation(App& app) {
  if (!app.presentation.on) return;
  Presentation after;
  after.lens = app.presentation.lens;
  after.contrast = app.presentation.contrast;
  app.presentation = after;
  freeze_picture(app, false);
  const Notice* const notice = app.notices.current();
  if (notice != nullptr && notice->text == app.tr(leave_hint)) app.notices.dismiss();
  go_to_panel(app, Panel::maps);
  app.state.panel_muted = true;
}

void freeze_picture(Workspace& work, bool freeze) {
  for (const Side side : both_sides) work.frozen[side] = freeze ? work.runners[side].trace() : nullptr;
}

void step_presentation(App& app, int by) {
  app.state.pointer_rests = true;
  if (app.lesson.playing()) {
    if (step_lesson(app, by))
      app.presentation.text = false;
    else
      app.lesson.ended = by > 0;
    return;
  }
  if (app.state.view.row().has_steps) return move_in_presentation(app, by);
  // From all heads to each one in turn.
  if (app.state.view.row().arranges && !app.state.lock) {
    const std::vector<int> heads = app.scene(app.block()).heads;
    return open_head(app.state, by > 0 ? heads.front() : heads.back());
  }
  run_action(app, by > 0 ? "next head" : "head before");
}

void move_in_presentation(App& app, int by) {
  if (shows_lesson_text(app)) {
    app.lesson.scroll += by;
    return;
  }
  const bool reads = by > 0 || app.state.view.steps.page == StepsPage::cost;
  if (reads && scroll_step(app.state, by)) return;
  change_step(app.state, steps_of(app.scene(app.block())), by);
}

bool shows_lesson_text(const App& app) {
  return app.presentation.text && app.lesson.playing();
}

void pass_black_screen(App& app) {
  if (!app.presentation.black) return;
  FrameInput& input = app.input;
  if (input.keyboard.pressed.none() && input.keyboard.typed.empty() && !input.button_pressed) return;
  app.presentation.black = false;
  input.keyboard = {};
  input.button_pressed = false;
}

bool keys_are_of_panel(const App& app) {
  return app.presentation.edge != Edge::none && app.state.panel != Panel::maps && app.input.by_keys;
}

void copy_presented(App& app, const FramePixels& frame) {
  app.presentation.copy_in = 0;
  if (frame.pixels.empty() || !app.desktop.put_picture) return;
  const std::string png = png_from_pixels(frame.pixels.data(), frame.width, frame.height, frame.width, {});
  if (app.desktop.put_picture(png))
    app.notices.info(TR("View copied to the clipboard as an image"));
  else
    app.notices.warn(Notice::About::copying,
                     TR("The clipboard here does not support images; export to a file instead"));
}

void add_present_actions(std::vector<Action>& list) {
  ActionRows menu(list, ActionGroup::view);
  menu.separate();
  menu("present", TR("Present"), {plain(Key::f11), plain(Key::f5)}, [](App& app) {
    app.presentation.on ? end_presentation(app) : start_presentation(app);
  }).checked_if([](const App& app) { return app.presentation.on; });
  ActionRows add(list, ActionGroup::view, TR("While presenting"), true);
  const auto add_switch = [&](const char* id, const char* text, Key key, bool Presentation::*on) -> Action& {
    return add(id, text, {plain(key)}, [on](App& app) { app.presentation.*on = !(app.presentation.*on); })
        .checked_if([on](const App& app) { return app.presentation.*on; });
  };
  add("present next", TR("Next step"), {plain(Key::page_down), plain(Key::space), plain(Key::right)},
      [](App& app) { step_presentation(app, 1); });
  add("present previous", TR("Previous step"), {plain(Key::page_up), shift(Key::space), plain(Key::left)},
      [](App& app) { step_presentation(app, -1); });
  const auto moves = [](const App& app) { return app.state.view.row().has_steps || shows_lesson_text(app); };
  add("present below", TR("Within the step: next stage of the arithmetic, or more of the text"),
      {plain(Key::down)}, [](App& app) { move_in_presentation(app, 1); })
      .enabled_if(moves);
  add("present above", TR("Within the step: previous stage, or the text above"), {plain(Key::up)},
      [](App& app) { move_in_presentation(app, -1); })
      .enabled_if(moves);
  add("lesson text", TR("Text and question of the lesson's step"), {plain(Key::t)},
      [](App& app) { app.presentation.text = !app.presentation.text; })
      .checked_if(shows_lesson_text)
      .enabled_if([](const App& app) { return app.presentation.on && app.lesson.playing(); });
  add_switch("presenter view", TR("Presenter's view: notes, next step and clock in a second window"), Key::n,
             &Presentation::presenter)
      .enabled_if([](const App& app) { return app.presentation.on && app.lesson.playing() && !is_page(); });
  add("lesson answers", TR("Answers to the questions of the lesson's step"), {plain(Key::a)}, [](App& app) {
    const bool shown = app.lesson.answers_shown.empty() || !shows_lesson_text(app);
    show_answers(app, shown);
    if (shown) app.presentation.text = true;
  }).enabled_if([](const App& app) {
    return app.presentation.on && app.lesson.playing() && !app.lesson.at().questions.empty();
  });
  add_switch("black screen", TR("Black screen"), Key::b, &Presentation::black);
  add_switch("lens", TR("Magnify cells under the pointer"), Key::m, &Presentation::lens);
  add("freeze", TR("Freeze the picture"), {plain(Key::f)}, [](App& app) {
    freeze_picture(app, app.frozen.a == nullptr);
  }).checked_if([](const App& app) { return app.frozen.a != nullptr; });
  add_switch("contrast", TR("High contrast"), Key::h, &Presentation::contrast);
  add("safe colours", TR("Next colour-blind-safe colours"), {plain(Key::c)}, next_safe_map);
  // The first of these frames ends the hover.
  add("copy presented", TR("Copy view as presented"), {plain(Key::p)}, [](App& app) {
    app.presentation.copy_in = 3;
  }).enabled_if([](const App& app) { return app.presentation.on && app.desktop.put_picture != nullptr; });
}

}  // namespace headscope
