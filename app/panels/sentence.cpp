#include "app/panels/sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/glyphs.h"
#include "app/panels/panel_focus.h"
#include "app/panels/sides.h"
#include "app/panels/theme.h"
#include "app/panels/widgets.h"
#include "app/state/adjust.h"
#include "app/state/app.h"
#include "app/state/compared_cell.h"
#include "app/state/panel_order.h"
#include "core/inputs/mask_kinds.h"

namespace headscope {
namespace {

enum class Side { queries, keys };

struct Chips {
  Ui& ui;
  Side side;
  bool b;  // of the comparison's B
  const std::vector<Token>& tokens;
  MaskPart* padding;          // where the tokens are keys and the padding mask is on
  MaskPart* global;           // where a mask with global tokens is on
  std::optional<Cell> focus;  // of these tokens
};

Panel panel_of(const Chips& chips) {
  const SentencePanels panels = panels_of_side(chips.b);
  return chips.side == Side::queries ? panels.tokens : panels.key_tokens;
}

std::string mark_of(const Chips& chips, int i) {
  return (chips.b ? "B " : "") + std::string(chips.side == Side::queries ? "token " : "key token ") +
         std::to_string(i);
}

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
  const std::optional<Cell>& focus = chips.focus;
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
  const Panel panel = panel_of(chips);
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
    anchor(mark_of(chips, i));
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

/// The cell to mark among the tokens of one side; -1 where the side has no such token.
std::optional<Cell> focus_of_side(const App& app, const Ui& ui, bool b) {
  if (!app.compares() || !ui.other.block || ui.block->n_q() == 0 || ui.other.block->n_q() == 0)
    return ui.state.focus();
  if (!b && ui.state.focus()) return ui.state.focus();
  const auto comparison = ui.view_cache.comparison(ui.block, ui.other.block, ui.state.view);
  if (!comparison || comparison->shown_a->block != ui.block || comparison->shown_b->block != ui.other.block)
    return {};
  const ComparedPlace place = focused_place(*comparison, ui.state);
  return place.any() ? std::optional(cell_at(*comparison, 0, place, b)) : std::nullopt;
}

/// How much of the window's height, in lines of text, is for maps rather than for the sentence.
bool is_low() {
  return ImGui::GetMainViewport()->WorkSize.y < 36 * ImGui::GetFontSize();
}

/// As high as its text was in the frame before, within limits.
float box_lines(const SentenceBox& box, bool compares) {
  // Half as wide, a box would be twice as high: where height is scarce it scrolls.
  const float most = !is_low() ? 3 : compares ? 1 : 2;
  return std::clamp(static_cast<float>(box.wrapped.lines().size()), 1.0F, most);
}

/// Of tokens; a part of one more says that they scroll.
float chip_lines(bool cross, bool compares) {
  if (is_low()) return compares ? 1 : 1.3F;
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

/// One sentence and where it stands: queries or keys, of A or B.
struct Slot {
  bool b;
  Side side;
  SentenceBox& box;
};

std::vector<Slot> slots(App& app, PanelMemory& memory) {
  std::vector<Slot> list{{false, Side::queries, memory.sentence}};
  if (app.inputs.cross()) list.push_back({false, Side::keys, memory.key_sentence});
  if (!app.compares()) return list;
  list.push_back({true, Side::queries, memory.sentence_b});
  if (app.compare->cross()) list.push_back({true, Side::keys, memory.key_sentence_b});
  return list;
}

/// What is drawn of all of them in one frame.
struct Sentences {
  App& app;
  Ui& ui;  // of A
  std::vector<Slot> slots;
  bool compares = false, titles = false;
};

/// What a box is for, where there are several.
void draw_title(const Sentences& all, const Slot& slot) {
  const Translator& tr = all.ui.tr;
  const bool queries = slot.side == Side::queries;
  if (!all.compares)
    return hint(all.ui.style, queries ? tr("Queries come from this sentence")
                                      : tr("Keys and values come from this sentence"));
  const float below = ImGui::GetCursorPosY() + ImGui::GetTextLineHeightWithSpacing();
  draw_side_title(all.ui, slot.b, ImGui::GetTextLineHeight());
  const bool cross = slot.b ? all.app.compare->cross() : all.app.inputs.cross();
  if (cross) {
    ImGui::SameLine();
    muted_text(all.ui.style,
               fit_text(queries ? tr("Queries") : tr("Keys and values"), ImGui::GetContentRegionAvail().x));
  }
  ImGui::SetCursorPosY(below);  // that of all boxes, whatever stands above them
}

/// The box; the keyboard goes to it where its panel is wanted. Where the comparison's box is entered, its
/// side is the one that is edited.
void draw_box(Sentences& all, const Slot& slot, std::string& text) {
  ViewState& state = all.app.state;
  const SentencePanels panels = panels_of_side(slot.b);
  const bool queries = slot.side == Side::queries;
  const Panel panel = queries ? panels.sentence : panels.key_sentence;
  if (state.panel_wanted == panel) {
    state.panel_wanted = Panel::none;
    slot.box.take_focus = true;
  }
  const Translator& tr = all.ui.tr;
  const bool before = slot.box.focused;
  edit_text(
      slot.box, queries ? "sentence" : "key sentence", text, box_lines(slot.box, all.compares),
      all.ui.memory.typed,
      queries ? tr("Type or paste a sentence in any language") : tr("Type or paste the second sentence"), tr);
  anchor(std::string(slot.b ? "B " : "") + (queries ? "sentence" : "key sentence"));
  if (slot.box.focused && !before && all.compares) state.edit_b = slot.b;
  if (slot.box.focused) state.panel = panel;
}

void draw_tokens(const Sentences& all, const Slot& slot) {
  Ui side = side_of(all.app, all.ui, slot.b);
  const std::vector<Token>& tokens = slot.side == Side::queries ? side.block->tokens : side.block->key_tokens;
  // Before B's first run there are A's tokens alone.
  if (tokens.empty() || (slot.b && side.block == all.ui.block)) return;
  const bool keys = slot.side == Side::keys || !side.inputs.cross();
  Chips chips{side,
              slot.side,
              slot.b,
              tokens,
              keys ? part_with_tokens(side.inputs, true) : nullptr,
              part_with_tokens(side.inputs, false),
              focus_of_side(all.app, all.ui, slot.b)};
  draw_chips(chips, chip_lines(all.titles, all.compares));
}

void draw_slot(Sentences& all, const Slot& slot) {
  Inputs& inputs = slot.b ? *all.app.compare : all.app.inputs;
  ImGui::PushID(slot.b ? "B" : "A");
  if (all.titles) draw_title(all, slot);
  if (all.compares && !all.titles) {
    draw_side_title(all.ui, slot.b, ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().FramePadding.y);
    ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  }
  ImGui::BeginGroup();
  draw_box(all, slot, slot.side == Side::queries ? inputs.sentence : *inputs.key_sentence);
  draw_tokens(all, slot);
  ImGui::EndGroup();
  ImGui::PopID();
}

/// Each side has one half of the room.
float column_end(const Sentences& all, std::size_t i) {
  const bool b = all.slots[i].b;
  const auto of_side = std::ranges::count(all.slots, b, &Slot::b);
  const auto before = std::count_if(all.slots.begin(), all.slots.begin() + static_cast<std::ptrdiff_t>(i),
                                    [b](const Slot& slot) { return slot.b == b; });
  const float share = static_cast<float>(before + 1) / static_cast<float>(of_side);
  return all.compares ? (share + (b ? 1 : 0)) / 2 : share;
}

}  // namespace

void draw_sentence(App& app, Ui& ui) {
  Sentences all{app, ui, slots(app, ui.memory), app.compares()};
  all.titles = app.inputs.cross() || (all.compares && app.compare->cross());
  const auto count = static_cast<int>(all.slots.size());
  const float width = ImGui::GetContentRegionAvail().x;
  if (count > 1) ImGui::Columns(count, "sentences", false);
  for (int i = 0; i < count; ++i) {
    if (i > 0) ImGui::NextColumn();
    if (i + 1 < count) ImGui::SetColumnOffset(i + 1, width * column_end(all, static_cast<std::size_t>(i)));
    draw_slot(all, all.slots[static_cast<std::size_t>(i)]);
  }
  if (count > 1) ImGui::Columns(1);
  for (const Slot& slot : all.slots) leave_box(app, slot.box);
  for (SentenceBox* box : ui.memory.boxes()) {
    const auto slot = std::ranges::find(all.slots, box, [](const Slot& s) { return &s.box; });
    if (slot == all.slots.end() || (all.compares && slot->b != app.state.edit_b)) box->focused = false;
  }
}

}  // namespace headscope
