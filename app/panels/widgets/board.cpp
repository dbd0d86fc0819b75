#include "app/panels/widgets/board.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/map/map_panel.h"
#include "app/panels/map/map_text.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"

namespace headscope {
namespace {

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

MapTextStyle text_style_of(const Style& style, double size) {
  const double own = drawn_size(style, size);
  return {&font_for(style, own), static_cast<float>(own), 0, 0, 0.5F};
}

void draw_text(const Ui& ui, ImDrawList& list, const BoardText& text, ImVec2 at) {
  MapTextStyle style = text_style_of(ui.style, text.style.size);
  style.color = to_color(text.style.color);
  style.align_x = text.style.anchor == Anchor::start    ? 0.0F
                  : text.style.anchor == Anchor::middle ? 0.5F
                                                        : 1.0F;
  const ImVec2 from{at.x + static_cast<float>(text.x), at.y + static_cast<float>(text.y)};
  text.style.rotated ? draw_rotated_text(list, style, from, text.text)
                     : headscope::draw_text(list, style, from, text.text);
}

}  // namespace

Rgb to_rgb(ImU32 color) {
  return {static_cast<std::uint8_t>(color >> IM_COL32_R_SHIFT & 255),
          static_cast<std::uint8_t>(color >> IM_COL32_G_SHIFT & 255),
          static_cast<std::uint8_t>(color >> IM_COL32_B_SHIFT & 255)};
}

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
    return static_cast<double>(text_size(text_style_of(fonts, size), text).x);
  };
  return style;
}

OnScreen::OnScreen(const Rect& rect, ImVec2 at)
    : min(at.x + static_cast<float>(rect.x), at.y + static_cast<float>(rect.y)),
      max(at.x + static_cast<float>(rect.right()), at.y + static_cast<float>(rect.bottom())) {}

const BoardRegion* hovered_region(const Board& board, ImVec2 at) {
  if (!ImGui::IsWindowHovered()) return nullptr;
  const ImVec2 mouse = ImGui::GetMousePos();
  return region_at(board, static_cast<double>(mouse.x - at.x), static_cast<double>(mouse.y - at.y));
}

void region_tooltip(const BoardRegion& region, ImVec2 at) {
  const OnScreen place(region.rect, at);
  if (region.help.empty() || !begin_tooltip(place.min, place.max)) return;
  wrapped_text(region.help, std::min(ImGui::GetFontSize() * 24, ImGui::GetIO().DisplaySize.x * 0.9F));
  ImGui::EndTooltip();
}

void note_regions(const Ui& ui, const Board& board, ImVec2 at) {
  if (ui.ui_anchors == nullptr) return;
  const ImVec2 low = ImGui::GetWindowDrawList()->GetClipRectMin(),
               high = ImGui::GetWindowDrawList()->GetClipRectMax();
  for (const BoardRegion& region : board.regions) {
    if (region.name.starts_with("note ")) continue;  // help text, not clickable
    const OnScreen place(region.rect, at);
    const ImVec2 min{std::max(low.x, place.min.x), std::max(low.y, place.min.y)},
        max{std::min(high.x, place.max.x), std::min(high.y, place.max.y)};
    if (min.x < max.x && min.y < max.y) ui.ui_anchors->add(region.name, min, max);
  }
}

void draw_board(const Ui& ui, const Board& board, ImVec2 at) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto x = [&](double v) { return at.x + static_cast<float>(v); };
  const auto y = [&](double v) { return at.y + static_cast<float>(v); };
  for (const BoardFill& fill : board.fills) {
    const OnScreen place(fill.rect, at);
    list.AddRectFilled(place.min, place.max, to_color(fill.color));
  }
  int slot = PainterSlots::board;
  for (const auto& [rect, picture] : board.maps)
    draw_picture(list, ui,
                 place_map(ui, slot++, {rect.x + at.x, rect.y + at.y, rect.width, rect.height}, picture));
  for (const BoardLine& line : board.lines)
    list.AddLine({x(line.x0), y(line.y0)}, {x(line.x1), y(line.y1)},
                 to_color(line.color, static_cast<float>(line.opacity)), static_cast<float>(line.width));
  for (const BoardText& text : board.texts) draw_text(ui, list, text, at);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({static_cast<float>(board.width), static_cast<float>(board.height)});
}

}  // namespace headscope
