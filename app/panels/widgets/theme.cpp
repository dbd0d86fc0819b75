#include "app/panels/widgets/theme.h"

#include <cmath>

#include "app/panels/widgets/imgui_calls.h"
#include "app/state/actions/present.h"
#include "app/state/settings.h"

namespace headscope {
namespace {

constexpr ImU32 hex(unsigned rgb) {
  return IM_COL32((rgb >> 16) & 0xFF, (rgb >> 8) & 0xFF, rgb & 0xFF, 255);
}

constexpr Palette light{hex(0xF3F5F8), hex(0xFFFFFF), hex(0xD8DEE7), hex(0x1C2330),
                        hex(0x566073), hex(0x2160C2), hex(0xDCE8FB), hex(0xFFFFFF),
                        hex(0x865700), hex(0xB3261E), hex(0xFFFFFF)};
constexpr Palette dark{hex(0x14171C), hex(0x1B1F26), hex(0x343B47), hex(0xE6E9EE),
                       hex(0x9BA5B4), hex(0x76A7F7), hex(0x263754), hex(0x0E1624),
                       hex(0xE8B65A), hex(0xFF8A80), hex(0x101318)};

// Pure black and white; selections and warnings keep a colour with a contrast of at least 7 : 1 against them.
constexpr Palette light_contrast{hex(0xFFFFFF), hex(0xFFFFFF), hex(0x000000), hex(0x000000),
                                 hex(0x000000), hex(0x0037B8), hex(0xCFE0FF), hex(0xFFFFFF),
                                 hex(0x5E3B00), hex(0x8F0000), hex(0xFFFFFF)};
constexpr Palette dark_contrast{hex(0x000000), hex(0x000000), hex(0xFFFFFF), hex(0xFFFFFF),
                                hex(0xFFFFFF), hex(0x8FC1FF), hex(0x12346B), hex(0x000000),
                                hex(0xFFD36E), hex(0xFFB0A8), hex(0x000000)};

void set(ImGuiStyle& s, ImGuiCol index, ImU32 color) {
  s.Colors[index] = to_vec4(color);
}

void set_colors(ImGuiStyle& s, const Palette& p, bool is_dark) {
  set(s, ImGuiCol_Text, p.text);
  set(s, ImGuiCol_TextDisabled, p.muted);
  set(s, ImGuiCol_WindowBg, p.background);
  set(s, ImGuiCol_ChildBg, with_alpha(p.background, 0));
  set(s, ImGuiCol_PopupBg, p.panel);
  set(s, ImGuiCol_MenuBarBg, p.panel);
  set(s, ImGuiCol_Border, p.border);
  set(s, ImGuiCol_FrameBg, p.field);
  set(s, ImGuiCol_FrameBgHovered, is_dark ? hex(0x232A35) : hex(0xF0F4FA));
  set(s, ImGuiCol_FrameBgActive, p.accent_soft);
  set(s, ImGuiCol_TitleBg, p.panel);
  set(s, ImGuiCol_TitleBgActive, p.panel);
  set(s, ImGuiCol_TitleBgCollapsed, p.panel);
  set(s, ImGuiCol_CheckMark, p.accent);
  set(s, ImGuiCol_SliderGrab, p.accent);
  set(s, ImGuiCol_SliderGrabActive, p.accent);
  set(s, ImGuiCol_Button, is_dark ? hex(0x262C36) : hex(0xE9EDF3));
  set(s, ImGuiCol_ButtonHovered, is_dark ? hex(0x323A47) : hex(0xDCE3ED));
  set(s, ImGuiCol_ButtonActive, p.accent_soft);
  set(s, ImGuiCol_Header, is_dark ? hex(0x242A34) : hex(0xE6EBF2));
  set(s, ImGuiCol_HeaderHovered, is_dark ? hex(0x2E3643) : hex(0xD9E1EC));
  set(s, ImGuiCol_HeaderActive, p.accent_soft);
  set(s, ImGuiCol_Separator, p.border);
  set(s, ImGuiCol_SeparatorHovered, p.accent);
  set(s, ImGuiCol_SeparatorActive, p.accent);
  set(s, ImGuiCol_ScrollbarBg, with_alpha(p.background, 0));
  set(s, ImGuiCol_ScrollbarGrab, is_dark ? hex(0x3B4452) : hex(0xC3CBD7));
  set(s, ImGuiCol_ScrollbarGrabHovered, is_dark ? hex(0x4C5768) : hex(0xA9B4C4));
  set(s, ImGuiCol_ScrollbarGrabActive, p.accent);
  set(s, ImGuiCol_TextSelectedBg, with_alpha(p.accent, 0.30F));
  set(s, ImGuiCol_NavHighlight, p.accent);
  set(s, ImGuiCol_Tab, with_alpha(p.panel, 0));
  set(s, ImGuiCol_TabHovered, p.accent_soft);
  set(s, ImGuiCol_TabActive, p.accent_soft);
  set(s, ImGuiCol_TableBorderLight, p.border);
  set(s, ImGuiCol_TableBorderStrong, p.border);
  set(s, ImGuiCol_TableHeaderBg, is_dark ? hex(0x242A34) : hex(0xE9EDF3));
  set(s, ImGuiCol_ModalWindowDimBg, IM_COL32(0, 0, 0, is_dark ? 140 : 80));
  set(s, ImGuiCol_PlotHistogram, p.accent);
  set(s, ImGuiCol_ResizeGrip, with_alpha(p.border, 0));
}

}  // namespace

const Palette& palette(WindowTheme theme) {
  if (theme.contrast) return theme == Theme::dark ? dark_contrast : light_contrast;
  return theme == Theme::dark ? dark : light;
}

ImU32 notice_color(const Palette& colors, Notice::Kind kind) {
  return kind == Notice::Kind::error     ? colors.error
         : kind == Notice::Kind::warning ? colors.warning
                                         : colors.text;
}

ImVec4 to_vec4(ImU32 color) {
  return ImGui::ColorConvertU32ToFloat4(color);
}

ImU32 with_alpha(ImU32 color, float alpha) {
  return (color & ~IM_COL32_A_MASK) | (static_cast<ImU32>(alpha * 255.0F + 0.5F) << IM_COL32_A_SHIFT);
}

void set_style(Style& style, const Settings& settings, const Presentation& presentation) {
  style.theme = {settings.theme, presentation.on && presentation.contrast};
  style.presented = presentation.on;
  style.lens = presentation.on && presentation.lens;
}

void apply_theme(const Style& style) {
  ImGuiStyle s;
  const float em = style.font_size;
  set_font_size(s, em);
  const auto size = [em](float part) { return std::round(em * part); };
  s.WindowPadding = {size(0.5F), size(0.4F)};
  s.FramePadding = {size(0.45F), size(0.25F)};
  s.ItemSpacing = {size(0.45F), size(0.3F)};
  s.ItemInnerSpacing = {size(0.35F), size(0.3F)};
  s.CellPadding = {size(0.35F), size(0.18F)};
  s.IndentSpacing = size(1.1F);
  s.ScrollbarSize = size(0.8F);
  s.GrabMinSize = size(0.75F);
  s.WindowRounding = 0;
  s.ChildRounding = size(0.3F);
  s.FrameRounding = size(0.25F);
  s.PopupRounding = size(0.3F);
  s.GrabRounding = size(0.25F);
  s.ScrollbarRounding = size(0.4F);
  s.TabRounding = size(0.25F);
  s.WindowBorderSize = 0;
  s.ChildBorderSize = 1;
  s.FrameBorderSize = 1;
  s.PopupBorderSize = 1;
  s.DisabledAlpha = 0.55F;
  s.AntiAliasedLinesUseTex = true;
  set_colors(s, palette(style.theme), style.theme == Theme::dark);
  ImGui::GetStyle() = s;
}

}  // namespace headscope
