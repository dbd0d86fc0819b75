#pragma once
#include <imgui.h>

#include <string>
#include <string_view>

#include "app/panels/shell/ui.h"
#include "core/figure/boards/layout.h"

namespace headscope {

/// Text of any size at any place. `align` 0 begins at `at.x`, 0.5 is centred about it, 1 ends there; the same
/// for y with `align_y`.
struct MapTextStyle {
  ImFont* font = nullptr;
  float size = 13;
  ImU32 color = 0;
  float align_x = 0, align_y = 0.5F;
};

/// In the one of the window's fonts that is enlarged the least; none but the smallest is shrunk.
MapTextStyle text_style(const Style& style, double size, ImU32 color, float align_x = 0,
                        float align_y = 0.5F);
/// Of numbers in cells of at most that size, in one of the fonts for them, unscaled.
MapTextStyle number_style(const Style& style, double size);
/// The height of a font in ImGui's pixels.
float size_of(const Style& style, const ImFont* font);
ImVec2 text_size(const MapTextStyle& style, std::string_view text);
void draw_text(ImDrawList& list, const MapTextStyle& style, ImVec2 at, std::string_view text);
/// Turned by 90 degrees, reading upwards: `align_x` is along the text, from its beginning (below) to its end.
void draw_turned_text(ImDrawList& list, const MapTextStyle& style, ImVec2 at, std::string_view text);
/// Leaning that far, else as these.
void draw_slanted_text(ImDrawList& list, const MapTextStyle& style, ImVec2 at, std::string_view text,
                       const Slant& slant);
void draw_slanted_boxed_text(ImDrawList& list, const MapTextStyle& style, ImVec2 at, std::string_view text,
                             ImU32 background, const Slant& slant);
enum class Turn { level, turned };
/// On a box of `background`, for labels that stand among others.
void draw_boxed_text(ImDrawList& list, const MapTextStyle& style, ImVec2 at, std::string_view text,
                     ImU32 background, Turn turn = Turn::level);
/// How far the box goes beyond a text of that size at both of its ends.
float box_margin(float size);

/// How far lines lie apart whose letters don't touch, in the font's size.
double line_height(const ImFont* font);
/// Measures for grid_layout, at `size`.
MeasureText measure_with(const Style& style, float size);

/// Black or white, which can be read on `background`.
ImU32 readable_on(Rgb background);
ImU32 to_color(Rgb color, float alpha = 1);

}  // namespace headscope
