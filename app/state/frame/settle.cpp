#include <algorithm>
#include <utility>

#include "app/state/actions/continue_text.h"
#include "app/state/actions/long_work.h"
#include "app/state/app.h"
#include "app/state/document/adjust.h"
#include "app/state/document/figure_export.h"
#include "app/state/frame/frame.h"
#include "app/state/lesson/play_course.h"
#include "app/state/lesson/play_lesson.h"
#include "app/state/view/available_views.h"
#include "app/state/view/compared_cell.h"
#include "app/state/view/steps.h"
#include "core/analysis/cell_arithmetic.h"
#include "core/figure/boards/steps_board.h"
#include "core/scene/view_kinds.h"
#include "core/source/source.h"

namespace headscope {
namespace {

/// Locks and choices may be out of range for the current block.
void keep_in_range(Workspace& work, const BlockTrace& block) {
  ViewState& state = work.state;
  // The number of layers and heads of a model or a capture is known after its first run.
  const Inputs& inputs = work.frozen.a ? work.trace()->inputs : work.inputs;
  if (shape_of(inputs, work.trace().get()).empty()) return;
  const BlockShape shape = shape_in_view(work, inputs);
  fit_view(state.view, shape);
  if (!block.shape.mixers.empty()) state.view.layer = block.shape.layer_with_maps(state.view.layer);
  // Before the first run there is no token that a filter could name.
  if (block.n_q() > 0 && (work.frozen.a || work.trace()->inputs == work.inputs))
    fit_filter(state.view.filter, static_cast<int>(block.n_q()), static_cast<int>(block.n_k()));
  const auto in_view = work.block(work.seen_side());
  const BlockTrace& seen = in_view->n_q() > 0 ? *in_view : block;
  const auto outside = [&](const std::optional<Cell>& cell) {
    return cell && (cell->head >= seen.heads_of(std::min(state.view.layer, seen.shape.layers - 1)) ||
                    cell->query >= seen.n_q() || cell->key >= seen.n_k());
  };
  if (outside(state.lock_in(seen))) state.lock.reset();
  if (outside(state.last_hover)) state.last_hover.reset();
}

/// A view that pools tokens, or no longer does, has other cells than the one that was pointed at.
void drop_hover_of_other_cells(Selection& selection, const BlockTrace& block) {
  if (std::exchange(selection.hover_unit, unit_of(block)) != unit_of(block)) selection.last_hover.reset();
}

/// Without B there is nothing of B to show or edit, and only views of the whole model's maps lead back to it.
void keep_to_one_side(OpenSession& open) {
  ViewState& state = open.state;
  const ViewKindRow& view = state.view.row();
  if (view.whole && !open.compares()) show_side(state, Side::a);
  if (!view.arranges && !view.zooms) state.from_model = false;
}

/// The steps always show one cell, which is locked: arrow keys move from it, and a caption describes it.
void lock_cell_of_steps(Workspace& work) {
  const View& view = work.state.view;
  std::optional<Cell>& own = work.state.steps_lock;
  if (own && work.state.lock != own) own.reset();
  if (own && !view.row().has_steps) {
    work.state.lock.reset();
    own.reset();
  }
  if (work.state.lock || !view.row().has_steps || view.steps.page != StepsPage::cell) return;
  // A lesson specifies its own lock.
  if (work.lesson.coming_lock || (work.lesson.playing() && !is_free_play(work))) return;
  const Scene scene = work.scene(work.block());
  if (scene.trace == nullptr || scene.empty() || !has_arithmetic(*scene.block, scene.view.layer)) return;
  const CellPlace place = steps_cell(scene);
  own = work.state.lock = Cell{place.head, place.query, place.key};
}

/// Locking a cell also chooses its head: the cell is not shown in other heads.
void choose_locked_head(ViewState& state) {
  const bool one = state.view.head || state.view.row().compares;
  if (!one) return;
  if (state.lock)
    state.view.head = state.lock->head;
  else if (state.other_lock)
    state.view.head = state.other_lock->head;
}

/// A comparison is shown again with the head that it was left with.
void keep_compared_head(ViewState& state) {
  if (!state.view.row().compares || state.view.head || !state.compared_head) return;
  state.view.head = state.compared_head;
  state.changed_head_wanted = false;
}

/// Takes over what panels recorded under the pointer in the previous frame.
void take_over_hover(App& app) {
  ViewState& state = app.state;
  state.last_hover = std::exchange(state.hover, std::nullopt);
  state.last_other_hover = std::exchange(state.other_hover, std::nullopt);
  if (app.input.pointer_moved || app.input.button_pressed) state.pointer_rests = false;
  const bool rests = state.pointer_rests && (state.lock || state.other_lock);
  if (state.lock) state.other_lock.reset();
  if (!rests) return;
  state.last_hover.reset();
  state.last_other_hover.reset();
}

/// Reports why background computations of what is shown failed.
void take_errors(App& app) {
  const auto report = [&](Notice::About about, const std::optional<Error>& error) {
    if (error) app.notices.error(about, *error);
  };
  report(Notice::About::computing, app.view_cache.take_error());
  report(Notice::About::computing, app.long_blocks.take_error());
  report(Notice::About::computing, app.long_maps.take_error());
  report(Notice::About::exporting, app.dialogs.figure.preview.take_error());
}

/// Takes over what ended elsewhere, each with its notice, and ends notices that are no longer true.
void take_results(App& app) {
  poll_generation(app);
  app.keep_pooled();
  poll_figures(app);
  take_errors(app);
  if (!is_busy(app) && idle_work(app) == Idle::none) app.notices.settle(Notice::About::computing);
  if (app.inputs.about().computes) app.notices.settle(Notice::About::capture);
  app.notices.pass_time(app.input.now);
}

}  // namespace

/// The shape of the block in view.
BlockShape shape_in_view(const Workspace& work, const Inputs& inputs) {
  const std::vector<BlockShape> shapes = shape_of(inputs, work.trace().get());
  if (shapes.empty()) return work.block()->shape;
  const auto found = std::ranges::find(shapes, work.state.view.block, &BlockShape::kind);
  return found == shapes.end() ? shapes.front() : *found;
}

const FrameSteps& settle_steps() {
  static const FrameSteps steps{take_over_hover, [](App& app) { app.state.layout_moved = false; },
                                [](App& app) { app.view_cache.settle(app.trace(), app.trace(Side::b)); },
                                // Otherwise a choice from the start screen was opened.
                                [](App& app) { app.settings.welcome &= app.inputs.about().from_seed; },
                                [](App& app) { app.state.view.theme = app.settings.theme; }, note_course,
                                [](App& app) { app.state.panel_before = app.state.panel; }};
  return steps;
}

void settle_view(App& app) {
  take_results(app);
  leave_missing_view(app);
  if (app.state.view.row().compares && !app.compare) app.compare = app.inputs;
  keep_to_one_side(app);
  settle_lesson(app);
  drop_hover_of_other_cells(app.state, *app.block());
  keep_in_range(app, *app.block());
  lock_cell_of_steps(app);
  keep_compared_head(app.state);
  look_at_changed_head(app, app.input.button_held);
  choose_locked_head(app.state);
  if (app.state.view.row().compares) app.state.compared_head = app.state.view.head;
  if (app.state.next_step) pass_steps(app.state, steps_of(app.scene(app.block())), app.input.now);
  note_lesson_shown(app);
}

}  // namespace headscope
