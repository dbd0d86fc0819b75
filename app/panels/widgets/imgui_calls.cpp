#include "app/panels/widgets/imgui_calls.h"

#include <imgui_internal.h>

namespace headscope {

void follow_caret(PlaceCaret place) {
  ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  platform.Platform_ImeUserData = reinterpret_cast<void*>(place);
  platform.Platform_SetImeDataFn = [](ImGuiContext*, ImGuiViewport*, ImGuiPlatformImeData* data) {
    const auto place_caret = reinterpret_cast<PlaceCaret>(ImGui::GetPlatformIO().Platform_ImeUserData);
    if (data->WantVisible) place_caret(data->InputPos.x, data->InputPos.y, data->InputLineHeight);
  };
}

void note_caret(ImVec2 at, float height) {
  ImGuiPlatformImeData data;
  data.WantVisible = true;
  data.InputPos = at;
  data.InputLineHeight = height;
  if (const auto place = ImGui::GetPlatformIO().Platform_SetImeDataFn)
    place(ImGui::GetCurrentContext(), ImGui::GetMainViewport(), &data);
}

void use_clipboard(TextClipboard& clipboard) {
  ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  platform.Platform_ClipboardUserData = &clipboard;
  platform.Platform_GetClipboardTextFn = [](ImGuiContext*) {
    const auto& used = *static_cast<TextClipboard*>(ImGui::GetPlatformIO().Platform_ClipboardUserData);
    return used.get(used.owner);
  };
  platform.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) {
    const auto& used = *static_cast<TextClipboard*>(ImGui::GetPlatformIO().Platform_ClipboardUserData);
    used.set(used.owner, text);
  };
}

void set_font_size(ImGuiStyle& style, float size) {
  style.FontSizeBase = size;
}

float baseline(float size) {
  const ImFontBaked& baked = *ImGui::GetFont()->GetFontBaked(size);
  return baked.Ascent * size / baked.Size;
}

float char_advance(ImWchar character) {
  ImFontBaked& baked = *ImGui::GetFontBaked();
  return baked.GetCharAdvance(character) * (ImGui::GetFontSize() / baked.Size);
}

std::array<float, 2> extent(float size, ImWchar letter) {
  ImFontBaked& baked = *ImGui::GetFont()->GetFontBaked(size);
  const ImFontGlyph* const glyph = baked.FindGlyph(letter);
  return {glyph->Y0 / baked.Size, glyph->Y1 / baked.Size};
}

bool navigates_by_keys() {
  return GImGui->NavCursorVisible;
}

void show_highlight() {
  GImGui->NavCursorVisible = true;
  GImGui->NavHighlightItemUnderNav = true;
}

void focus_last_item() {
  ImGui::NavMoveRequestCancel();  // a key may be on its way to another item
  ImGui::SetFocusID(ImGui::GetItemID(), GImGui->CurrentWindow);
}

void mark_navigated_item() {
  ImGui::RenderNavCursor({ImGui::GetItemRectMin(), ImGui::GetItemRectMax()}, ImGui::GetItemID());
}

bool is_item_disabled() {
  return (GImGui->LastItemData.ItemFlags & ImGuiItemFlags_Disabled) != 0;
}

}  // namespace headscope
