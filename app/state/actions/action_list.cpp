#include <algorithm>

#include "app/state/actions/actions.h"
#include "app/state/actions/navigation.h"
#include "app/state/app.h"
#include "app/state/jobs/long_work.h"
#include "app/state/view/color_range.h"
#include "app/state/view/panel_fit.h"
#include "app/state/view/panel_order.h"
#include "core/model/built_in_models.h"
#include "core/scene/colormap_data.h"
#include "core/scene/view_kinds.h"

namespace headscope {
namespace {

constexpr Shortcut ctrl(Key key) {
  return {key, true, false};
}
constexpr Shortcut ctrl_shift(Key key) {
  return {key, true, true};
}
constexpr Shortcut plain(Key key) {
  return {key, false, false};
}

void resize_text(App& app, int by) {
  const int size = std::clamp(static_cast<int>(app.settings.text_size) + by, 0, 2);
  app.settings.text_size = static_cast<TextSize>(size);
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
  // The steps keep a locked cell as long as they are shown.
  if (app.state.view.kind == ViewKind::steps && app.state.view.page == StepsPage::cell)
    close_head(app.state);
  else if (app.state.lock || (app.state.other_lock && app.compares()))
    unlock(app.state);
  else if (long_work(app))
    stop_work(app);
  else if (app.state.view.kind == ViewKind::model)
    app.state.view.of_b = app.state.edit_b = false;
  else if (app.state.view.kind == ViewKind::grid && app.state.from_model)
    app.state.view.kind = ViewKind::model;
  else if (app.state.view.head && app.state.view.kind != ViewKind::head &&
           app.state.view.kind != ViewKind::compare)
    app.state.view.head.reset();
  else
    close_head(app.state);
}

void edit_sentence(App& app) {
  const Panel panel = panels_of_side(app.edits_b()).sentence;
  const bool editing = app.state.panel == panel && app.input.text_focus;
  if (!editing) go_to_panel(app, panel);
}

void add_built_in_models(std::vector<Action>& list) {
  for (const BuiltInModel& model : built_in_models())
    list.push_back({.id = std::string("model ") + model.name,
                    .text = model.title,
                    .run = [name = model.name](App& app) { open_model(app, name); },
                    .refused = [name = model.name](const App& app) { return not_installed(app, name); },
                    .checked = [name = model.name](const App& app) { return app.edited().model == name; },
                    .submenu = TR("Built-in models")});
  list.push_back({.id = "model card",
                  .text = TR("Model card"),
                  .run =
                      [](App& app) {
                        try {
                          app.dialogs.card = read_card(ModelCard::Of::models, app.tr.language());
                        } catch (const Error& error) {
                          app.notices.error(Notice::About::opening, error);
                        }
                      },
                  .submenu = TR("Built-in models")});
}

void add_file_actions(std::vector<Action>& list) {
  list.push_back({.id = "new", .text = TR("New session"), .keys = {ctrl(Key::n)}, .run = [](App& app) {
                    command_new(app);
                  }});
  list.push_back({.id = "open", .text = TR("Open…"), .keys = {ctrl(Key::o)}, .run = [](App& app) {
                    command_open(app);
                  }});
  list.push_back({.id = "open model", .text = TR("Open model…"), .run = command_open_model});
  add_built_in_models(list);
  list.push_back({.id = "open capture", .text = TR("Open capture…"), .run = command_open_capture});
  list.push_back(
      {.id = "save", .text = TR("Save"), .keys = {ctrl(Key::s)}, .run = [](App& app) { command_save(app); }});
  list.push_back({.id = "save as", .text = TR("Save as…"), .keys = {ctrl_shift(Key::s)}, .run = [](App& app) {
                    command_save_as(app);
                  }});
  list.push_back({.id = "export",
                  .text = TR("Export figure…"),
                  .group = ActionGroup::file,
                  .keys = {ctrl(Key::e)},
                  .run = [](App& app) { open_export(app, ExportDialog::What::figure); }});
  list.push_back(
      {.id = "export arrays", .text = TR("Export arrays…"), .group = ActionGroup::file, .run = [](App& app) {
         open_export(app, ExportDialog::What::arrays);
       }});
  list.push_back({.id = "export heads",
                  .text = TR("Export table of heads…"),
                  .group = ActionGroup::file,
                  .run = [](App& app) { open_export(app, ExportDialog::What::heads); }});
  add_handout_actions(list);
  list.push_back({.id = "quit",
                  .text = TR("Quit"),
                  .group = ActionGroup::file,
                  .keys = {ctrl(Key::q)},
                  .run = command_quit,
                  .separator = true});
}

void add_edit_actions(std::vector<Action>& list) {
  list.push_back({.id = "undo",
                  .text = TR("Undo"),
                  .group = ActionGroup::edit,
                  .keys = {ctrl(Key::z)},
                  .run = undo,
                  .enabled = [](const App& app) { return app.undo.history.can_undo(); }});
  list.push_back({.id = "redo",
                  .text = TR("Redo"),
                  .group = ActionGroup::edit,
                  .keys = {ctrl_shift(Key::z), ctrl(Key::y)},
                  .run = redo,
                  .enabled = [](const App& app) { return app.undo.history.can_redo(); }});
  list.push_back({.id = "notebook",
                  .text = TR("Restore notebook defaults"),
                  .group = ActionGroup::edit,
                  .keys = {ctrl_shift(Key::n)},
                  .run = return_to_notebook,
                  .separator = true});
  list.push_back({.id = "sentence",
                  .text = TR("Edit sentence"),
                  .group = ActionGroup::edit,
                  .keys = {ctrl(Key::l)},
                  .run = edit_sentence});
  const auto found = [](const App& app) { return !app.state.search.places().empty(); };
  list.push_back({.id = "find",
                  .text = TR("Find tokens"),
                  .group = ActionGroup::edit,
                  .keys = {ctrl(Key::f)},
                  .run = open_search,
                  .separator = true});
  list.push_back({.id = "find next",
                  .text = TR("Find next"),
                  .group = ActionGroup::edit,
                  .keys = {plain(Key::f3)},
                  .run = [](App& app) { go_to_place(app, 1); },
                  .enabled = found});
  list.push_back({.id = "find previous",
                  .text = TR("Find previous"),
                  .group = ActionGroup::edit,
                  .keys = {{Key::f3, false, true}},
                  .run = [](App& app) { go_to_place(app, -1); },
                  .enabled = found});
}

void add_kind(std::vector<Action>& list, const ViewKindRow& row) {
  const auto digit = static_cast<char>('0' + (static_cast<int>(row.value) + 1) % 10);
  list.push_back({.id = row.name,
                  .text = row.action,
                  .group = ActionGroup::view,
                  .keys = {ctrl(digit_key(digit))},
                  .run =
                      [kind = row.value](App& app) {
                        // The steps are shown for the cell under the pointer.
                        if (kind == ViewKind::steps && !app.state.lock) app.state.lock = app.state.last_hover;
                        app.state.view.kind = kind;
                      },
                  .checked = [kind = row.value](const App& app) { return app.state.view.kind == kind; }});
}

void add_colormap(std::vector<Action>& list, const ColormapRow& row) {
  list.push_back({.id = row.name,
                  .text = row.name,
                  .group = ActionGroup::view,
                  .run = [map = row.value](App& app) { app.state.view.colormap = map; },
                  .checked = [map = row.value](const App& app) { return app.state.view.colormap == map; },
                  .submenu = TR("Colours")});
}

void add_range(std::vector<Action>& list, const char* id, const char* text, Range range) {
  list.push_back({.id = id,
                  .text = text,
                  .group = ActionGroup::view,
                  .run =
                      [range](App& app) {
                        const auto shown = app.shown();
                        set_range(app.state, range,
                                  drawn_ranges(app.view_cache, app.scene(shown->block), *shown));
                      },
                  .checked = [range](const App& app) { return app.state.view.range == range; },
                  .submenu = TR("Range")});
}

void add_groups(std::vector<Action>& list, const char* id, const char* text, int by) {
  list.push_back({.id = id,
                  .text = text,
                  .group = ActionGroup::view,
                  .run = [by](App& app) { change_groups(app.state.view, by, head_count(*app.block())); },
                  .submenu = TR("Groups")});
}

void add_look_actions(std::vector<Action>& list) {
  list.push_back({.id = "larger",
                  .text = TR("Larger text"),
                  .group = ActionGroup::view,
                  .keys = {ctrl(Key::equal)},
                  .run = [](App& app) { resize_text(app, 1); },
                  .enabled = [](const App& app) { return app.settings.text_size != TextSize::projector; },
                  .separator = true});
  list.push_back({.id = "smaller",
                  .text = TR("Smaller text"),
                  .group = ActionGroup::view,
                  .keys = {ctrl(Key::minus)},
                  .run = [](App& app) { resize_text(app, -1); },
                  .enabled = [](const App& app) { return app.settings.text_size != TextSize::regular; }});
  list.push_back(
      {.id = "theme",
       .text = TR("Dark theme"),
       .group = ActionGroup::view,
       .keys = {ctrl(Key::d)},
       .run = [](App& app) { app.set_theme(app.settings.theme == Theme::dark ? Theme::light : Theme::dark); },
       .checked = [](const App& app) { return app.settings.theme == Theme::dark; }});
  list.push_back({.id = "language",
                  .text = TR("Next language"),
                  .group = ActionGroup::view,
                  .keys = {ctrl_shift(Key::l)},
                  .run = [](App& app) { app.set_language(next_language(app.language())); },
                  .submenu = TR("Language")});
  for (const LanguageRow& row : languages())
    list.push_back(
        {.id = "language " + std::string(row.code),
         .text = row.english_name,
         .group = ActionGroup::view,
         .run = [language = row.language](App& app) { app.set_language(language); },
         .checked = [language = row.language](const App& app) { return app.language() == language; },
         .submenu = TR("Language")});
}

void add_panel_switch(std::vector<Action>& list, const char* id, const char* text, Shortcut key,
                      Panel panel) {
  list.push_back({.id = id,
                  .text = text,
                  .group = ActionGroup::view,
                  .keys = {key},
                  .run = [panel](App& app) { toggle_panel(app, panel); },
                  .checked = [panel](const App& app) { return is_visible(app, panel); }});
}

void add_view_actions(std::vector<Action>& list) {
  for (const ViewKindRow& row : view_kinds) add_kind(list, row);
  add_groups(list, "more groups", TR("More groups"), 1);
  add_groups(list, "fewer groups", TR("Fewer groups"), -1);
  for (const ColormapRow& row : colormaps()) add_colormap(list, row);
  add_range(list, "range unit", TR("0 to 1"), Range::unit);
  add_range(list, "range shared", TR("Shared by all heads"), Range::shared);
  add_range(list, "range head", TR("Per head"), Range::head);
  add_range(list, "range logarithm", TR("Logarithmic"), Range::logarithm);
  add_range(list, "range fixed", TR("Fixed"), Range::fixed);
  list.push_back({.id = "words",
                  .text = TR("Pieces as words"),
                  .group = ActionGroup::view,
                  .run = [](App& app) { show_words(app.state, !app.state.view.words); },
                  .refused =
                      [](const App& app) {
                        const char* const why = why_no_pieces(app.inputs);
                        return std::string(why == nullptr ? "" : app.tr(why));
                      },
                  .checked = [](const App& app) { return app.state.view.words; }});
  list.push_back({.id = "numbers",
                  .text = TR("Numbers in cells"),
                  .group = ActionGroup::view,
                  .run =
                      [](App& app) {
                        Numbers& numbers = app.state.view.numbers;
                        numbers = numbers == Numbers::off ? Numbers::automatic : Numbers::off;
                      },
                  .checked = [](const App& app) { return app.state.view.numbers != Numbers::off; }});
  add_look_at_actions(list);
  add_step_actions(list);
  add_panel_switch(list, "controls", TR("Controls"), plain(Key::f7), Panel::controls);
  list.back().separator = true;
  add_panel_switch(list, "show sentence", TR("Sentence"), plain(Key::f8), Panel::sentence);
  add_panel_switch(list, "inspector", TR("Inspector"), ctrl(Key::i), Panel::inspector);
  list.push_back({.id = "maps alone",
                  .text = TR("Maps only"),
                  .group = ActionGroup::view,
                  .keys = {plain(Key::f9)},
                  .run = [](App& app) { app.settings.maps_alone = !app.settings.maps_alone; },
                  .checked = [](const App& app) { return app.settings.maps_alone; }});
  add_panel_actions(list);
  add_present_actions(list);
  add_look_actions(list);
  list.push_back({.id = "stop",
                  .text = TR("Stop computing"),
                  .group = ActionGroup::view,
                  .run = stop_work,
                  .enabled = [](const App& app) { return is_busy(app); },
                  .separator = true});
  list.push_back({.id = "run again",
                  .text = TR("Run again"),
                  .group = ActionGroup::view,
                  .run = run_again,
                  .enabled = [](const App& app) { return idle_work(app) != Idle::none; }});
  list.push_back({.id = "back",
                  .text = TR("Unlock cell, or go back"),
                  .group = ActionGroup::view,
                  .keys = {plain(Key::escape)},
                  .run = step_back,
                  .separator = true});
}

void add_help_actions(std::vector<Action>& list) {
  list.push_back({.id = "palette",
                  .text = TR("Find an action…"),
                  .group = ActionGroup::help,
                  .keys = {ctrl_shift(Key::p)},
                  .run = [](App& app) { app.dialogs.open_palette(); }});
  list.push_back({.id = "keys",
                  .text = TR("Keyboard shortcuts"),
                  .group = ActionGroup::help,
                  .keys = {plain(Key::f1)},
                  .run = [](App& app) { app.dialogs.keys = true; }});
  add_lesson_actions(list);
  list.push_back({.id = "lesson format",
                  .text = TR("How to write a lesson"),
                  .group = ActionGroup::help,
                  .run = [](App& app) {
                    app.dialogs.card = read_card(ModelCard::Of::lesson_format, app.tr.language());
                  }});
  list.push_back({.id = "messages",
                  .text = TR("Messages"),
                  .group = ActionGroup::help,
                  .run = [](App& app) { app.dialogs.messages = true; },
                  .enabled = [](const App& app) { return !app.notices.list().empty(); }});
  list.push_back({.id = "dismiss",
                  .text = TR("Dismiss message"),
                  .group = ActionGroup::help,
                  .run = [](App& app) { app.notices.dismiss(); },
                  .enabled = [](const App& app) { return app.notices.current() != nullptr; }});
  list.push_back({.id = "about",
                  .text = TR("About Headscope"),
                  .group = ActionGroup::help,
                  .run = [](App& app) { app.dialogs.about = true; },
                  .separator = true});
}

}  // namespace

std::vector<Action> all_actions() {
  std::vector<Action> list;
  add_file_actions(list);
  add_edit_actions(list);
  add_copy_actions(list);
  add_input_actions(list);
  add_view_actions(list);
  add_help_actions(list);
  return list;
}

}  // namespace headscope
