#include <algorithm>

#include "app/panels/dialogs/dialogs.h"
#include "app/panels/shell/panel_keys.h"
#include "app/panels/views/head_label.h"
#include "app/panels/widgets/board.h"
#include "app/panels/widgets/compat.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "core/teach/text_board.h"

namespace headscope {
namespace {

void key_row(const char* keys, const char* what) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(keys);
  ImGui::PopTextWrapPos();
  ImGui::TableNextColumn();
  wrapped_text(what);
}

void heading_row(const Style& style, const char* text) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  muted_text(style, text);
  ImGui::TableNextColumn();
}

void key_table(App& app, const Ui& ui) {
  if (!ImGui::BeginTable("keys", 2, ImGuiTableFlags_RowBg)) return;
  ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 13);
  ImGui::TableSetupColumn("what");
  enum class Part { usual, lessons, presenting };
  const auto part_of_action = [](const Action& action) {
    if (action.presenting) return Part::presenting;
    return action.submenu != nullptr && std::string_view(action.submenu) == lessons_menu ? Part::lessons
                                                                                         : Part::usual;
  };
  for (const Part part : {Part::usual, Part::lessons, Part::presenting}) {
    if (part == Part::lessons) heading_row(ui.style, app.tr(lessons_menu));
    if (part == Part::presenting) heading_row(ui.style, app.tr("While presenting"));
    for (const Action& action : app.actions)
      if (!action.keys.empty() && part_of_action(action) == part)
        key_row(keys_of(action).c_str(), text_of(action, app.tr));
  }
  const char* place = "While presenting";
  for (const PanelKey& key : panel_keys()) {
    if (place == nullptr || std::string_view(place) != key.place) heading_row(ui.style, app.tr(key.place));
    place = key.place;
    key_row(app.tr(key.keys), app.tr(key.what));
  }
  ImGui::EndTable();
}

/// Arrow keys scroll a window without focusable items.
void scroll_by_keys() {
  const float line = ImGui::GetTextLineHeightWithSpacing(), page = ImGui::GetWindowHeight() - line;
  const auto by =
      static_cast<float>(key_pressed(Key::down, true) - key_pressed(Key::up, true)) * line +
      static_cast<float>(key_pressed(Key::page_down, true) - key_pressed(Key::page_up, true)) * page;
  if (by != 0) ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + by, 0.0F, ImGui::GetScrollMaxY()));
  if (key_pressed(Key::home)) ImGui::SetScrollY(0);
  if (key_pressed(Key::end)) ImGui::SetScrollY(ImGui::GetScrollMaxY());
}

void close_dialog(bool& open) {
  open = false;
  ImGui::CloseCurrentPopup();
}

}  // namespace

void draw_keys(App& app, const Ui& ui) {
  if (!begin_dialog("keys", app.tr("Keyboard shortcuts"), app.dialogs.keys, 42)) return;
  if (is_pressed(app, "keys") && !ImGui::IsWindowAppearing()) close_dialog(app.dialogs.keys);
  const float height = std::min(ImGui::GetMainViewport()->Size.y * 0.75F, ImGui::GetFontSize() * 36);
  ImGui::BeginChild("list", {0, height}, false, ImGuiWindowFlags_NoNavInputs);
  scroll_by_keys();
  key_table(app, ui);
  ImGui::EndChild();
  ImGui::EndPopup();
}

void draw_messages(App& app, const Ui& ui) {
  if (!begin_dialog("messages", app.tr("Messages"), app.dialogs.messages, 42)) return;
  ImGui::BeginChild("list", {0, ImGui::GetMainViewport()->Size.y * 0.4F}, false,
                    ImGuiWindowFlags_NoNavInputs);
  scroll_by_keys();
  const std::vector<Notice>& list = app.notices.list();
  for (auto notice = list.rbegin(); notice != list.rend(); ++notice) {
    const std::string text = drawn_text(notice->text);
    if (notice->kind == Notice::Kind::error)
      error_text(ui.style, text);
    else if (notice->kind == Notice::Kind::warning)
      warning_text(ui.style, text);
    else
      wrapped_text(text);
    ImGui::Separator();
  }
  ImGui::EndChild();
  ImGui::EndPopup();
}

void draw_model_card(App& app, const Ui& ui) {
  ModelCard& card = app.dialogs.card;
  if (!begin_dialog(
          "model card",
          card.of == ModelCard::Of::models ? app.tr("The built-in models") : app.tr("The lesson file"),
          card.open, 60))
    return;
  // The language may have been changed since.
  if (card.language != app.tr.language()) try {
      card = read_card(card.of, app.tr.language());
    } catch (const Error& error) {
      app.notices.error(Notice::About::opening, error);
      card.language = app.tr.language();
    }
  ImGui::BeginChild("list", {0, ImGui::GetMainViewport()->Size.y * 0.75F}, false,
                    ImGuiWindowFlags_NoNavInputs);
  scroll_by_keys();
  const Board board = text_board(card.text, board_style(ui),
                                 static_cast<double>(ImGui::GetContentRegionAvail().x - ui.style.font_size),
                                 [](const TextSpan& span) { return span.text; });
  draw_board(ui, board, ImGui::GetCursorScreenPos());
  anchor("model card");
  ImGui::EndChild();
  ImGui::EndPopup();
}

void draw_head_label(App& app, Ui& ui) {
  Dialogs& dialogs = app.dialogs;
  if (!begin_dialog("head label", app.tr("Head name and colour"), dialogs.head_label, 26)) return;
  const int layer = dialogs.labelled_layer, head = dialogs.labelled_head;
  if (layer < ui.block->layer_count() && head < ui.block->heads()) {
    ImGui::TextUnformatted(full_head_name(ui, layer, head).c_str());
    if (ImGui::IsWindowAppearing()) dialogs.name_focus = true;
    edit_head_label(ui, layer, head, std::exchange(dialogs.name_focus, false));
  }
  if (ImGui::Button(app.tr("Done")) || key_pressed(Key::enter)) close_dialog(dialogs.head_label);
  ImGui::EndPopup();
}

void draw_about(App& app, const Ui& ui) {
  if (!begin_dialog("about", app.tr("About Headscope"), app.dialogs.about, 26)) return;
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(app.tr("Headscope, a microscope for multi-head attention."));
  ImGui::TextUnformatted(app.tr.format("Version {}", HEADSCOPE_VERSION).c_str());
  hint(ui.style, app.tr("Type a sentence and see what every head attends to. No network, no telemetry."));
  ImGui::TextUnformatted(app.tr("MIT licence"));
  ImGui::PopTextWrapPos();
  ImGui::EndPopup();
}

}  // namespace headscope
