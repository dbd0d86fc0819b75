#include <algorithm>
#include <cfloat>

#include "app/panels/dialogs/dialog_list.h"
#include "app/panels/dialogs/dialogs.h"
#include "app/panels/map/board.h"
#include "app/panels/map/map_pointer.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "app/state/document/links.h"
#include "core/teach/documents.h"
#include "core/teach/text_board.h"

namespace headscope {
namespace {

/// The list of pages; returns the one that was clicked, or "".
std::string draw_contents(const App& app) {
  std::string clicked;
  const auto entry = [&](const char* name) {
    const std::string title = app.tr(title_of_page(name));
    if (list_line((title + "###" + name).c_str(), app.dialogs.page.name == name)) clicked = name;
    anchor("read " + std::string(name));
  };
  for (const DocumentRow& row : documents()) entry(row.name);
  entry(models_page);
  return clicked;
}

/// Beside the page; on a phone above it, in a list that opens.
std::string draw_contents(const App& app, ImVec2 size) {
  if (finger_height() > 0) {
    ImGui::SetNextItemWidth(-FLT_MIN);
    const bool open = begin_list("###contents", app.tr(title_of_page(app.dialogs.page.name.c_str())));
    anchor("contents");
    const std::string clicked = open ? draw_contents(app) : "";
    if (open) ImGui::EndCombo();
    return clicked;
  }
  ImGui::BeginChild("contents", size);
  const std::string clicked = draw_contents(app);
  ImGui::EndChild();
  ImGui::SameLine();
  return clicked;
}

/// The link under the pointer that was clicked, or "".
std::string draw_links(const App& app, const Ui& ui, const Board& board, ImVec2 at) {
  for (const BoardRegion& region : board.regions) {
    const OnScreen place(region.rect, at);
    const auto [from, to] = place;
    if (region.name == "link" && take_heard_link(region.help, place)) return region.help;
    if (region.name != "link" || !ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(from, to)) continue;
    if (begin_tooltip(from, to)) {
      muted_text(ui.style, drawn_text(help_of_link(app, region.help)));
      ImGui::EndTooltip();
    }
    if (is_tapped(ui)) return region.help;
  }
  return {};
}

std::string draw_page(App& app, const Ui& ui, float height) {
  DocumentPage& page = app.dialogs.page;
  ImGui::BeginChild("page", {0, height}, false, ImGuiWindowFlags_NoNavInputs);
  scroll_by_keys();
  if (std::exchange(page.at_top, false)) ImGui::SetScrollY(0);
  const Board board =
      text_board(page.text, board_style(ui), ImGui::GetContentRegionAvail().x - ui.style.font_size,
                 [](const TextSpan& span) { return span.text; });
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_board(ui, board, at);
  hear_blocks(page.text.blocks, [](const TextSpan& span) { return span.text; });
  anchor("page");
  std::string followed = draw_links(app, ui, board, at);
  ImGui::EndChild();
  return followed;
}

}  // namespace

void draw_reader(App& app, const Ui& ui) {
  DocumentPage& page = app.dialogs.page;
  if (!begin_dialog("reader", app.tr("Documents"), page.open, 84)) return;
  // The language may have been changed since.
  const bool other_language = page.language != app.tr.language();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float height = ImGui::GetMainViewport()->Size.y * 0.75F;
  std::string next = draw_contents(app, {std::min(15 * ui.style.font_size, 0.3F * room.x), height});
  if (const std::string followed = draw_page(app, ui, height_in_dialog(height)); !followed.empty())
    next = followed;
  const bool leaves = !next.empty() && next != models_page && find_document(next) == nullptr;
  if (leaves) {
    page.open = false;
    ImGui::CloseCurrentPopup();
  }
  end_dialog();
  if (next == models_page || (next.empty() && other_language))
    return open_page(app, next.empty() ? page.name : next);
  if (!next.empty()) follow_link(app, next);
}

}  // namespace headscope
