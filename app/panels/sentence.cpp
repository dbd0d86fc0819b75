#include "app/panels/sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/glyphs.h"
#include "app/panels/panel_focus.h"
#include "app/panels/theme.h"
#include "app/panels/widgets.h"
#include "app/state/adjust.h"
#include "app/state/app.h"
#include "app/state/panel_order.h"
#include "core/inputs/mask_kinds.h"

namespace headscope {
namespace {

enum class Side { queries, keys };

struct Chips {
  Ui& ui;
  Side side;
  const std::vector<Token>& tokens;
  MaskPart* padding;  // where the tokens are keys and the padding mask is on
  MaskPart* global;   // where a mask with global tokens is on
};

bool is_global(const Chips& chips, int i) {
  return chips.global != nullptr && std::ranges::binary_search(chips.global->tokens, i);
}

/// The part that is on and of the first kind with a list of tokens: of keys alone, or of queries and keys.
MaskPart* part_with_tokens(Inputs& inputs, bool of_keys) {
  for (const MaskKindRow& row : mask_kinds())
    if (row.token_list() != nullptr && row.token_list()->of_keys == of_keys && part_on(inputs, row.kind))
      return find_part(inputs, row.kind);
  return nullptr;
}

bool is_padding(const Chips& chips, int i) {
  return chips.padding != nullptr && std::ranges::binary_search(chips.padding->tokens, i);
}

std::string code_points(const std::string& text) {
  std::string list;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t next = at;
    list += fmt::format("{}U+{:04X}", list.empty() ? "" : " ",
                        static_cast<unsigned>(decode_utf8(text, at, next)));
    at = next;
  }
  return list;
}

std::string chip_help(const Chips& chips, int i) {
  const Translator& tr = chips.ui.tr;
  const std::string& text = chips.tokens[static_cast<std::size_t>(i)].text;
  std::string help =
      tr.format("Token {} of {} (number {} in arrays): {}", i + 1, chips.tokens.size(), i, drawn_text(text));
  if (text.size() <= 64 &&
      std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }))
    help += "\n" + code_points(text);
  if (chips.padding == nullptr && chips.global == nullptr)
    return help + "\n" + tr("Switch on the padding mask or the global pattern to choose their tokens here.");
  if (chips.padding != nullptr)
    help += std::string("\n") + (is_padding(chips, i)
                                     ? tr("Padding: blocked as a key for every query. Click to unmark.")
                                     : tr("Click to mark as padding: blocked as a key for every query."));
  if (chips.global == nullptr) return help;
  help += "\n";
  if (chips.padding != nullptr)
    return help + (is_global(chips, i) ? tr("Global: sees every token and is seen by every token. "
                                            "Right-click or Shift+click to unmark.")
                                       : tr("Right-click or Shift+click to make it global: it sees every "
                                            "token and is seen by every token."));
  return help + (is_global(chips, i)
                     ? tr("Global: sees every token and is seen by every token. Click to unmark.")
                     : tr("Click to make it global: it sees every token and is seen by every token."));
}

/// A click is for padding where that is on, else for global tokens; with Shift or the right button for those.
void press_chip(const Chips& chips, int i, bool pressed) {
  const bool right = ImGui::IsItemClicked(ImGuiMouseButton_Right);
  if (!pressed && !right) return;
  const bool second = right || ImGui::GetIO().KeyShift || chips.padding == nullptr;
  if (MaskPart* part = second ? chips.global : chips.padding) toggle_token(*part, i);
}

void draw_chip(Chips& chips, int i, ImVec2 low, ImVec2 high, const std::string& text) {
  const Palette& colors = palette(chips.ui.style.theme);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool hovered = ImGui::IsItemHovered(), padding = is_padding(chips, i);
  const auto focus = chips.ui.state.focus();
  const bool marked = focus && (chips.side == Side::queries ? focus->query == i : false);
  const bool key_marked = focus && focus->key == i && (chips.side == Side::keys || !chips.ui.inputs.cross());
  const float rounding = chips.ui.style.font_size * 0.25F;
  list->AddRectFilled(low, high, hovered || marked || key_marked ? colors.accent_soft : colors.panel,
                      rounding);
  list->AddRect(low, high, marked || key_marked ? colors.accent : colors.border, rounding);
  const ImVec2 pad{chips.ui.style.font_size * 0.35F, (high.y - low.y - ImGui::GetTextLineHeight()) / 2};
  list->AddText({low.x + pad.x, low.y + pad.y}, padding ? colors.muted : colors.text, text.c_str());
  if (is_global(chips, i))
    list->AddRectFilled({low.x + pad.x, high.y - pad.y}, {high.x - pad.x, high.y - pad.y / 3}, colors.accent);
  if (padding) {
    const float y = (low.y + high.y) / 2;
    list->AddLine({low.x + pad.x, y}, {high.x - pad.x, y}, colors.muted, 1);
  }
}

/// Lays the tokens out in lines and draws those that can be seen.
void draw_chips(Chips& chips, float max_lines) {
  const float em = chips.ui.style.font_size, gap = std::round(em * 0.25F);
  const float height = std::round(ImGui::GetTextLineHeight() + em * 0.3F), line = height + gap;
  const float full = ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize;
  std::vector<ImVec2> places(chips.tokens.size());
  std::vector<float> widths(chips.tokens.size());
  float x = 0, y = 0;
  for (std::size_t i = 0; i < chips.tokens.size(); ++i) {
    widths[i] = std::min(full, ImGui::CalcTextSize(drawn_text(chips.tokens[i].text).c_str()).x + em * 0.7F);
    if (x > 0 && x + widths[i] > full) x = 0, y += line;
    places[i] = {x, y};
    x += widths[i] + gap;
  }
  const Panel panel = chips.side == Side::queries ? Panel::tokens : Panel::key_tokens;
  begin_panel_focus(chips.ui.state, panel);
  ImGui::BeginChild(chips.side == Side::queries ? "query tokens" : "key tokens",
                    {0, y == 0 ? line : std::min(y + line, std::round(line * max_lines))}, false,
                    ImGuiWindowFlags_NoBackground);
  note_panel(chips.ui.state, panel);
  const ImVec2 origin = ImGui::GetCursorPos();
  const float top = ImGui::GetScrollY() - line, bottom = ImGui::GetScrollY() + ImGui::GetWindowHeight();
  for (int i = 0; i < static_cast<int>(chips.tokens.size()); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (places[at].y < top || places[at].y > bottom) continue;
    ImGui::SetCursorPos({origin.x + places[at].x, origin.y + places[at].y});
    ImGui::PushID(i);
    const bool clicked = ImGui::InvisibleButton("chip", {widths[at], height});
    anchor((chips.side == Side::queries ? "token " : "key token ") + std::to_string(i));
    press_chip(chips, i, clicked);
    mark_navigated_item();
    draw_chip(chips, i, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
              fit_text(drawn_text(shown_token(chips.tokens[at].text)), widths[at] - em * 0.6F));
    if (ImGui::IsItemHovered()) tooltip(chip_help(chips, i));
    ImGui::PopID();
  }
  ImGui::SetCursorPos({origin.x, origin.y + y + height});
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
}

void draw_tokens(Ui& ui, Side side, float max_lines) {
  const std::vector<Token>& tokens = side == Side::queries ? ui.block->tokens : ui.block->key_tokens;
  if (tokens.empty()) return;
  const bool keys = side == Side::keys || !ui.inputs.cross();
  Chips chips{ui, side, tokens, keys ? part_with_tokens(ui.inputs, true) : nullptr,
              part_with_tokens(ui.inputs, false)};
  draw_chips(chips, max_lines);
}

/// How much of the window's height, in lines of text, is for maps rather than for the sentence.
bool is_low() {
  return ImGui::GetMainViewport()->WorkSize.y < 36 * ImGui::GetFontSize();
}

/// As high as its text was in the frame before, within limits.
float box_lines(const SentenceBox& box) {
  return std::clamp(static_cast<float>(box.wrapped.lines().size()), 1.0F, is_low() ? 2.0F : 3.0F);
}

/// Of tokens; a part of one more says that they scroll.
float chip_lines(bool cross) {
  if (is_low()) return 1.3F;
  return cross ? 2.1F : 3.1F;
}

/// Tab and Esc lead out of it.
void leave_box(App& app, SentenceBox& box) {
  const int leave = std::exchange(box.leave, 0);
  if (leave == 0) return;
  box.focused = false;
  if (leave != SentenceBox::to_maps) return step_panel(app, leave);
  go_to_panel(app, Panel::maps);
  app.state.panel_quiet = true;
}

/// The box of a sentence; the keyboard goes to it where its panel is wanted.
void draw_box(Ui& ui, SentenceBox& box, Panel panel, const char* id, std::string& text, const char* empty) {
  if (ui.state.panel_wanted == panel) {
    ui.state.panel_wanted = Panel::none;
    box.take_focus = true;
  }
  edit_text(box, id, text, box_lines(box), ui.memory.typed, empty, ui.tr);
}

}  // namespace

void draw_sentence(App& app, Ui& ui) {
  const Translator& tr = ui.tr;
  const bool cross = ui.inputs.cross();
  SentenceBox &box = ui.memory.sentence, &key_box = ui.memory.key_sentence;
  if (cross) ImGui::Columns(2, "sentences", false);
  if (cross) hint(ui.style, tr("Queries come from this sentence"));
  draw_box(ui, box, Panel::sentence, "sentence", ui.inputs.sentence,
           tr("Type or paste a sentence in any language"));
  draw_tokens(ui, Side::queries, chip_lines(cross));
  if (cross) {
    ImGui::NextColumn();
    hint(ui.style, tr("Keys and values come from this sentence"));
    draw_box(ui, key_box, Panel::key_sentence, "key sentence", *ui.inputs.key_sentence,
             tr("Type or paste the second sentence"));
    draw_tokens(ui, Side::keys, chip_lines(cross));
    ImGui::Columns(1);
  }
  if (box.focused) ui.state.panel = Panel::sentence;
  if (key_box.focused) ui.state.panel = Panel::key_sentence;
  for (SentenceBox* left : {&box, &key_box}) leave_box(app, *left);
}

}  // namespace headscope
