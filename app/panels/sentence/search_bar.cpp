#include "app/panels/sentence/search_bar.h"

#include <algorithm>

#include "app/panels/widgets/compat.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "app/state/text/token_search.h"

namespace headscope {

void draw_search_bar(App& app, Ui& ui) {
  TokenSearch& search = ui.state.search;
  if (!search.open) return;
  const float em = ui.style.font_size;
  ImGui::SetNextItemWidth(std::min(14 * em, ImGui::GetContentRegionAvail().x - 12 * em));
  if (std::exchange(search.wants_keyboard, false)) focus_next_item();
  typed_text("###search", search.text, ui.tr("Word, phrase or #number"));
  anchor("search text");
  const bool typing = ImGui::IsItemActive(), left = ImGui::IsItemDeactivated();
  tooltip(ui.tr(
      "Finds tokens, marks their rows and columns on the maps and goes to them: Enter the next, Shift+Enter "
      "the previous one"));
  search.update(searched_block(app));
  const bool shift = ImGui::GetIO().KeyShift;
  if ((typing || left) && key_pressed(Key::enter)) {
    go_to_place(app, shift ? -1 : 1);
    search.wants_keyboard = true;
  }
  ImGui::SameLine();
  const auto count = static_cast<int>(search.places().size());
  ImGui::BeginDisabled(count == 0);
  if (icon_button("found before", Icon::left, ui.tr("Previous place (Shift+F3)"))) go_to_place(app, -1);
  anchor("found before");
  ImGui::SameLine();
  if (icon_button("found next", Icon::right, ui.tr("Next place (F3)"))) go_to_place(app, 1);
  anchor("found next");
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  const std::string reported = search.text.empty() ? std::string()
                               : count == 0        ? ui.tr("Not found")
                               : search.at >= 0    ? ui.tr.format("{} of {}", search.at + 1, count)
                                                   : ui.tr.plural("{} place", "{} places", count, count);
  const float close = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.x;
  muted_text(ui.style, fit_text(reported, ImGui::GetContentRegionAvail().x - close));
  anchor("found count");
  ImGui::SameLine();
  if (icon_button("close search", Icon::close, ui.tr("Close the search (Esc)"))) close_search(app);
  anchor("close search");
  if ((typing || left) && key_pressed(Key::escape)) close_search(app);
}

}  // namespace headscope
