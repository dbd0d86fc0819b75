#include <algorithm>

#include "app/state/actions/actions.h"
#include "app/state/actions/adjust.h"
#include "app/state/app.h"
#include "app/state/document/brush.h"

namespace headscope {
namespace {

void add(std::vector<Action>& list, Action action) {
  action.group = ActionGroup::attention;
  action.submenu = TR("Painting");
  list.push_back(std::move(action));
}

bool brush_on(const App& app) {
  return app.state.brush.on;
}

std::shared_ptr<const BlockTrace> edited_block(const App& app) {
  return app.edits_b() ? app.other_block() : app.block();
}

bool has_cells(const App& app) {
  const auto block = edited_block(app);
  return block->layer_count() > 0 && same_cells(*block, app.edited());
}

void add_whole(std::vector<Action>& list, const char* id, const char* text,
               void (*change)(Inputs&, const BlockTrace&, int)) {
  add(list, {.id = id,
             .text = text,
             .run =
                 [change](App& app) {
                   const auto block = edited_block(app);
                   change(app.edited(), *block, brush_head(app.state, block->heads()));
                 },
             .enabled = has_cells});
}

void add_shape(std::vector<Action>& list, const char* id, const char* text, Brush::Shape shape) {
  add(list, {.id = id,
             .text = text,
             .run = [shape](App& app) { app.state.brush.shape = shape; },
             .enabled = brush_on,
             .checked = [shape](const App& app) { return app.state.brush.shape == shape; }});
}

void add_size(std::vector<Action>& list, const char* id, const char* text, Key key, int by) {
  add(list, {.id = id,
             .text = text,
             .keys = {{key, false, false}},
             .run =
                 [by](App& app) {
                   int& radius = app.state.brush.radius;
                   radius = std::clamp(radius + by, 0, Brush::largest_radius);
                 },
             .enabled = brush_on});
}

/// Adds a token to the list of a kind of mask, switching that kind on, or removes it.
void toggle_in(App& app, MaskKind kind, int token) {
  switch_part(app.edited(), kind, true);
  toggle_token(*find_part(app.edited(), kind), token);
}

bool has_cell(const App& app) {
  return app.state.focus().has_value() && has_cells(app);
}

}  // namespace

void add_painting_actions(std::vector<Action>& list) {
  add(list, {.id = "paint",
             .text = TR("Paint on maps"),
             .keys = {{Key::p, true, false}},
             .run =
                 [](App& app) {
                   app.state.brush.on = !app.state.brush.on;
                   // With the controls hidden nothing else would show it.
                   if (app.state.brush.on)
                     app.notices.info(TR(
                         "Painting the mask: drag over a map, with Shift for the opposite; Ctrl+P ends it"));
                 },
             .checked = brush_on});
  add(list, {.id = "brush frees",
             .text = TR("Brush unblocks"),
             .run = [](App& app) { app.state.brush.free = !app.state.brush.free; },
             .enabled = brush_on,
             .checked = [](const App& app) { return app.state.brush.free; }});
  add(list, {.id = "brush one head",
             .text = TR("Paint one head only"),
             .run = [](App& app) { app.state.brush.one_head = !app.state.brush.one_head; },
             .enabled = brush_on,
             .checked = [](const App& app) { return app.state.brush.one_head; }});
  add_shape(list, "brush cells", TR("Paint cells"), Brush::Shape::cell);
  add_shape(list, "brush rows", TR("Paint rows"), Brush::Shape::row);
  add_shape(list, "brush columns", TR("Paint columns"), Brush::Shape::column);
  add_shape(list, "brush diagonals", TR("Paint diagonals"), Brush::Shape::diagonal);
  add_size(list, "brush larger", TR("Larger brush"), Key::right_bracket, 1);
  add_size(list, "brush smaller", TR("Smaller brush"), Key::left_bracket, -1);
  add_whole(list, "painting clear", TR("Clear painting"), clear_painting);
  add_whole(list, "painting invert", TR("Invert painting"), invert_painting);
  add(list, {.id = "painting start",
             .text = TR("Start from current masks"),
             .run = [](App& app) { paint_present_masks(app.edited(), *edited_block(app)); },
             .enabled = has_cells});
}

void add_token_actions(std::vector<Action>& list) {
  const auto add_one = [&](const char* id, const char* text, MaskKind kind, int Cell::*token) {
    add(list, {.id = id,
               .text = text,
               .run = [kind, token](App& app) { toggle_in(app, kind, (*app.state.focus()).*token); },
               .enabled = has_cell});
    list.back().submenu = TR("Mask");
  };
  add_one("pad key", TR("Toggle padding for the cell's key"), MaskKind::padding, &Cell::key);
  add_one("global query", TR("Toggle global for the cell's query"), MaskKind::global, &Cell::query);
}

}  // namespace headscope
