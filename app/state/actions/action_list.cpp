#include "app/state/actions/actions.h"
#include "app/state/app.h"
#include "app/state/document/document.h"
#include "app/state/document/figure_export.h"
#include "app/state/document/file_commands.h"
#include "app/state/document/links.h"
#include "app/state/document/open_model.h"
#include "app/state/document/undo_steps.h"
#include "app/state/document/work_link.h"
#include "app/state/view/navigation.h"
#include "app/state/view/panels.h"
#include "app/state/view/search.h"
#include "core/model/weights/built_in_models.h"
#include "core/teach/documents.h"

namespace headscope {
namespace {

void edit_sentence(App& app) {
  const Panel panel = panels_of_side(app.edited_side()).sentence;
  const bool editing = app.state.panel == panel && app.input.text_focus;
  if (!editing) go_to_panel(app, panel);
}

void paste(App& app) {
  const bool takes_picture = reads_picture(app) && app.desktop.get_picture != nullptr;
  if (takes_picture && copied_link(app).empty())
    command_paste_picture(app);
  else
    paste_link(app);
}

void add_file_actions(std::vector<Action>& list) {
  ActionRows add(list, ActionGroup::file);
  add("new", TR("New session"), {ctrl(Key::n)}, command_new);
  add("open", TR("Open…"), {ctrl(Key::o)}, command_open);
  add("open model", TR("Open model…"), command_open_model);
  ActionRows built_in(list, ActionGroup::file, TR("Built-in models"));
  for (const BuiltInModel& model : built_in_models())
    built_in(std::string("model ") + model.name, model.title, [name = model.name](App& app) {
      open_model(app, name);
    }).refused_for([name = model.name](const App& app) {
        return not_installed(app, name);
      }).checked_if([name = model.name](const App& app) { return app.edited().model == name; });
  built_in("model card", TR("Model card"), [](App& app) { open_page(app, models_page); });
  add("open capture", TR("Open capture…"), command_open_capture);
  add("open picture", TR("Open picture…"), command_open_picture).enabled_if(reads_picture);
  add("paste", TR("Paste picture or link"), {ctrl(Key::v)}, paste);
  add("open link", TR("Open link…"), command_open_link);
  add("open sound", TR("Open spectrogram…"), command_open_sound).enabled_if(hears);
  add("save", TR("Save"), {ctrl(Key::s)}, [](App& app) { command_save(app); });
  add("save as", TR("Save as…"), {ctrl_shift(Key::s)}, [](App& app) { command_save_as(app); });
  using What = ExportDialog::What;
  add("export", TR("Export figure…"), {ctrl(Key::e)}, [](App& app) { open_export(app, What::figure); });
  add("export arrays", TR("Export arrays…"), [](App& app) { open_export(app, What::arrays); });
  add("export heads", TR("Export table of heads…"), [](App& app) { open_export(app, What::heads); });
  add("link", TR("Link and QR code…"), show_link);
  add("copy link", TR("Copy link"), copy_link);
  add_handout_actions(list);
  add.separate();
  add("quit", TR("Quit"), {ctrl(Key::q)}, command_quit);
}

void add_edit_actions(std::vector<Action>& list) {
  ActionRows add(list, ActionGroup::edit);
  add("undo", TR("Undo"), {ctrl(Key::z)}, undo).enabled_if([](const App& app) {
    return app.undo.history.can_undo();
  });
  add("redo", TR("Redo"), {ctrl_shift(Key::z), ctrl(Key::y)}, redo).enabled_if([](const App& app) {
    return app.undo.history.can_redo();
  });
  add.separate();
  add("notebook", TR("Restore notebook defaults"), {ctrl_shift(Key::n)}, return_to_notebook);
  add("sentence", TR("Edit sentence"), {ctrl(Key::l)}, edit_sentence);
  add.separate();
  add("find", TR("Find tokens"), {ctrl(Key::f)}, open_search);
  const auto found = [](const App& app) { return !app.state.search.places().empty(); };
  const auto go = [](int by) { return [by](App& app) { go_to_place(app, by); }; };
  add("find next", TR("Find next"), {plain(Key::f3)}, go(1)).enabled_if(found);
  add("find previous", TR("Find previous"), {shift(Key::f3)}, go(-1)).enabled_if(found);
}

void add_help_actions(std::vector<Action>& list) {
  ActionRows add(list, ActionGroup::help);
  add("palette", TR("Find an action…"), {ctrl(Key::k), ctrl_shift(Key::p)},
      [](App& app) { app.dialogs.open_palette(); });
  add("keys", TR("Keyboard shortcuts"), {plain(Key::f1)}, [](App& app) { app.dialogs.keys = true; });
  ActionRows document(list, ActionGroup::help, documents_menu);
  for (const DocumentRow& row : documents())
    document(&row == documents().data() ? "documents" : fmt::format("document {}", row.name), row.title,
             [&row](App& app) { open_page(app, row.name); });
  document("document built-in", title_of_page(models_page), [](App& app) { open_page(app, models_page); });
  add_lesson_actions(list);
  add("messages", TR("Messages"), [](App& app) {
    app.dialogs.messages = true;
  }).refused_for([](const App& app) -> std::string {
    return app.notices.list().empty() ? app.tr("There is no message yet.") : "";
  });
  add("dismiss", TR("Dismiss message"), [](App& app) {
    app.notices.dismiss();
  }).enabled_if([](const App& app) { return app.notices.current() != nullptr; });
  add.separate();
  add("about", TR("About Headscope"), [](App& app) { app.dialogs.about = true; });
}

}  // namespace

std::vector<Action> all_actions() {
  std::vector<Action> list;
  add_file_actions(list);
  add_edit_actions(list);
  add_copy_actions(list);
  add_attention_actions(list);
  add_view_actions(list);
  add_help_actions(list);
  add_other_words(list);
  return list;
}

}  // namespace headscope
