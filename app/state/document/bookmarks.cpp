#include "app/state/document/bookmarks.h"

#include <algorithm>

#include "app/state/view/navigation.h"
#include "app/state/workspace.h"

namespace headscope {
namespace {

Bookmark present(const OpenSession& open, std::string name) {
  return {std::move(name), open.inputs, open.state.view, open.compare, open.state.lock};
}

std::string free_name(const Workspace& work) {
  for (std::size_t i = work.bookmarks.size() + 1;; ++i) {
    const std::string name = work.tr("Bookmark {}", i);
    if (std::ranges::find(work.bookmarks, name, &Bookmark::name) == work.bookmarks.end()) return name;
  }
}

}  // namespace

void add_bookmark(Workspace& work) {
  work.bookmarks.push_back(present(work, free_name(work)));
  work.notices.info(TR("Added {}"), work.bookmarks.back().name);
}

void go_to_bookmark(OpenSession& open, int index) {
  if (index < 0 || index >= std::ssize(open.bookmarks)) return;
  const Bookmark& bookmark = open.bookmarks[index];
  open.inputs = bookmark.inputs;
  open.compare = bookmark.compare;
  open.show(bookmark.view);
  unlock(open.state);
  open.state.lock = bookmark.cell;
}

void replace_bookmark(OpenSession& open, int index) {
  Bookmark& bookmark = open.bookmarks[index];
  bookmark = present(open, bookmark.name);
}

void move_bookmark(OpenSession& open, int from, int to) {
  Bookmark moved = std::move(open.bookmarks[from]);
  open.bookmarks.erase(open.bookmarks.begin() + from);
  open.bookmarks.insert(open.bookmarks.begin() + to, std::move(moved));
}

void remove_bookmark(Workspace& work, int index) {
  work.notices.info(TR("Deleted {}"), work.bookmarks[index].name);
  work.bookmarks.erase(work.bookmarks.begin() + index);
}

}  // namespace headscope
