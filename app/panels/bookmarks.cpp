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

void rename_popup(App& app, Bookmark& bookmark) {
  if (!ImGui::BeginPopupContextItem("rename")) return;
  ImGui::TextUnformatted(app.tr("Name"));
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  if (ImGui::InputText("###name", &bookmark.name, ImGuiInputTextFlags_EnterReturnsTrue))
    ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
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
  int remove = -1;
  for (int i = 0; i < static_cast<int>(app.bookmarks.size()); ++i) {
    Bookmark& bookmark = app.bookmarks[static_cast<std::size_t>(i)];
    ImGui::PushID(i);
    const float width = ImGui::GetContentRegionAvail().x - button;
    const bool here = bookmark.inputs == app.inputs;
    const std::string name = fit_text(drawn_text(bookmark.name), width - ImGui::GetFontSize());
    if (ImGui::Selectable((name + "###bookmark").c_str(), here, 0, {width, ImGui::GetFrameHeight()}))
      go_to_bookmark(app, i);
    mark("bookmark " + std::to_string(i));
    if (ImGui::IsItemHovered())
      tooltip(summary(app.tr, bookmark.inputs) + "\n" + app.tr("Click: go there. Right click: rename."));
    rename_popup(app, bookmark);
    ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    if (icon_button("remove", Icon::close, app.tr("Take this bookmark out"))) remove = i;
    ImGui::PopID();
  }
  if (remove >= 0) app.bookmarks.erase(app.bookmarks.begin() + remove);
  if (app.bookmarks.empty())
    hint(app.style, app.tr("A bookmark keeps the inputs and the view as they are now, inside the session."));
  if (ImGui::Button(app.tr("Bookmark this (Ctrl+B)"))) add_bookmark(app);
  mark("add bookmark");
}

}  // namespace headscope
