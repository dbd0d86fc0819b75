#include <functional>

#include "app/panels/widgets/theme.h"
#include "core/figure/boards/figure_style.h"
#include "core/figure/boards/role_colors.h"
#include "tests/support/luminance.h"
#include "tests/support/testing.h"

namespace headscope::tests {
namespace {

Rgb rgb(ImU32 color) {
  return {static_cast<std::uint8_t>(color >> IM_COL32_R_SHIFT),
          static_cast<std::uint8_t>(color >> IM_COL32_G_SHIFT),
          static_cast<std::uint8_t>(color >> IM_COL32_B_SHIFT)};
}
Rgb rgb(const ImVec4& color) {
  return rgb(ImGui::ColorConvertFloat4ToU32(color));
}

/// WCAG 2.1: of two sRGB colours.
double contrast(Rgb a, Rgb b) {
  const auto [low, high] = std::minmax({luminance(a), luminance(b)});
  return (high + 0.05) / (low + 0.05);
}

std::string hex(Rgb c) {
  return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b);
}
void expect_contrast(Rgb a, Rgb b, double minimum) {
  EXPECT_GE(contrast(a, b), minimum) << hex(a) << " on " << hex(b);
}

constexpr double text_minimum = 4.5, mark_minimum = 3;

void for_each_head_color(const std::function<void(Rgb)>& check) {
  for (const int heads : {1, 2, 8, 12, 64})
    for (int layer = 0; layer < 24; ++layer)
      for (int head = 0; head < heads; ++head) check(head_color(head, heads, layer));
}

std::vector<Rgb> surfaces(const Palette& p) {
  return {rgb(p.background), rgb(p.panel), rgb(p.field)};
}

}  // namespace

TEST(Contrast, black_on_white_is_21) {
  EXPECT_NEAR(contrast({0, 0, 0}, {255, 255, 255}), 21, 1e-9);
  EXPECT_NEAR(contrast({0x77, 0x77, 0x77}, {255, 255, 255}), 4.48, 0.005);  // WebAIM's example just below 4.5
}

TEST(Contrast, every_text_of_the_window_can_be_read) {
  ImGuiContext* context = ImGui::CreateContext();
  for (const Theme theme : {Theme::light, Theme::dark})
    for (const bool high : {false, true}) {
      Style style;
      style.theme = {theme, high};
      apply_theme(style);
      const Palette& p = palette(style.theme);
      std::vector<Rgb> behind = surfaces(p);
      for (const ImGuiCol index :
           {ImGuiCol_PopupBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive, ImGuiCol_Button,
            ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive, ImGuiCol_Header, ImGuiCol_HeaderHovered,
            ImGuiCol_HeaderActive, ImGuiCol_TabActive, ImGuiCol_TabHovered, ImGuiCol_TableHeaderBg})
        behind.push_back(rgb(ImGui::GetStyle().Colors[index]));
      for (const Rgb surface : behind)
        for (const ImU32 text : {p.text, p.muted, p.accent, p.warning, p.error})
          expect_contrast(rgb(text), surface, text_minimum);
      expect_contrast(rgb(p.on_accent), rgb(p.accent), text_minimum);
    }
  ImGui::DestroyContext(context);
}

TEST(Contrast, marks_and_formulas_are_visible_in_the_window) {
  for (const bool high : {false, true})
    for (const Theme theme : {Theme::light, Theme::dark})
      for (const Rgb surface : surfaces(palette(WindowTheme{theme, high}))) {
        for_each_head_color([&](Rgb color) { expect_contrast(color, surface, mark_minimum); });
        for (const RoleColor& role : role_colors())
          expect_contrast(theme == Theme::dark ? role.dark : role.light, surface, text_minimum);
      }
}

TEST(Contrast, every_text_of_a_figure_can_be_read) {
  for (const Theme theme : {Theme::light, Theme::dark}) {
    const FigureStyle style = figure_style(theme);
    for (const Rgb text : {style.text, style.muted, style.warning})
      expect_contrast(text, style.background, text_minimum);
    expect_contrast(style.border, style.background, mark_minimum);
    for_each_head_color([&](Rgb color) { expect_contrast(color, style.background, mark_minimum); });
    for (const RoleColor& role : role_colors())
      expect_contrast(theme == Theme::dark ? role.dark : role.light, style.background, text_minimum);
  }
}

}  // namespace headscope::tests
