#include "app/state/view/color_range.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "core/analysis/filtered_layer.h"
#include "core/base/failure.h"
#include "core/base/stopped.h"
#include "core/scene/held_ranges.h"
#include "core/scene/range.h"
#include "core/scene/thumbnails.h"

namespace headscope {
namespace {

bool same_document(const Inputs& a, const Inputs& b) {
  const Text& text = a;
  return text == b && a.model == b.model && a.capture == b.capture && a.sequence == b.sequence &&
         a.heads == b.heads && a.layers == b.layers;
}

bool same_document(const std::optional<Inputs>& a, const std::optional<Inputs>& b) {
  return a && b ? same_document(*a, *b) : a.has_value() == b.has_value();
}

/// Whether cells show the same kind of number.
bool same_cells(const View& a, const View& b) {
  const bool of_logit = a.cells == CellValue::logit;
  return a.cells == b.cells && a.rollout == b.rollout && a.words == b.words && a.means == b.means &&
         (!of_logit || a.predictions == b.predictions);
}

/// Whether numbers changed, or which of them are shown.
bool is_experiment(const ShownBefore& before, const ShownBefore& now) {
  const Filter &old = before.view.filter, &filter = now.view.filter;
  return before.inputs != now.inputs || (before.compare && now.compare && before.compare != now.compare) ||
         old.top_percent != filter.top_percent || old.threshold != filter.threshold;
}

/// Whether other heads are ablated: what they change is another question than what the ones before changed.
bool ablates_others(const ShownBefore& before, const ShownBefore& now) {
  const auto of = [](const std::optional<Inputs>& inputs) {
    return inputs ? inputs->ablated_heads : std::set<HeadPlace>();
  };
  return before.inputs.ablated_heads != now.inputs.ablated_heads || of(before.compare) != of(now.compare);
}

bool is_of(HeldMap map, Side side) {
  const bool of_b = map == HeldMap::b || map == HeldMap::mean_b;
  return map != HeldMap::difference && of_b == (side == Side::b);
}

void add_missing(std::vector<HeldRange>& held, std::vector<HeldRange> found) {
  const auto place = [](const HeldRange& one) { return std::tuple(one.map, one.block, one.layer, one.head); };
  std::set<decltype(place(held.front()))> known;
  for (const HeldRange& one : held) known.insert(place(one));
  for (HeldRange& one : found)
    if (!known.contains(place(one))) held.push_back(std::move(one));
}

std::int64_t cells_of(const Trace& trace) {
  std::int64_t cells = 0;
  for (const BlockTrace& block : trace.blocks)
    cells += std::int64_t{block.n_q()} * block.n_k() * block.heads() * block.layer_count();
  return cells;
}

/// Collects the ranges that maps have: those in view on the spot, others in the background where they take
/// long, from the trace of before the experiment.
class Holder {
 public:
  Holder(Workspace& work, const ShownBefore& before)
      : work_(work), view_(before.view), held_(work.state.view.range.held), begins_(held_.empty()) {
    view_.range = work.state.view.range;
    view_.range.held.clear();
    for (const Side side : both_sides)
      if (const std::optional<Inputs> inputs = side == Side::a ? before.inputs : before.compare)
        if (same_document(work.trace(side)->inputs, *inputs)) add_side(side);
    // What first differs in an experiment, by next to nothing, is no range for what comes.
    if (view_.row().compares && before.compare && begins_) add_difference();
    if (view_.row().whole && begins_) add_model();
    if (later_.empty()) return;
    work.holding.start(
        [traces = later_, view = view_](const std::stop_token& stop) {
          std::vector<HeldRange> found;
          for (const auto& [side, trace] : traces) add_missing(found, trace_ranges(trace, view, side, stop));
          return found;
        },
        work.wake);
    work.holding_for = work.sessions;
  }

 private:
  // Cells that can be read at once without a noticeable delay.
  static constexpr std::int64_t quick_cells = std::int64_t{1} << 21;

  void add_side(Side side) {
    const auto& trace = work_.trace(side);
    const bool begins =
        std::ranges::none_of(held_, [&](const HeldRange& one) { return is_of(one.map, side); });
    if (begins && cells_of(*trace) <= quick_cells)
      return add_missing(held_, trace_ranges(trace, view_, side));
    if (side == Side::a) add_shown();
    if (begins) later_.emplace_back(side, trace);
  }

  void add_shown() {
    if (view_.row().of_model() || work_.holding.started()) return;
    const auto shown = work_.shown();
    if (shown->n_q() == 0 || shown->n_k() == 0) return;
    const bool known = std::ranges::any_of(held_, [&](const HeldRange& one) {
      return one.map == held_map(*shown->block, Side::a) && one.block == shown->block->shape.kind &&
             one.layer == shown->layer;
    });
    if (!known || shown->block->pooled()) add_missing(held_, layer_ranges(*shown, view_, Side::a));
  }

  void add_difference() {
    const auto c = work_.view_cache.comparison(work_.pooled_block(work_.block()),
                                               work_.pooled_block(work_.block(Side::b)), view_);
    if (!c) return;
    const auto look = work_.view_cache.comparison_look(c, view_.range);
    for (int head = 0; head < c->heads; ++head)
      if (c->largest[head] > 0)
        add(HeldMap::difference, c->shown_a->block->shape.kind, c->shown_a->layer, head,
            look->difference[head]);
  }

  /// The one that is on the screen.
  void add_model() {
    const Side side = work_.seen_side();
    const auto picture = work_.view_cache.model_picture(work_.trace(side), work_.state.view);
    if (!picture) return;
    for (const ModelPicture::Map& map : picture->maps)
      if (!map.head && !map.range.row_factors)
        add(side == Side::a ? HeldMap::mean : HeldMap::mean_b, map.block, map.layer, 0, map.range);
  }

  void add(HeldMap map, BlockKind block, int layer, int head, const ColorRange& range) {
    const ColorLimits limits{range.low, range.high};
    if (limits.valid()) add_missing(held_, {{map, block, layer, head, limits, {}}});
  }

  Workspace& work_;
  View view_;
  std::vector<HeldRange>& held_;
  const bool begins_;
  std::vector<std::pair<Side, std::shared_ptr<const Trace>>> later_;
};

}  // namespace

std::vector<ColorRange> drawn_ranges(ViewCache& cache, const Scene& scene,
                                     std::span<const ColorRange> of_layer) {
  const View& view = scene.view;
  if (view.row().thumbnails()) {
    const auto thumbnails = cache.thumbnails(scene.block, view.filter, view.range);
    return thumbnails ? all_ranges(*thumbnails) : std::vector<ColorRange>();
  }
  std::vector<ColorRange> each(of_layer.begin(), of_layer.end()), drawn;
  if (view.row().compares && scene.other && scene.other->n_q() > 0)
    if (const auto comparison = cache.comparison(scene.block, scene.other, view))
      each = cache.comparison_look(comparison, view.range)->weights;
  for (const int head : scene.drawn_heads())
    if (head < std::ssize(each)) drawn.push_back(each[head]);
  return drawn;
}

std::vector<ColorRange> drawn_ranges(ViewCache& cache, const Scene& scene, const FilteredLayer& shown) {
  return drawn_ranges(cache, scene, color_ranges(shown, scene.view.range));
}

void set_range(ViewState& state, Range range, std::span<const ColorRange> drawn) {
  rescale(state);
  View& view = state.view;
  if (range == view.range.kind) return;
  if (range == Range::fixed) view.range.limits = limits_around(drawn);
  view.range.kind = range;
  state.refused_limits.reset();
}

void rescale(ViewState& state) {
  state.view.range.held.clear();
}

void hold_ranges(Workspace& work) {
  if (work.state.view.range.can_hold())
    Holder(work, work.shown_before.value_or(ShownBefore{work.inputs, work.compare, work.state.view}));
}

void take_held(Workspace& work) {
  if (!work.holding.done()) return;
  const bool wanted = !work.holding.stopped() && work.holding_for == work.sessions;
  try {
    std::vector<HeldRange> found = work.holding.take();
    RangeChoice& range = work.state.view.range;
    if (wanted && range.holds()) add_missing(range.held, std::move(found));
  } catch (const Stopped&) {
    // The experiment has ended.
  } catch (...) {
    work.notices.error(Notice::About::computing, handled_error(TR("what is shown could not be computed: ")));
  }
}

void follow_experiment(Workspace& work) {
  ShownBefore now{work.inputs, work.compare, work.state.view};
  std::vector<HeldRange>& held = work.state.view.range.held;
  const bool held_before = !held.empty();
  const auto release_difference = [&] {
    std::erase_if(held, [](const HeldRange& one) { return one.map == HeldMap::difference; });
  };
  if (const auto& before = work.shown_before) {
    const bool same = same_document(before->inputs, now.inputs) && same_cells(before->view, now.view);
    if (before->compare.has_value() != now.compare.has_value())  // another B
      std::erase_if(held, [](const HeldRange& one) {
        return one.map == HeldMap::b || one.map == HeldMap::mean_b || one.map == HeldMap::difference;
      });
    else if (!same || !same_document(before->compare, now.compare))
      held.clear();
    else if (is_experiment(*before, now)) {
      hold_ranges(work);
      if (!held_before && !held.empty()) work.held_from = before;
      if (ablates_others(*before, now)) release_difference();
    }
  }
  // Who comes back to where the experiment began, by undo or by hand, has nothing to compare with it.
  if (work.held_from && work.held_from->inputs == now.inputs && work.held_from->compare == now.compare)
    held.clear();
  if (held.empty()) {
    work.held_from.reset();
    work.holding.stop();
  }
  if (std::exchange(work.state.hold_wanted, false)) hold_ranges(work);
  now.view.range = {};
  if (work.shown_before != now) work.shown_before = std::move(now);
}

void expect_inputs(OpenSession& open, const DocumentState& coming) {
  if (!same_document(open.inputs, coming.inputs) || !same_document(open.compare, coming.compare))
    rescale(open.state);
  open.shown_before.reset();
}

void set_limits(ViewState& state, const ColorLimits& limits) {
  state.refused_limits.reset();
  if (limits.valid())
    state.view.range.limits = limits;
  else
    state.refused_limits = limits;
}

}  // namespace headscope
