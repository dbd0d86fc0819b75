#include "app/state/actions/long_work.h"
#include "app/state/app.h"
#include "app/state/frame/frame.h"
#include "app/state/lesson/play_lesson.h"
#include "core/inputs/fields.h"
#include "core/source/maps/pooled_maps.h"

namespace headscope {
namespace {

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

/// B, which is run while it is in view.
SideFrame side_b(const App& app) {
  if (!app.compare) return {Side::b};
  return side_frame(app, Side::b, app.block(Side::b), app.trace(Side::b),
                    asks_b(app.state.view) && !app.has_run_b());
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

Frame derive(App& app) {
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
  return {side_frame(app, Side::a, block, scene->trace, newer),
          shown,
          scene,
          std::make_shared<const View>(app.state.view),
          side_b(app),
          looked_at.empty() ? std::nullopt : cost_of(*pools, app.state.view.layer, looked_at),
          static_cast<int>(looked_at.size()),
          of_long ? of_long->overview : nullptr,
          app.frozen.a || is_busy(app) ? Idle::none : idle_work(app),
          hides_numbers(app)};
}

}  // namespace headscope
