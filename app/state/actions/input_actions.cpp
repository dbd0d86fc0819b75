#include "app/state/actions/actions.h"
#include "app/state/actions/adjust.h"
#include "app/state/app.h"
#include "core/inputs/fields.h"
#include "core/inputs/mask_kinds.h"
#include "core/source/source.h"

namespace headscope {
namespace {

bool seeded(const App& app) {
  return app.edited().seeded();
}

std::string of_capture(const App& app) {
  return app.edited().captured() ? not_seeded(app) : std::string();
}

void add(std::vector<Action>& list, Action action) {
  action.group = ActionGroup::attention;
  list.push_back(std::move(action));
}

void add_mask(std::vector<Action>& list, const MaskKindRow& row) {
  add(list,
      {.id = "mask " + std::string(row.name),
       .text = row.label,
       .run = [kind = row.kind](App& app) { switch_part(app.edited(), kind, !part_on(app.edited(), kind)); },
       .refused = of_capture,
       .checked = [kind = row.kind](const App& app) { return part_on(app.edited(), kind); },
       .submenu = TR("Mask")});
}

void add_fill(std::vector<Action>& list, const char* id, const char* text, MaskFill fill) {
  add(list, {.id = id,
             .text = text,
             .run = [fill](App& app) { app.edited().mask_fill = fill; },
             .refused = of_capture,
             .checked = [fill](const App& app) { return app.edited().mask_fill == fill; },
             .submenu = TR("Mask")});
}

/// Why the scale can't be changed: some models have none.
std::string not_scaled(const App& app) {
  const auto model = app.opening.config(app.edited());
  if (model && !model->scale_scores && !model->scale_scores_by_layer)
    return app.tr("This model does not divide by √d_k; its weights were trained without.");
  return of_capture(app);
}

/// Switches in a submenu are for the seeded layer.
void add_switch(std::vector<Action>& list, const char* id, bool Inputs::*field, const char* submenu) {
  const bool of_layer = submenu != nullptr;
  add(list, {.id = id,
             .text = input_field(field).label,
             .run = [field](App& app) { app.edited().*field = !(app.edited().*field); },
             .refused = of_layer ? not_seeded : not_scaled,
             .checked = [field](const App& app) { return app.edited().*field; },
             .submenu = submenu});
}

void add_weights(std::vector<Action>& list, const char* id, const char* text, WeightKind kind) {
  add(list, {.id = id,
             .text = text,
             .run = [kind](App& app) { set_weights(app.edited(), kind); },
             .refused = not_seeded,
             .checked = [kind](const App& app) { return app.edited().weights == kind; },
             .submenu = TR("Projections")});
}

void add_layer_actions(std::vector<Action>& list) {
  add(list, {.id = "more heads",
             .text = TR("More heads"),
             .run = [](App& app) { step_heads(app.edited(), 1); },
             .refused = not_seeded});
  add(list, {.id = "fewer heads",
             .text = TR("Fewer heads"),
             .run = [](App& app) { step_heads(app.edited(), -1); },
             .refused = not_seeded});
  add(list,
      {.id = "wider",
       .text = TR("Double d_model"),
       .run = [](App& app) { change_d_model(app, app.edited().d_model * 2); },
       .enabled =
           [](const App& app) { return !seeded(app) || app.edited().d_model * 2 <= Limits::max_d_model; },
       .refused = not_seeded});
  add(list, {.id = "narrower",
             .text = TR("Halve d_model"),
             .run = [](App& app) { change_d_model(app, app.edited().d_model / 2); },
             .enabled = [](const App& app) { return !seeded(app) || app.edited().d_model > 1; },
             .refused = not_seeded});
  add(list, {.id = "roll",
             .text = TR("New random seed"),
             .run = [](App& app) { roll_seed(app.edited()); },
             .refused = not_seeded});
  add(list, {.id = "embedding",
             .text = TR("Embedding inputs"),
             .run =
                 [](App& app) {
                   VectorKind& kind = app.edited().vectors;
                   kind = kind == VectorKind::embedding ? VectorKind::randn : VectorKind::embedding;
                 },
             .refused = not_seeded,
             .checked = [](const App& app) { return app.edited().vectors == VectorKind::embedding; }});
  add(list, {.id = "text counts",
             .text = TR("Use embedding"),
             .run =
                 [](App& app) {
                   set_vectors(app.edited(), VectorKind::embedding);
                   // If only one side changed, every cell would differ.
                   if (app.compares())
                     for (Inputs* side : {&app.inputs, &*app.compare})
                       set_vectors(*side, VectorKind::embedding);
                 },
             .enabled = text_has_no_effect});
  add(list, {.id = "cross",
             .text = input_field(&Inputs::key_sentence).label,
             .run = [](App& app) { set_cross(app.edited(), !app.edited().cross()); },
             .refused =
                 [](const App& app) {
                   const auto& source = app.trace()->source;
                   if (seeded(app) || app.edited().cross() || (source && source->reads_pairs()))
                     return std::string();
                   return std::string(app.tr("This model reads one sentence, and no pair as BERT does."));
                 },
             .checked = [](const App& app) { return app.edited().cross(); }});
}

void add_mask_actions(std::vector<Action>& list) {
  for (const MaskKindRow& row : mask_kinds())
    if (*row.label != '\0') add_mask(list, row);
  add(list, {.id = "mask none",
             .text = TR("No mask"),
             .run = [](App& app) { app.edited().mask.clear(); },
             .enabled = [](const App& app) { return !app.edited().mask.empty(); },
             .submenu = TR("Mask")});
  add_fill(list, "fill infinity", TR("Mask value −∞"), MaskFill::minus_infinity);
  add_fill(list, "fill 1e9", TR("Mask value −1e9"), MaskFill::minus_1e9);
}

}  // namespace

void add_input_actions(std::vector<Action>& list) {
  add_layer_actions(list);
  add_mask_actions(list);
  add_token_actions(list);
  add_painting_actions(list);
  add_switch(list, "scale", &Inputs::scale, nullptr);
  add_weights(list, "weights linear", TR("PyTorch Linear"), WeightKind::linear);
  add_weights(list, "weights xavier", TR("Xavier uniform"), WeightKind::xavier);
  add_weights(list, "weights normal", TR("Normal"), WeightKind::normal);
  add_weights(list, "weights identity", TR("Identity per head"), WeightKind::identity);
  add_weights(list, "weights similarity", TR("W_K = W_Q"), WeightKind::similarity);
  add_weights(list, "weights typed", TR("Typed in"), WeightKind::manual);
  list.back().enabled = [](const App& app) {
    return !seeded(app) || app.edited().d_model <= Limits::max_typed_d_model;
  };
  add_model_actions(list);
  add_switch(list, "share layers", &Inputs::share_layers, TR("Layer stack"));
  add_switch(list, "residual", &Inputs::residual, TR("Layer stack"));
  add_switch(list, "layer norm", &Inputs::layer_norm, TR("Layer stack"));
  add_switch(list, "feed forward", &Inputs::feed_forward, TR("Layer stack"));
}

}  // namespace headscope
