#include "app/panels/widgets/placed_text.h"

#include <array>
#include <cfloat>
#include <cmath>

#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/heard.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/ui_anchors.h"
#include "app/panels/widgets/widget_memory.h"

namespace headscope {
namespace {

const char* end_of(const std::string& text) {
  return text.data() + text.size();
}

ImVec2 drawn_size(const MapTextStyle& style, const std::string& text) {
  return font_of(style)->CalcTextSizeA(style.size, FLT_MAX, 0, text.data(), end_of(text));
}

/// A position relative to `at` in a text that is slanted upwards to the right.
ImVec2 slanted(ImVec2 at, ImVec2 offset, const Slant& slant) {
  const auto sine = static_cast<float>(slant.sine), cosine = static_cast<float>(slant.cosine);
  return {at.x + cosine * offset.x + sine * offset.y, at.y + cosine * offset.y - sine * offset.x};
}

/// For those who hear it, and for tests.
void note_text(const ImDrawList& list, const std::array<ImVec2, 4>& corners, std::string_view text) {
  hear_inside(text, corners[0], corners[2]);
  const WidgetMemory* const memory = widget_memory();
  if (memory == nullptr || memory->ui_anchors == nullptr || text.empty()) return;
  memory->ui_anchors->add_text({std::string(text), corners, list.GetClipRectMin(), list.GetClipRectMax()});
}

}  // namespace

ImVec2 text_size(const MapTextStyle& style, std::string_view text) {
  return drawn_size(style, drawn_text(text));
}

void draw_text(ImDrawList& list, const MapTextStyle& style, ImVec2 at, std::string_view text) {
  const std::string drawn = drawn_text(text);
  const ImVec2 size = drawn_size(style, drawn);
  // Letters are sharp on whole pixels.
  const ImVec2 from{std::round(at.x - style.align_x * size.x), std::round(at.y - style.align_y * size.y)};
  list.AddText(font_of(style), style.size, from, style.color, drawn.data(), end_of(drawn));
  note_text(list,
            {from, {from.x + size.x, from.y}, {from.x + size.x, from.y + size.y}, {from.x, from.y + size.y}},
            text);
}

void draw_slanted_text(ImDrawList& list, const MapTextStyle& style, ImVec2 at, std::string_view text,
                       const Slant& slant) {
  const std::string drawn = drawn_text(text);
  const ImVec2 size = drawn_size(style, drawn), middle{style.align_x * size.x, style.align_y * size.y};
  const int first = list.VtxBuffer.Size;
  // Letters must not be culled because they would be outside the clip rectangle before rotation.
  const ImVec4 everywhere{-FLT_MAX / 2, -FLT_MAX / 2, FLT_MAX / 2, FLT_MAX / 2};
  font_of(style)->RenderText(&list, style.size, {0, 0}, style.color, everywhere, drawn.data(), end_of(drawn));
  for (int i = first; i < list.VtxBuffer.Size; ++i) {
    ImVec2& position = list.VtxBuffer[i].pos;
    position = slanted(at, {position.x - middle.x, position.y - middle.y}, slant);
  }
  const auto corner = [&](float x, float y) { return slanted(at, {x - middle.x, y - middle.y}, slant); };
  note_text(list, {corner(0, 0), corner(size.x, 0), corner(size.x, size.y), corner(0, size.y)}, text);
}

void draw_rotated_text(ImDrawList& list, const MapTextStyle& style, ImVec2 at, std::string_view text) {
  const ImVec2 size = text_size(style, text);
  const ImVec2 from{std::round(at.x - style.align_y * size.y), std::round(at.y + style.align_x * size.x)};
  draw_slanted_text(list, {style.size, style.color, 0, 0, style.number}, from, text, {1, 0});
}

float box_margin(float size) {
  return std::round(size * 0.2F);
}

void draw_slanted_boxed_text(ImDrawList& list, const MapTextStyle& style, ImVec2 at, std::string_view text,
                             ImU32 background, const Slant& slant) {
  if (text.empty()) return;
  const ImVec2 size = text_size(style, text);
  const float margin = box_margin(style.size);
  const float left = -style.align_x * size.x - margin, right = left + size.x + 2 * margin;
  const float top = -style.align_y * size.y - margin / 4, bottom = top + size.y + margin / 2;
  const auto place = [&](float x, float y) { return slanted(at, {x, y}, slant); };
  list.AddQuadFilled(place(left, top), place(right, top), place(right, bottom), place(left, bottom),
                     background);
  draw_slanted_text(list, style, at, text, slant);
}

void draw_boxed_text(ImDrawList& list, const MapTextStyle& style, ImVec2 at, std::string_view text,
                     ImU32 background, Turn turn, float across) {
  if (text.empty()) return;  // ImGui divides by 0 for the corners of so small a box
  ImVec2 size = text_size(style, text);
  const float margin = box_margin(style.size);
  ImVec2 around{margin, across > 0 ? (across - size.y) / 2 : margin / 2};
  ImVec2 from{at.x - style.align_x * size.x, at.y - style.align_y * size.y};
  const bool rotated = turn == Turn::rotated;
  if (rotated) {
    from = {at.x - style.align_y * size.y, at.y - (1 - style.align_x) * size.x};
    size = {size.y, size.x};
    around = {around.y, margin / 2};  // its neighbours are as close as lines
  }
  list.AddRectFilled({from.x - around.x, from.y - around.y},
                     {from.x + size.x + around.x, from.y + size.y + around.y}, background, margin);
  rotated ? draw_rotated_text(list, style, at, text) : draw_text(list, style, at, text);
}

double line_height(float size) {
  float top = 1, bottom = 0;
  for (const char c : {'d', 'T', 'g', 'p'}) {
    const auto [from, to] = extent(size, c);
    top = std::min(top, from);
    bottom = std::max(bottom, to);
  }
  constexpr double apart = 0.04;  // a pixel
  return bottom > top ? bottom - top + apart : 1.0;
}

MeasureText measure_with(float size) {
  const MapTextStyle text = text_style(size, 0);
  return [text](std::string_view measured) { return static_cast<double>(text_size(text, measured).x); };
}

ImU32 readable_on(Rgb background) {
  return to_color(ink_on(background), 1);
}

ImU32 to_color(Rgb color, float alpha) {
  return IM_COL32(color.r, color.g, color.b, static_cast<int>(alpha * 255 + 0.5F));
}

}  // namespace headscope
