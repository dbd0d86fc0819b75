#include "app/panels/widgets/imgui_calls.h"

#include <imgui_internal.h>

#include "app/before_imgui_1_92/panels/font_sizes.h"

namespace headscope {
namespace {

PlaceCaret place_caret = nullptr;  // these versions have nothing to keep it in

}  // namespace

#if IMGUI_VERSION_NUM < 18700

void follow_caret(PlaceCaret place) {
  place_caret = place;
  ImGui::GetIO().ImeSetInputScreenPosFn = [](int x, int y) {
    place_caret(static_cast<float>(x), static_cast<float>(y), ImGui::GetFontSize());
  };
}

void note_caret(ImVec2 at, float /*height*/) {
  if (const auto place = ImGui::GetIO().ImeSetInputScreenPosFn)
    place(static_cast<int>(at.x), static_cast<int>(at.y));
}

#else

void follow_caret(PlaceCaret place) {
  place_caret = place;
  ImGui::GetIO().SetPlatformImeDataFn = [](ImGuiViewport*, ImGuiPlatformImeData* data) {
    if (data->WantVisible) place_caret(data->InputPos.x, data->InputPos.y, data->InputLineHeight);
  };
}

void note_caret(ImVec2 at, float height) {
  ImGuiPlatformImeData data;
  data.WantVisible = true;
  data.InputPos = at;
  data.InputLineHeight = height;
  if (const auto place = ImGui::GetIO().SetPlatformImeDataFn) place(ImGui::GetMainViewport(), &data);
}

#endif

void use_clipboard(TextClipboard& clipboard) {
  ImGuiIO& io = ImGui::GetIO();
  io.ClipboardUserData = clipboard.owner;
  io.GetClipboardTextFn = clipboard.get;
  io.SetClipboardTextFn = clipboard.set;
}

void set_font_size(ImGuiStyle&, float) {}

float baseline(float size) {
  const ImFont& font = font_of(size);
  return font.Ascent * size / font.FontSize;
}

float char_advance(ImWchar character) {
  const ImFont& font = *ImGui::GetFont();
  return font.GetCharAdvance(character) * (ImGui::GetFontSize() / font.FontSize);
}

std::array<float, 2> extent(float size, ImWchar letter) {
  const ImFont& font = font_of(size);
  const ImFontGlyph* const glyph = font.FindGlyph(letter);
  return {glyph->Y0 / font.FontSize, glyph->Y1 / font.FontSize};
}

bool navigates_by_keys() {
  return !GImGui->NavDisableHighlight;
}

void show_highlight() {
  GImGui->NavDisableHighlight = false;
  GImGui->NavDisableMouseHover = true;
}

void focus_last_item() {
  ImGui::NavMoveRequestCancel();  // a key may be on its way to another item
  ImGui::SetFocusID(ImGui::GetItemID(), GImGui->CurrentWindow);
}

void mark_navigated_item() {
  ImGui::RenderNavHighlight({ImGui::GetItemRectMin(), ImGui::GetItemRectMax()}, ImGui::GetItemID());
}

bool is_item_disabled() {
  return (GImGui->LastItemData.InFlags & ImGuiItemFlags_Disabled) != 0;
}

}  // namespace headscope
