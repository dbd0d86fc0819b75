#include "app/panels/widgets/board.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/map/map_panel.h"
#include "app/panels/map/map_text.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/theme.h"

namespace headscope {
namespace {

Rgb to_rgb(ImU32 color) {
  return {static_cast<std::uint8_t>(color >> IM_COL32_R_SHIFT & 255),
          static_cast<std::uint8_t>(color >> IM_COL32_G_SHIFT & 255),
          static_cast<std::uint8_t>(color >> IM_COL32_B_SHIFT & 255)};
}

ImU32 to_imgui(Rgb color, double opacity = 1) {
  return IM_COL32(color.r, color.g, color.b, static_cast<int>(opacity * 255 + 0.5));
}

/// The smallest font that is not enlarged: scaling down looks better than scaling up.
ImFont& font_for(const Style& style, double size) {
  ImFont* best = style.large;
  for (ImFont* font : {style.large, style.regular, style.small, style.tiny})
    if (font != nullptr && static_cast<double>(font->FontSize) >= size - 0.01) best = font;
  return *best;
}

/// Snaps to an existing font of similar size: in a scaled one the thin strokes of = and - may fall between
/// pixels.
double drawn_size(const Style& style, double size) {
  constexpr double near = 1.12;
  double best = size, distance = near;
  for (const ImFont* font : {style.large, style.regular, style.small, style.tiny}) {
    if (font == nullptr) continue;
    const auto has = static_cast<double>(font->FontSize);
    if (const double away = std::max(has / size, size / has); away < distance) best = has, distance = away;
  }
  return best;
}

void draw_text(const Ui& ui, ImDrawList& list, const BoardText& text, ImVec2 at) {
  const std::string drawn = drawn_text(text.text);
  const auto size = static_cast<float>(drawn_size(ui.style, text.style.size));
  ImFont& font = font_for(ui.style, static_cast<double>(size));
  const float width = font.CalcTextSizeA(size, FLT_MAX, 0, drawn.c_str(), drawn.c_str() + drawn.size()).x;
  const float share = text.style.anchor == Anchor::start    ? 0.0F
                      : text.style.anchor == Anchor::middle ? 0.5F
                                                            : 1.0F;
  if (text.style.rotated)
    return draw_rotated_text(list, {&font, size, to_imgui(text.style.color), share, 0.5F},
                             {at.x + static_cast<float>(text.x), at.y + static_cast<float>(text.y)}, drawn);
  list.AddText(&font, size,
               {std::round(at.x + static_cast<float>(text.x) - share * width),
                std::round(at.y + static_cast<float>(text.y) - size / 2)},
               to_imgui(text.style.color), drawn.c_str(), drawn.c_str() + drawn.size());
}

void draw_map(const Ui& ui, ImDrawList& list, const BoardMap& map, int place, ImVec2 at) {
  HeatmapRequest request;
  request.owner = map.owner;
  const MapPart& part = map.picture.part;
  request.values = part.values;
  request.blocked = part.blocked;
  request.n_q = part.n_q;
  request.n_k = part.n_k;
  request.query_begin = part.query_begin;
  request.query_end = part.query_end;
  request.key_begin = part.key_begin;
  request.key_end = part.key_end;
  request.colors = map.picture.colors;
  request.range = map.picture.range;
  hatch_masked(request, ui);
  const Rect rect{map.rect.x + static_cast<double>(at.x), map.rect.y + static_cast<double>(at.y),
                  map.rect.width, map.rect.height};
  draw_picture(list, ui, place_map(ui, PainterSlots::board + place, rect, request));
}

}  // namespace

BoardStyle board_style(const Ui& ui) {
  const Palette& colors = palette(ui.style.theme);
  BoardStyle style;
  // A board's notes are smaller than its text, and on a projector nothing may be smaller than that.
  style.font_size = static_cast<double>(ui.style.font_size) * (ui.style.presented ? 1.2 : 1);
  style.minimum = ui.style.presented ? static_cast<double>(ui.style.font_size) : 0;
  style.background = to_rgb(colors.panel);
  style.text = to_rgb(colors.text);
  style.muted = to_rgb(colors.muted);
  style.border = to_rgb(colors.border);
  style.accent = to_rgb(colors.accent);
  style.panel = to_rgb(colors.background);
  style.warning = to_rgb(colors.warning);
  style.measure = [&fonts = ui.style](std::string_view text, double size) {
    const std::string drawn = drawn_text(text);
    const double own = drawn_size(fonts, size);
    const float width =
        font_for(fonts, own)
            .CalcTextSizeA(static_cast<float>(own), FLT_MAX, 0, drawn.c_str(), drawn.c_str() + drawn.size())
            .x;
    return static_cast<double>(width);
  };
  return style;
}

void note_regions(const Ui& ui, const Board& board, ImVec2 at) {
  if (ui.ui_anchors == nullptr) return;
  const ImVec2 low = ImGui::GetWindowDrawList()->GetClipRectMin(),
               high = ImGui::GetWindowDrawList()->GetClipRectMax();
  for (const BoardRegion& region : board.regions) {
    if (region.name.starts_with("note ")) continue;  // help text, not clickable
    const Rect& r = region.rect;
    const ImVec2 min{std::max(low.x, at.x + static_cast<float>(r.x)),
                     std::max(low.y, at.y + static_cast<float>(r.y))},
        max{std::min(high.x, at.x + static_cast<float>(r.right())),
            std::min(high.y, at.y + static_cast<float>(r.bottom()))};
    if (min.x < max.x && min.y < max.y) ui.ui_anchors->add(region.name, min, max);
  }
}

void draw_board(const Ui& ui, const Board& board, ImVec2 at) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto x = [&](double v) { return at.x + static_cast<float>(v); };
  const auto y = [&](double v) { return at.y + static_cast<float>(v); };
  for (const BoardFill& fill : board.fills)
    list.AddRectFilled({x(fill.rect.x), y(fill.rect.y)}, {x(fill.rect.right()), y(fill.rect.bottom())},
                       to_imgui(fill.color));
  for (std::size_t i = 0; i < board.maps.size(); ++i)
    draw_map(ui, list, board.maps[i], static_cast<int>(i), at);
  for (const BoardLine& line : board.lines)
    list.AddLine({x(line.x0), y(line.y0)}, {x(line.x1), y(line.y1)}, to_imgui(line.color, line.opacity),
                 static_cast<float>(line.width));
  for (const BoardText& text : board.texts) draw_text(ui, list, text, at);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({static_cast<float>(board.width), static_cast<float>(board.height)});
}

}  // namespace headscope
