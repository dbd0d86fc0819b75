#include "app/window/composition.h"

#include <algorithm>
#include <cmath>

#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/theme.h"

namespace headscope {
namespace {

float width_of(const std::string& drawn) {
  return ImGui::CalcTextSize(drawn.data(), drawn.data() + drawn.size()).x;
}

}  // namespace

void draw_composition(const Style& style, std::string_view text, std::size_t caret, ImVec2 at, float height) {
  const Palette& colors = palette(style.theme);
  const float line = std::max(1.0F, std::round(ImGui::GetFontSize() / 12));
  const std::string drawn = drawn_characters(text);
  const float width = width_of(drawn);
  // As much of it as there is room for.
  const float left = std::max(0.0F, std::min(at.x, ImGui::GetIO().DisplaySize.x - width - 2 * line));
  const ImVec2 from{left, at.y}, to{left + width + line, at.y + std::max(height, ImGui::GetFontSize())};
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddRectFilled(from, to, colors.field);
  list.AddText(from, colors.text, drawn.data(), drawn.data() + drawn.size());
  list.AddRectFilled({from.x, to.y - line}, to, colors.accent);
  const float x = std::round(from.x + width_of(drawn_characters(text.substr(0, caret))));
  list.AddLine({x, from.y}, {x, to.y}, colors.text, line);
}

}  // namespace headscope
