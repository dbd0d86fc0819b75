#include <cstdint>

#include "app/state/app.h"
#include "app/state/document/side_texts.h"
#include "app/state/document/undo_steps.h"
#include "app/state/frame/frame.h"
#include "app/state/view/color_range.h"
#include "core/source/maps/pooled_maps.h"

namespace headscope {
namespace {

constexpr std::size_t large_maps = std::size_t{256} << 20;

std::uint64_t map_bytes(const BlockTrace& block) {
  return sizeof(float) * static_cast<std::uint64_t>(block.n_q()) * static_cast<std::uint64_t>(block.n_k()) *
         static_cast<std::uint64_t>(block.heads());
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
  return {view.layer, heads_in_view(make_scene(block, nullptr, view, {}, {}, work.state.locked(*block))),
          view.row().has_steps && !is_long_text(work, inputs), work.compares()};
}

/// Whether the view was changed to that of a comparison, and no head of it chosen yet.
bool begins_comparison(const Workspace& work) {
  const View& view = work.state.view;
  return work.shown_before && !work.shown_before->view.row().compares && view.row().compares && !view.head;
}

}  // namespace

void end_frame(App& app) {
  follow_sides(app);
  app.state.changed_head_wanted |= begins_comparison(app);
  follow_experiment(app);
  note_sides(app);
  note_changes(app, app.input);
  note_texts(app);
  app.notices.pass_time(app.input.now);
  // Compute large maps only as fast as they are compared: a drag would fill the memory with intermediate
  // ones.
  if (app.view_cache.comparing() && map_bytes(*app.block()) + map_bytes(*app.block(Side::b)) > large_maps)
    return;
  if (app.opening.ready(app.inputs, app.sessions))
    app.runners.a.request(app.inputs, maps_in_view(app, app.inputs));
  if (app.compare && app.opening.ready(*app.compare, app.sessions) &&
      (app.compares() || app.lesson.playing()))
    if (const std::optional<Inputs> b = app.inputs_of_b())
      app.runners.b.request(*b, maps_in_view(app, *app.compare), app.runners.a);
  if (!app.compare) app.runners.b.forget();
}

}  // namespace headscope
