#include "app/panels/token_chips.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/glyphs.h"
#include "app/panels/panel_focus.h"
#include "app/panels/theme.h"
#include "app/panels/widgets.h"
#include "app/state/adjust.h"
#include "app/state/text_edit.h"
#include "core/inputs/mask_kinds.h"

namespace headscope {
namespace {

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

}  // namespace

void draw_tokens(Ui& ui, Side side, float max_lines) {
  const std::vector<Token>& tokens = side == Side::queries ? ui.block->tokens : ui.block->key_tokens;
  if (tokens.empty()) return;
  const bool keys = side == Side::keys || !ui.inputs.cross();
  Chips chips{ui, side, tokens, keys ? part_with_tokens(ui.inputs, true) : nullptr,
              part_with_tokens(ui.inputs, false)};
  draw_chips(chips, max_lines);
}

}  // namespace headscope
