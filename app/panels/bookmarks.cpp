#include "app/panels/bookmarks.h"

#include "app/panels/compat.h"
#include "app/panels/glyphs.h"
#include "app/panels/text_edit.h"
#include "app/panels/widgets.h"
#include "app/state/app.h"

namespace headscope {
namespace {

std::string free_name(const App& app) {
  for (std::size_t i = app.bookmarks.size() + 1;; ++i) {
    const std::string name = app.tr.format("Bookmark {}", i);
    bool taken = false;
    for (const Bookmark& bookmark : app.bookmarks) taken |= bookmark.name == name;
    if (!taken) return name;
  }
}

/// A line that says what is special about a bookmark's inputs.
std::string summary(const Translator& tr, const Inputs& inputs) {
  std::string sentence = inputs.sentence;
  if (sentence.size() > 120) {
    sentence.resize(previous_character(sentence, 120));
    sentence += "…";
  }
  std::string text = drawn_text(sentence) + "\n" +
                     tr.format("d_model {}, {} heads, seed {}", inputs.d_model, inputs.heads, inputs.seed);
  for (const MaskPart& part : inputs.mask)
    if (part.on && part.kind != MaskKind::painted) text += "\n" + to_string(part);
  return text;
}

/// What can be done with a bookmark besides going there; what changes the list is done after drawing it.
struct Change {
  int from = -1;
  int to = -1;  ///< -1: taken out
};

void bookmark_menu(App& app, int i, Change& change) {
  const Translator& tr = app.tr;
  Bookmark& bookmark = app.bookmarks[static_cast<std::size_t>(i)];
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(ImGui::GetFontSize() * 12);
  if (ImGui::InputText("###name", &bookmark.name, ImGuiInputTextFlags_EnterReturnsTrue))
    ImGui::CloseCurrentPopup();
  anchor("bookmark name");
  tooltip(tr("Its name; Enter when done"));
  if (ImGui::MenuItem(tr("Go there"))) go_to_bookmark(app, i);
  if (ImGui::MenuItem(tr("Put the present state in its place"))) {
    const std::string name = bookmark.name;
    bookmark = {name, app.inputs, app.state.view, app.compare};
  }
  if (ImGui::MenuItem(tr("Move up"), nullptr, false, i > 0)) change = {i, i - 1};
  anchor("bookmark up");
  if (ImGui::MenuItem(tr("Move down"), nullptr, false, i + 1 < static_cast<int>(app.bookmarks.size())))
    change = {i, i + 1};
  anchor("bookmark down");
  if (ImGui::MenuItem(tr("Take this bookmark out"))) change = {i, -1};
  anchor("bookmark out");
}

void bookmark_popup(App& app, int i, Change& change) {
  ImGui::OpenPopupOnItemClick("bookmark menu", ImGuiPopupFlags_MouseButtonRight);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  if (icon_button("more", Icon::more, app.tr("Rename, move, replace or take out")))
    ImGui::OpenPopup("bookmark menu");
  anchor("bookmark more " + std::to_string(i));
  if (!ImGui::BeginPopup("bookmark menu")) return;
  bookmark_menu(app, i, change);
  ImGui::EndPopup();
}

/// A bookmark is dragged to another's place.
void drag_bookmark(const App& app, int i, Change& change) {
  if (ImGui::BeginDragDropSource(ImGuiDragDropFlags_SourceNoDisableHover)) {
    ImGui::SetDragDropPayload("bookmark", &i, sizeof i);
    ImGui::TextUnformatted(drawn_text(app.bookmarks[static_cast<std::size_t>(i)].name).c_str());
    ImGui::EndDragDropSource();
  }
  if (!ImGui::BeginDragDropTarget()) return;
  if (const ImGuiPayload* payload = ImGui::AcceptDragDropPayload("bookmark"))
    change = {*static_cast<const int*>(payload->Data), i};
  ImGui::EndDragDropTarget();
}

void apply_change(std::vector<Bookmark>& bookmarks, const Change& change) {
  if (change.from < 0) return;
  const auto from = bookmarks.begin() + change.from;
  Bookmark moved = std::move(*from);
  bookmarks.erase(from);
  if (change.to >= 0) bookmarks.insert(bookmarks.begin() + change.to, std::move(moved));
}

}  // namespace

void add_bookmark(App& app) {
  app.bookmarks.push_back({free_name(app), app.inputs, app.state.view, app.compare});
  app.notices.info(app.tr.format("{} added", app.bookmarks.back().name));
}

void go_to_bookmark(App& app, int index) {
  if (index < 0 || index >= static_cast<int>(app.bookmarks.size())) return;
  const Bookmark& bookmark = app.bookmarks[static_cast<std::size_t>(index)];
  app.inputs = bookmark.inputs;
  app.compare = bookmark.compare;
  app.state.view = bookmark.view;
  app.state.view.theme = app.style.theme;
  app.state.lock.reset();
}

void draw_bookmarks(App& app) {
  const float button = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x;
  Change change;
  for (int i = 0; i < static_cast<int>(app.bookmarks.size()); ++i) {
    const Bookmark& bookmark = app.bookmarks[static_cast<std::size_t>(i)];
    ImGui::PushID(i);
    const float width = ImGui::GetContentRegionAvail().x - button;
    const bool here = bookmark.inputs == app.inputs;
    const std::string name = fit_text(drawn_text(bookmark.name), width - ImGui::GetFontSize());
    if (ImGui::Selectable((name + "###bookmark").c_str(), here, 0, {width, ImGui::GetFrameHeight()}))
      go_to_bookmark(app, i);
    anchor("bookmark " + std::to_string(i));
    if (ImGui::IsItemHovered())
      tooltip(summary(app.tr, bookmark.inputs) + "\n" +
              app.tr("Click: go there. Drag: to another place. Right click: more."));
    drag_bookmark(app, i, change);
    bookmark_popup(app, i, change);
    ImGui::PopID();
  }
  apply_change(app.bookmarks, change);
  if (app.bookmarks.empty())
    hint(app.style, app.tr("A bookmark keeps the inputs and the view as they are now, inside the session."));
  if (ImGui::Button(app.tr("Bookmark this (Ctrl+B)"))) add_bookmark(app);
  anchor("add bookmark");
}

}  // namespace headscope
