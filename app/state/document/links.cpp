#include "app/state/document/links.h"

#include "app/state/app.h"
#include "app/state/lesson/play_lesson.h"
#include "core/teach/changed_text.h"
#include "core/teach/documents.h"
#include "core/teach/library.h"

namespace headscope {

void open_page(App& app, const std::string& name) {
  try {
    app.dialogs.page = read_page(name, app.tr.language());
  } catch (const Error& error) {
    app.notices.error(Notice::About::opening, error);
  }
}

std::string help_of_link(const Workspace& work, const std::string& to) {
  if (to == way_back) return work.tr("No longer true of what you changed. Click to show the step as it was.");
  if (is_built_in_lesson(to)) return work.tr("Click to play this lesson.");
  if (find_document(to) != nullptr) return work.tr("Click to read this page.");
  return work.tr("{}. Click to copy the address.", to);
}

void follow_link(App& app, const std::string& to) {
  if (to == way_back) return return_to_lesson(app);
  if (is_built_in_lesson(to)) return static_cast<void>(play_lesson(app, to));
  if (find_document(to) != nullptr) return open_page(app, to);
  if (app.desktop.put_text) app.desktop.put_text(to);
  app.notices.info(TR("Address copied: {}"), to);
}

}  // namespace headscope
