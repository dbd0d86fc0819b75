#include "app/state/actions/actions.h"
#include "app/state/actions/adjust.h"
#include "app/state/actions/navigation.h"
#include "app/state/app.h"
#include "app/state/view/panel_order.h"
#include "core/analysis/long_part.h"
#include "core/source/source.h"

namespace headscope {
namespace {

void add(std::vector<Action>& list, const char* submenu, Action action) {
  action.group = ActionGroup::view;
  action.submenu = submenu;
  list.push_back(std::move(action));
}

int present_head(const App& app) {
  return present_head(app.state, app.block()->heads());
}

void step_head(App& app, int by) {
  show_head(app.state, neighbour_head(app.scene(app.block()).heads, present_head(app), by));
}

void step_layer(App& app, int by) {
  change_layer(app.state, by, *app.block());
}

void zoom(App& app, double by) {
  const auto shown = app.shown();
  zoom_about(app.state.view.zoom, by, 0.5, 0.5, zoomed_rows(*shown), zoomed_columns(*shown));
}

bool one_head(const App& app) {
  return app.state.view.kind == ViewKind::head && app.block()->n_q() > 0 && app.block()->n_k() > 0;
}

bool compares(const App& app) {
  return app.compares();
}

bool has_cell(const App& app) {
  return app.state.focus().has_value();
}

void add_head_actions(std::vector<Action>& list) {
  const char* menu = TR("Head and layer");
  add(list, menu, {.id = "next head", .text = TR("Next head"), .run = [](App& app) { step_head(app, 1); }});
  add(list, menu,
      {.id = "head before", .text = TR("Previous head"), .run = [](App& app) { step_head(app, -1); }});
  add(list, menu,
      {.id = "next layer", .text = TR("Next layer"), .run = [](App& app) { step_layer(app, 1); }});
  add(list, menu,
      {.id = "layer before", .text = TR("Previous layer"), .run = [](App& app) { step_layer(app, -1); }});
  add(list, menu,
      {.id = "name head",
       .text = TR("Edit head name and colour…"),
       .keys = {{Key::f2, false, false}},
       .run = [](App& app) { app.dialogs.open_head_label(app.state.view.layer, present_head(app)); }});
  add(list, menu, {.id = "hide head", .text = TR("Show or hide this head"), .run = [](App& app) {
                     toggle_head(app.state.view.hidden_heads, app.block()->heads(), present_head(app));
                   }});
  add(list, menu, {.id = "head alone", .text = TR("Show only this head, or all"), .run = [](App& app) {
                     show_head_alone(app.state.view.hidden_heads, app.block()->heads(), present_head(app));
                   }});
  add(list, menu,
      {.id = "zoom in",
       .text = TR("Zoom in"),
       .run = [](App& app) { zoom(app, 1.25); },
       .enabled = one_head});
  add(list, menu,
      {.id = "zoom out",
       .text = TR("Zoom out"),
       .run = [](App& app) { zoom(app, 0.8); },
       .enabled = one_head});
  add(list, menu,
      {.id = "whole map",
       .text = TR("Reset zoom"),
       .run = [](App& app) { app.state.view.zoom = Zoom{}; },
       .enabled = one_head});
}

void add_filter_actions(std::vector<Action>& list) {
  const char* menu = TR("Tokens shown");
  add(list, menu,
      {.id = "hide query",
       .text = TR("Hide this cell's query"),
       .run =
           [](App& app) {
             show_token(app.state.view.filter.hidden_queries, app.state.focus()->query, app.block()->n_q(),
                        false);
           },
       .enabled = has_cell});
  add(list, menu,
      {.id = "hide key",
       .text = TR("Hide this cell's key"),
       .run =
           [](App& app) {
             show_token(app.state.view.filter.hidden_keys, app.state.focus()->key, app.block()->n_k(), false);
           },
       .enabled = has_cell});
  add(list, menu,
      {.id = "renormalize",
       .text = TR("Renormalize rows"),
       .run = [](App& app) { app.state.view.filter.renormalize = !app.state.view.filter.renormalize; },
       .checked = [](const App& app) { return app.state.view.filter.renormalize; }});
  add(list, menu,
      {.id = "show all",
       .text = TR("Show all tokens and weights"),
       .run = [](App& app) { app.state.view.filter = Filter{}; },
       .enabled = [](const App& app) { return app.state.view.filter.on(); }});
}

void add_compare_actions(std::vector<Action>& list) {
  const char* menu = TR("Comparison");
  add(list, menu,
      {.id = "edit b",
       .text = TR("Edit B with the sentence and controls"),
       .run = [](App& app) { app.state.edit_b = !app.state.edit_b; },
       .enabled = compares,
       .checked = [](const App& app) { return app.edits_b(); }});
  add(list, menu,
      {.id = "copy to b",
       .text = TR("Copy A to B"),
       .run =
           [](App& app) {
             copy_a_to_b(app.inputs, app.compare);
             // Two identical whole models have nothing to compare.
             if (app.state.view.kind != ViewKind::compare) end_comparison(app.state, app.compare);
           },
       .enabled = compares});
  add(list, menu,
      {.id = "swap",
       .text = TR("Swap A and B"),
       .run = [](App& app) { swap_sides(app.inputs, app.compare); },
       .enabled = compares});
  add(list, menu,
      {.id = "end comparison",
       .text = TR("End comparison"),
       .run = [](App& app) { end_comparison(app.state, app.compare); },
       .enabled = [](const App& app) { return app.compare.has_value(); }});
  add(list, menu,
      {.id = "all differences",
       .text = TR("List differences of all heads"),
       .run = [](App& app) { app.state.differences_of_all = !app.state.differences_of_all; },
       .enabled = compares,
       .checked = [](const App& app) { return app.state.differences_of_all; }});
}

}  // namespace

void add_look_at_actions(std::vector<Action>& list) {
  add_head_actions(list);
  add_filter_actions(list);
  add_compare_actions(list);
}

void add_panel_actions(std::vector<Action>& list) {
  const char* menu = TR("Go to");
  add(list, menu,
      {.id = "next panel", .text = TR("Next panel"), .keys = {{Key::f6, false, false}}, .run = [](App& app) {
         step_panel(app, 1);
       }});
  add(list, menu,
      {.id = "panel before",
       .text = TR("Previous panel"),
       .keys = {{Key::f6, false, true}},
       .run = [](App& app) { step_panel(app, -1); }});
  add(list, menu, {.id = "go controls", .text = TR("Go to controls"), .run = [](App& app) {
                     go_to_panel(app, Panel::controls);
                   }});
  add(list, menu, {.id = "go tokens", .text = TR("Go to tokens"), .run = [](App& app) {
                     go_to_panel(app, panels_of_side(app.edits_b()).tokens);
                   }});
  add(list, menu,
      {.id = "go maps", .text = TR("Go to maps"), .run = [](App& app) { go_to_panel(app, Panel::maps); }});
  add(list, menu,
      {.id = "map menu",
       .text = TR("Menu of the map"),
       .keys = {{Key::f10, false, true}, {Key::menu, false, false}},
       .run = [](App& app) { app.state.map_menu_wanted = true; },
       .enabled = [](const App& app) { return app.state.panel == Panel::maps && app.block()->n_q() > 0; }});
  add(list, menu,
      {.id = "menus", .text = TR("Open menus"), .keys = {{Key::f10, false, false}}, .run = [](App& app) {
         app.open_menus = true;
       }});
}

}  // namespace headscope
