#pragma once
#include <imgui.h>

#include <string>
#include <string_view>

#include "core/figure/boards/layout.h"

namespace headscope {

/// Text of any size at any place. `align` 0: begins at `at.x`, 0.5: centred on it, 1: ends there; the same
/// for y with `align_y`.
struct MapTextStyle {
  float size = 13;
  ImU32 color = 0;
  float align_x = 0, align_y = 0.5F;
  bool number = false;  ///< digits and signs alone
};

/// In about that size, in which letters are sharp.
MapTextStyle text_style(double size, ImU32 color, float align_x = 0, float align_y = 0.5F);
/// For numbers in cells, which are at most that high.
MapTextStyle number_style(double size);
/// For the texts of boards.
MapTextStyle board_text_style(double size);
ImFont* font_of(const MapTextStyle& style);
ImVec2 text_size(const MapTextStyle& style, std::string_view text);
void draw_text(ImDrawList& list, const MapTextStyle& style, ImVec2 at, std::string_view text);
/// Rotated by 90 degrees, reading upwards: `align_x` is along the text, from its beginning (below) to its
/// end.
void draw_rotated_text(ImDrawList& list, const MapTextStyle& style, ImVec2 at, std::string_view text);
/// Slanted by that angle, otherwise the same as above.
void draw_slanted_text(ImDrawList& list, const MapTextStyle& style, ImVec2 at, std::string_view text,
                       const Slant& slant);
void draw_slanted_boxed_text(ImDrawList& list, const MapTextStyle& style, ImVec2 at, std::string_view text,
                             ImU32 background, const Slant& slant);
enum class Turn { level, rotated };
/// On a box of `background`, for labels that overlap others; `across`: its size across the line of text, 0: a
/// little more than the text has.
void draw_boxed_text(ImDrawList& list, const MapTextStyle& style, ImVec2 at, std::string_view text,
                     ImU32 background, Turn turn = Turn::level, float across = 0);
/// How far the box extends beyond a text of that size at both ends.
float box_margin(float size);

/// The line spacing at which letters don't touch, relative to `size`.
double line_height(float size);
/// Measures for grid_layout, at `size`.
MeasureText measure_with(float size);

/// Black or white, whichever is readable on `background`.
ImU32 readable_on(Rgb background);
ImU32 to_color(Rgb color, float alpha = 1);

}  // namespace headscope
