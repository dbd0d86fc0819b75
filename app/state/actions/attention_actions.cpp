#include <algorithm>

#include "app/state/actions/actions.h"
#include "app/state/app.h"
#include "app/state/document/adjust.h"
#include "app/state/document/painting.h"
#include "app/state/document/side_texts.h"
#include "core/inputs/fields.h"
#include "core/inputs/mask_kinds.h"
#include "core/source/source.h"

namespace headscope {
namespace {

bool seeded(const OpenSession& open) {
  return open.edited().about().from_seed;
}

std::string of_capture(const Workspace& work) {
  return work.edited().about().computes ? std::string() : not_seeded(work);
}

/// Why the scale can't be changed: some models have none.
std::string not_scaled(const Workspace& work) {
  const auto model = work.opening.config(work.edited());
  if (model && !model->scale_scores && !model->scale_scores_by_layer)
    return work.tr("This model does not divide by √d_k; its weights were trained without.");
  return of_capture(work);
}

/// Why cross-attention can't be switched on.
std::string no_second_sentence(const Workspace& work) {
  if (seeded(work) || work.edited().cross() || work.trace()->about().reads_pairs) return {};
  return work.tr("This model reads one sentence, and no pair as BERT does.");
}

void use_embedding(OpenSession& open) {
  set_vectors(open.edited(), VectorKind::embedding);
  // If only one side changed, every cell would differ.
  if (open.compares())
    for (const Side side : both_sides) set_vectors(open.of(side), VectorKind::embedding);
}

void add_layer(std::vector<Action>& list) {
  ActionRows add(list, ActionGroup::attention);
  const auto add_seeded = [&](const char* id, const char* text, std::function<void(App&)> run) -> Action& {
    return add(id, text, std::move(run)).refused_for(not_seeded);
  };
  add_seeded("more heads", TR("More heads"), [](App& app) { step_heads(app.edited(), 1); });
  add_seeded("fewer heads", TR("Fewer heads"), [](App& app) { step_heads(app.edited(), -1); });
  add_seeded("wider", TR("Double d_model"), [](App& app) {
    change_d_model(app, app.edited().d_model * 2);
  }).enabled_if([](const App& app) {
    return !seeded(app) || app.edited().d_model * 2 <= Limits::max_d_model;
  });
  add_seeded("narrower", TR("Halve d_model"), [](App& app) {
    change_d_model(app, app.edited().d_model / 2);
  }).enabled_if([](const App& app) { return !seeded(app) || app.edited().d_model > 1; });
  add_seeded("roll", TR("New random seed"), [](App& app) { roll_seed(app.edited()); });
  add_seeded("embedding", TR("Embedding inputs"), [](App& app) {
    VectorKind& kind = app.edited().vectors;
    kind = kind == VectorKind::embedding ? VectorKind::randn : VectorKind::embedding;
  }).checked_if([](const App& app) { return app.edited().vectors == VectorKind::embedding; });
  add("text counts", TR("Use embedding"), use_embedding).enabled_if(text_has_no_effect);
  add("cross", input_field(&Inputs::key_sentence).label,
      [](App& app) { set_cross(app.edited(), !app.edited().cross()); })
      .refused_for(no_second_sentence)
      .checked_if([](const App& app) { return app.edited().cross(); });
}

bool brush_on(const OpenSession& open) {
  return open.state.brush.on;
}

std::shared_ptr<const BlockTrace> edited_block(const Workspace& work) {
  return work.block(work.edited_side());
}

bool has_cells(const Workspace& work) {
  const auto block = edited_block(work);
  return block->layer_count() > 0 && same_cells(*block, work.edited());
}

/// Adds a token to the list of a kind of mask, switching that kind on, or removes it.
void toggle_in(OpenSession& open, MaskKind kind, int token) {
  switch_part(open.edited(), kind, true);
  toggle_token(*find_part(open.edited(), kind), token);
}

bool has_maskable_cell(const Workspace& work) {
  const auto focus = work.state.focus(*work.block());
  return focus && has_cells(work) && !edited_block(work)->is_no_token(focus->key);
}

void add_masks(std::vector<Action>& list) {
  ActionRows add(list, ActionGroup::attention, TR("Mask"));
  for (const MaskKindRow& row : mask_kinds())
    if (*row.label != '\0')
      add("mask " + std::string(row.name), row.label,
          [kind = row.kind](App& app) { switch_part(app.edited(), kind, !part_on(app.edited(), kind)); })
          .refused_for(of_capture)
          .checked_if([kind = row.kind](const App& app) { return part_on(app.edited(), kind); });
  add("mask none", TR("No mask"), [](App& app) { app.edited().mask.clear(); }).enabled_if([](const App& app) {
    return !app.edited().mask.empty();
  });
  const auto add_fill = [&](const char* id, const char* text, MaskFill fill) {
    add(id, text, [fill](App& app) { app.edited().mask_fill = fill; })
        .refused_for(of_capture)
        .checked_if([fill](const App& app) { return app.edited().mask_fill == fill; });
  };
  add_fill("fill infinity", TR("Mask value −∞"), MaskFill::minus_infinity);
  add_fill("fill 1e9", TR("Mask value −1e9"), MaskFill::minus_1e9);
  const auto add_token = [&](const char* id, const char* text, MaskKind kind, int Cell::*token) {
    add(id, text, [kind, token](App& app) {
      toggle_in(app, kind, (*app.state.focus(*app.block())).*token);
    }).enabled_if(has_maskable_cell);
  };
  add_token("pad key", TR("Toggle padding for the cell's key"), MaskKind::padding, &Cell::key);
  add_token("global query", TR("Toggle global for the cell's query"), MaskKind::global, &Cell::query);
}

/// Begins or ends painting. Nothing else would show it on the screen of a presentation.
void toggle_brush(App& app) {
  app.state.brush.on = !app.state.brush.on;
  if (app.state.brush.on && app.presentation.on)
    app.notices.info(TR("Painting the mask: drag over a map; Ctrl+P ends it"));
}

void add_painting(std::vector<Action>& list) {
  ActionRows add(list, ActionGroup::attention, TR("Painting"));
  add("paint", TR("Paint on maps"), {ctrl(Key::p)}, toggle_brush).checked_if(brush_on);
  const auto add_switch = [&](const char* id, const char* text, bool Brush::*option) {
    add(id, text, [option](App& app) { app.state.brush.*option = !(app.state.brush.*option); })
        .enabled_if(brush_on)
        .checked_if([option](const App& app) { return app.state.brush.*option; });
  };
  add_switch("brush frees", TR("Brush unblocks"), &Brush::free);
  add_switch("brush one head", TR("Paint one head only"), &Brush::one_head);
  const auto add_shape = [&](const char* id, const char* text, Brush::Shape shape) {
    add(id, text, [shape](App& app) { app.state.brush.shape = shape; })
        .enabled_if(brush_on)
        .checked_if([shape](const App& app) { return app.state.brush.shape == shape; });
  };
  add_shape("brush cells", TR("Paint cells"), Brush::Shape::cell);
  add_shape("brush rows", TR("Paint rows"), Brush::Shape::row);
  add_shape("brush columns", TR("Paint columns"), Brush::Shape::column);
  add_shape("brush diagonals", TR("Paint diagonals"), Brush::Shape::diagonal);
  const auto resize = [](int by) {
    return [by](App& app) {
      int& radius = app.state.brush.radius;
      radius = std::clamp(radius + by, 0, Brush::largest_radius);
    };
  };
  add("brush larger", TR("Larger brush"), {plain(Key::right_bracket)}, resize(1)).enabled_if(brush_on);
  add("brush smaller", TR("Smaller brush"), {plain(Key::left_bracket)}, resize(-1)).enabled_if(brush_on);
  const auto add_whole = [&](const char* id, const char* text,
                             void (*change)(Inputs&, const BlockTrace&, int)) {
    add(id, text, [change](App& app) {
      const auto block = edited_block(app);
      change(app.edited(), *block, brush_head(app.state, block->heads()));
    }).enabled_if(has_cells);
  };
  add_whole("painting clear", TR("Clear painting"), clear_painting);
  add_whole("painting invert", TR("Invert painting"), invert_painting);
  add("painting start", TR("Start from current masks"), [](App& app) {
    paint_present_masks(app.edited(), *edited_block(app));
  }).enabled_if(has_cells);
}

Action& add_input_switch(ActionRows& add, const char* id, bool Inputs::*field) {
  return add(id, input_field(field).label,
             [field](App& app) { app.edited().*field = !(app.edited().*field); })
      .checked_if([field](const App& app) { return app.edited().*field; });
}

void add_projections(std::vector<Action>& list) {
  ActionRows add(list, ActionGroup::attention, TR("Projections"));
  const auto add_weights = [&](const char* id, const char* text, WeightKind kind) -> Action& {
    return add(id, text, [kind](App& app) { set_weights(app.edited(), kind); })
        .refused_for(not_seeded)
        .checked_if([kind](const App& app) { return app.edited().weights == kind; });
  };
  add_weights("weights linear", TR("PyTorch Linear"), WeightKind::linear);
  add_weights("weights xavier", TR("Xavier uniform"), WeightKind::xavier);
  add_weights("weights mha", TR("PyTorch MHA"), WeightKind::mha).enabled_if([](const App& app) {
    return !seeded(app) || app.edited().key_value_heads() == app.edited().heads;
  });
  add_weights("weights normal", TR("Normal"), WeightKind::normal);
  add_weights("weights identity", TR("Identity per head"), WeightKind::identity);
  add_weights("weights similarity", TR("W_K = W_Q"), WeightKind::similarity);
  add_weights("weights typed", TR("Typed in"), WeightKind::manual).enabled_if([](const App& app) {
    return !seeded(app) || app.edited().d_model <= Limits::max_typed_d_model;
  });
}

void add_stack(std::vector<Action>& list) {
  ActionRows add(list, ActionGroup::attention, TR("Layer stack"));
  add_input_switch(add, "share layers", &Inputs::share_layers).refused_for(not_seeded);
  add_input_switch(add, "residual", &Inputs::residual).refused_for(not_seeded);
  add_input_switch(add, "layer norm", &Inputs::layer_norm).refused_for(not_seeded);
  add_input_switch(add, "feed forward", &Inputs::feed_forward).refused_for(not_seeded);
}

}  // namespace

void add_attention_actions(std::vector<Action>& list) {
  add_layer(list);
  add_masks(list);
  add_painting(list);
  ActionRows add(list, ActionGroup::attention);
  add_input_switch(add, "scale", &Inputs::scale).refused_for(not_scaled);
  add_projections(list);
  add_model_actions(list);
  add_stack(list);
}

}  // namespace headscope
