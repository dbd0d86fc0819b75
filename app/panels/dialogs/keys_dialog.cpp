#include <algorithm>
#include <cfloat>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/dialogs/dialog_list.h"
#include "app/panels/dialogs/dialogs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/actions/action_search.h"
#include "app/state/app.h"
#include "app/state/document/links.h"
#include "core/teach/documents.h"

namespace headscope {
namespace {

constexpr const char* at_presenting = TR("While presenting");
constexpr const char* at_anywhere = TR("Everywhere");
constexpr const char* at_items = TR("Controls, tokens, lists");
constexpr const char* at_maps = TR("Maps");
constexpr const char* at_one_head = TR("One head");
constexpr const char* at_lines = TR("Lines");
constexpr const char* at_layers = TR("Layers × heads");
constexpr const char* at_compare = TR("Comparison");
constexpr const char* at_steps = TR("Steps of the arithmetic");
constexpr const char* at_sentence = TR("Sentence");
constexpr const char* at_tokens = TR("Tokens");
constexpr const char* at_dialogs = TR("Menus and dialogs");

constexpr PanelKey all_panel_keys[] = {
    {at_presenting, "Esc", TR("Leave, or go back from the panel at an edge")},
    {at_presenting, TR("Pointer at an edge, Tab, F6"), TR("Show menus, controls or the inspector")},
    {at_presenting, TR("Any key"), TR("End the black screen")},
    {at_presenting, TR("Shift+arrow keys"), TR("Lock the neighbouring cell")},
    {at_presenting, "Enter",
     TR("With the brush: paint the locked cell; hold and use Shift+arrow keys for a stroke")},
    {at_anywhere, "?", TR("Show this list, except while editing text")},
    {at_items, TR("Arrow keys"), TR("Move between items")},
    {at_items, "Tab, Shift+Tab", TR("Next item, previous item; from the last of a panel to the next panel")},
    {at_items, "Space", TR("Press, switch or open; on a slider, then adjust with ← →")},
    {at_items, "Enter", TR("Type a value into a slider or field")},
    {at_items, TR("Ctrl+click on a slider"), TR("Type a value")},
    {at_items, "Esc", TR("Back to the maps")},
    {at_maps, TR("Arrow keys"), TR("Lock the neighbouring cell")},
    {at_maps, "Ctrl+← →", TR("Previous head, next head")},
    {at_maps, "Ctrl+↑ ↓", TR("Previous layer, next layer")},
    {at_maps, "Enter", TR("Enlarge the locked cell's head")},
    {at_maps, "Space", TR("With the brush: paint the locked cell; hold and use arrow keys for a stroke")},
    {at_maps, "Shift+Space", TR("With the brush: do the opposite (unblock or block)")},
    {at_maps, "Tab, Shift+Tab", TR("Next panel, previous panel")},
    {at_one_head, TR("+ −, wheel"), TR("Zoom in and out")},
    {at_one_head, TR("Shift+arrow keys, drag"), TR("Pan an enlarged map")},
    {at_one_head, TR("Home, double-click"), TR("Reset zoom")},
    {at_lines, TR("Arrow keys"), TR("Lock the next token, or one in the other column")},
    {at_lines, "Ctrl+← →, Ctrl+↑ ↓", TR("Neighbouring head, neighbouring layer")},
    {at_lines, "Enter", TR("Enlarge the locked cell's head")},
    {at_layers, TR("Arrow keys"), TR("Move between heads")},
    {at_layers, "Space", TR("Enlarge this head")},
    {at_compare, "PgUp, PgDn", TR("Next larger, next smaller difference in the list")},
    {at_steps, TR("Arrow keys"), TR("Show the neighbouring cell")},
    {at_steps, "Ctrl+← →, Ctrl+↑ ↓", TR("Neighbouring head, neighbouring layer")},
    {at_sentence, "Tab, Shift+Tab", TR("Leave the sentence for the next or previous panel")},
    {at_sentence, "Esc", TR("Leave the sentence")},
    {at_sentence, TR("Arrow keys, Home, End"),
     TR("Move the caret; Ctrl moves by words or to the ends, Shift selects")},
    {at_sentence, "Ctrl+A, Ctrl+C, Ctrl+X, Ctrl+V", TR("Select all, copy, cut, paste")},
    {at_sentence, "Ctrl+Backspace, Ctrl+Del", TR("Delete the word before or after the caret")},
    {at_tokens, "Space", TR("Lock the token's row, or unlock it")},
    {at_tokens, "Shift+Space", TR("Mark or unmark the token as padding or global")},
    {at_tokens, TR("Menu, Shift+F10"), TR("Split, join or mark the token")},
    {at_dialogs, "Esc", TR("Close the topmost menu or dialog")},
    {at_dialogs, "↑ ↓, Enter", TR("Choose an action or a file")},
    {at_dialogs, "Alt+↑", TR("In the file chooser: parent folder")},
};

struct KeyRow {
  std::string keys, what;
};
struct KeyGroup {
  std::string title;
  std::vector<KeyRow> rows;
};

/// The groups of the list, without what was not searched for.
class KeyGroups {
 public:
  explicit KeyGroups(const App& app) : app_(app), query_(app.dialogs.key_query) {
    for (const Action& action : app.actions)
      if (!action.keys.empty()) add(action);
    for (const PanelKey& key : all_panel_keys) add(key);
  }
  const std::vector<KeyGroup>& all() const { return groups_; }

 private:
  /// The views, which are three submenus, are one group of keys.
  const char* title_of(const Action& action) const {
    if (action.presenting) return at_presenting;
    return action.is_in(lessons_menu) ? lessons_menu : group_name(action.group);
  }
  bool is_wanted(const Action& action, const std::string& keys) const {
    return query_.empty() || keys.find(query_) != std::string::npos || match_score(action, query_) >= 0;
  }
  void add(const Action& action) {
    const std::string keys = keys_of(action);
    if (is_wanted(action, keys)) add(title_of(action), {keys, text_of(action, app_.tr)});
  }
  void add(const PanelKey& key) {
    const Action as_action{.id = {}, .text = key.what, .submenu = key.place};
    const std::string keys = app_.tr(key.keys);
    if (is_wanted(as_action, keys)) add(key.place, {keys, app_.tr(key.what)});
  }
  void add(const char* title, KeyRow row) {
    const std::string translated = app_.tr(title);
    auto group = std::ranges::find(groups_, translated, &KeyGroup::title);
    if (group == groups_.end()) group = groups_.insert(group, {translated, {}});
    group->rows.push_back(std::move(row));
  }

  const App& app_;
  const std::string& query_;
  std::vector<KeyGroup> groups_;
};

void key_row(const KeyRow& row) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  wrapped_text(row.keys);
  ImGui::TableNextColumn();
  wrapped_text(row.what);
}

void draw_group(const Style& style, const KeyGroup& group) {
  muted_text(style, group.title);
  if (!ImGui::BeginTable(group.title.c_str(), 2, ImGuiTableFlags_RowBg)) return;
  ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, style.font_size * 9);
  ImGui::TableSetupColumn("what");
  for (const KeyRow& row : group.rows) key_row(row);
  ImGui::EndTable();
  ImGui::Dummy({0, style.font_size * 0.4F});
}

/// The first group of the second column: both then have about as many rows.
std::size_t second_column(const std::vector<KeyGroup>& groups) {
  constexpr std::size_t heading = 2;  // in rows
  std::size_t all = 0, first = 0, i = 0;
  for (const KeyGroup& group : groups) all += group.rows.size() + heading;
  while (i < groups.size() && 2 * first + groups[i].rows.size() < all)
    first += groups[i++].rows.size() + heading;
  return i;
}

void draw_groups(const Style& style, const std::vector<KeyGroup>& groups) {
  constexpr float narrow = 48;  // font sizes
  const bool two = ImGui::GetContentRegionAvail().x > narrow * style.font_size;
  const std::size_t second = two ? second_column(groups) : groups.size();
  if (!ImGui::BeginTable("columns", two ? 2 : 1)) return;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i == second) ImGui::TableNextColumn();
    draw_group(style, groups[i]);
  }
  ImGui::EndTable();
}

/// The line of a document that has the words; its title; nothing.
std::optional<std::string> line_about(const App& app, const DocumentRow& row, const std::string& query) {
  const std::string wanted = lower(query), title = app.tr(row.title);
  if (query.empty() || lower(title).find(wanted) != std::string::npos) return title;
  const std::string text(document_text(row.name, app.language()));
  const std::size_t at = lower(text).find(wanted);
  if (at == std::string::npos) return {};
  const std::size_t before = text.rfind('\n', at), begin = before == std::string::npos ? 0 : before + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

/// Looked for when the query changes.
const std::vector<std::optional<std::string>>& lines_about(App& app) {
  const std::string& query = app.dialogs.key_query;
  return app.dialogs.key_documents.get({query, app.language()}, [&] {
    std::vector<std::optional<std::string>> lines;
    for (const DocumentRow& row : documents()) lines.push_back(line_about(app, row, query));
    return lines;
  });
}

/// What is read where keys are not the question: all documents, or those that have what is searched for.
void draw_document_buttons(App& app) {
  bool any = false;
  const auto& lines = lines_about(app);
  std::size_t place = 0;
  const auto entry = [&](const char* name, const char* title, const std::string& line) {
    if (!std::exchange(any, true)) framed_text(app.tr("Documents"));
    next_in_line(ImGui::CalcTextSize(title).x + 2 * ImGui::GetStyle().FramePadding.x);
    if (!small_button(title, "read " + std::string(name), line == title ? "" : drawn_text(line))) return;
    app.dialogs.keys = false;
    ImGui::CloseCurrentPopup();
    open_page(app, name);
  };
  for (const DocumentRow& row : documents())
    if (const auto& line = lines[place++]) entry(row.name, app.tr(row.title), *line);
  if (app.dialogs.key_query.empty()) entry(models_page, app.tr(title_of_page(models_page)), "");
}

}  // namespace

std::span<const PanelKey> panel_keys() {
  return all_panel_keys;
}

void draw_keys(App& app, const Style& style) {
  Dialogs& dialogs = app.dialogs;
  if (!begin_dialog("keys", app.tr("Keyboard shortcuts"), dialogs.keys, 76)) return;
  if (ImGui::IsWindowAppearing()) {
    dialogs.key_query.clear();
    focus_next_item();
  }
  ImGui::SetNextItemWidth(-FLT_MIN);
  typed_text("###key query", dialogs.key_query,
             app.tr("Search keys by what they do, and documents by their words"));
  draw_document_buttons(app);
  if ((is_pressed(app, "keys") && !ImGui::IsWindowAppearing()) || key_pressed(Key::escape)) {
    dialogs.keys = false;
    ImGui::CloseCurrentPopup();
  }
  const KeyGroups groups(app);
  end_with_list(height_in_dialog(ImGui::GetMainViewport()->Size.y * 0.7F), [&] {
    draw_groups(style, groups.all());
    if (groups.all().empty()) hint(style, app.tr("No matching key."));
  });
}

}  // namespace headscope
