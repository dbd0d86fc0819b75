#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/panels/ui/panel_focus.h"
#include "app/panels/ui/sentence_box.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/widgets.h"
#include "core/inputs/inputs.h"

namespace headscope {
namespace {

/// The state of one frame of the box.
struct BoxFrame {
  SentenceBox& box;
  std::string& text;
  ImVec2 origin;  // of the text, scrolled
  float line_height = 0;
};

float advance(char32_t c) {
  return char_advance(drawn_character(c));
}

float width_between(const std::string& text, std::size_t begin, std::size_t end) {
  float x = 0;
  for (std::size_t at = begin; at < end;) {
    std::size_t next = at;
    x += advance(decode_utf8(text, at, next));
    at = next;
  }
  return x;
}

std::size_t position_in_line(const BoxFrame& frame, std::size_t line, float x) {
  const TextLine& l = frame.box.wrapped.lines()[line];
  std::size_t at = l.begin;
  float left = 0;
  while (at < l.end) {
    const std::size_t next = next_character(frame.text, at);
    const float w = width_between(frame.text, at, next);
    if (x < left + w / 2) break;
    left += w;
    at = next;
  }
  // The end of a line that was broken without a space is the beginning of the next one.
  if (at == l.end && at > l.begin && line + 1 < frame.box.wrapped.lines().size() &&
      frame.box.wrapped.lines()[line + 1].begin == at)
    at = previous_character(frame.text, at);
  return at;
}

std::size_t position_at(const BoxFrame& frame, ImVec2 point) {
  const float row = std::floor((point.y - frame.origin.y) / frame.line_height);
  const auto last = static_cast<float>(frame.box.wrapped.lines().size() - 1);
  return position_in_line(frame, static_cast<std::size_t>(std::clamp(row, 0.0F, last)),
                          point.x - frame.origin.x);
}

void rewrap(SentenceBox& box, const std::string& text, float width, int fonts) {
  if (box.wrapped_fonts == fonts && box.wrapped_size == ImGui::GetFontSize() && box.wrapped_width == width &&
      box.wrapped_text == text)
    return;
  box.wrapped.wrap(text, width, [](char32_t c) { return advance(c); });
  box.wrapped_text = text;
  box.wrapped_width = width;
  box.wrapped_fonts = fonts;
  box.wrapped_size = ImGui::GetFontSize();
}

/// Keys that move the caret; true when one was pressed.
bool move_by_keys(BoxFrame& frame) {
  const ImGuiIO& io = ImGui::GetIO();
  const std::string& text = frame.text;
  TextCursor& cursor = frame.box.cursor;
  const auto go = [&](std::size_t to) {
    cursor.move(to, io.KeyShift);
    frame.box.wanted_x = -1;
    return true;
  };
  const auto& lines = frame.box.wrapped.lines();
  const std::size_t line = frame.box.wrapped.line_of(cursor.caret);
  if (key_pressed(Key::left, true)) {
    if (cursor.selects() && !io.KeyShift) return go(cursor.begin());
    return go(io.KeyCtrl ? previous_word(text, cursor.caret) : previous_character(text, cursor.caret));
  }
  if (key_pressed(Key::right, true)) {
    if (cursor.selects() && !io.KeyShift) return go(cursor.end());
    return go(io.KeyCtrl ? next_word(text, cursor.caret) : next_character(text, cursor.caret));
  }
  if (key_pressed(Key::home, true)) return go(io.KeyCtrl ? 0 : lines[line].begin);
  if (key_pressed(Key::end, true))
    return go(io.KeyCtrl ? text.size() : position_in_line(frame, line, FLT_MAX));
  const bool up = key_pressed(Key::up, true), down = key_pressed(Key::down, true);
  if (!up && !down) return false;
  if ((up && line == 0) || (down && line + 1 == lines.size())) return go(up ? 0 : text.size());
  if (frame.box.wanted_x < 0) frame.box.wanted_x = width_between(text, lines[line].begin, cursor.caret);
  cursor.move(position_in_line(frame, up ? line - 1 : line + 1, frame.box.wanted_x), io.KeyShift);
  return true;
}

void copy_selection(const BoxFrame& frame) {
  const TextCursor& cursor = frame.box.cursor;
  if (cursor.selects())
    ImGui::SetClipboardText(frame.text.substr(cursor.begin(), cursor.end() - cursor.begin()).c_str());
}

bool paste(BoxFrame& frame) {
  const char* pasted = ImGui::GetClipboardText();
  if (pasted == nullptr || *pasted == '\0') return false;
  // Too long a sentence is reported, but a huge clipboard must not be kept in every undo step.
  constexpr std::size_t maximum = 2 * Limits::max_sentence_bytes;
  replace_selection(frame.text, frame.box.cursor, clean_text(std::string_view(pasted).substr(0, maximum)));
  return true;
}

/// The context menu; true when the text changed.
bool edit_by_menu(BoxFrame& frame, const Translator& tr) {
  if (!ImGui::BeginPopupContextItem("edit menu")) return false;
  SentenceBox& box = frame.box;
  bool changed = false;
  if (menu_item(tr("Cut"), "edit cut", shown_keys("Ctrl+X"), false, box.cursor.selects())) {
    copy_selection(frame);
    replace_selection(frame.text, box.cursor, {});
    changed = true;
  }
  if (menu_item(tr("Copy"), "edit copy", shown_keys("Ctrl+C"), false, box.cursor.selects()))
    copy_selection(frame);
  if (menu_item(tr("Paste"), "edit paste", shown_keys("Ctrl+V"))) changed = paste(frame);
  if (menu_item(tr("Select all"), "edit select all", shown_keys("Ctrl+A"))) {
    box.cursor = {frame.text.size(), 0};
    box.focused = true;
  }
  ImGui::EndPopup();
  return changed;
}

/// Ctrl with a letter; true when the text changed.
bool edit_by_commands(BoxFrame& frame) {
  TextCursor& cursor = frame.box.cursor;
  if (key_pressed(Key::a)) cursor = {frame.text.size(), 0};
  if (key_pressed(Key::c)) copy_selection(frame);
  if (key_pressed(Key::x) && cursor.selects()) {
    copy_selection(frame);
    replace_selection(frame.text, cursor, {});
    return true;
  }
  return key_pressed(Key::v, true) && paste(frame);
}

bool edit_by_keys(BoxFrame& frame, const std::u32string& characters) {
  const ImGuiIO& io = ImGui::GetIO();
  TextCursor& cursor = frame.box.cursor;
  if (io.KeyCtrl && !io.KeyAlt && edit_by_commands(frame)) return true;
  bool changed = false;
  if (key_pressed(Key::backspace, true)) {
    erase_to(
        frame.text, cursor,
        io.KeyCtrl ? previous_word(frame.text, cursor.caret) : previous_character(frame.text, cursor.caret));
    changed = true;
  }
  if (key_pressed(Key::del, true)) {
    erase_to(frame.text, cursor,
             io.KeyCtrl ? next_word(frame.text, cursor.caret) : next_character(frame.text, cursor.caret));
    changed = true;
  }
  std::string typed;
  // The text is applied as it is typed, so that Enter has nothing to confirm.
  if (key_pressed(Key::enter, true) || key_pressed(Key::keypad_enter, true)) {
    if (io.KeyShift)
      typed.push_back('\n');
    else
      frame.box.leave = SentenceBox::to_maps;
  }
  for (const char32_t c : characters)
    if (c >= 0x20 && c != 0x7F) append_utf8(typed, c);
  if (typed.empty() || (io.KeyCtrl && !io.KeyAlt)) return changed;
  replace_selection(frame.text, cursor, typed);
  return true;
}

void point_with_mouse(BoxFrame& frame, bool hovered) {
  const ImGuiIO& io = ImGui::GetIO();
  SentenceBox& box = frame.box;
  if (hovered && ImGui::IsMouseClicked(0)) {
    box.focused = box.dragging = true;
    const std::size_t at = position_at(frame, io.MousePos);
    if (ImGui::IsMouseDoubleClicked(0)) {
      // The text is not laid out exactly where the tokens were at the first click.
      if (box.began_at)
        box.cursor = *box.began_at;
      else
        box.cursor.select_word(frame.text, at);
      box.dragging = false;
    } else {
      box.cursor.move(at, io.KeyShift);
    }
    box.wanted_x = -1;
  } else if (box.dragging && ImGui::IsMouseDown(0)) {
    box.cursor.move(position_at(frame, io.MousePos), true);
    box.show_caret = true;
  }
  if (!ImGui::IsMouseDown(0)) box.dragging = false;
  // A click in its menu is none elsewhere.
  if (!hovered && ImGui::IsMouseClicked(0) && !ImGui::IsPopupOpen("edit menu")) box.focused = false;
}

void draw_text_lines(const BoxFrame& frame, float height) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto& lines = frame.box.wrapped.lines();
  const TextCursor& cursor = frame.box.cursor;
  const float top = ImGui::GetWindowPos().y;
  const auto first = static_cast<std::size_t>(std::max(0.0F, (top - frame.origin.y) / frame.line_height));
  for (std::size_t i = first; i < lines.size(); ++i) {
    const float y = frame.origin.y + static_cast<float>(i) * frame.line_height;
    if (y > top + height) break;
    const TextLine& l = lines[i];
    const std::size_t from = std::max(cursor.begin(), l.begin), to = std::min(cursor.end(), l.end);
    if (frame.box.focused && cursor.selects() && cursor.begin() <= l.end && cursor.end() > l.begin &&
        from <= to) {
      const float x0 = width_between(frame.text, l.begin, from);
      const float x1 =
          x0 + width_between(frame.text, from, to) + (cursor.end() > l.end ? frame.line_height * 0.25F : 0);
      list->AddRectFilled({frame.origin.x + x0, y}, {frame.origin.x + x1, y + frame.line_height},
                          ImGui::GetColorU32(ImGuiCol_TextSelectedBg));
    }
    draw_long_line(*list, {frame.origin.x, y}, ImGui::GetColorU32(ImGuiCol_Text),
                   std::string_view(frame.text).substr(l.begin, l.end - l.begin));
  }
}

void draw_caret(BoxFrame& frame, float height) {
  const std::size_t line = frame.box.wrapped.line_of(frame.box.cursor.caret);
  const float x = width_between(frame.text, frame.box.wrapped.lines()[line].begin, frame.box.cursor.caret);
  const float y = static_cast<float>(line) * frame.line_height;
  const ImVec2 at{std::round(frame.origin.x + x), frame.origin.y + y};
  ImGui::GetWindowDrawList()->AddLine(at, {at.x, at.y + frame.line_height}, ImGui::GetColorU32(ImGuiCol_Text),
                                      std::max(1.0F, std::round(ImGui::GetFontSize() / 12)));
  note_caret(at, frame.line_height);
  if (!frame.box.show_caret) return;
  frame.box.show_caret = false;
  const float scroll = ImGui::GetScrollY();
  if (y < scroll) ImGui::SetScrollY(y);
  if (y + frame.line_height > scroll + height) ImGui::SetScrollY(y + frame.line_height - height);
}

bool run_box(SentenceBox& box, std::string& text, const std::u32string& characters, const char* empty_hint,
             int fonts, const Translator& tr) {
  const ImVec2 padding = ImGui::GetStyle().FramePadding;
  const float width = ImGui::GetWindowWidth() - 2 * padding.x - ImGui::GetStyle().ScrollbarSize;
  const float height = ImGui::GetWindowHeight() - 2 * padding.y;
  box.cursor.clamp(text);
  rewrap(box, text, width, fonts);
  BoxFrame frame{box, text, ImGui::GetCursorScreenPos(), ImGui::GetTextLineHeight()};
  const float text_height = frame.line_height * static_cast<float>(box.wrapped.lines().size());
  // Shift+click is handled here; the button makes the box reachable by ImGui's keyboard navigation.
  if (invisible_button("text", {width + 1, std::max(text_height, height)}) && !box.focused)
    box.take_focus = true;
  hear_box(text, empty_hint, box.focused);
  // A field that has just taken the tokens' place is not hovered before its next frame.
  const bool hovered =
      ImGui::IsItemHovered() ||
      (box.take_focus && ImGui::IsMouseHoveringRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax()));
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  bool changed = edit_by_menu(frame, tr);
  point_with_mouse(frame, hovered);
  if (box.take_focus) {
    box.take_focus = false;
    if (!box.focused) box.cursor = {text.size(), 0};
    box.focused = box.show_caret = true;
    ImGui::SetWindowFocus();  // otherwise ImGui's keyboard navigation would stay in the previous window
  }
  // Text typed while a menu or a dialog is open belongs to that.
  if (box.focused && !is_popup_open()) {
    changed |= edit_by_keys(frame, characters);
    if (changed || move_by_keys(frame)) box.show_caret = true;
    if (key_pressed(Key::tab)) box.leave = ImGui::GetIO().KeyShift ? -1 : 1;
    if (key_pressed(Key::escape))
      box.leave = box.began_at ? SentenceBox::to_unlocked_maps : SentenceBox::to_maps;
  }
  if (changed) rewrap(box, text, width, fonts), box.wanted_x = -1, box.began_at.reset();
  if (text.empty())
    ImGui::GetWindowDrawList()->AddText(frame.origin, ImGui::GetColorU32(ImGuiCol_TextDisabled), empty_hint);
  // Only whole lines: a slice of one looks like a bug.
  const ImVec2 corner = ImGui::GetWindowPos();
  const float below_text =
      corner.y + padding.y + std::max(1.0F, std::round(height / frame.line_height)) * frame.line_height;
  ImGui::PushClipRect({corner.x, corner.y + padding.y - 1},
                      {corner.x + ImGui::GetWindowWidth(), below_text + 1}, true);
  draw_text_lines(frame, ImGui::GetWindowHeight());
  ImGui::PopClipRect();
  if (box.focused) draw_caret(frame, height);
  const float whole = std::round(ImGui::GetScrollY() / frame.line_height) * frame.line_height;
  if (!box.dragging && std::abs(whole - ImGui::GetScrollY()) > 0.5F) ImGui::SetScrollY(whole);
  return changed;
}

}  // namespace

bool edit_text(SentenceBox& box, const char* id, std::string& text, float lines,
               const std::u32string& characters, const char* empty_hint, int fonts, const Translator& tr) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float height = std::round(ImGui::GetTextLineHeight() * lines + 2 * style.FramePadding.y);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, style.Colors[ImGuiCol_FrameBg]);
  if (box.focused) ImGui::PushStyleColor(ImGuiCol_Border, style.Colors[ImGuiCol_CheckMark]);
  const bool was_focused = box.focused;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, style.FramePadding);
  ImGui::BeginChild(id, {0, height}, true, was_focused ? ImGuiWindowFlags_NoNavInputs : 0);
  ImGui::PopStyleVar();
  const bool changed = run_box(box, text, characters, empty_hint, fonts, tr);
  ImGui::EndChild();
  ImGui::PopStyleColor(was_focused ? 2 : 1);
  return changed;
}

}  // namespace headscope
