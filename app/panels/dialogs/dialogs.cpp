#include "app/panels/dialogs/dialogs.h"

#include <algorithm>

#include "app/panels/map/board.h"
#include "app/panels/views/head_label.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/actions/action_search.h"
#include "app/state/app.h"
#include "app/state/document/file_commands.h"
#include "core/base/translate.h"
#include "core/teach/text_board.h"

namespace headscope {
namespace {

/// The recently opened models.
struct RecentModels {
  explicit RecentModels(const App& app) {
    for (const std::string& folder : app.settings.recent_models) {
      texts.push_back(app.tr("Open recent model {}", drawn_text(folder)));
      folders.push_back(folder);
    }
    for (std::size_t i = 0; i < texts.size(); ++i)
      actions.push_back({.id = "recent model " + folders[i],
                         .text = texts[i].c_str(),
                         .run = [folder = folders[i]](App& a) { command_open_path(a, folder); }});
  }
  std::vector<std::string> texts, folders;
  std::vector<Action> actions;
};

std::vector<const Action*> find_actions(const App& app, const RecentModels& recent,
                                        const std::string& query) {
  std::vector<const Action*> all;
  for (const std::vector<Action>* const list : {&app.actions, &recent.actions})
    for (const Action& action : *list) all.push_back(&action);
  return find_actions(app, all, query);
}

/// The menu path of an action: "Attention · Mask · ".
std::string place_of(const Workspace& work, const Action& action) {
  std::string place = work.tr(group_name(action.group)) + std::string(" · ");
  if (action.submenu != nullptr) place += work.tr(action.submenu) + std::string(" · ");
  return place;
}

void palette_entry(App& app, const Style& style, const Action& action, bool chosen, bool& run) {
  const std::string keys = keys_of(action);
  ImGui::PushID(action.id.c_str());
  ImGui::BeginDisabled(!is_enabled(app, action));
  const float right = ImGui::GetContentRegionMax().x;
  run |= ImGui::Selectable((place_of(app, action) + text_of(action, app.tr)).c_str(), chosen);
  if (chosen && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
  ImGui::EndDisabled();
  if (action.refused) tooltip(action.refused(app));
  if (!keys.empty()) {
    ImGui::SameLine(right - ImGui::CalcTextSize(keys.c_str()).x);
    hint(style, keys);
  }
  ImGui::PopID();
}

void close_dialog(bool& open) {
  open = false;
  ImGui::CloseCurrentPopup();
}

}  // namespace

bool begin_dialog(const char* id, const char* title, bool& open, float em) {
  if (!open) return false;
  const std::string name = std::string(title) + "###" + id;
  const ImVec2 screen = ImGui::GetMainViewport()->Size;
  const float font = ImGui::GetFontSize();
  // Centred when it opens; afterwards the upper edge stays fixed while the height changes.
  constexpr int frames_to_settle = 3;
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  const auto key = [&](const char* what) { return ImGui::GetID((name + what).c_str()); };
  const ImGuiID frames_key = key("frames"), top_key = key("top"), height_key = key("height");
  int frames = storage.GetInt(frames_key);
  if (!ImGui::IsPopupOpen(name.c_str())) {
    ImGui::OpenPopup(name.c_str());
    frames = 0;
  }
  const float lowest = screen.y * 0.96F - storage.GetFloat(height_key);
  const bool settled = frames >= frames_to_settle;
  const float top = std::max(0.0F, std::min(storage.GetFloat(top_key), lowest));
  ImGui::SetNextWindowPos({screen.x / 2, settled ? top : screen.y / 2}, ImGuiCond_Always,
                          {0.5F, settled ? 0 : 0.5F});
  ImGui::SetNextWindowSizeConstraints({std::min(em * font, screen.x * 0.94F), 0},
                                      {std::min(em * font, screen.x * 0.94F), screen.y * 0.92F});
  if (!ImGui::BeginPopupModal(name.c_str(), &open,
                              ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove))
    return false;
  storage.SetInt(frames_key, std::min(frames + 1, frames_to_settle));
  storage.SetFloat(height_key, ImGui::GetWindowHeight());
  if (!settled) storage.SetFloat(top_key, ImGui::GetWindowPos().y);
  if (key_pressed(Key::escape) && !ImGui::IsAnyItemActive()) close_dialog(open);
  return true;
}

bool dialog_button(const char* text, const char* mark) {
  return button(text, mark) || (ImGui::IsItemFocused() && key_pressed(Key::enter));
}

QuestionButtons::QuestionButtons(int count) {
  if (ImGui::IsWindowAppearing()) {
    wanted_ = 0;
    show_highlight();
  } else if (key_pressed(Key::tab)) {
    const int focused = ImGui::GetStateStorage()->GetInt(ImGui::GetID("focused"));
    wanted_ = (focused + (ImGui::GetIO().KeyShift ? count - 1 : 1)) % count;
  }
}

bool QuestionButtons::operator()(const char* text, const char* mark) {
  const bool pressed = dialog_button(text, mark);
  if (next_ == wanted_) focus_last_item();
  if (ImGui::IsItemFocused()) ImGui::GetStateStorage()->SetInt(ImGui::GetID("focused"), next_);
  ++next_;
  return pressed;
}

void draw_palette(App& app, const Style& style) {
  PaletteDialog& dialog = app.dialogs.palette;
  if (!begin_dialog("palette", app.tr("Find an action"), dialog.open, 44)) return;
  if (ImGui::IsWindowAppearing()) focus_next_item();
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (typed_text("###query", dialog.query, app.tr("What you want to do, in English or Chinese")))
    dialog.chosen = 0;
  const RecentModels recent(app);
  const std::vector<const Action*> found = find_actions(app, recent, dialog.query);
  const int last = static_cast<int>(found.size()) - 1;
  if (key_pressed(Key::down, true)) ++dialog.chosen;
  if (key_pressed(Key::up, true)) --dialog.chosen;
  dialog.chosen = std::clamp(dialog.chosen, 0, std::max(0, last));
  const Action* run = nullptr;
  ImGui::BeginChild("found", {0, ImGui::GetFontSize() * 18});
  for (int i = 0; i <= last; ++i) {
    bool clicked = false;
    palette_entry(app, style, *found[i], i == dialog.chosen, clicked);
    if (i == dialog.chosen && (key_pressed(Key::down, true) || key_pressed(Key::up, true)))
      ImGui::SetScrollHereY();
    if (clicked) run = found[i];
  }
  if (found.empty()) hint(style, app.tr("No matching action."));
  ImGui::EndChild();
  if (key_pressed(Key::enter) && last >= 0) run = found[dialog.chosen];
  const bool again = is_pressed(app, "palette") && !ImGui::IsWindowAppearing();
  if (key_pressed(Key::escape) || again || run != nullptr) close_dialog(dialog.open);
  ImGui::EndPopup();
  if (run != nullptr && is_enabled(app, *run)) run->run(app);
}

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

void key_table(App& app, const Style& style) {
  if (!ImGui::BeginTable("keys", 2, ImGuiTableFlags_RowBg)) return;
  ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 13);
  ImGui::TableSetupColumn("what");
  enum class Part { usual, lessons, presenting };
  const auto part_of_action = [](const Action& action) {
    if (action.presenting) return Part::presenting;
    return action.is_in(lessons_menu) ? Part::lessons : Part::usual;
  };
  for (const Part part : {Part::usual, Part::lessons, Part::presenting}) {
    if (part == Part::lessons) heading_row(style, app.tr(lessons_menu));
    if (part == Part::presenting) heading_row(style, app.tr("While presenting"));
    for (const Action& action : app.actions)
      if (!action.keys.empty() && part_of_action(action) == part)
        key_row(keys_of(action).c_str(), text_of(action, app.tr));
  }
  const char* place = "While presenting";
  for (const PanelKey& key : panel_keys()) {
    if (place == nullptr || std::string_view(place) != key.place) heading_row(style, app.tr(key.place));
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

/// What is read in a dialog, by mouse and keys; the last thing in it.
template <typename Draw>
void end_with_list(float height, const Draw& draw) {
  ImGui::BeginChild("list", {0, height}, false, ImGuiWindowFlags_NoNavInputs);
  scroll_by_keys();
  draw();
  ImGui::EndChild();
  ImGui::EndPopup();
}

}  // namespace

void draw_keys(App& app, const Style& style) {
  if (!begin_dialog("keys", app.tr("Keyboard shortcuts"), app.dialogs.keys, 42)) return;
  if (is_pressed(app, "keys") && !ImGui::IsWindowAppearing()) close_dialog(app.dialogs.keys);
  end_with_list(std::min(ImGui::GetMainViewport()->Size.y * 0.75F, ImGui::GetFontSize() * 36),
                [&] { key_table(app, style); });
}

void draw_messages(App& app, const Style& style) {
  if (!begin_dialog("messages", app.tr("Messages"), app.dialogs.messages, 42)) return;
  end_with_list(ImGui::GetMainViewport()->Size.y * 0.4F, [&] {
    const std::vector<Notice>& list = app.notices.list();
    for (auto notice = list.rbegin(); notice != list.rend(); ++notice) {
      colored_text(notice_color(palette(style.theme), notice->kind), drawn_text(notice->text));
      ImGui::Separator();
    }
  });
}

void draw_model_card_dialog(App& app, const Ui& ui) {
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
  end_with_list(ImGui::GetMainViewport()->Size.y * 0.75F, [&] {
    const Board board =
        text_board(card.text, board_style(ui), ImGui::GetContentRegionAvail().x - ui.style.font_size,
                   [](const TextSpan& span) { return span.text; });
    draw_board(ui, board, ImGui::GetCursorScreenPos());
    anchor("model card");
  });
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

void draw_about(App& app, const Style& style) {
  if (!begin_dialog("about", app.tr("About Headscope"), app.dialogs.about, 26)) return;
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(app.tr("Headscope, a microscope for multi-head attention."));
  ImGui::TextUnformatted(app.tr("Version {}", HEADSCOPE_VERSION).c_str());
  hint(style, app.tr("Type a sentence and see what every head attends to. No network, no telemetry."));
  ImGui::TextUnformatted(app.tr("MIT licence"));
  if (const char* const shown_by = ImGui::GetIO().BackendPlatformName) hint(style, app.tr(shown_by));
  ImGui::PopTextWrapPos();
  ImGui::EndPopup();
}

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
    {at_anywhere, "?", TR("Show this list, except while editing text")},
    {at_items, TR("Arrow keys"), TR("Move between items")},
    {at_items, "Tab, Shift+Tab", TR("Move between fields and sliders")},
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

}  // namespace

std::span<const PanelKey> panel_keys() {
  return all_panel_keys;
}

void draw_dialogs(App& app, Ui& ui) {
  draw_figure_page(app, ui);
  draw_palette(app, ui.style);
  draw_keys(app, ui.style);
  draw_about(app, ui.style);
  draw_messages(app, ui.style);
  draw_model_card_dialog(app, ui);
  draw_head_label(app, ui);
  draw_file_dialogs(app, ui.memory);
}

}  // namespace headscope
