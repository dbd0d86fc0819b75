#include "app/state/workspace.h"

#include <algorithm>

#include "core/analysis/shown_causes.h"
#include "core/scene/shown_block.h"
#include "core/source/maps/pooled_maps.h"

namespace headscope {

Workspace::Workspace(std::function<void()> wake_window)
    : tr(Language::en),
      wake(std::move(wake_window)),
      // Next to a model of half a gigabyte, a larger pool of idle buffers would cost more than it saves.
      memory(std::size_t{160} << 20),
      opening(wake, memory, sources),
      runners{Runner(wake, memory, sources), Runner(wake, memory, sources)},
      generation(wake, sources) {}

Scene Workspace::scene(const std::shared_ptr<const BlockTrace>& block) {
  // Comparisons of long texts use pooled maps, not full ones.
  const auto compared = pooled_block(block);
  HeadOrder order{view_cache.heads(compared, state.view, labels), nullptr};
  if (names_groups(state.view))
    order.tree = view_cache.head_tree(view_cache.similarity(compared), state.view.table.groups);
  Scene scene = make_scene(block, compare ? this->block(Side::b) : nullptr, state.view, labels, order,
                           state.locked(*block));
  if (block == this->block()) scene.trace = trace();
  // Of two identical models only one is shown.
  if (compare && (!state.view.row().whole || compares())) scene.other_trace = trace(Side::b);
  scene.steps = state.steps;
  scene.marks = marks;
  return scene;
}

std::shared_ptr<const BlockTrace> Workspace::in_view(const std::shared_ptr<const Trace>& trace,
                                                     BlockKind kind) const {
  for (const Side side : both_sides)
    if (trace == this->trace(side) && kind == state.view.block && old_pooled_[side].instead)
      return old_pooled_[side].instead;
  return newest_in_view(trace, kind);
}

void Workspace::keep_pooled() {
  const auto keep = [this](OldPooled& old, const std::shared_ptr<const Trace>& trace) {
    old.instead = nullptr;
    const auto now = newest_in_view(trace, state.view.block);
    if (!now->pooled()) {
      old.last = nullptr;
      return;
    }
    const int layer = state.view.layer;
    const auto is_read = [&](const std::shared_ptr<const BlockTrace>& pools) {
      return layer < pools->layer_count() &&
             std::ranges::none_of(heads_looked_at(*this, pools), [&](int head) {
               return pools->shown_maps().resident(layer, head).empty();
             });
    };
    if (is_read(now)) {
      old.last = now;
      return;
    }
    const auto& last = old.last;
    const bool same = last && same_layout(*last->single, *now->single);
    if (same && is_read(last)) old.instead = last;
  };
  keep(old_pooled_.a, trace());
  if (compares())
    keep(old_pooled_.b, trace(Side::b));
  else
    old_pooled_.b = {};
}

std::shared_ptr<const BlockTrace> Workspace::newest_in_view(const std::shared_ptr<const Trace>& trace,
                                                            BlockKind kind) const {
  const auto single = in_tokens(trace, kind);
  // A single head can be zoomed down to single tokens, which its arithmetic is about.
  const ViewKindRow& view = state.view.row();
  return view.zooms || view.has_steps ? single : pooled_block(single);
}

std::vector<int> heads_looked_at(const OpenSession& open, const std::shared_ptr<const BlockTrace>& block) {
  std::vector<int> heads =
      heads_in_view(make_scene(block, nullptr, open.state.view, {}, {}, open.state.locked(*block)));
  if (heads.empty()) heads = all_heads(block->heads());
  return heads;
}

std::shared_ptr<const BlockTrace> Workspace::in_tokens(const std::shared_ptr<const Trace>& trace,
                                                       BlockKind kind) const {
  const auto pieces = block_of(trace, kind);
  View view = with_shown_cells(state.view);
  view.words = view.words && trace->inputs.about().has_vocabulary;
  if (!view.words && view.cells == CellValue::weight && view.rollout.of == Rollout::off &&
      !pieces->shape.no_token)
    return pieces;
  const InView of{pieces, view.words, view.cells, view.rollout, view.predictions, view.row().has_steps};
  if (auto kept = blocks_in_view_.find(of)) return kept;
  auto made = shown_block(trace, kind, view, tr);
  constexpr std::size_t a_b_and_searched = 3;
  blocks_in_view_.keep(of, made, a_b_and_searched);
  return made;
}

std::optional<LongMaps::Shown> Workspace::shown_of_long(const std::shared_ptr<const BlockTrace>& block) {
  if (!needs_pooling(*block)) return {};
  const Scene wanted = make_scene(block, nullptr, state.view, labels, {}, state.locked(*block));
  const int head = wanted.head.value_or(0);
  std::vector<int> heads = heads_in_view(wanted);
  if (heads.empty()) heads = {head};
  const Zoom zoom = state.view.row().zooms ? state.view.zoom : Zoom();
  return long_maps.shown(block, pooled_block(block), state.view.layer, head, heads, zoom);
}

std::shared_ptr<const FilteredLayer> Workspace::shown() {
  const auto present = block();
  if (auto of_long = shown_of_long(present)) return of_long->map;
  // The order of heads is only needed to pick the first one: it is that of the block being shown.
  const bool first = state.view.row().zooms && !state.view.head && !state.lock;
  const Scene wanted =
      first ? scene(present) : make_scene(present, nullptr, state.view, labels, {}, state.locked(*present));
  return view_cache.shown(present, state.view, heads_in_view(wanted));
}

std::optional<Inputs> Workspace::inputs_of_b() const {
  if (!compare || !asks_b(state.view)) return compare;
  const Trace& a = *runners.a.trace();
  if (runners.a.busy() || a.inputs != inputs) return {};
  std::optional<Inputs> b = compare;
  read_same_target(a, *b);
  return b;
}

void Workspace::set_session(const Session& session) {
  bookmarks = session.bookmarks;
  answers = session.answers;
  model_weights = session.model_weights;
  state = ViewState{};
  state.view.theme = settings.theme;
  apply(session);
  ++sessions;
  frozen = {};
  undo.start(*this);
  lesson = {};
}

void Workspace::set_language(Language language) {
  tr = Translator(language);
  blocks_in_view_.forget();  // whose labels may have words of it
  notices.translate();
  settings.language = language;
}

void Workspace::set_theme(Theme theme) {
  settings.own_theme = true;
  settings.theme = state.view.theme = theme;
}

void Workspace::follow_device(Theme theme) {
  if (!settings.own_theme) settings.theme = state.view.theme = theme;
}

}  // namespace headscope
