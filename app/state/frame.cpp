#include "app/state/frame.h"

#include <algorithm>
#include <utility>

#include "app/state/actions/adjust.h"
#include "app/state/app.h"
#include "app/state/jobs/long_work.h"
#include "app/state/text/side_texts.h"
#include "app/state/view/available_views.h"
#include "app/state/view/steps.h"
#include "core/analysis/cell_arithmetic.h"
#include "core/analysis/long_part.h"
#include "core/figure/boards/steps_board.h"
#include "core/inputs/fields.h"
#include "core/scene/view_kinds.h"
#include "core/source/maps/pooled_maps.h"
#include "core/source/source.h"

namespace headscope {
namespace {

constexpr std::size_t large_maps = std::size_t{256} << 20;

/// The token cell with the largest weight in a pooled cell; the first one if there is no such cell.
Cell largest_token_cell(const BlockTrace& block, const CellUnit& unit, const Cell& cell, int layer) {
  LongPart pool;
  pool.query_begin = cell.query * unit.queries;
  pool.query_end = std::min(pool.query_begin + unit.queries, block.n_q());
  pool.key_begin = cell.key * unit.keys;
  pool.key_end = std::min(pool.key_begin + unit.keys, block.n_k());
  const bool there = !block.pooled() && cell.head < block.heads() && layer < block.layer_count() &&
                     pool.query_begin < pool.query_end && pool.key_begin < pool.key_end;
  if (!there) return {cell.head, static_cast<int>(pool.query_begin), static_cast<int>(pool.key_begin)};
  const TokenCell found = largest_in_pool(block, layer, cell.head, pool);
  return {cell.head, found.query, found.key};
}

std::uint64_t map_bytes(const BlockTrace& block) {
  return sizeof(float) * static_cast<std::uint64_t>(block.n_q()) * static_cast<std::uint64_t>(block.n_k()) *
         static_cast<std::uint64_t>(block.heads());
}

/// The shape of the block in view.
BlockShape shape_in_view(const Workspace& work, const Inputs& inputs) {
  const std::vector<BlockShape> shapes = shape_of(inputs, work.trace().get());
  if (shapes.empty()) return work.block()->shape;
  const auto found = std::ranges::find(shapes, work.state.view.block, &BlockShape::kind);
  return found == shapes.end() ? shapes.front() : *found;
}

/// Locks and choices may be out of range for the current block.
void keep_in_range(Workspace& work, const BlockTrace& block) {
  ViewState& state = work.state;
  // The number of layers and heads of a model or a capture is known after its first run.
  const Inputs& inputs = work.frozen.a ? work.trace()->inputs : work.inputs;
  if (shape_of(inputs, work.trace().get()).empty()) return;
  const BlockShape shape = shape_in_view(work, inputs);
  fit_view(state.view, shape.layers, shape.heads);
  // Before the first run there is no token that a filter could name.
  if (block.n_q() > 0 && (work.frozen.a || work.trace()->inputs == work.inputs))
    fit_filter(state.view.filter, static_cast<int>(block.n_q()), static_cast<int>(block.n_k()));
  const auto in_view = work.block(work.seen_side());
  const BlockTrace& seen = in_view->n_q() > 0 ? *in_view : block;
  const auto outside = [&](const std::optional<Cell>& cell) {
    return cell && (cell->head >= seen.heads() || cell->query >= seen.n_q() || cell->key >= seen.n_k());
  };
  if (outside(state.lock)) state.lock.reset();
  if (outside(state.last_hover)) state.last_hover.reset();
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

/// Takes over what panels recorded under the pointer in the previous frame.
void take_over_hover(ViewState& state, const FrameInput& input) {
  state.last_hover = std::exchange(state.hover, std::nullopt);
  state.last_other_hover = std::exchange(state.other_hover, std::nullopt);
  if (input.pointer_moved || input.button_pressed) state.pointer_rests = false;
  if (!state.pointer_rests || !(state.lock || state.other_lock)) return;
  state.last_hover.reset();
  state.last_other_hover.reset();
}

/// For a long text the steps compute the rows they show themselves.
bool is_long_text(const Workspace& work, const Inputs& inputs) {
  return work.trace()->inputs == inputs ? needs_pooling(work.trace()->blocks.front()) : has_long_text(inputs);
}

/// The parts of a run's maps that the view is about to show.
MapsInView maps_in_view(const Workspace& work, const Inputs& inputs) {
  const View& view = work.state.view;
  if (!view.row().one_layer) return {{}, {}, false, work.compares()};
  auto block = std::make_shared<BlockTrace>();
  block->shape = shape_in_view(work, inputs);
  return {view.layer, heads_in_view(make_scene(block, nullptr, view, {}, {}, work.state.locked())),
          view.row().has_steps && !is_long_text(work, inputs), work.compares()};
}

/// Reads the heads in view of a long text in full; for views that show more, the layer's heads.
void look_at_long_blocks(Workspace& work) {
  const auto look = [&](const std::shared_ptr<const BlockTrace>& in_view) {
    const auto block = work.pooled_block(in_view);
    if (block->pooled()) work.long_blocks.look_at(block, work.state.view.layer, heads_looked_at(work, block));
  };
  const BlockKind kind = work.state.view.block;
  look(work.newest_in_view(work.trace(), kind));
  if (work.compares()) look(work.newest_in_view(work.trace(Side::b), kind));
}

/// The cost of reading the maps that are shown, once all of them have been read completely.
std::optional<ReadingCost> cost_of(const BlockTrace& pools, int layer, const std::vector<int>& heads) {
  ReadingCost all;
  for (const int head : heads) {
    const auto one = pools.maps->reading_cost(layer, head);
    if (!one || pools.sampled) return {};
    all.cells += one->cells;
    all.seconds += one->seconds;
  }
  return all;
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

std::string reported(const Workspace& work, Side side) {
  const Runner& runner = work.runners[side];
  if (const auto refused = work.opening.error(work.of(side))) return work.tr(*refused);
  if (runner.error()) return run_error_text(work.tr, *runner.error());
  const auto error = error_of(*runner.trace());
  return error ? work.tr(*error) : "";
}

/// A side as it was run last. It is stale while `newer` is coming, too.
SideFrame side_frame(const Workspace& work, Side side, std::shared_ptr<const BlockTrace> block,
                     std::shared_ptr<const Trace> trace, bool newer) {
  SideFrame of{side, std::move(block), false, "", std::move(trace)};
  if (work.frozen.a) return of;
  of.stale = newer || work.runners[side].busy() || work.runners[side].idle() == Idle::stopped;
  of.error = reported(work, side);
  return of;
}

}  // namespace

std::string run_error_text(const Translator& tr, const Error& error) {
  std::string text = tr(error);
  if (tr.language() == Language::en) return text;
  const std::pair<InputField::Member, const char*> texts[] = {{&Inputs::sentence, TR("Sentence")},
                                                              {&Inputs::key_sentence, TR("Second sentence")},
                                                              {&Inputs::target, TR("Target sentence")}};
  for (const auto& [field, label] : texts) {
    // Chinese characters are not separated by spaces.
    const std::string name = std::string(input_field(field).name) + " ";
    if (text.starts_with(name)) return tr(label) + text.substr(name.size());
  }
  return text;
}

void follow_pooling(Workspace& work) {
  const auto in_view = work.block();
  const BlockTrace& block = *in_view;
  ViewState& state = work.state;
  const CellUnit now{block.query_pool, block.key_pool}, before = std::exchange(state.unit, now);
  if (now == before) return;
  state.hover = state.last_hover = std::nullopt;
  std::optional<Cell> tokens = state.lock;
  if (tokens && before != CellUnit{}) {
    // The cell locked before cells were pooled, unless the lock has moved to another pooled cell since.
    const bool same = state.token_lock && before.of(*state.token_lock) == *tokens;
    tokens = same ? *state.token_lock : largest_token_cell(block, before, *tokens, state.view.layer);
  }
  state.token_lock = now == CellUnit{} ? std::nullopt : tokens;
  const bool of_steps = state.steps_lock && state.lock == state.steps_lock;
  if (state.lock) state.lock = now.of(*tokens);
  if (of_steps) state.steps_lock = state.lock;
}

Frame begin_frame(App& app, FrameInput input) {
  app.input = std::move(input);
  pass_black_screen(app);
  poll_model(app);
  app.settings.welcome &= app.inputs.about().from_seed;  // else a choice from the start screen was opened
  for (const Side side : both_sides) app.runners[side].poll();
  app.view_cache.settle(app.trace(), app.trace(Side::b));
  app.long_blocks.settle();
  app.long_maps.settle();
  app.keep_pooled();
  poll_generation(app);
  poll_figures(app);
  take_errors(app);
  if (!is_busy(app) && idle_work(app) == Idle::none) app.notices.settle(Notice::About::computing);
  if (app.inputs.about().computes) app.notices.settle(Notice::About::capture);
  app.notices.pass_time(app.input.now);
  app.state.view.theme = app.settings.theme;
  take_over_hover(app.state, app.input);
  if (app.state.lock) app.state.other_lock.reset();
  app.state.panel_before = app.state.panel;
  leave_missing_view(app);
  if (app.state.view.row().compares && !app.compare) app.compare = app.inputs;
  keep_to_one_side(app);
  settle_lesson(app);
  follow_pooling(app);
  keep_in_range(app, *app.block());
  lock_cell_of_steps(app);
  choose_locked_head(app.state);
  if (app.state.next_step) pass_steps(app.state, steps_of(app.scene(app.block())), app.input.now);
  note_lesson_shown(app);
  look_at_long_blocks(app);
  const auto of_long = app.shown_of_long(app.block());
  const auto shown = of_long ? of_long->map : app.shown();
  const auto block = shown->block;
  app.motion.follow(shown, app.input.now);
  const auto pools = app.pooled_block(block);
  const std::vector<int> looked_at = pools->pooled() ? heads_looked_at(app, pools) : std::vector<int>();
  const auto scene = std::make_shared<const Scene>(app.scene(block));
  const bool newer = app.opening.busy() || block != app.block() || app.shows_old_pooled() ||
                     app.view_cache.idle_of_maps() != Idle::none;
  SideFrame b{Side::b};
  if (app.compare)
    b = side_frame(app, Side::b, app.block(Side::b), app.trace(Side::b),
                   asks_b(app.state.view) && !app.has_run_b());
  return {side_frame(app, Side::a, block, scene->trace, newer),
          shown,
          scene,
          b,
          looked_at.empty() ? std::nullopt : cost_of(*pools, app.state.view.layer, looked_at),
          static_cast<int>(looked_at.size()),
          of_long ? of_long->overview : nullptr,
          app.frozen.a || is_busy(app) ? Idle::none : idle_work(app)};
}

void end_frame(App& app) {
  follow_sides(app);
  note_sides(app);
  note_changes(app, app.input);
  note_texts(app);
  app.notices.pass_time(app.input.now);
  // Compute large maps only as fast as they are compared: a drag would fill the memory with intermediate
  // ones.
  if (app.view_cache.comparing() && map_bytes(*app.block()) + map_bytes(*app.block(Side::b)) > large_maps)
    return;
  if (app.opening.ready(app, app.inputs)) app.runners.a.request(app.inputs, maps_in_view(app, app.inputs));
  if (app.compare && app.opening.ready(app, *app.compare) && (app.compares() || app.lesson.playing()))
    if (const std::optional<Inputs> b = app.inputs_of_b())
      app.runners.b.request(*b, maps_in_view(app, *app.compare), app.runners.a);
  if (!app.compare) app.runners.b.forget();
}

bool is_busy(const App& app) {
  return app.opening.busy() || app.runners.a.busy() || app.runners.b.busy() || app.view_cache.busy() ||
         app.long_blocks.busy() || app.long_maps.busy() || app.dialogs.busy() || app.motion.moving() ||
         app.generation.running();
}

}  // namespace headscope
