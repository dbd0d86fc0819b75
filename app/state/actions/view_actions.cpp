#include <algorithm>

#include "app/state/actions/actions.h"
#include "app/state/actions/long_work.h"
#include "app/state/actions/present.h"
#include "app/state/app.h"
#include "app/state/document/adjust.h"
#include "app/state/lesson/play_lesson.h"
#include "app/state/view/available_views.h"
#include "app/state/view/color_range.h"
#include "app/state/view/navigation.h"
#include "app/state/view/panels.h"
#include "app/state/view/steps.h"
#include "core/analysis/long_part.h"
#include "core/scene/colormap_data.h"
#include "core/scene/head_table.h"
#include "core/scene/view_kinds.h"

namespace headscope {
namespace {

/// Shows a view; the steps are shown for the cell under the pointer.
void show_view(Workspace& work, ViewKind kind) {
  ViewState& state = work.state;
  if (view_kind(kind).has_steps && !state.lock && state.last_hover)
    lock_in(state, *work.block(), state.view.layer, *state.last_hover);
  state.view.kind = kind;
}

/// The first nine have the digits; 0 belongs to the size.
std::vector<Shortcut> keys_of_view(const ViewKindRow& row) {
  constexpr std::size_t digits = 9;
  if (row.whole) return {ctrl(Key::m)};
  if (place_of(row.value) >= digits) return {};
  return {ctrl(digit_key(static_cast<char>('1' + place_of(row.value))))};
}

void add_views(std::vector<Action>& list) {
  for (const ViewGroup group : view_groups) {
    ActionRows add(list, ActionGroup::view, view_group_name(group));
    for (const ViewKindRow& row : view_kinds) {
      if (row.group != group) continue;
      add(row.name, row.action, keys_of_view(row), [kind = row.value](App& app) { show_view(app, kind); })
          .refused_for([kind = row.value](const App& app) {
            const char* const why = why_no_view(app, kind);
            return std::string(why == nullptr ? "" : app.tr(why));
          })
          .checked_if([kind = row.value](const App& app) { return app.state.view.kind == kind; });
    }
  }
}

void add_orders(std::vector<Action>& list) {
  ActionRows add(list, ActionGroup::view, TR("Sort heads by"));
  for (const HeadSortName& name : head_sort_names())
    add(std::string("sort ") + name.by, name.title, [by = name.by](App& app) {
      app.state.view.sort.by = by;
    }).checked_if([by = name.by](const App& app) {
        return app.state.view.sort.by == by;
      }).enabled_if([column = name.column](const App& app) {
      return column == nullptr || has_column(*app.block(), *column);
    });
}

void add_colors(std::vector<Action>& list) {
  ActionRows colors(list, ActionGroup::view, TR("Colours"));
  for (const ColormapRow& row : colormaps())
    colors(row.name, row.name, [map = row.value](App& app) {
      app.state.view.colormap = map;
    }).checked_if([map = row.value](const App& app) { return app.state.view.colormap == map; });
  ActionRows ranges(list, ActionGroup::view, TR("Range"));
  for (const EnumName<Range>& name : enum_names(Range{})) {
    if (name.label == nullptr) continue;  // an alias
    const Range range = name.value;
    ranges(std::string("range ") + name.name, name.label, [range](App& app) {
      const auto shown = app.shown();
      set_range(app.state, range, drawn_ranges(app.view_cache, app.scene(shown->block), *shown));
    }).checked_if([range](const App& app) { return app.state.view.range.kind == range; });
  }
  ranges("rescale", TR("Rescale colours"), [](App& app) {
    rescale(app.state);
  }).enabled_if([](const App& app) { return app.state.view.range.holds(); });
  ActionRows add(list, ActionGroup::view);
  add("numbers", TR("Numbers in cells"), [](App& app) {
    Numbers& numbers = app.state.view.numbers;
    numbers = numbers == Numbers::off ? Numbers::automatic : Numbers::off;
  }).checked_if([](const App& app) { return app.state.view.numbers != Numbers::off; });
}

int present_head(const Workspace& work) {
  const auto block = work.block();
  return present_head(work.state, block->heads_of(std::min(work.state.view.layer, block->shape.layers - 1)));
}

void step_head(Workspace& work, int by) {
  show_head(work.state, neighbour_head(work.scene(work.block()).heads, present_head(work), by));
}

void step_layer(Workspace& work, int by) {
  change_layer(work.state, by, *work.block());
}

void zoom(Workspace& work, double by) {
  const auto shown = work.shown();
  zoom_about(work.state.view.zoom, by, 0.5, 0.5, zoomed_rows(*shown), zoomed_columns(*shown));
}

bool one_head(const Workspace& work) {
  return work.state.view.row().zooms && work.block()->n_q() > 0 && work.block()->n_k() > 0;
}

bool compares(const OpenSession& open) {
  return open.compares();
}

bool has_cell(const Workspace& work) {
  return work.state.focus(*work.block()).has_value();
}

void add_heads(std::vector<Action>& list) {
  ActionRows add(list, ActionGroup::view, TR("Head and layer"));
  add.separate();
  add("next head", TR("Next head"), [](App& app) { step_head(app, 1); });
  add("head before", TR("Previous head"), [](App& app) { step_head(app, -1); });
  add("next layer", TR("Next layer"), [](App& app) { step_layer(app, 1); });
  add("layer before", TR("Previous layer"), [](App& app) { step_layer(app, -1); });
  add("name head", TR("Edit head name and colour…"), {plain(Key::f2)},
      [](App& app) { app.dialogs.open_head_label(app.state.view.layer, present_head(app)); });
  add("hide head", TR("Show or hide this head"),
      [](App& app) { toggle_head(app.state.view.hidden_heads, app.block()->heads(), present_head(app)); });
  add("head alone", TR("Show only this head, or all"), [](App& app) {
    show_head_alone(app.state.view.hidden_heads, app.block()->heads(), present_head(app));
  });
  add.separate();
  const auto change = [](int by) {
    return [by](App& app) { change_groups(app.state.view.table, by, head_count(*app.block())); };
  };
  add("more groups", TR("More groups"), change(1));
  add("fewer groups", TR("Fewer groups"), change(-1));
  add.separate();
  add("zoom in", TR("Zoom in"), [](App& app) { zoom(app, 1.25); }).enabled_if(one_head);
  add("zoom out", TR("Zoom out"), [](App& app) { zoom(app, 0.8); }).enabled_if(one_head);
  add("whole map", TR("Reset zoom"), [](App& app) { app.state.view.zoom = Zoom{}; }).enabled_if(one_head);
}

void add_filter(std::vector<Action>& list) {
  ActionRows add(list, ActionGroup::view, TR("Tokens shown"));
  add("words", TR("Pieces as words"), [](App& app) { show_words(app.state, !app.state.view.words); })
      .refused_for([](const App& app) {
        const char* const why = why_no_pieces(app.inputs);
        return std::string(why == nullptr ? "" : app.tr(why));
      })
      .checked_if([](const App& app) { return app.state.view.words; });
  add.separate();
  add("hide query", TR("Hide this cell's query"), [](App& app) {
    show_token(app.state.view.filter.hidden_queries, app.state.focus(*app.block())->query, app.block()->n_q(),
               false);
  }).enabled_if(has_cell);
  add("hide key", TR("Hide this cell's key"), [](App& app) {
    show_token(app.state.view.filter.hidden_keys, app.state.focus(*app.block())->key, app.block()->n_k(),
               false);
  }).enabled_if(has_cell);
  add("renormalize", TR("Renormalize rows"), [](App& app) {
    app.state.view.filter.renormalize = !app.state.view.filter.renormalize;
  }).checked_if([](const App& app) { return app.state.view.filter.renormalize; });
  add("show all", TR("Show all tokens and weights"), [](App& app) {
    app.state.view.filter = Filter{};
  }).enabled_if([](const App& app) { return app.state.view.filter.on(); });
}

void add_comparison(std::vector<Action>& list) {
  ActionRows add(list, ActionGroup::view, TR("Comparison"));
  add("edit b", TR("Edit B with the sentence and controls"),
      [](App& app) { app.state.edits = other(app.state.edits); })
      .enabled_if(compares)
      .checked_if([](const App& app) { return app.edited_side() == Side::b; });
  add("copy to b", TR("Copy A to B"), [](App& app) {
    app.compare = app.inputs;
    // Two identical whole models have nothing to compare.
    if (!app.state.view.row().compares) end_comparison(app.state, app.compare);
  }).enabled_if(compares);
  add("swap", TR("Swap A and B"), [](App& app) { std::swap(app.inputs, *app.compare); }).enabled_if(compares);
  add("end comparison", TR("End comparison"), [](App& app) {
    end_comparison(app.state, app.compare);
  }).enabled_if([](const App& app) { return app.compare.has_value(); });
  add("all differences", TR("List differences of all heads"),
      [](App& app) { app.state.differences_of_all = !app.state.differences_of_all; })
      .enabled_if(compares)
      .checked_if([](const App& app) { return app.state.differences_of_all; });
}

bool by_page_keys(const App& app) {
  const auto& keyboard = app.input.keyboard;
  return keyboard.goes_down(Key::page_down) || keyboard.goes_down(Key::page_up);
}

/// Whether the keys control the steps: not while keys navigate the items of another panel. The bar above the
/// view does not use the page keys.
bool has_steps(const App& app) {
  const bool in_bar = app.state.panel == Panel::bar && by_page_keys(app);
  const bool elsewhere =
      app.state.panel == Panel::lesson || (app.input.by_keys && app.state.panel_before != Panel::maps &&
                                           app.state.panel != Panel::maps && !in_bar);
  return app.state.view.row().has_steps && !elsewhere;
}

/// While the brush is on, Space paints.
bool paints(const App& app) {
  return app.state.brush.on && app.input.keyboard.goes_down(Key::space);
}

/// A lesson's step sets the stage: Page Up and Page Down turn the lesson's pages, whatever was changed; Space
/// advances through the stages.
bool turns_pages(const App& app) {
  return app.lesson.playing() && by_page_keys(app);
}

std::vector<std::string> steps_in_view(Workspace& work) {
  return steps_of(work.scene(work.block()));
}

void step(App& app, int by) {
  if (paints(app)) return;
  // Forwards, content taller than the view is scrolled to its end first. Backwards, the previous step is
  // shown at once; and where the lesson shows part of a page, its own page turns.
  const bool page = app.state.view.steps.page == StepsPage::cost, turns = turns_pages(app);
  const bool reads = (by > 0 || page) && !(turns && page);
  if (reads && scroll_step(app.state, by)) return;
  if (turns) {
    turn_lesson(app, by);
    return;
  }
  const std::vector<std::string> steps = steps_in_view(app);
  const std::size_t before = steps.empty() ? 0 : present_step(app.state.view.steps, steps);
  change_step(app.state, steps, by);
  if (by_page_keys(app) && app.state.panel == Panel::bar) {
    app.state.panel_wanted = Panel::maps;
    app.state.panel_muted = true;
  }
  // Past the last and the first step, continue with the lesson.
  const bool moved = !steps.empty() && present_step(app.state.view.steps, steps) != before;
  if (!moved) step_lesson(app, by);
}

void add_steps(std::vector<Action>& list) {
  ActionRows add(list, ActionGroup::view, TR("Steps of the arithmetic"));
  add("next step", TR("Next step"), {plain(Key::space), plain(Key::page_down)}, [](App& app) {
    step(app, 1);
  }).enabled_if(has_steps);
  add("step before", TR("Previous step"), {shift(Key::space), plain(Key::page_up)}, [](App& app) {
    step(app, -1);
  }).enabled_if(has_steps);
  add("first step", TR("First step"), {plain(Key::home)}, [](App& app) {
    const std::vector<std::string> steps = steps_in_view(app);
    change_step(app.state, steps, -static_cast<int>(steps.size()));
  }).enabled_if(has_steps);
  add("play steps", TR("Play steps"),
      [](App& app) { play_steps(app.state, steps_in_view(app), app.input.now); })
      .enabled_if(has_steps)
      .checked_if([](const App& app) { return app.state.next_step.has_value(); });
}

void add_panels(std::vector<Action>& list) {
  ActionRows add(list, ActionGroup::view, TR("Panels"));
  const auto add_switch = [&](const char* id, const char* text, Shortcut key, Panel panel) {
    add(id, text, {key}, [panel](App& app) { toggle_panel(app, panel); }).checked_if([panel](const App& app) {
      return is_visible(app, panel);
    });
  };
  add.separate();
  add_switch("controls", TR("Controls"), plain(Key::f7), Panel::controls);
  add_switch("show sentence", TR("Sentence"), plain(Key::f8), Panel::sentence);
  add_switch("inspector", TR("Inspector"), ctrl(Key::i), Panel::inspector);
  add("maps alone", TR("Maps only"), {plain(Key::f9)}, [](App& app) {
    app.settings.maps_alone = !app.settings.maps_alone;
  }).checked_if([](const App& app) { return app.settings.maps_alone; });
  add.separate();
  add("next panel", TR("Next panel"), {plain(Key::f6)}, [](App& app) { step_panel(app, 1); });
  add("panel before", TR("Previous panel"), {shift(Key::f6)}, [](App& app) { step_panel(app, -1); });
  add("go controls", TR("Go to controls"), [](App& app) { go_to_panel(app, Panel::controls); });
  add("go tokens", TR("Go to tokens"),
      [](App& app) { go_to_panel(app, panels_of_side(app.edited_side()).tokens); });
  add("go maps", TR("Go to maps"), [](App& app) { go_to_panel(app, Panel::maps); });
  add("map menu", TR("Menu of the map"), {shift(Key::f10), plain(Key::menu)}, [](App& app) {
    app.state.map_menu_wanted = true;
  }).enabled_if([](const App& app) { return app.state.panel == Panel::maps && app.block()->n_q() > 0; });
  add("menus", TR("Open menus"), {plain(Key::f10)}, [](App& app) { app.open_menus = true; });
}

void resize_text(Workspace& work, int by) {
  const int size = static_cast<int>(work.settings.text_size) + by;
  work.settings.text_size = static_cast<TextSize>(std::clamp(size, 0, static_cast<int>(TextSize::projector)));
}

void reset_size(Workspace& work) {
  work.settings.text_size = TextSize::regular;
  work.state.view.zoom = Zoom{};
  // The key showed the whole model before.
  const ViewKindRow& whole = *std::ranges::find_if(view_kinds, &ViewKindRow::whole);
  if (why_no_view(work, whole.value) == nullptr)
    work.notices.info(TR("Zoom and text have their usual size; “{}” is Ctrl+M now"),
                      Notice::Term{whole.action});
}

/// Esc undoes one thing at a time: dialogs close by themselves; then keyboard focus returns from another
/// panel; then the lock is released; then the large head closes.
void step_back(App& app) {
  const bool in_maps = app.state.panel_before == Panel::maps;
  if (app.presentation.on) {
    if (edge_of(app.state.panel_before) == Edge::none || !app.input.by_keys) return end_presentation(app);
    return go_to_panel(app, Panel::maps);
  }
  if (overlays_view(app, app.state.panel_over)) return leave_panel_over(app);
  if (!in_maps && app.input.by_keys) return go_to_panel(app, Panel::maps);
  if (in_maps) {
    go_to_panel(app, Panel::maps);
    app.state.panel_muted = !app.input.by_keys;
  }
  const ViewKindRow& view = app.state.view.row();
  // The steps keep a locked cell as long as they are shown.
  if (view.has_steps && app.state.view.steps.page == StepsPage::cell)
    close_head(app.state);
  else if (app.state.lock || (app.state.other_lock && app.compares()))
    unlock(app.state);
  else if (long_work(app))
    stop_work(app);
  else if (view.whole)
    show_side(app.state, Side::a);
  else if (view.arranges && app.state.from_model)
    app.state.view.kind = ViewKind::model;
  else if (app.state.view.head && !view.zooms && !view.compares)
    app.state.view.head.reset();
  else
    close_head(app.state);
}

void add_appearance(std::vector<Action>& list) {
  ActionRows size(list, ActionGroup::view, TR("Text size"));
  size.separate();
  size("larger", TR("Larger text"), {ctrl(Key::equal)}, [](App& app) {
    resize_text(app, 1);
  }).enabled_if([](const App& app) { return app.settings.text_size != TextSize::projector; });
  size("smaller", TR("Smaller text"), {ctrl(Key::minus)}, [](App& app) {
    resize_text(app, -1);
  }).enabled_if([](const App& app) { return app.settings.text_size != TextSize::smallest; });
  size("reset size", TR("Reset zoom and text size"), {ctrl(Key::digit_0)}, reset_size);
  ActionRows add(list, ActionGroup::view);
  add("theme", TR("Dark theme"), {ctrl(Key::d)}, [](App& app) {
    app.set_theme(app.settings.theme == Theme::dark ? Theme::light : Theme::dark);
  }).checked_if([](const App& app) { return app.settings.theme == Theme::dark; });
  ActionRows language(list, ActionGroup::view, TR("Language"));
  language("language", TR("Next language"), {ctrl_shift(Key::l)},
           [](App& app) { app.set_language(next_language(app.language())); });
  for (const LanguageRow& row : languages())
    language("language " + std::string(row.code), row.english_name, [one = row.language](App& app) {
      app.set_language(one);
    }).checked_if([one = row.language](const App& app) { return app.language() == one; });
}

void add_work(std::vector<Action>& list) {
  ActionRows add(list, ActionGroup::view);
  add.separate();
  add("stop", TR("Stop computing"), stop_work).enabled_if([](const App& app) { return is_busy(app); });
  add("run again", TR("Run again"), run_again).enabled_if([](const App& app) {
    return idle_work(app) != Idle::none;
  });
  add("back", TR("Unlock cell, or go back"), {plain(Key::escape)}, step_back);
}

}  // namespace

void add_view_actions(std::vector<Action>& list) {
  add_views(list);
  add_heads(list);
  add_orders(list);
  add_colors(list);
  add_filter(list);
  add_comparison(list);
  add_steps(list);
  add_panels(list);
  add_present_actions(list);
  add_appearance(list);
  add_work(list);
}

}  // namespace headscope
