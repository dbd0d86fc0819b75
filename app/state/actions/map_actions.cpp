#include "app/state/actions/map_actions.h"

#include "app/state/actions/ablated_heads.h"
#include "app/state/actions/copy_actions.h"
#include "app/state/app.h"
#include "app/state/document/adjust.h"
#include "app/state/view/navigation.h"

namespace headscope {
namespace {

/// Adds one of the application's actions unchanged.
void add_known(std::vector<Action>& list, const App& app, const char* id, bool separator = false) {
  const Action* known = find_action(app, id);
  if (known == nullptr) return;
  list.push_back(*known);
  list.back().separator = separator;
  list.back().submenu = nullptr;
}

/// Adds an action with the same text and keys, but for another map or cell than the one the keys act on.
void add_like(std::vector<Action>& list, const App& app, const char* id, std::function<void(App&)> run) {
  const std::size_t before = list.size();
  add_known(list, app, id);
  if (list.size() == before) return;
  list.back().enabled = nullptr;
  list.back().run = std::move(run);
}

void add_copies(std::vector<Action>& list, const App& app, const MapPlace& map) {
  add_known(list, app, "copy picture");
  if (map.cell)
    add_like(list, app, "copy cell", [map](App& a) { copy_cell(a, map.layer, *map.cell, map.side); });
  if (map.cell)
    add_like(list, app, "copy row", [map](App& a) { copy_row(a, map.layer, *map.cell, map.side); });
  add_like(list, app, "copy head", [map](App& a) { copy_head(a, map.layer, map.head, map.side); });
  add_known(list, app, "export", true);
}

void add_head_actions(std::vector<Action>& list, const OpenSession& open, const MapPlace& map) {
  ActionRows add(list, ActionGroup::file);
  add.separate();
  add("open head", TR("Open this head"), [map](App& a) {
    open_head(a.state, map.layer, map.head);
  }).enabled_if([](const App& a) { return !a.state.view.row().zooms; });
  const bool is_hidden = open.state.view.hidden_heads.contains(map.head);
  add("hide head", is_hidden ? TR("Show this head") : TR("Hide this head"), [map](App& a) {
    toggle_head(a.state.view.hidden_heads, a.block()->heads(), map.head);
  }).enabled_if([map](const App& a) {
    const std::set<int>& hidden = a.state.view.hidden_heads;
    if (a.state.view.row().compares) return false;  // it shows one head, whatever is hidden
    return hidden.contains(map.head) || static_cast<int>(hidden.size()) + 1 < a.block()->heads();
  });
  add("head alone", TR("Show only this head, or all"),
      [map](App& a) { show_head_alone(a.state.view.hidden_heads, a.block()->heads(), map.head); });
  add("name head", TR("Edit head name and colour…"),
      [map](App& a) { a.dialogs.open_head_label(map.layer, map.head); });
}

void add_lock(std::vector<Action>& list, const Workspace& work, const MapPlace& map) {
  if (!map.place && !map.lock) return;
  const bool locked =
      map.place ? work.state.other_lock == map.place : work.state.lock_in(*work.block()) == map.lock;
  ActionRows add(list, ActionGroup::file);
  add.separate();
  add("lock", locked ? TR("Unlock cell") : TR("Lock cell"), [map, locked](App& a) {
    unlock(a.state);
    if (locked) return;
    if (map.place)
      a.state.other_lock = map.place;
    else
      lock_in(a.state, *a.block(), map.layer, *map.lock);
  });
}

void add_to_grid(std::vector<Action>& list, const MapPlace& map) {
  ActionRows add(list, ActionGroup::file);
  if (!list.empty()) add.separate();
  add("open grid", TR("Show grid of its heads"), [map](App& a) {
    a.state.view.layer = map.layer;
    enter_grid(a.state);
  });
}

/// The mean over a layer's heads has no numbers to copy: only a head does.
std::vector<Action> layer_actions(const App& app, const MapPlace& map) {
  std::vector<Action> list;
  add_to_grid(list, map);
  add_known(list, app, "copy picture", true);
  add_known(list, app, "export");
  add_lock(list, app, map);
  for (Action& action : layer_off_actions(app, map.layer)) list.push_back(std::move(action));
  return list;
}

void keep_as_b(Workspace& work) {
  work.compare = work.inputs;
  work.notices.info(TR("The inputs are now B of the comparison"));
}

}  // namespace

std::vector<Action> map_actions(const App& app, const MapPlace& map) {
  if (map.of_layer) return layer_actions(app, map);
  std::vector<Action> list;
  if (map.to_grid) add_to_grid(list, map);
  add_copies(list, app, map);
  add_head_actions(list, app, map);
  add_lock(list, app, map);
  for (Action& action : ablation_actions(app, map.layer, map.head)) list.push_back(std::move(action));
  ActionRows(list, ActionGroup::file)("use as b", TR("Use these inputs as B"), keep_as_b)
      .enabled_if([map](const App&) { return map.side == Side::a; });
  return list;
}

}  // namespace headscope
