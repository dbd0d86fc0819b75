#include <algorithm>
#include <utility>

#include "app/panels/views/predictions.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"

namespace headscope {
namespace {

TokenRange spanned(int a, int b) {
  return {std::min(a, b), std::max(a, b) + 1};
}

/// The menu stays open: the text of the new mark is typed in it.
void add_entry(App& app, MapMenu& menu, const char* text, const char* name, Mark mark) {
  const bool full = app.marks.size() >= Mark::max_marks;
  const bool chosen = list_line(
      text, false, ImGuiSelectableFlags_DontClosePopups | (full ? ImGuiSelectableFlags_Disabled : 0));
  anchor(name);
  if (!chosen) return;
  if (menu.marks_one_head) {
    mark.layer = menu.map.layer;
    mark.head = menu.map.head;
  }
  menu.new_mark = static_cast<int>(app.marks.size());
  app.marks.push_back(std::move(mark));
}

void add_entries(App& app, MapMenu& menu, const Cell& cell) {
  const TokenRange query = spanned(cell.query, cell.query), key = spanned(cell.key, cell.key);
  const std::optional<Cell> lock = app.state.lock_in(*app.block());
  add_entry(app, menu, app.tr("Box around this cell"), "mark box", {MarkKind::box, query, key, {}, {}, {}});
  if (lock && (lock->query != cell.query || lock->key != cell.key))
    add_entry(app, menu, app.tr("Box from the locked cell to this one"), "mark span",
              {MarkKind::box, spanned(lock->query, cell.query), spanned(lock->key, cell.key), {}, {}, {}});
  add_entry(app, menu, app.tr("Arrow to this cell"), "mark arrow", {MarkKind::arrow, query, key, {}, {}, {}});
  add_entry(app, menu, app.tr("Box around the row"), "mark row", {MarkKind::box, query, {}, {}, {}, {}});
  add_entry(app, menu, app.tr("Box around the column"), "mark column", {MarkKind::box, {}, key, {}, {}, {}});
  ImGui::Checkbox(app.tr("Only in this head"), &menu.marks_one_head);
  anchor("mark one head");
  tooltip(app.tr("Otherwise a new mark appears in the maps of all heads."));
}

/// The texts of the marks that a cell has; returns the one to be removed, or -1.
int mark_texts(App& app, MapMenu& menu, const Cell& cell) {
  int removed = -1;
  for (int i = 0; i < std::ssize(app.marks); ++i) {
    Mark& mark = app.marks[i];
    if (!mark.is_in(menu.map.layer, menu.map.head) || !mark.contains(cell.query, cell.key)) continue;
    ImGui::PushID(i);
    if (std::exchange(menu.new_mark, menu.new_mark == i ? -1 : menu.new_mark) == i) focus_next_item();
    ImGui::SetNextItemWidth(ImGui::GetFontSize() * 12);
    std::string text = mark.text;
    const bool done =
        typed_text("###text", text, app.tr("Text of the mark"), ImGuiInputTextFlags_EnterReturnsTrue);
    anchor("mark text " + std::to_string(i));
    if (text != mark.text) mark.text = fitting_mark_text(text);
    if (done) ImGui::CloseCurrentPopup();
    ImGui::SameLine();
    if (icon_button("remove", Icon::close, app.tr("Remove this mark"))) removed = i;
    anchor("mark remove " + std::to_string(i));
    ImGui::PopID();
  }
  return removed;
}

/// The part that adds, edits and removes marks at the menu's cell.
void draw_mark_menu(App& app, MapMenu& menu) {
  // In the comparison, marks are at A's tokens.
  const std::optional<Cell>& cell = menu.map.lock;
  if (menu.map.of_layer || (!cell && app.marks.empty())) return;
  ImGui::Separator();
  const bool open = begin_menu(app.tr("Marks"));
  anchor("map menu marks");
  if (!open) return;
  if (cell) {
    add_entries(app, menu, *cell);
    ImGui::Separator();
    const int removed = mark_texts(app, menu, *cell);
    if (removed >= 0) app.marks.erase(app.marks.begin() + removed);
  }
  if (menu_item(app.tr("Remove all marks"), "mark remove all", nullptr, false, !app.marks.empty()))
    app.marks.clear();
  end_menu();
}

}  // namespace

void draw_map_menu(App& app, Ui& ui) {
  MapMenu& menu = ui.memory.map_menu;
  ui.state.map_menu_wanted = false;
  if (menu.wanted) {
    menu.map = *std::exchange(menu.wanted, std::nullopt);
    ImGui::OpenPopup("map menu");
    ImGui::SetNextWindowPos(menu.at, ImGuiCond_Always);
    if (menu.by_key) show_highlight();
  }
  if (!begin_popup_menu("map menu")) return;
  // The menu's cell stays marked.
  ui.state.hover = menu.map.lock;
  ui.state.other_hover = menu.map.place;
  for (const Action& action : map_actions(app, menu.map)) {
    if (action.separator) ImGui::Separator();
    const std::string keys = action.keys.empty() ? std::string() : to_string(action.keys.front());
    const bool chosen = menu_item(text_of(action, app.tr), "map menu " + action.id, shown_keys(keys), false,
                                  is_enabled(app, action));
    if (chosen) action.run(app);
  }
  draw_mark_menu(app, ui.memory.map_menu);
  const std::optional<Cell>& cell = menu.map.cell;
  if (cell && menu.map.side == Side::a && cell->query < ui.block->n_q() && cell->key < ui.block->n_k()) {
    ImGui::Separator();
    if (begin_menu(ui.tr("Heads that look here most"))) {
      draw_heads_at_cell(ui, cell->query, cell->key, 10);
      end_menu();
    }
    anchor("map menu heads at cell");
  }
  ImGui::EndPopup();
}

}  // namespace headscope
