#pragma once
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>

#include "app/state/actions/key.h"
#include "app/state/text/text_edit.h"

// The differences between the versions of Dear ImGui that Headscope is built with, in one place: 1.86 (Debian
// 12), 1.90.1 (Debian 13, Ubuntu 24.04) and 1.92 (Debian testing).
#if IMGUI_VERSION_NUM < 18600 || (IMGUI_VERSION_NUM >= 19100 && IMGUI_VERSION_NUM < 19200)
#error "Dear ImGui 1.86, 1.90.1 or 1.92 is expected"
#endif

namespace headscope {

#if IMGUI_VERSION_NUM < 18700

/// 1.86 has no names for most keys: there they are indices into ImGuiIO::KeysDown.
using NativeKey = int;
inline NativeKey native_key(Key key) {
  return static_cast<int>(key);
}

/// Before the first frame: which of our keys ImGui's own widgets use.
inline void map_keys(ImGuiIO& io) {
  for (int key = ImGuiKey_Tab; key <= ImGuiKey_KeyPadEnter; ++key) io.KeyMap[key] = key;
  for (int i = 0; i < 6; ++i) io.KeyMap[ImGuiKey_A + i] = static_cast<int>(letter_key("acvxyz"[i]));
}
/// Whether ImGui's own navigation reacts to Page Up and Page Down.
inline void let_pages_navigate(ImGuiIO& io, bool may) {
  io.KeyMap[ImGuiKey_PageUp] = may ? static_cast<int>(Key::page_up) : -1;
  io.KeyMap[ImGuiKey_PageDown] = may ? static_cast<int>(Key::page_down) : -1;
}

inline void set_modifiers(ImGuiIO& io, bool ctrl, bool shift, bool alt = false, bool super = false) {
  io.KeyCtrl = ctrl;
  io.KeyShift = shift;
  io.KeyAlt = alt;
  io.KeySuper = super;
}
inline void set_key(ImGuiIO& io, Key key, bool down) {
  io.KeysDown[native_key(key)] = down;
}
inline void set_button(ImGuiIO& io, int button, bool down) {
  io.MouseDown[button] = down;
}
inline void set_position(ImGuiIO& io, float x, float y) {
  io.MousePos = ImVec2(x, y);
}
inline void set_wheel(ImGuiIO& io, float x, float y) {
  io.MouseWheelH += x;
  io.MouseWheel += y;
}

/// `Place` is called with the caret position, in window pixels, whenever an edit box moves it.
template <void (*Place)(float x, float y, float height)>
void follow_caret(ImGuiIO& io) {
  io.ImeSetInputScreenPosFn = [](int x, int y) {
    Place(static_cast<float>(x), static_cast<float>(y), ImGui::GetFontSize());
  };
}
/// The same for the caret of an edit box that is not ImGui's.
inline void note_caret(ImVec2 at, float /*height*/) {
  if (const auto place = ImGui::GetIO().ImeSetInputScreenPosFn)
    place(static_cast<int>(at.x), static_cast<int>(at.y));
}

#else

using NativeKey = ImGuiKey;
inline NativeKey native_key(Key key) {
#define HEADSCOPE_NATIVE_KEY(ours, imgui, ...) ImGuiKey_##imgui,
  static constexpr std::array rows{HEADSCOPE_CONTROL_KEYS(HEADSCOPE_NATIVE_KEY)
                                       HEADSCOPE_SIGN_KEYS(HEADSCOPE_NATIVE_KEY)};
#undef HEADSCOPE_NATIVE_KEY
  const auto from = [key](Key first, ImGuiKey imgui) {
    return static_cast<ImGuiKey>(imgui + static_cast<int>(key) - static_cast<int>(first));
  };
  if (key >= Key::a) return from(Key::a, ImGuiKey_A);
  if (key >= Key::digit_0) return from(Key::digit_0, ImGuiKey_0);
  return rows[static_cast<std::size_t>(key)];
}
/// InputQueue spreads events over frames; ImGui's own queue would delay some again, invisibly to the loop.
inline void map_keys(ImGuiIO& io) {
  io.ConfigInputTrickleEventQueue = false;
}
inline void let_pages_navigate(ImGuiIO&, bool) {}
inline void set_modifiers(ImGuiIO& io, bool ctrl, bool shift, bool alt = false, bool super = false) {
  io.AddKeyEvent(ImGuiMod_Ctrl, ctrl);
  io.AddKeyEvent(ImGuiMod_Shift, shift);
  io.AddKeyEvent(ImGuiMod_Alt, alt);
  io.AddKeyEvent(ImGuiMod_Super, super);
}
inline void set_key(ImGuiIO& io, Key key, bool down) {
  io.AddKeyEvent(native_key(key), down);
}
inline void set_button(ImGuiIO& io, int button, bool down) {
  io.AddMouseButtonEvent(button, down);
}
inline void set_position(ImGuiIO& io, float x, float y) {
  io.AddMousePosEvent(x, y);
}
inline void set_wheel(ImGuiIO& io, float x, float y) {
  io.AddMouseWheelEvent(x, y);
}
inline void note_caret(ImVec2 at, float height) {
  ImGuiPlatformImeData data;
  data.WantVisible = true;
  data.InputPos = at;
  data.InputLineHeight = height;
#if IMGUI_VERSION_NUM < 19200
  if (const auto place = ImGui::GetIO().SetPlatformImeDataFn) place(ImGui::GetMainViewport(), &data);
#else
  if (const auto place = ImGui::GetPlatformIO().Platform_SetImeDataFn)
    place(ImGui::GetCurrentContext(), ImGui::GetMainViewport(), &data);
#endif
}

#endif

#if IMGUI_VERSION_NUM < 19200

#if IMGUI_VERSION_NUM >= 18700
template <void (*Place)(float x, float y, float height)>
void follow_caret(ImGuiIO& io) {
  io.SetPlatformImeDataFn = [](ImGuiViewport*, ImGuiPlatformImeData* data) {
    if (data->WantVisible) Place(data->InputPos.x, data->InputPos.y, data->InputLineHeight);
  };
}
#endif

/// The clipboard for ImGui's own fields; `owner` is given to both functions.
template <const char* (*Get)(void* owner), void (*Set)(void* owner, const char* text)>
void use_clipboard(void* owner) {
  ImGuiIO& io = ImGui::GetIO();
  io.ClipboardUserData = owner;
  io.GetClipboardTextFn = Get;
  io.SetClipboardTextFn = Set;
}

/// The number of an OpenGL texture as ImGui's, and back.
inline ImTextureID texture_of(std::uintptr_t number) {
  return reinterpret_cast<ImTextureID>(number);
}
inline std::uintptr_t number_of(ImTextureID texture) {
  return reinterpret_cast<std::uintptr_t>(texture);
}

/// For a context whose frames are not shown, after each change of its fonts.
inline void draw_without_graphics() {
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
}

/// The atlas's pixels are in the texture: frees tens of megabytes.
inline void drop_uploaded_fonts() {
  ImGui::GetIO().Fonts->ClearTexData();
}

constexpr bool fonts_have_any_size = false;
/// There are fonts of a few sizes (app/window/rasterized_fonts.cpp): the one that is enlarged least. Scaled
/// down, strokes one pixel high, such as a minus, could fall between the pixels of the screen. More of them
/// have numbers.
ImFont& font_of(float size, bool number = false);
/// The size of a font, where it differs from `size` by at most the factor `near`.
float sharp_size(float size, float near = 1.04F);
/// The largest that fits.
float sharp_number_size(float size);
/// Differs when a text may be measured differently: in other fonts, or with characters that they have got.
inline std::uint64_t measured_by() {
  const ImFont& font = *ImGui::GetFont();
  return reinterpret_cast<std::uintptr_t>(&font) + static_cast<std::uint64_t>(font.Glyphs.Size);
}
inline void set_font_size(ImGuiStyle&, float) {}

/// Characters beyond ASCII that were drawn or measured: predicted tokens and those of a capture are in no
/// text that the window knows in advance.
class DrawnCharacters {
 public:
  void note(char32_t character) {
    if (known_.insert(character).second) append_utf8(fresh_, character);
  }
  /// Those not taken yet, as UTF-8.
  std::string take() { return std::exchange(fresh_, {}); }
  /// All of them count as new again: for another set of fonts.
  void forget() { known_.clear(); }

 private:
  std::unordered_set<char32_t> known_;
  std::string fresh_;
};

/// From the top of a line to its baseline.
inline float baseline(float size) {
  const ImFont& font = font_of(size);
  return font.Ascent * size / font.FontSize;
}
/// The width of a character in the current font and size.
inline float char_advance(ImWchar character) {
  const ImFont& font = *ImGui::GetFont();
  return font.GetCharAdvance(character) * (ImGui::GetFontSize() / font.FontSize);
}
/// From where to where a letter reaches, as shares of the line's height from its top.
inline std::array<float, 2> extent(float size, ImWchar letter) {
  const ImFont& font = font_of(size);
  const ImFontGlyph* const glyph = font.FindGlyph(letter);
  return {glyph->Y0 / font.FontSize, glyph->Y1 / font.FontSize};
}

#else

template <void (*Place)(float x, float y, float height)>
void follow_caret(ImGuiIO&) {
  ImGui::GetPlatformIO().Platform_SetImeDataFn = [](ImGuiContext*, ImGuiViewport*,
                                                    ImGuiPlatformImeData* data) {
    if (data->WantVisible) Place(data->InputPos.x, data->InputPos.y, data->InputLineHeight);
  };
}

template <const char* (*Get)(void* owner), void (*Set)(void* owner, const char* text)>
void use_clipboard(void* owner) {
  ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  platform.Platform_ClipboardUserData = owner;
  platform.Platform_GetClipboardTextFn = [](ImGuiContext*) {
    return Get(ImGui::GetPlatformIO().Platform_ClipboardUserData);
  };
  platform.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) {
    Set(ImGui::GetPlatformIO().Platform_ClipboardUserData, text);
  };
}

inline ImTextureID texture_of(std::uintptr_t number) {
  return number;
}
inline std::uintptr_t number_of(ImTextureID texture) {
  return static_cast<std::uintptr_t>(texture);
}

inline void draw_without_graphics() {
  ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
}

inline void drop_uploaded_fonts() {}

constexpr bool fonts_have_any_size = true;
inline ImFont& font_of(float, bool = false) {
  return *ImGui::GetFont();
}
inline float sharp_size(float size, float = 1) {
  return std::max(1.0F, std::round(size));
}
inline float sharp_number_size(float size) {
  return std::max(1.0F, std::floor(size + 0.01F));
}
inline std::uint64_t measured_by() {
  return 0;
}
struct DrawnCharacters {
  void note(char32_t) {}
};
/// Of what is drawn in no other size.
inline void set_font_size(ImGuiStyle& style, float size) {
  style.FontSizeBase = size;
}

inline float baseline(float size) {
  const ImFontBaked& baked = *font_of(size).GetFontBaked(size);
  return baked.Ascent * size / baked.Size;
}
inline float char_advance(ImWchar character) {
  ImFontBaked& baked = *ImGui::GetFontBaked();
  return baked.GetCharAdvance(character) * (ImGui::GetFontSize() / baked.Size);
}
inline std::array<float, 2> extent(float size, ImWchar letter) {
  ImFontBaked& baked = *font_of(size).GetFontBaked(size);
  const ImFontGlyph* const glyph = baked.FindGlyph(letter);
  return {glyph->Y0 / baked.Size, glyph->Y1 / baked.Size};
}

#endif

/// Whether the user navigates by keyboard, so that the focused item is highlighted.
bool navigates_by_keys();
/// From now on the navigated item is highlighted, as after an arrow key.
void show_highlight();
/// Highlights the last item if navigation is on it; for items that draw no highlight.
void mark_navigated_item();
/// Whether the last item was drawn as disabled.
bool is_item_disabled();
/// Ends an ImGui frame that was interrupted by an exception, wherever that happened; does nothing if none has
/// begun.
void recover_frame();

/// ImGui::InvisibleButton() that keyboard navigation reaches; 1.92 leaves it out without a flag.
inline bool invisible_button(const char* id, ImVec2 size, ImGuiButtonFlags flags = 0) {
#if IMGUI_VERSION_NUM >= 19200
  flags |= ImGuiButtonFlags_EnableNav;
#endif
  return ImGui::InvisibleButton(id, size, flags);
}

/// Keyboard focus goes to the next item. 1.90.1 finds it only in the focused window.
inline void focus_next_item() {
  ImGui::SetWindowFocus();
  ImGui::SetKeyboardFocusHere();
}

inline bool key_down(Key key) {
  return ImGui::IsKeyDown(native_key(key));
}
inline bool key_pressed(Key key, bool repeat = false) {
  return ImGui::IsKeyPressed(native_key(key), repeat);
}

}  // namespace headscope

#if IMGUI_VERSION_NUM < 19200

// As in 1.92, where a font has any size.
namespace ImGui {
inline void PushFont(std::nullptr_t, float size) {
  PushFont(&headscope::font_of(size));
}
}  // namespace ImGui

#endif
