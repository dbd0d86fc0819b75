#pragma once
#include <imgui.h>
#include <imgui_stdlib.h>

#include <array>
#include <cstdint>

#include "app/before_imgui_1_92/imgui_1_92.h"
#include "app/state/key.h"

namespace headscope {

// Dear ImGui by our keys, in several calls, or by its internals.

/// Before the first frame.
void set_up_keys(ImGuiIO& io);
/// In the next frame: whether ImGui's own navigation reacts to Page Up and Page Down.
void let_pages_navigate(bool may);
void set_modifiers(ImGuiIO& io, bool ctrl, bool shift, bool alt = false, bool super = false);
void set_key(ImGuiIO& io, Key key, bool down);
void set_button(ImGuiIO& io, int button, bool down);
void set_position(ImGuiIO& io, float x, float y);
void set_wheel(ImGuiIO& io, float x, float y);
bool key_down(Key key);
bool key_pressed(Key key, bool repeat = false);

/// `place` is called with the caret position, in window pixels, whenever an edit box moves it.
using PlaceCaret = void (*)(float x, float y, float height);
void follow_caret(PlaceCaret place);
/// The same for the caret of an edit box that is not ImGui's.
void note_caret(ImVec2 at, float height);

/// The clipboard for ImGui's own fields; `owner` is given to both functions.
struct TextClipboard {
  void* owner;
  const char* (*get)(void* owner);
  void (*set)(void* owner, const char* text);
};
/// `clipboard` must outlive the context.
void use_clipboard(TextClipboard& clipboard);

/// The number of an OpenGL texture as ImGui's.
inline ImTextureID texture_of(std::uintptr_t number) {
  return (ImTextureID)number;  // an integer or a pointer, as ImGui was built: its own backends cast so
}

/// Of what is drawn in no other size.
void set_font_size(ImGuiStyle& style, float size);
/// From the top of a line to its baseline.
float baseline(float size);
/// The width of a character in the current font and size.
float char_advance(ImWchar character);
/// From where to where a letter reaches, as shares of the line's height from its top.
std::array<float, 2> extent(float size, ImWchar letter);

/// Whether the user navigates by keyboard, so that the focused item is highlighted.
bool navigates_by_keys();
/// From now on the navigated item is highlighted, as after an arrow key.
void show_highlight();
/// Keyboard focus goes to the last item, which is not pressed by that.
void focus_last_item();
/// Highlights the last item if navigation is on it; for items that draw no highlight.
void mark_navigated_item();
/// Whether the last item was drawn as disabled.
bool is_item_disabled();
/// Ends an ImGui frame that was interrupted by an exception, wherever that happened; does nothing if none has
/// begun.
void recover_frame();

/// Keyboard focus goes to the next item, whose window may not have it.
inline void focus_next_item() {
  ImGui::SetWindowFocus();
  ImGui::SetKeyboardFocusHere();
}

}  // namespace headscope
