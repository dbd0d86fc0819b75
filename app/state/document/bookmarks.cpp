#include "app/state/document/bookmarks.h"

#include <algorithm>

#include "app/state/actions/navigation.h"
#include "app/state/app.h"

namespace headscope {
namespace {

Bookmark present(const App& app, std::string name) {
  return {std::move(name), app.inputs, app.state.view, app.compare, app.state.lock};
}

std::string free_name(const App& app) {
  for (std::size_t i = app.bookmarks.size() + 1;; ++i) {
    const std::string name = app.tr("Bookmark {}", i);
    if (std::ranges::find(app.bookmarks, name, &Bookmark::name) == app.bookmarks.end()) return name;
  }
}

}  // namespace

void add_bookmark(App& app) {
  app.bookmarks.push_back(present(app, free_name(app)));
  app.notices.info(TR("Added {}"), app.bookmarks.back().name);
}

void go_to_bookmark(App& app, int index) {
  if (index < 0 || index >= static_cast<int>(app.bookmarks.size())) return;
  const Bookmark& bookmark = app.bookmarks[static_cast<std::size_t>(index)];
  app.inputs = bookmark.inputs;
  app.compare = bookmark.compare;
  app.state.view = bookmark.view;
  app.state.view.theme = app.settings.theme;
  unlock(app.state);
  app.state.lock = bookmark.cell;
}

void replace_bookmark(App& app, int index) {
  Bookmark& bookmark = app.bookmarks[static_cast<std::size_t>(index)];
  bookmark = present(app, bookmark.name);
}

void move_bookmark(App& app, int from, int to) {
  Bookmark moved = std::move(app.bookmarks[static_cast<std::size_t>(from)]);
  app.bookmarks.erase(app.bookmarks.begin() + from);
  app.bookmarks.insert(app.bookmarks.begin() + to, std::move(moved));
}

void remove_bookmark(App& app, int index) {
  app.notices.info(app.tr("Deleted {}", app.bookmarks[static_cast<std::size_t>(index)].name));
  app.bookmarks.erase(app.bookmarks.begin() + index);
}

}  // namespace headscope
