#include "app/panels/inputs/document_lists.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/document/bookmarks.h"
#include "app/state/document/undo_steps.h"
#include "app/state/text/text_edit.h"
#include "app/state/workspace.h"
#include "core/scene/source_title.h"

namespace headscope {
namespace {

/// One line describing what is special about a bookmark's inputs.
std::string summary(const Translator& tr, const Inputs& inputs) {
  std::string sentence = inputs.sentence;
  if (sentence.size() > 120) {
    sentence.resize(previous_character(sentence, 120));
    sentence += "…";
  }
  std::string text =
      (inputs.about().computes ? drawn_text(sentence) + "\n" : std::string()) +
      (inputs.about().from_seed ? tr.plural("d_model {}, {} head, seed {}", "d_model {}, {} heads, seed {}",
                                            inputs.heads, inputs.d_model, inputs.heads, inputs.seed)
                                : drawn_text(source_name(inputs)));
  for (const MaskPart& part : inputs.mask)
    if (part.on && part.kind != MaskKind::painted) text += "\n" + to_string(part);
  return text;
}

/// What the menu of a bookmark requests; changes to the list are applied after drawing it.
struct Change {
  int from = -1;
  int to = -1;  ///< -1: removed
};

void bookmark_menu(Workspace& work, int i, Change& change) {
  const Translator& tr = work.tr;
  Bookmark& bookmark = work.bookmarks[i];
  if (ImGui::IsWindowAppearing()) focus_next_item();
  ImGui::SetNextItemWidth(ImGui::GetFontSize() * 12);
  if (typed_text("###name", bookmark.name, "", ImGuiInputTextFlags_EnterReturnsTrue))
    ImGui::CloseCurrentPopup();
  anchor("bookmark name");
  tooltip(tr("Name; press Enter when done"));
  if (menu_item(tr("Go to bookmark"), "bookmark go")) go_to_bookmark(work, i);
  if (menu_item(tr("Update to current state"), "bookmark update")) replace_bookmark(work, i);
  if (menu_item(tr("Move up"), "bookmark up", nullptr, false, i > 0)) change = {i, i - 1};
  if (menu_item(tr("Move down"), "bookmark down", nullptr, false, i + 1 < std::ssize(work.bookmarks)))
    change = {i, i + 1};
  if (menu_item(tr("Delete bookmark"), "bookmark out")) change = {i, -1};
}

void bookmark_popup(Workspace& work, int i, Change& change) {
  ImGui::OpenPopupOnItemClick("bookmark menu", ImGuiPopupFlags_MouseButtonRight);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  if (icon_button("more", Icon::more, work.tr("Rename, move, update or delete")))
    ImGui::OpenPopup("bookmark menu");
  anchor("bookmark more " + std::to_string(i));
  if (!begin_popup_menu("bookmark menu")) return;
  bookmark_menu(work, i, change);
  ImGui::EndPopup();
}

/// Reorders bookmarks by drag and drop.
void drag_bookmark(const OpenSession& open, int i, Change& change) {
  if (ImGui::BeginDragDropSource(ImGuiDragDropFlags_SourceNoDisableHover)) {
    ImGui::SetDragDropPayload("bookmark", &i, sizeof i);
    ImGui::TextUnformatted(drawn_text(open.bookmarks[i].name).c_str());
    ImGui::EndDragDropSource();
  }
  if (!ImGui::BeginDragDropTarget()) return;
  if (const ImGuiPayload* payload = ImGui::AcceptDragDropPayload("bookmark"))
    change = {*static_cast<const int*>(payload->Data), i};
  ImGui::EndDragDropTarget();
}

void apply_change(Workspace& work, const Change& change) {
  if (change.from >= 0 && change.to >= 0)
    move_bookmark(work, change.from, change.to);
  else if (change.from >= 0)
    remove_bookmark(work, change.from);
}

}  // namespace

void draw_bookmarks(Workspace& work, const Style& style) {
  const float menu = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x;
  Change change;
  for (int i = 0; i < std::ssize(work.bookmarks); ++i) {
    const Bookmark& bookmark = work.bookmarks[i];
    ImGui::PushID(i);
    const float width = ImGui::GetContentRegionAvail().x - menu;
    const bool here = bookmark.inputs == work.inputs;
    const std::string name = fit_text(drawn_text(bookmark.name), width - ImGui::GetFontSize());
    if (ImGui::Selectable((name + "###bookmark").c_str(), here, 0, {width, ImGui::GetFrameHeight()}))
      go_to_bookmark(work, i);
    anchor("bookmark " + std::to_string(i));
    if (ImGui::IsItemHovered())
      tooltip(summary(work.tr, bookmark.inputs) + "\n" +
              work.tr("Click to open, drag to reorder, right-click for more."));
    drag_bookmark(work, i, change);
    bookmark_popup(work, i, change);
    ImGui::PopID();
  }
  apply_change(work, change);
  if (work.bookmarks.empty())
    hint(style, work.tr("A bookmark saves the current inputs and view in the session."));
  const std::string adds = work.tr("Add bookmark (Ctrl+B)");
  if (button(style.finger > 0 ? without_keys(adds) : adds, "add bookmark")) add_bookmark(work);
}

void draw_history(Workspace& work) {
  const History& history = work.undo.history;
  const float line = list_line_height();
  const float lines = std::min(8.0F, static_cast<float>(history.steps().size()) + 0.5F);
  std::size_t chosen = history.current();
  ImGui::BeginChild("###steps", {0, line * lines}, true);
  hear_window(HeardRole::options, work.tr("History"));
  draw_seen_rows(static_cast<int>(history.steps().size()), [&](int i) {
    const std::size_t step = i;
    const bool undone = step > history.current();
    if (undone) ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    const std::string label = fmt::format("{}  {}###{}", i + 1, work.tr(history.steps()[step].what), i);
    if (list_line(label.c_str(), step == history.current())) chosen = step;
    if (undone) ImGui::PopStyleColor();
  });
  // Scroll to a new step.
  if (work.undo.steps_shown != history.steps().size()) {
    ImGui::SetScrollY(static_cast<float>(history.current()) * line);
    work.undo.steps_shown = history.steps().size();
  }
  ImGui::EndChild();
  if (chosen != history.current()) jump_to_step(work, chosen);
}

}  // namespace headscope
