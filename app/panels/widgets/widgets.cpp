#include "app/panels/widgets/widgets.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cfloat>
#include <cmath>
#include <string_view>
#include <utility>

#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/placed_text.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widget_memory.h"
#include "app/state/text/text_edit.h"
#include "core/base/utf8.h"
#include "core/figure/boards/layout.h"
#include "core/text/token_label.h"

namespace headscope {
namespace {

WrappedText wrapped_to(const std::string& text, float width) {
  WrappedText wrapped;
  wrapped.wrap(text, width, [](char32_t c) { return char_advance(drawn_character(c)); });
  return wrapped;
}

bool is_outlined_anew() {
  const WidgetMemory* memory = widget_memory();
  return memory != nullptr && memory->outlined_anew;
}

void draw_die(ImDrawList* list, ImVec2 c, float r, ImU32 color) {
  list->AddRect({c.x - r, c.y - r}, {c.x + r, c.y + r}, color, r * 0.4F, 0, std::max(1.0F, r * 0.16F));
  const float dot = r * 0.17F, off = r * 0.5F;
  for (const ImVec2 d :
       {ImVec2(-off, -off), ImVec2(off, -off), ImVec2(0, 0), ImVec2(-off, off), ImVec2(off, off)})
    list->AddCircleFilled({c.x + d.x, c.y + d.y}, dot, color, 8);
}

void draw_star(ImDrawList* list, ImVec2 c, float r, ImU32 color) {
  ImVec2 points[10];
  for (int i = 0; i < 10; ++i) {
    const float angle = -1.5708F + 0.62832F * static_cast<float>(i), radius = i % 2 == 0 ? r : r * 0.45F;
    points[i] = {c.x + radius * std::cos(angle), c.y + radius * std::sin(angle)};
  }
  list->AddPolyline(points, 10, color, ImDrawFlags_Closed, std::max(1.0F, r * 0.18F));
}

void draw_funnel(ImDrawList* list, ImVec2 c, float r, ImU32 color) {
  list->AddTriangleFilled({c.x - r, c.y - r * 0.8F}, {c.x + r, c.y - r * 0.8F}, {c.x, c.y + r * 0.4F}, color);
  list->AddRectFilled({c.x - r * 0.2F, c.y}, {c.x + r * 0.2F, c.y + r}, color);
}

/// An arrow that turns back to the left over the top; with `left` -1 mirrored.
void draw_turn(ImDrawList* list, ImVec2 c, float r, ImU32 color, float left) {
  const auto at = [&](float x, float y) { return ImVec2(c.x + left * r * x, c.y + r * y); };
  list->PathLineTo(at(-0.5F, -0.35F));
  list->PathBezierCubicCurveTo(at(1.3F, -0.5F), at(1.3F, 0.9F), at(-0.3F, 0.8F));
  list->PathStroke(color, 0, std::max(1.0F, r * 0.24F));
  list->AddTriangleFilled(at(-1, -0.35F), at(-0.3F, -0.95F), at(-0.3F, 0.25F), color);
}

/// Its point at the lower left.
void draw_pencil(ImDrawList* list, ImVec2 c, float r, ImU32 color) {
  const auto at = [&](float along, float across) {
    return ImVec2(c.x + r * (along + across), c.y + r * (across - along));
  };
  list->AddQuadFilled(at(-0.45F, -0.25F), at(0.35F, -0.25F), at(0.35F, 0.25F), at(-0.45F, 0.25F), color);
  list->AddQuadFilled(at(0.5F, -0.25F), at(0.75F, -0.25F), at(0.75F, 0.25F), at(0.5F, 0.25F), color);
  list->AddTriangleFilled(at(-0.9F, 0), at(-0.55F, -0.25F), at(-0.55F, 0.25F), color);
}

/// A circle that is nearly closed, with an arrow's head at its end.
void draw_reset(ImDrawList* list, ImVec2 c, float r, ImU32 color) {
  constexpr float from = -0.9F, to = 4.2F;
  list->PathArcTo(c, r * 0.8F, from, to, 24);
  list->PathStroke(color, 0, std::max(1.0F, r * 0.24F));
  const ImVec2 end{c.x + r * 0.8F * std::cos(from), c.y + r * 0.8F * std::sin(from)};
  list->AddTriangleFilled({end.x + r * 0.45F, end.y - r * 0.4F}, {end.x + r * 0.3F, end.y + r * 0.5F},
                          {end.x - r * 0.5F, end.y + r * 0.05F}, color);
}

void draw_arrow(ImDrawList* list, ImVec2 from, ImVec2 to, float head, float width, ImU32 color) {
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  const ImVec2 d{(to.x - from.x) / length * head, (to.y - from.y) / length * head};
  list->AddLine(from, {to.x - d.x, to.y - d.y}, color, width);
  list->AddTriangleFilled(to, {to.x - d.x - 0.7F * d.y, to.y - d.y + 0.7F * d.x},
                          {to.x - d.x + 0.7F * d.y, to.y - d.y - 0.7F * d.x}, color);
}

}  // namespace

void draw_icon(ImDrawList* list, Icon icon, ImVec2 c, float r, ImU32 color) {
  const float w = std::max(1.0F, r * 0.24F);
  const auto triangle = [&](ImVec2 tip, ImVec2 one, ImVec2 other) {
    const auto at = [&](ImVec2 share) { return ImVec2(c.x + r * share.x, c.y + r * share.y); };
    list->AddTriangleFilled(at(tip), at(one), at(other), color);
  };
  switch (icon) {
    case Icon::die:
      return draw_die(list, c, r, color);
    case Icon::funnel:
      return draw_funnel(list, c, r, color);
    case Icon::star:
      return draw_star(list, c, r, color);
    case Icon::close:
      list->AddLine({c.x - r * 0.7F, c.y - r * 0.7F}, {c.x + r * 0.7F, c.y + r * 0.7F}, color, w);
      list->AddLine({c.x - r * 0.7F, c.y + r * 0.7F}, {c.x + r * 0.7F, c.y - r * 0.7F}, color, w);
      return;
    case Icon::plus:
      list->AddLine({c.x, c.y - r * 0.8F}, {c.x, c.y + r * 0.8F}, color, w);
      [[fallthrough]];
    case Icon::minus:
      list->AddLine({c.x - r * 0.8F, c.y}, {c.x + r * 0.8F, c.y}, color, w);
      return;
    case Icon::left:
      return triangle({-0.6F, 0}, {0.5F, -0.8F}, {0.5F, 0.8F});
    case Icon::right:
      return triangle({0.6F, 0}, {-0.5F, 0.8F}, {-0.5F, -0.8F});
    case Icon::down:
      return triangle({0, 0.6F}, {-0.8F, -0.5F}, {0.8F, -0.5F});
    case Icon::up:
      return triangle({0, -0.6F}, {0.8F, 0.5F}, {-0.8F, 0.5F});
    case Icon::sort:
      for (const float line : {-0.8F, 0.0F, 0.8F})
        list->AddLine({c.x - r, c.y + r * line}, {c.x + r * (0.1F - 0.8F * line), c.y + r * line}, color, w);
      return;
    case Icon::swap:
      draw_arrow(list, {c.x - r, c.y - r * 0.4F}, {c.x + r, c.y - r * 0.4F}, r * 0.6F, w, color);
      return draw_arrow(list, {c.x + r, c.y + r * 0.5F}, {c.x - r, c.y + r * 0.5F}, r * 0.6F, w, color);
    case Icon::undo:
      return draw_turn(list, c, r, color, 1);
    case Icon::redo:
      return draw_turn(list, c, r, color, -1);
    case Icon::reset:
      return draw_reset(list, c, r, color);
    case Icon::present:
      list->AddRect({c.x - r, c.y - r * 0.8F}, {c.x + r, c.y + r * 0.5F}, color, 0, 0, w);
      return list->AddLine({c.x - r * 0.5F, c.y + r * 0.95F}, {c.x + r * 0.5F, c.y + r * 0.95F}, color, w);
    case Icon::share:
      draw_arrow(list, {c.x, c.y + r * 0.4F}, {c.x, c.y - r}, r * 0.6F, w, color);
      list->PathLineTo({c.x - r * 0.9F, c.y + r * 0.3F});
      list->PathLineTo({c.x - r * 0.9F, c.y + r * 0.9F});
      list->PathLineTo({c.x + r * 0.9F, c.y + r * 0.9F});
      list->PathLineTo({c.x + r * 0.9F, c.y + r * 0.3F});
      return list->PathStroke(color, 0, w);
    case Icon::pencil:
      return draw_pencil(list, c, r, color);
    case Icon::info:
      list->AddCircle(c, r, color, 0, std::max(1.0F, r * 0.16F));
      list->AddRectFilled({c.x - w * 0.5F, c.y - r * 0.15F}, {c.x + w * 0.5F, c.y + r * 0.55F}, color);
      list->AddRectFilled({c.x - w * 0.5F, c.y - r * 0.55F}, {c.x + w * 0.5F, c.y - r * 0.55F + w}, color);
      return;
    case Icon::menu:
      for (const float y : {-r * 0.6F, 0.0F, r * 0.6F})
        list->AddRectFilled({c.x - r * 0.8F, c.y + y - w / 2}, {c.x + r * 0.8F, c.y + y + w / 2}, color);
      return;
    case Icon::more:
      for (const float x : {-r * 0.8F, 0.0F, r * 0.8F})
        list->AddCircleFilled({c.x + x, c.y}, w * 0.7F, color, 10);
      return;
  }
}

void outline_field(ImVec2 min, ImVec2 max) {
  outline(min, max);
  const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowSize().y;
  const bool seen = min.y >= top && max.y <= bottom;
  if (!seen && (ImGui::IsWindowAppearing() || is_outlined_anew()))
    ImGui::SetScrollFromPosY(min.y - ImGui::GetWindowPos().y, 0.35F);
}

void anchor(const std::string& name) {
  const WidgetMemory* memory = widget_memory();
  if (memory == nullptr || memory->ui_anchors == nullptr) return;
  const ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 low = list.GetClipRectMin(), high = list.GetClipRectMax();
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  if (Heard* const heard = listener())
    if (HeardItem* const item = heard->last(min, max)) item->mark = name;
  const ImVec2 from{std::max(min.x, low.x), std::max(min.y, low.y)};
  const ImVec2 to{std::min(max.x, high.x), std::min(max.y, high.y)};
  if (from.x >= to.x || from.y >= to.y) return;
  memory->ui_anchors->add(name, from, to);
  if (from.x > min.x + 1 || to.x < max.x - 1) memory->ui_anchors->add_cut(name);
}

void framed_text(const std::string& text) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(text.c_str());
}

void note_place(const std::string& name, ImVec2 min, ImVec2 max) {
  if (is_outlined(name.c_str())) outline(min, max);
  const WidgetMemory* memory = widget_memory();
  if (memory != nullptr && memory->ui_anchors != nullptr) memory->ui_anchors->add(name, min, max);
}

bool is_outlined(const char* name) {
  const WidgetMemory* memory = widget_memory();
  return memory != nullptr && std::ranges::find(memory->outlined, name) != memory->outlined.end();
}

void outline(ImVec2 min, ImVec2 max) {
  const WidgetMemory* memory = widget_memory();
  const float em = ImGui::GetFontSize();
  // Also in the margin of the window, where contents are clipped.
  const ImRect whole = ImGui::GetCurrentWindow()->OuterRectClipped;
  ImGui::PushClipRect(whole.Min, whole.Max, false);
  ImGui::GetWindowDrawList()->AddRect({min.x - 2, min.y - 2}, {max.x + 2, max.y + 2},
                                      palette(memory->style.theme).accent, em * 0.25F, 0,
                                      std::max(2.0F, em * 0.12F));
  ImGui::PopClipRect();
}

std::string broken_text(const std::string& whole, float width) {
  const std::string text = drawable(whole);
  const WrappedText wrapped = wrapped_to(text, width);
  std::string broken;
  for (const TextLine& line : wrapped.lines())
    broken += (broken.empty() ? "" : "\n") + text.substr(line.begin, line.end - line.begin);
  return broken;
}

void wrapped_text(const std::string& whole, float width) {
  if (width <= 0) width = std::max(ImGui::GetContentRegionAvail().x, ImGui::GetFontSize() * 4);
  const std::string broken = broken_text(whole, width);
  ::ImGui::TextUnformatted(broken.c_str(), broken.c_str() + broken.size());
  hear_text(whole);
}

float wrapped_height(const std::string& text, float width) {
  return static_cast<float>(wrapped_to(text, width).lines().size()) * ImGui::GetTextLineHeight();
}

namespace {

/// `focused`: what the keyboard is on.
bool may_explain(bool focused = false) {
  const WidgetMemory* memory = widget_memory();
  if (memory == nullptr) return true;
  // A finger only taps what a mouse rests on: it is held still to ask.
  if (memory->style.finger > 0 && !memory->asked) return false;
  if (memory->keyed && !focused) return false;
  // While presenting, a tooltip would cover the stage: only the panels over it have tooltips.
  const auto [left, top, right, bottom] = memory->edge;
  const ImVec2 at = ImGui::GetIO().MousePos;
  return !memory->style.presented || (at.x >= left && at.x < right && at.y >= top && at.y < bottom);
}

/// The size of the tooltip by its content in the last frame, or a usual one if there was none.
ImVec2 tooltip_size() {
  ImGuiWindow* const window = ImGui::FindWindowByName("##Tooltip_00");
  const float em = ImGui::GetFontSize();
  return window != nullptr && window->WasActive ? ImGui::CalcWindowNextAutoFitSize(window)
                                                : ImVec2(em * 9, em * 9);
}

/// A tooltip beside its item: along the item it is placed as the pointer is along the window, so that it
/// never leaves the window there.
bool begin_beside(ImVec2 min, ImVec2 max, ImVec2 size, bool sideways, bool focused = false) {
  if (!may_explain(focused)) return false;
  const ImVec2 room = ImGui::GetIO().DisplaySize, mouse = ImGui::GetIO().MousePos;
  const float gap = ImGui::GetFontSize() * 0.3F;
  const ImVec2 near{std::clamp(std::clamp(mouse.x, min.x, std::max(min.x, max.x)), 0.0F, room.x),
                    std::clamp((min.y + max.y) / 2, 0.0F, room.y)};
  const ImVec2 along{near.x / std::max(1.0F, room.x), near.y / std::max(1.0F, room.y)};
  switch (tooltip_side(min, max, {size.x + gap, size.y + gap}, room, sideways)) {
    case TooltipSide::below:
      ImGui::SetNextWindowPos({near.x, max.y + gap}, ImGuiCond_Always, {along.x, 0});
      break;
    case TooltipSide::above:
      ImGui::SetNextWindowPos({near.x, min.y - gap}, ImGuiCond_Always, {along.x, 1});
      break;
    case TooltipSide::right:
      ImGui::SetNextWindowPos({max.x + gap, near.y}, ImGuiCond_Always, {0, along.y});
      break;
    case TooltipSide::left:
      ImGui::SetNextWindowPos({min.x - gap, near.y}, ImGuiCond_Always, {1, along.y});
      break;
  }
  ImGui::BeginTooltip();
  return true;
}

}  // namespace

TooltipSide tooltip_side(ImVec2 min, ImVec2 max, ImVec2 size, ImVec2 window, bool sideways) {
  struct Way {
    TooltipSide side;
    float room, needed;
  };
  std::array ways{Way{TooltipSide::below, window.y - max.y, size.y}, Way{TooltipSide::above, min.y, size.y},
                  Way{TooltipSide::right, window.x - max.x, size.x}, Way{TooltipSide::left, min.x, size.x}};
  if (sideways) std::rotate(ways.begin(), ways.begin() + 2, ways.end());
  for (const Way& way : ways)
    if (way.room >= way.needed) return way.side;
  return std::ranges::max_element(ways, {}, [](const Way& way) { return way.room / way.needed; })->side;
}

float finger_height() {
  const WidgetMemory* memory = widget_memory();
  return memory == nullptr ? 0 : memory->style.finger;
}

const char* shown_keys(const std::string& keys) {
  return keys.empty() || finger_height() > 0 ? nullptr : keys.c_str();
}

namespace {

bool names_keys(std::string_view text) {
  constexpr std::array<std::string_view, 6> keys{"Ctrl", "Shift", "Alt+", "Esc", "Home", "Enter"};
  if (std::ranges::any_of(keys, [&](std::string_view key) { return text.find(key) != text.npos; }))
    return true;
  // F1 to F12, not F32.
  const auto is_digit = [&](std::size_t at) {
    return at < text.size() && text[at] >= '0' && text[at] <= '9';
  };
  for (std::size_t at = text.find('F'); at != text.npos; at = text.find('F', at + 1)) {
    const bool two = is_digit(at + 1) && is_digit(at + 2);
    const bool key = two ? text[at + 1] == '1' && text[at + 2] <= '2' : is_digit(at + 1);
    const bool begins = at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0;
    if (key && begins && !(two && is_digit(at + 3))) return true;
  }
  return false;
}

std::string without_keys_in_brackets(std::string line) {
  for (const auto& [open, close] : {std::pair<std::string_view, std::string_view>{" (", ")"}, {"（", "）"}})
    for (std::size_t from = line.find(open); from != std::string::npos; from = line.find(open, from)) {
      const std::size_t end = line.find(close, from);
      if (end == std::string::npos) break;
      const std::size_t size = end + close.size() - from;
      if (names_keys(std::string_view(line).substr(from, size)))
        line.erase(from, size);
      else
        from += size;
    }
  return line;
}

}  // namespace

std::string without_keys(const std::string& text) {
  // Sentences, and what a semicolon adds to one.
  constexpr std::array<std::string_view, 5> ends{"\n", ". ", "; ", "。", "；"};
  std::string kept;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = text.size();
    for (const std::string_view mark : ends)
      if (const std::size_t at = text.find(mark, begin); at != std::string::npos)
        end = std::min(end, at + mark.size());
    const std::string part = without_keys_in_brackets(text.substr(begin, end - begin));
    begin = end;
    if (!names_keys(part)) kept += part;
  }
  for (const std::string_view mark : {"\n", "; ", " ", "；"})
    if (kept.ends_with(mark)) kept.resize(kept.size() - mark.size());
  return kept;
}

bool begin_tooltip(ImVec2 min, ImVec2 max) {
  return begin_beside(min, max, tooltip_size(), false);
}

bool begin_side_tooltip(ImVec2 min, ImVec2 max) {
  return begin_beside(min, max, tooltip_size(), true);
}

bool begin_tooltip_at(ImVec2 place) {
  if (!may_explain()) return false;
  ImGui::SetNextWindowPos(place, ImGuiCond_Always);
  ImGui::BeginTooltip();
  return true;
}

namespace {

/// After a click, or the key for one, the user looks at the result, often right below: the item shows no
/// tooltip until the pointer or the keyboard has left it. Disabled items still do.
bool was_clicked(const std::string& text) {
  if (is_item_disabled()) return false;
  ImGuiStorage& memory = *ImGui::GetStateStorage();
  const ImGuiID item = ImGui::GetID(text.c_str());
  const int frame = ImGui::GetFrameCount();
  const bool clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left) ||
                       ImGui::IsMouseReleased(ImGuiMouseButton_Left) || key_pressed(Key::space) ||
                       key_pressed(Key::enter) || memory.GetInt(item, -2) >= frame - 1;
  if (clicked) memory.SetInt(item, frame);
  return clicked;
}

/// Whether the keyboard is on the last item, and not in its text.
bool is_navigated() {
  return ImGui::IsItemFocused() && navigates_by_keys() && !ImGui::GetIO().WantTextInput;
}

/// A text beside the last item.
void explain(const std::string& whole) {
  const std::string text = finger_height() > 0 ? without_keys(whole) : whole;
  if (text.empty()) return;
  const ImVec2 padding = ImGui::GetStyle().WindowPadding;
  const float widest = std::min(ImGui::GetFontSize() * 24, ImGui::GetMainViewport()->Size.x * 0.9F);
  const ImVec2 size{std::min(widest, ImGui::CalcTextSize(text.c_str()).x) + 2 * padding.x,
                    wrapped_height(text, widest) + 2 * padding.y};
  // The explanation of a disabled control gives the reason, so it is not faded with the control.
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 1);
  if (begin_beside(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), size, false, is_navigated())) {
    wrapped_text(text, widest);
    ImGui::EndTooltip();
  }
  ImGui::PopStyleVar();
}

}  // namespace

void tooltip(const std::string& text) {
  if (!text.empty()) hear_help(text);
  if (text.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) || was_clicked(text)) return;
  explain(text);
}

std::string numbered_token(const std::vector<Token>& tokens, int i) {
  return drawn_text(shown_token(tokens[i].text)) + number_of_repeated(tokens, i);
}

float size_for(const Style& style, const std::string& text, float room) {
  const float share = room / std::max(1.0F, ImGui::CalcTextSize(text.c_str()).x);
  return share >= 1 ? style.font_size : style.small;
}

std::string fit_with(const std::string& text, const std::string& behind, float width) {
  return fit_text(text, width - ImGui::CalcTextSize(behind.c_str()).x) + behind;
}

void colored_line(ImU32 color, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::TextUnformatted(text.c_str(), text.c_str() + text.size());
  ImGui::PopStyleColor();
}
void colored_text(ImU32 color, const std::string& text, float width) {
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  wrapped_text(text, width);
  ImGui::PopStyleColor();
}

void hint(const Style& style, const std::string& text) {
  colored_text(palette(style.theme).muted, text);
}
void muted_text(const Style& style, const std::string& text) {
  colored_line(palette(style.theme).muted, text);
}
void warning_text(const Style& style, const std::string& text) {
  colored_text(palette(style.theme).warning, text);
}
void error_text(const Style& style, const std::string& text) {
  colored_text(palette(style.theme).error, text);
}

bool section(const char* text, const char* id, bool open, const std::vector<const char*>& fields) {
  // Its id differs from those of controls below it.
  const float pad = std::round(0.22F * ImGui::GetFontSize());
  const std::string shown = fit_text(text, ImGui::GetContentRegionAvail().x - ImGui::GetFontSize() - 4 * pad);
  const std::string label = shown + "###section " + id;
  const bool outlined = std::ranges::any_of(fields, is_outlined);
  if (outlined && is_outlined_anew()) ImGui::SetNextItemOpen(true);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {pad, ImGui::GetStyle().FramePadding.y});
  const bool opened = ImGui::CollapsingHeader(label.c_str(), open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
  ImGui::PopStyleVar();
  hear_name(text);
  hear_heading(3);
  if (shown != text) tooltip(text);
  anchor(std::string("section ") + id);
  if (outlined && !opened) outline_field(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  return opened;
}

void info(const char* mark, const std::string& text) {
  const float size = ImGui::GetFrameHeight();
  const std::string id = std::string("###info ") + mark;
  // Its frame would touch the text before it.
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize,
                      finger_height() > 0 ? 0 : ImGui::GetStyle().FrameBorderSize);
  ImGui::PushStyleColor(ImGuiCol_Button, 0);
  const bool pressed = ImGui::Button(id.c_str(), {size, size});
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  hear_explanation(text);
  anchor(std::string("info ") + mark);
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  draw_icon(ImGui::GetWindowDrawList(), Icon::info, {(low.x + high.x) / 2, (low.y + high.y) / 2},
            std::min(size * 0.3F, 0.6F * ImGui::GetFontSize()), ImGui::GetColorU32(ImGuiCol_TextDisabled));
  if (finger_height() > 0) {
    if (pressed) ImGui::OpenPopup(id.c_str());
    if (!ImGui::IsPopupOpen(id.c_str())) return;
    place_popup_below(24 * ImGui::GetFontSize());
    if (!ImGui::BeginPopup(id.c_str())) return;
    wrapped_text(without_keys(text),
                 std::min(22 * ImGui::GetFontSize(), 0.9F * ImGui::GetMainViewport()->Size.x));
    return ImGui::EndPopup();
  }
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) || is_navigated()) explain(text);
}

void info_after(const char* mark, const std::string& text) {
  ImGui::SameLine(0, 0);
  info(mark, text);
}

void label_field(const char* text, const std::string& help) {
  const float begin = ImGui::GetCursorScreenPos().x, width = ImGui::GetContentRegionAvail().x;
  const float label = ImGui::CalcTextSize(text).x + ImGui::GetStyle().ItemSpacing.x;
  {
    const Unheard told_by_the_field;
    framed_text(text);
    tooltip(help);
  }
  if (Heard* const heard = listener()) heard->label = text, heard->label_help = help;
  if (label < width / 2) {
    ImGui::SameLine();  // whose offsets count from the group around
    ImGui::SetCursorScreenPos({begin + std::max(label, width * 0.37F), ImGui::GetCursorScreenPos().y});
  }
  ImGui::SetNextItemWidth(-FLT_MIN);
}

void next_in_line(float width) {
  ImGui::SameLine();
  if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
}

AccentColors::AccentColors(bool accented) : pushed(accented) {
  if (!pushed) return;
  const ImVec4* const colors = ImGui::GetStyle().Colors;
  ImGui::PushStyleColor(ImGuiCol_Button, colors[ImGuiCol_CheckMark]);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, colors[ImGuiCol_CheckMark]);
  ImGui::PushStyleColor(ImGuiCol_Text, colors[ImGuiCol_PopupBg]);
}

AccentColors::~AccentColors() {
  if (pushed) ImGui::PopStyleColor(3);
}

ChosenColors::ChosenColors(bool chosen) : colors(chosen) {
  if (Heard* const heard = listener()) heard->chosen = chosen;
}
ChosenColors::~ChosenColors() {
  if (Heard* const heard = listener()) heard->chosen.reset();
}

void draw_badge(const char* text, ImU32 color) {
  const ImVec2 padding{0.35F * ImGui::GetFontSize(), 0};
  const ImVec2 at = ImGui::GetCursorScreenPos(), size = ImGui::CalcTextSize(text);
  ImGui::SetCursorScreenPos({at.x + padding.x, at.y});
  colored_line(color, text);
  const ImVec2 min = ImGui::GetItemRectMin();
  ImGui::GetWindowDrawList()->AddRect({min.x - padding.x, min.y},
                                      {min.x + size.x + padding.x, min.y + size.y}, color,
                                      ImGui::GetStyle().FrameRounding);
}

namespace {

/// Padding next to each choice's text: reduced if that makes all of them fit on one line.
float choice_padding(const std::vector<Choice>& choices, float gap) {
  const float usual = ImGui::GetStyle().FramePadding.x;
  const auto count = static_cast<float>(choices.size());
  float room = ImGui::GetContentRegionAvail().x - gap * (count - 1);
  for (const Choice& choice : choices) room -= ImGui::CalcTextSize(choice.text).x;
  const float fitting = std::floor(room / (2 * count));
  return fitting < usual && fitting >= usual / 3 ? fitting : usual;
}

}  // namespace

bool choice_button(const Choice& choice, bool on, const std::string& mark) {
  ImGui::BeginDisabled(!choice.enabled);
  const bool pressed = [&] {
    const ChosenColors colors(on);
    return ImGui::Button(choice.text);
  }();
  ImGui::EndDisabled();
  hear_as(HeardRole::radio);
  anchor(mark);
  tooltip(choice.help);
  return pressed && !on;
}

namespace {

/// What a line of a list has beyond its text so that a finger hits it.
float line_room() {
  return std::max(0.0F, finger_height() - ImGui::GetTextLineHeight());
}

/// On a phone: a line of a list is as high as a finger needs. ImGui gives it what is between lines, too, half
/// of which is above its text; the texts of a table's row are level with it.
class LineForFinger {
 public:
  LineForFinger() : window_(*ImGui::GetCurrentWindow()), room_(line_room()), lead_(list_line_lead()) {
    if (room_ <= 0) return;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ImGui::GetStyle().ItemSpacing.x, room_});
    window_.DC.CursorPos.y += lead_;
  }
  ~LineForFinger() {
    if (room_ <= 0) return;
    ImGui::PopStyleVar();
    window_.DC.CursorPos.y -= lead_;
    window_.DC.CursorMaxPos.y = std::max(window_.DC.CursorMaxPos.y, window_.DC.CursorPos.y);
    if (ImGuiTable* const table = ImGui::GetCurrentContext()->CurrentTable) table->RowTextBaseline = lead_;
  }
  LineForFinger(const LineForFinger&) = delete;
  LineForFinger& operator=(const LineForFinger&) = delete;

 private:
  ImGuiWindow& window_;
  const float room_, lead_;
};

}  // namespace

bool begin_list(const char* id, const char* preview, ImGuiComboFlags flags) {
  return ImGui::BeginCombo(id, preview, finger_height() > 0 ? ImGuiComboFlags_HeightLargest : flags);
}

float list_line_lead() {
  return std::floor(line_room() / 2);
}

float list_line_height() {
  return finger_height() > 0 ? ImGui::GetTextLineHeight() + line_room()
                             : ImGui::GetTextLineHeightWithSpacing();
}

bool list_line(const char* text, bool on, ImGuiSelectableFlags flags, ImVec2 size) {
  const LineForFinger line;
  return ImGui::Selectable(text, on, flags, size);
}

bool begin_menu(const char* text, bool enabled) {
  if (finger_height() <= 0) return ImGui::BeginMenu(text, enabled);
  // One of them is open.
  ImGuiStorage& memory = *ImGui::GetStateStorage();
  const ImGuiID shown = ImGui::GetID("menu that is open"), own = ImGui::GetID(text);
  if (ImGui::IsWindowAppearing()) memory.SetInt(shown, 0);
  const bool was_open = static_cast<ImGuiID>(memory.GetInt(shown)) == own;
  ImGui::SetNextItemOpen(was_open);
  ImGui::BeginDisabled(!enabled);
  const bool open = ImGui::TreeNodeEx(text, ImGuiTreeNodeFlags_Framed | ImGuiTreeNodeFlags_NoTreePushOnOpen |
                                                ImGuiTreeNodeFlags_SpanAvailWidth);
  ImGui::EndDisabled();
  if (open != was_open) memory.SetInt(shown, open ? static_cast<int>(own) : 0);
  if (!open) return false;
  ImGui::PushID(text);
  ImGui::Indent();
  return true;
}

void end_menu() {
  if (finger_height() <= 0) return ImGui::EndMenu();
  ImGui::Unindent();
  ImGui::PopID();
}

bool choice_line(const Choice& choice, bool on, const std::string& mark) {
  ImGui::BeginDisabled(!choice.enabled);
  const bool pressed = list_line(choice.text, on);
  ImGui::EndDisabled();
  anchor(mark);
  tooltip(choice.help);
  return pressed && !on;
}

bool choose(const char* id, const std::vector<Choice>& choices, int& chosen) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float gap = style.ItemInnerSpacing.x * 0.5F;
  const HeardGroup group(HeardRole::choices);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {choice_padding(choices, gap), style.FramePadding.y});
  ImGui::PushID(id);
  ImGui::BeginGroup();
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool changed = false;
  for (int i = 0; i < std::ssize(choices); ++i) {
    const Choice& choice = choices[i];
    const float width = ImGui::CalcTextSize(choice.text).x + 2 * style.FramePadding.x;
    if (i > 0) {
      ImGui::SameLine(0, gap);
      if (ImGui::GetCursorScreenPos().x + width > right) ImGui::NewLine();
    }
    ImGui::PushID(i);
    if (choice_button(choice, chosen == i, std::string(id) + " " + std::to_string(i))) {
      chosen = i;
      changed = true;
    }
    ImGui::PopID();
  }
  ImGui::EndGroup();
  ImGui::PopID();
  ImGui::PopStyleVar();
  return changed;
}

float width_of(const std::vector<Choice>& choices) {
  const ImGuiStyle& style = ImGui::GetStyle();
  float width = 0;
  for (const Choice& choice : choices)
    width += ImGui::CalcTextSize(choice.text).x + 2 * style.FramePadding.x + style.ItemInnerSpacing.x * 0.5F;
  return width;
}

float width_of_list(const char* preview) {
  return ImGui::CalcTextSize(preview).x + ImGui::GetFrameHeight() + ImGui::GetFontSize();
}

bool choose_in_field(const char* id, const std::vector<Choice>& choices, int& chosen, const char* preview) {
  const int before = chosen;
  if (begin_list((std::string("###") + id).c_str(), preview, ImGuiComboFlags_HeightLarge)) {
    for (int i = 0; i < std::ssize(choices); ++i) {
      if (choices[i].text == nullptr) continue;
      ImGui::PushID(i);
      const std::string& mark = choices[i].mark;
      if (choice_line(choices[i], i == before,
                      mark.empty() ? std::string(id) + " " + std::to_string(i) : mark))
        chosen = i;
      ImGui::PopID();
    }
    ImGui::EndCombo();
  }
  anchor(id);
  return chosen != before;
}
bool choose_in_own_list(const char* id, const std::vector<Choice>& choices, int& chosen,
                        const char* preview) {
  ImGui::SetNextItemWidth(width_of_list(preview));
  return choose_in_field(id, choices, chosen, preview);
}
bool choose_in_list(const char* id, const std::vector<Choice>& choices, int& chosen, const char* preview) {
  next_in_line(width_of_list(preview));
  return choose_in_own_list(id, choices, chosen, preview);
}
bool choose_in_list(const char* id, const std::vector<Choice>& choices, int& chosen) {
  return choose_in_list(id, choices, chosen, choices[chosen].text);
}

bool is_low_window() {
  return ImGui::GetMainViewport()->WorkSize.y < 36 * ImGui::GetFontSize();
}

namespace {

/// A box or a circle of one line's height in the middle of what a finger hits.
void draw_choice_mark(ImVec2 middle, bool on, bool several) {
  const float size = std::round(1.1F * ImGui::GetFontSize()), half = size / 2;
  const ImVec2 low{std::floor(middle.x - half), std::floor(middle.y - half)},
      high{low.x + size, low.y + size};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 ink = ImGui::GetColorU32(ImGuiCol_CheckMark);
  const float rounding = several ? ImGui::GetStyle().FrameRounding : half;
  list.AddRectFilled(low, high, ImGui::GetColorU32(ImGuiCol_FrameBg), rounding);
  list.AddRect(low, high, ImGui::GetColorU32(on ? ImGuiCol_CheckMark : ImGuiCol_TextDisabled), rounding);
  if (!on) return;
  if (!several) return list.AddCircleFilled({low.x + half, low.y + half}, 0.3F * size, ink);
  const float inset = std::round(size / 6);
  ImGui::RenderCheckMark(&list, {low.x + inset, low.y + inset}, ink, size - 2 * inset);
}

/// check() in a row for a finger.
bool wide_check(const char* mark, const char* text, bool& value) {
  const float high = finger_height(), gap = ImGui::GetStyle().ItemInnerSpacing.x, box = high / 2;
  const float room = ImGui::GetContentRegionAvail().x - box - gap;
  const std::string lines = broken_text(text, std::max(room, 4 * ImGui::GetFontSize()));
  const ImVec2 size = ImGui::CalcTextSize(lines.c_str()), at = ImGui::GetCursorScreenPos();
  const ImVec2 row{box + gap + size.x, std::max(high, size.y)};
  const bool pressed = invisible_button("###box", row);
  anchor(mark);
  mark_navigated_item();
  if (pressed) value = !value;
  draw_choice_mark({at.x + 0.55F * ImGui::GetFontSize(), at.y + row.y / 2}, value, true);
  ImGui::GetWindowDrawList()->AddText({at.x + box + gap, at.y + (row.y - size.y) / 2},
                                      ImGui::GetColorU32(ImGuiCol_Text), lines.c_str());
  return pressed;
}

}  // namespace

bool choice_mark(const char* id, bool on, bool several) {
  if (finger_height() <= 0) {
    bool checked = on;
    return several ? ImGui::Checkbox(id, &checked) : ImGui::RadioButton(id, on);
  }
  const float size = ImGui::GetFrameHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = invisible_button(id, {size, size});
  mark_navigated_item();
  draw_choice_mark({at.x + size / 2, at.y + size / 2}, on, several);
  return pressed;
}

bool check(const char* mark, const char* text, bool& value, const std::string& help) {
  if (finger_height() > 0) {
    ImGui::PushID(mark);
    const bool changed = wide_check(mark, text, value);
    tooltip(help);
    ImGui::PopID();
    return changed;
  }
  ImGui::PushID(mark);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ImGui::GetStyle().FramePadding.x, 1});
  ImGui::BeginGroup();
  bool changed = ImGui::Checkbox("###box", &value);
  hear_name(text);
  anchor(mark);
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  {
    const Unheard told_by_the_box;
    wrapped_text(text);
  }
  if (ImGui::IsItemClicked()) {
    value = !value;
    changed = true;
  }
  ImGui::EndGroup();
  tooltip(help);  // for both the box and its text
  ImGui::PopStyleVar();
  ImGui::PopID();
  return changed;
}

std::string fit_text(const std::string& text, float width) {
  return shortened(drawable(text), width, [](std::string_view part) {
    return static_cast<double>(ImGui::CalcTextSize(part.data(), part.data() + part.size()).x);
  });
}

void tint_line(ImVec2 line, float width, double share, ImU32 color) {
  const float filled = width * static_cast<float>(std::clamp(share, 0.0, 1.0));
  if (filled <= 0) return;
  const float height = ImGui::GetTextLineHeight(), top = line.y + 0.12F * height;
  ImGui::GetWindowDrawList()->AddRectFilled({line.x, top}, {line.x + filled, top + 0.76F * height},
                                            with_alpha(color, 0.3F), 2);
}

std::string shown_token(const std::string& text) {
  return token_label(text);
}

namespace {

bool named_item(bool pressed, const std::string& mark, const std::string& help) {
  anchor(mark);
  tooltip(help);
  return pressed;
}

}  // namespace

bool button(const std::string& text, const std::string& mark, const std::string& help, float width) {
  return named_item(ImGui::Button((text + "###" + mark).c_str(), {width, 0}), mark, help);
}

bool small_button(const std::string& text, const std::string& mark, const std::string& help) {
  if (finger_height() > 0) return button(text, mark, help);
  return named_item(ImGui::SmallButton((text + "###" + mark).c_str()), mark, help);
}

namespace {

/// ImGui's own entries of menus are chosen by whatever is lifted on them, also by a finger that has scrolled.
bool line_of_menu(const std::string& text, const std::string& mark, const char* behind, bool checked,
                  bool enabled) {
  const float em = ImGui::GetFontSize(), room = ImGui::GetContentRegionAvail().x;
  const bool has_room = behind != nullptr && ImGui::CalcTextSize((text + behind).c_str()).x + 2 * em < room;
  const std::string more = has_room ? behind : "";
  ImGui::BeginDisabled(!enabled);
  const float behind_text = more.empty() ? 0 : ImGui::CalcTextSize(more.c_str()).x + em;
  const std::string shown = fit_text(text, room - behind_text - (checked ? 2 * em : 0));
  const bool pressed = list_line((shown + "###" + mark).c_str(), false);
  hear_name(text);
  ImGui::EndDisabled();
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float right = std::max(high.x, low.x + room) - 0.5F * em, middle = (low.y + high.y) / 2;
  if (checked)
    ImGui::RenderCheckMark(&list, {right - em, middle - 0.4F * em}, ImGui::GetColorU32(ImGuiCol_Text),
                           0.8F * em);
  if (!more.empty())
    list.AddText({right - ImGui::CalcTextSize(more.c_str()).x - (checked ? 1.5F * em : 0), middle - em / 2},
                 ImGui::GetColorU32(ImGuiCol_TextDisabled), more.c_str());
  return named_item(pressed, mark, shown == text ? "" : text);
}

}  // namespace

bool menu_item(const std::string& text, const std::string& mark, const char* keys, bool checked,
               bool enabled) {
  if (finger_height() > 0) return line_of_menu(text, mark, keys, checked, enabled);
  return named_item(ImGui::MenuItem((text + "###" + mark).c_str(), keys, checked, enabled), mark, {});
}

namespace {

bool drawn_button(const char* id, Icon icon, const std::string& text, const std::string& help, bool small) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float square = ImGui::GetFrameHeight(), width = width_of_icon(text);
  if (small) ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {style.FramePadding.x, 0});
  const bool pressed = ImGui::ButtonEx((std::string("###") + id).c_str(), {width, ImGui::GetFrameHeight()},
                                       ImGuiButtonFlags_AlignTextBaseLine);
  if (small) ImGui::PopStyleVar();
  hear_name(text);
  anchor(id);
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const ImU32 color = ImGui::GetColorU32(ImGuiCol_Text);
  draw_icon(ImGui::GetWindowDrawList(), icon, {low.x + square / 2, (low.y + high.y) / 2}, square * 0.26F,
            color);
  if (!text.empty())
    ImGui::GetWindowDrawList()->AddText({high.x - style.FramePadding.x - ImGui::CalcTextSize(text.c_str()).x,
                                         low.y + (high.y - low.y - ImGui::GetTextLineHeight()) / 2},
                                        color, text.c_str());
  tooltip(help);
  return pressed;
}

}  // namespace

float width_of_icon(const std::string& text) {
  const float square = ImGui::GetFrameHeight();
  return text.empty() ? square
                      : square + ImGui::CalcTextSize(text.c_str()).x + ImGui::GetStyle().FramePadding.x;
}

bool icon_button(const char* id, Icon icon, const std::string& help) {
  return icon_button(id, icon, {}, help);
}
bool icon_button(const char* id, Icon icon, const std::string& text, const std::string& help) {
  return drawn_button(id, icon, text, help, false);
}
bool small_icon_button(const char* id, Icon icon, const std::string& text, const std::string& help) {
  return drawn_button(id, icon, text, help, finger_height() <= 0);
}

float place_popup_below(float width) {
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const float margin = 0.2F * ImGui::GetFontSize(), top = max.y + margin;
  const float height = std::max(ImGui::GetFrameHeight(), window.y - top - margin);
  ImGui::SetNextWindowPos({std::clamp(min.x, margin, std::max(margin, window.x - width - margin)), top});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, height});
  return height;
}

bool begin_popup_menu(const char* id) {
  if (finger_height() > 0) {
    const ImVec2 window = ImGui::GetMainViewport()->Size;
    const float width = std::min(24 * ImGui::GetFontSize(), 0.95F * window.x);
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, 0.95F * window.y});
  }
  return ImGui::BeginPopup(id);
}

void leave_out_table_menu() {
  ImGui::GetCurrentContext()->CurrentTable->IsContextPopupOpen = false;
}

}  // namespace headscope
