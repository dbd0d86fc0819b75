#include "app/state/actions/ablated_heads.h"

#include <algorithm>
#include <array>

#include "app/state/actions/continue_text.h"
#include "app/state/app.h"
#include "app/state/document/adjust.h"
#include "app/state/view/navigation.h"
#include "core/model/config/model_notes.h"
#include "core/source/source.h"

namespace headscope {
namespace {

void add_switch(std::vector<Action>& list, const OpenSession& open, const char* id,
                const std::set<HeadPlace>& heads, const char* off, const char* on) {
  const bool are = are_ablated(open, heads);
  list.push_back(
      {.id = id,
       .text = are ? on : off,
       .run = [heads, are](App& a) { switch_heads(a, heads, !are, are ? ablated_side(a) : Side::b); },
       .separator = list.empty()});
}

std::string cannot_ablate(const Workspace& work) {
  return work.inputs.about().ablates
             ? ""
             : work.tr("The weights of a capture were computed elsewhere; this would not change them.");
}

const Trace& run_of_edited(const Workspace& work) {
  return *work.trace(work.edited_side());
}

/// The locked or chosen head, in the view's layer.
std::set<HeadPlace> chosen_head(const Workspace& work) {
  const BlockShape& shape = work.block()->shape;
  return {{shape.kind, work.state.view.layer,
           present_head(work.state, shape.heads_of(std::min(work.state.view.layer, shape.layers - 1)))}};
}

/// A set of related heads, independent of the view.
struct HeadsTogether {
  const char* id;
  const char* text;
  const char* missing;  ///< why a trained model may have none
  std::set<HeadPlace> (*heads)(const Workspace&);
};
constexpr const char* no_attention_error =
    TR("Only an encoder–decoder such as T5 or Marian has these heads.");
constexpr std::array heads_together{
    HeadsTogether{"encoder off", TR("Ablate (switch off) or restore all heads of the encoder in B"),
                  no_attention_error,
                  [](const Workspace& work) { return heads_of_block(work, BlockKind::encoder); }},
    HeadsTogether{"decoder off", TR("Ablate (switch off) or restore all heads of the decoder in B"),
                  no_attention_error,
                  [](const Workspace& work) { return heads_of_block(work, BlockKind::decoder); }},
    HeadsTogether{"cross off", TR("Ablate (switch off) or restore all heads of cross-attention in B"),
                  no_attention_error,
                  [](const Workspace& work) { return heads_of_block(work, BlockKind::cross); }},
    HeadsTogether{"guided off", TR("Ablate (switch off) or restore guided heads in B"),
                  TR("No head of this model is known to be guided."), guided_heads},
};

/// The first layer in view whose maps change when a head of `block` in `layer` is ablated.
int first_changed_layer(BlockKind in_view, BlockKind block, int layer) {
  if (block == BlockKind::encoder && in_view == BlockKind::cross) return 0;
  // Its first layer attends before it has read anything of the encoder.
  if (block == BlockKind::encoder && in_view == BlockKind::decoder) return 1;
  return block == BlockKind::decoder && in_view == BlockKind::cross ? layer : layer + 1;
}

/// Shows the comparison, as near to what was in view as the heads change anything there.
void show_effect(Workspace& work, const std::set<HeadPlace>& heads) {
  ViewState& state = work.state;
  const bool compared = state.view.row().compares;
  if (!compared) {
    state.left_view = state.view;
    state.view.kind = ViewKind::compare;
    // Where no head was chosen, the one that changes most is shown.
    if (!state.view.head) state.compared_head.reset();
  }
  const auto note_shown = [&] {
    if (!compared) work.notices.info(effect_note, Notice::Term{view_kind(ViewKind::compare).action});
  };
  const BlockKind block = heads.begin()->block;
  const int layer = heads.begin()->layer;
  if (std::ranges::any_of(heads, [&](const HeadPlace& one) { return one.block != block; }))
    return note_shown();
  // What is ablated in the decoder changes nothing in the encoder.
  if (work.block()->shape.kind == BlockKind::encoder) show_block(state, block);
  if (std::ranges::any_of(heads, [&](const HeadPlace& one) { return one.layer != layer; }))
    return note_shown();
  const BlockShape& shape = block_of(work.trace(), state.view.block)->shape;
  const int first = first_changed_layer(shape.kind, block, layer);
  if (first >= shape.layers)
    return work.notices.info(last_layer_effect_note, Notice::Term{view_kind(ViewKind::steps).action});
  if (state.view.layer >= first || (!compared && !state.view.head && !state.lock)) return note_shown();
  state.view.layer = first;
  work.notices.info(later_layer_effect_note, layer + 1, first + 1);
}

}  // namespace

Side ablated_side(const OpenSession& open) {
  const Side shown = open.state.view.row().whole ? open.seen_side() : open.edited_side();
  return shown == Side::a && !open.inputs.ablated_heads.empty() ? Side::a : Side::b;
}

const Inputs& with_ablated_heads(const OpenSession& open) {
  return ablated_side(open) == Side::b && open.compare ? *open.compare : open.inputs;
}

bool are_ablated(const OpenSession& open, const std::set<HeadPlace>& heads) {
  const std::set<HeadPlace>& off = with_ablated_heads(open).ablated_heads;
  return !heads.empty() &&
         std::ranges::all_of(heads, [&](const HeadPlace& head) { return off.contains(head); });
}

void switch_heads(Workspace& work, const std::set<HeadPlace>& heads, bool off, Side side) {
  if (heads.empty()) return;
  if (side == Side::a) {
    for (const HeadPlace& head : heads)
      off ? void(work.inputs.ablated_heads.insert(head)) : void(work.inputs.ablated_heads.erase(head));
    return;
  }
  Inputs wanted = work.inputs;
  if (work.compare) {
    Inputs same = *work.compare;
    same.ablated_heads = wanted.ablated_heads;
    same.ablation = wanted.ablation;
    // A hidden B starts again as a copy of A, so that only the heads differ; a B that is being edited is
    // kept.
    if (work.edited_side() == Side::b || same == work.inputs) wanted = *work.compare;
  }
  for (const HeadPlace& head : heads) {
    if (off)
      wanted.ablated_heads.insert(head);
    else
      wanted.ablated_heads.erase(head);
  }
  work.compare = wanted;
  const ViewKindRow& view = work.state.view.row();
  if (!off && wanted.ablated_heads.empty() && view.whole)
    return switch_all_on(work.inputs, work.compare, work.state);
  // Next to the run's predictions there is a list of ablated heads.
  if (view.predicts && !view.own_numbers) return;
  if (view.whole)
    work.state.view.of_b = true;
  else if (off)
    show_effect(work, heads);
}

void leave_effect(ViewState& state) {
  if (!state.left_view) return;
  const View left = *std::exchange(state.left_view, std::nullopt);
  show_block(state, left.block);
  state.view.kind = left.kind;
  state.view.layer = left.layer;
  state.view.head = left.head;
}

void switch_all_on(const Inputs& a, std::optional<Inputs>& b, ViewState& state) {
  if (!b) return;
  b->ablated_heads.clear();
  Inputs on = *b;
  on.ablation = a.ablation;
  if (on != a) return;
  b = on;
  if (!state.view.row().compares) end_comparison(state, b);
}

void restore_heads(Workspace& work) {
  if (ablated_side(work) == Side::a)
    work.inputs.ablated_heads.clear();
  else
    switch_all_on(work.inputs, work.compare, work.state);
}

std::set<HeadPlace> heads_of_layer(const Workspace& work, int layer) {
  const BlockShape& shape = work.block()->shape;
  std::set<HeadPlace> heads;
  for (int head = 0; head < shape.heads_of(layer); ++head) heads.insert({shape.kind, layer, head});
  return heads;
}

std::set<HeadPlace> heads_of_block(const Workspace& work, BlockKind block) {
  std::set<HeadPlace> heads;
  for (const BlockTrace& one : work.trace()->blocks)
    if (one.shape.kind == block && work.trace()->inputs.about().ablates)
      for (int layer = 0; layer < one.shape.layers; ++layer)
        for (int head = 0; head < one.shape.heads_of(layer); ++head) heads.insert({block, layer, head});
  return heads;
}

std::set<HeadPlace> guided_heads(const Workspace& work) {
  const ModelNotes* const notes = work.trace()->about().model_notes;
  std::set<HeadPlace> heads;
  if (notes != nullptr)
    for (const RelationOfHead& one : notes->relations)
      if (one.guided) heads.insert({one.block, one.layer, one.head});
  return heads;
}

std::set<HeadPlace> heads_of_group(Workspace& work, int layer, int head) {
  const auto block = work.block();
  if (work.state.view.table.groups < 2) return {};
  const auto tree =
      work.view_cache.head_tree(work.view_cache.similarity(block), work.state.view.table.groups);
  if (!tree) return {};
  const int group = tree->group_of(layer, head);
  std::set<HeadPlace> heads;
  for (int l = 0; l < block->layer_count(); ++l)
    for (int h = 0; h < block->heads(); ++h)
      if (tree->group_of(l, h) == group) heads.insert({block->shape.kind, l, h});
  return heads;
}

std::vector<Action> layer_off_actions(const Workspace& work, int layer) {
  std::vector<Action> list;
  if (!work.inputs.about().ablates) return list;
  add_switch(list, work, "layer off", heads_of_layer(work, layer),
             TR("Ablate (switch off) all heads of this layer, as B"), TR("Restore the heads of this layer"));
  return list;
}

std::vector<Action> ablation_actions(const Workspace& work, int layer, int head) {
  std::vector<Action> list;
  if (!work.inputs.about().ablates) return list;
  const std::set<HeadPlace> one{{work.block()->shape.kind, layer, head}};
  add_switch(list, work, "head off", one, TR("Ablate (switch off) this head, as B of the comparison"),
             TR("Restore this head"));
  if (!are_ablated(work, one))
    list.push_back(
        {.id = "head mean", .text = TR("Replace this head's output by its mean, as B"), .run = [one](App& a) {
           switch_heads(a, one, true);
           if (a.compare) a.compare->ablation = Ablation::mean;
         }});
  add_switch(list, work, "layer off", heads_of_layer(work, layer),
             TR("Ablate (switch off) all heads of this layer, as B"), TR("Restore the heads of this layer"));
  if (work.state.view.table.groups > 1)
    list.push_back({.id = "group off",
                    .text = TR("Ablate (switch off) the heads of its group, as B"),
                    .run = [layer, head](App& a) { switch_heads(a, heads_of_group(a, layer, head), true); }});
  return list;
}

void add_model_actions(std::vector<Action>& list) {
  ActionRows add(list, ActionGroup::attention, TR("Ablated heads"));
  // `none`: why a trained model has no such heads, translated; empty: it has.
  const auto add_toggle = [&](const char* id, const char* text, auto heads, auto none) {
    add(id, text,
        [heads](App& app) {
          const bool are = are_ablated(app, heads(app));
          switch_heads(app, heads(app), !are, are ? ablated_side(app) : Side::b);
        })
        .refused_for([none](const App& app) {
          const std::string why = cannot_ablate(app);
          return why.empty() ? std::string(none(app)) : why;
        })
        .checked_if([heads](const App& app) { return are_ablated(app, heads(app)); });
  };
  add_toggle("chosen head off", TR("Ablate (switch off) or restore the chosen head in B"), chosen_head,
             [](const App& app) {
               const bool of_mean = app.state.view.row().whole && !app.state.view.head && !app.state.lock;
               return of_mean ? app.tr("Choose a head first.") : "";
             });
  add_toggle(
      "layer off now", TR("Ablate (switch off) or restore all heads of this layer in B"),
      [](const App& app) { return heads_of_layer(app, app.state.view.layer); },
      [](const App&) { return ""; });
  add.separate();
  for (const HeadsTogether& row : heads_together)
    add_toggle(row.id, row.text, row.heads,
               [&row](const App& app) { return row.heads(app).empty() ? app.tr(row.missing) : ""; });
  add("all heads on", TR("Restore all ablated heads"), [](App& app) {
    restore_heads(app);
  }).refused_for([](const App& app) {
    if (std::string why = cannot_ablate(app); !why.empty()) return why;
    return std::string(with_ablated_heads(app).ablated_heads.empty() ? app.tr("No head is ablated.") : "");
  });
  add(leave_effect_action, TR("Back to the view before heads were ablated"), [](App& app) {
    leave_effect(app.state);
  }).enabled_if([](const App& app) { return app.state.left_view.has_value(); });
  ActionRows text(list, ActionGroup::attention);
  text("target", TR("Target text of your own"),
       [](App& app) { set_target(app.edited(), !app.edited().target, run_of_edited(app)); })
      .refused_for([](const App& app) {
        const bool can = app.edited().target ||
                         (app.edited().about().has_decoder && run_of_edited(app).about().reads_target);
        return std::string(can ? "" : app.tr("Only an encoder–decoder such as T5 or Marian reads a target."));
      })
      .checked_if([](const App& app) { return app.edited().target.has_value(); });
  text("generate", TR("Continue text"), toggle_generation)
      .refused_for(
          [](const App& app) { return app.generation.running() ? std::string() : cannot_continue(app); })
      .checked_if([](const App& app) { return app.generation.running(); });
}

}  // namespace headscope
