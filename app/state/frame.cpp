#include "app/state/frame.h"

#include <algorithm>
#include <utility>

#include "app/state/adjust.h"
#include "app/state/app.h"

namespace headscope {
namespace {

constexpr std::size_t large_maps = std::size_t{256} << 20;

std::size_t map_bytes(const Trace& trace) {
  Index cells = 0;
  for (const LayerTrace& layer : trace.layers) cells += layer.scores.size() + layer.weights.size();
  return static_cast<std::size_t>(cells) * sizeof(float);
}

/// What was locked or chosen may lie outside of what there is now.
void keep_in_range(App& app, const Trace& trace) {
  ViewState& state = app.state;
  fit_view(state.view, app.inputs.layers, app.inputs.heads);
  if (trace.inputs == app.inputs)
    fit_filter(state.view.filter, static_cast<int>(trace.n_q()), static_cast<int>(trace.n_k()));
  const auto outside = [&](const std::optional<Cell>& cell) {
    return cell &&
           (cell->head >= trace.inputs.heads || cell->query >= trace.n_q() || cell->key >= trace.n_k());
  };
  if (outside(state.lock)) state.lock.reset();
  if (outside(state.last_hover)) state.last_hover.reset();
}

std::string told(const App& app, const Runner& runner) {
  return runner.error() ? app.tr(*runner.error()) : std::string();
}

}  // namespace

Frame begin_frame(App& app, FrameInput input) {
  app.input = std::move(input);
  app.runner.poll();
  app.other_runner.poll();
  app.view_cache.settle();
  poll_figures(app);
  app.state.view.theme = app.settings.theme;
  app.state.last_hover = std::exchange(app.state.hover, std::nullopt);
  app.state.panel_before = app.state.panel;
  if (app.state.view.kind == ViewKind::compare) begin_comparison(app.inputs, app.compare);
  keep_in_range(app, *app.runner.trace());
  const auto shown = app.view_cache.shown(app.runner.trace(), app.state.view);
  return {shown->trace,
          shown,
          app.runner.busy() || shown->trace != app.runner.trace(),
          told(app, app.runner),
          app.view_cache.heads(shown->trace, app.state.view, app.labels),
          {app.compare, app.compare ? app.other_runner.trace() : nullptr, app.other_runner.busy(),
           told(app, app.other_runner)}};
}

void end_frame(App& app) {
  note_changes(app);
  // Of large maps no more are made than are compared: a drag would fill the memory with those in between.
  if (app.view_cache.comparing() &&
      map_bytes(*app.runner.trace()) + map_bytes(*app.other_runner.trace()) > large_maps)
    return;
  app.runner.request(app.inputs, app.state.view.layer);
  if (app.compare && app.state.view.kind == ViewKind::compare)
    app.other_runner.request(*app.compare, app.state.view.layer);
}

bool is_busy(const App& app) {
  return app.runner.busy() || app.other_runner.busy() || app.view_cache.busy() || app.dialogs.busy();
}

}  // namespace headscope
