#include "app/state/actions.h"
#include "app/state/app.h"
#include "app/state/bookmarks.h"
#include "app/state/copy_text.h"

namespace headscope {
namespace {

template <typename... Args>
void copy_to_clipboard(App& app, const std::string& text, const char* told, Args... args) {
  if (text.empty()) return app.notices.warn(Notice::About::copying, TR("No weights to copy here"));
  if (app.put_text) app.put_text(text);
  app.notices.settle(Notice::About::copying);
  app.notices.info(told, args...);
}

void copy_cell(App& app) {
  const Cell cell = *app.state.focus();
  copy_to_clipboard(app, cell_text(*app.block(), app.state.view.layer, cell.head, cell.query, cell.key),
                    TR("Cell copied: query, key, weight"));
}

void copy_row(App& app) {
  const Cell cell = *app.state.focus();
  copy_to_clipboard(app, row_text(*app.block(), app.state.view.layer, cell.head, cell.query),
                    TR("Row copied as tab-separated text"));
}

void copy_head(App& app) {
  const std::optional<Cell> cell = app.state.focus();
  const int head = cell ? cell->head : app.state.view.head.value_or(0);
  copy_to_clipboard(app, head_text(*app.block(), app.state.view.layer, head),
                    TR("Head {} copied as tab-separated text"), head + 1);
}

}  // namespace

void add_copy_actions(std::vector<Action>& list) {
  const auto has_cell = [](const App& app) { return app.state.focus().has_value(); };
  list.push_back({.id = "copy cell",
                  .text = TR("Copy cell"),
                  .group = ActionGroup::edit,
                  .keys = {{Key::c, true, false}},
                  .run = copy_cell,
                  .enabled = has_cell,
                  .separator = true});
  list.push_back({.id = "copy row",
                  .text = TR("Copy row"),
                  .group = ActionGroup::edit,
                  .keys = {{Key::r, true, true}},
                  .run = copy_row,
                  .enabled = has_cell});
  list.push_back({.id = "copy head",
                  .text = TR("Copy head"),
                  .group = ActionGroup::edit,
                  .keys = {{Key::h, true, true}},
                  .run = copy_head});
  list.push_back({.id = "copy picture",
                  .text = TR("Copy figure as image"),
                  .group = ActionGroup::edit,
                  .keys = {{Key::c, true, true}},
                  .run = copy_picture,
                  .enabled = [](const App& app) { return app.put_picture && !app.dialogs.picture.valid(); }});
  list.push_back({.id = "bookmark",
                  .text = TR("Add bookmark"),
                  .group = ActionGroup::edit,
                  .keys = {{Key::b, true, false}},
                  .run = add_bookmark,
                  .separator = true});
}

}  // namespace headscope
