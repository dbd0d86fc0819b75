#include "app/state/document/work_link.h"

#include <filesystem>

#include "app/state/app.h"
#include "app/state/document/file_commands.h"
#include "app/state/lesson/play_lesson.h"
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/io/file.h"
#include "core/session/session_link.h"
#include "core/system/process.h"
#include "core/teach/library.h"

namespace headscope {
namespace {

/// What a link to the present state has.
Autosave linked_work(const Workspace& work) {
  Autosave linked{work.shown_session(), ""};
  linked.session.answers.clear();
  linked.lock = work.lesson.coming_lock ? work.lesson.coming_lock : work.state.lock;
  std::optional<PlayedLesson> lesson = played_lesson(work);
  if (!lesson || !is_built_in_lesson(lesson->path)) return linked;
  lesson->located.clear();
  return {Session{}, "", std::move(lesson)};
}

void make_link(App& app) {
  LinkDialog& dialog = app.dialogs.link;
  dialog.part.clear();
  dialog.link.clear();
  dialog.code.reset();
  dialog.problem.reset();
  try {
    dialog.part = link_here(app);
    if (dialog.address.empty()) return;
    dialog.link = address_of_page(dialog.address) + dialog.part;
    dialog.code = std::make_shared<const QrCode>(qr_code(dialog.link));
  } catch (const Error& error) {
    dialog.problem = error;
  }
}

void put_link(App& app, const std::string& text) {
  if (app.desktop.put_text) app.desktop.put_text(text);
  app.notices.settle(Notice::About::copying);
  app.notices.info(TR("Link copied"));
}

}  // namespace

std::optional<Cell> own_lock(const Workspace& work) {
  if (work.lesson.playing()) return {};
  return work.lesson.coming_lock ? work.lesson.coming_lock : work.state.lock;
}

std::string link_here(const Workspace& work) {
  const Autosave linked = linked_work(work);
  const std::optional<PlayedLesson>& lesson = linked.lesson;
  expect_no_files(lesson && lesson->free ? *lesson->free : linked.session);
  return link_from_json(linked.lock || lesson ? text_of(linked, short_json) : short_json(linked.session));
}

Autosave work_in_link(const std::string& link) {
  Autosave linked = autosave_from_json(json_in_link(link), "link");
  linked.path.clear();
  expect_no_files(linked.session);
  if (!linked.lesson) return linked;
  linked.lesson->located.clear();
  if (linked.lesson->free) expect_no_files(*linked.lesson->free);
  if (!is_built_in_lesson(linked.lesson->path))
    throw input_error("the link leads to the lesson {}, which this program does not have",
                      std::filesystem::path(linked.lesson->path).filename().string());
  return linked;
}

void show_link(App& app) {
  LinkDialog& dialog = app.dialogs.link;
  dialog.address = app.desktop.page_address ? app.desktop.page_address() : app.settings.page_address;
  make_link(app);
  dialog.open = true;
}

void use_page_address(App& app) {
  LinkDialog& dialog = app.dialogs.link;
  dialog.address = std::string(trimmed(dialog.address));
  make_link(app);
  if (dialog.address.empty()) app.settings.page_address.clear();
  if (!dialog.link.empty()) app.settings.page_address = dialog.address = address_of_page(dialog.address);
}

void copy_link(App& app) {
  if (!app.dialogs.link.open) {
    show_link(app);
    app.dialogs.link.open = app.dialogs.link.link.empty();
  }
  if (!app.dialogs.link.link.empty()) put_link(app, app.dialogs.link.link);
}

void copy_part_of_link(App& app) {
  put_link(app, app.dialogs.link.part);
}

void save_code(App& app, const std::string& ending) {
  FileRequest request;
  request.save = true;
  request.title = app.tr("Save QR code");
  request.folder = home_folder();
  request.name = "link" + ending;
  request.filters = {{app.tr("QR codes"), {"*" + ending}}};
  app.dialogs.link.open = false;
  ask_for_file(app, request, [code = app.dialogs.link.code](App& a, const std::string& path) {
    try {
      write_file(path, qr_file(*code, path));
      a.notices.settle(Notice::About::exporting);
      a.notices.info(written_text(TR("Exported to {}")), path);
    } catch (const Error& error) {
      a.notices.error(Notice::About::exporting, error);
    }
    a.dialogs.link.open = true;
  });
}

std::string copied_link(const App& app) {
  return app.desktop.get_text ? link_in_text(app.desktop.get_text()) : "";
}

void command_open_link(App& app) {
  LinkDialog& dialog = app.dialogs.link;
  dialog.typed = copied_link(app);
  dialog.refused.reset();
  dialog.asks = true;
}

void paste_link(App& app) {
  LinkDialog& dialog = app.dialogs.link;
  dialog.typed = copied_link(app);
  if (dialog.typed.empty())
    return app.notices.info(TR("There is no link on the clipboard; a text is pasted into the sentence"));
  answer_link(app);
  if (dialog.refused) app.notices.error(Notice::About::opening, *dialog.refused);
}

void answer_link(App& app) {
  LinkDialog& dialog = app.dialogs.link;
  const std::string link = link_in_text(dialog.typed);
  try {
    if (link.empty()) throw input_error("this is no link of Headscope; expected an address with #s=");
    work_in_link(link);
    dialog.refused.reset();
    dialog.asks = false;
    dialog.chosen = link;
    app.wake();
  } catch (const Error& error) {
    dialog.refused = error;
  }
}

}  // namespace headscope
