#include "app/panels/map/board.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/map/map_panel.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/pixels.h"
#include "app/panels/widgets/placed_text.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"

namespace headscope {
Rgb to_rgb(ImU32 color) {
  return {static_cast<std::uint8_t>(color >> IM_COL32_R_SHIFT & 255),
          static_cast<std::uint8_t>(color >> IM_COL32_G_SHIFT & 255),
          static_cast<std::uint8_t>(color >> IM_COL32_B_SHIFT & 255)};
}

BoardStyle board_style(const Ui& ui) {
  const Palette& colors = palette(ui.style.theme);
  BoardStyle style;
  // A board's notes are smaller than its text, and on a projector nothing may be smaller than that.
  style.font_size = ui.style.font_size * (ui.style.presented ? 1.2 : 1);
  style.minimum = ui.style.presented ? static_cast<double>(ui.style.font_size) : 0;
  style.background = to_rgb(colors.panel);
  style.text = to_rgb(colors.text);
  style.muted = to_rgb(colors.muted);
  style.border = to_rgb(colors.border);
  style.accent = to_rgb(colors.accent);
  style.panel = to_rgb(colors.background);
  style.warning = to_rgb(colors.warning);
  style.measure = [](std::string_view text, double size) {
    return static_cast<double>(text_size(board_text_style(size), text).x);
  };
  return style;
}

OnScreen::OnScreen(const Rect& rect, ImVec2 at)
    : min(at.x + pixels(rect.x), at.y + pixels(rect.y)),
      max(at.x + pixels(rect.right()), at.y + pixels(rect.bottom())) {}

const BoardRegion* hovered_region(const Board& board, ImVec2 at) {
  if (!ImGui::IsWindowHovered()) return nullptr;
  const ImVec2 mouse = ImGui::GetMousePos();
  return region_at(board, mouse.x - at.x, mouse.y - at.y);
}

void region_tooltip(const BoardRegion& region, ImVec2 at) {
  const OnScreen place(region.rect, at);
  if (region.help.empty() || !begin_tooltip(place.min, place.max)) return;
  wrapped_text(region.help, std::min(ImGui::GetFontSize() * 24, ImGui::GetIO().DisplaySize.x * 0.9F));
  ImGui::EndTooltip();
}

namespace {

void hear_region(Heard& heard, const BoardRegion& region, const OnScreen& place, bool note, bool step) {
  if (note) return void(heard.add_text(HeardRole::text, region.help, place.min, place.max));
  HeardItem& item =
      *heard.add(HeardRole::button, ImGui::GetID(region.name.c_str()), {}, place.min, place.max);
  item.name = region.help;
  item.by_pointer = true;
  item.step = step;
}

/// With the text of its children; the links in it are added to `links`.
std::string heard_text(const TextBlock& block, const ShowNumber& show, std::vector<TextSpan>& links) {
  std::string text;
  for (const TextSpan& span : block.spans) {
    text += span.kind == TextSpan::Kind::number       ? show(span)
            : span.kind == TextSpan::Kind::line_break ? " "
                                                      : span.text;
    if (!span.link.empty()) links.push_back(span);
  }
  for (const TextBlock& child : block.children) {
    if (!text.empty()) text += child.kind == TextBlock::Kind::cell ? " | " : " ";
    text += heard_text(child, show, links);
  }
  return text;
}

unsigned link_id(const std::string& target) {
  return ImGui::GetID(("link " + target).c_str());
}

}  // namespace

void hear_blocks(std::span<const TextBlock> blocks, const ShowNumber& show, HeardRole as) {
  Heard* const heard = listener();
  if (heard == nullptr) return;
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  for (const TextBlock& block : blocks) {
    if (block.kind == TextBlock::Kind::list || block.kind == TextBlock::Kind::table ||
        block.kind == TextBlock::Kind::quote) {
      hear_blocks(block.children, show, as);
      continue;
    }
    std::vector<TextSpan> links;
    const HeardRole role = block.kind == TextBlock::Kind::heading ? HeardRole::heading : as;
    const std::string text = heard_text(block, show, links);
    heard->add_block(role, drawn_text(text), min, max, role == HeardRole::heading ? 4 : 0);
    for (const TextSpan& link : links)
      heard->add(HeardRole::link, link_id(link.link), {}, min, max)->name = drawn_text(link.text);
  }
}

bool take_heard_link(const std::string& target, const OnScreen& place) {
  const unsigned id = link_id(target);
  Heard* const heard = listener();
  if (heard != nullptr && heard->take_press(id)) return true;
  if (!has_keyboard(id)) return false;
  outline(place.min, place.max);
  return key_pressed(Key::enter) || key_pressed(Key::space);
}

void note_regions(const Board& board, ImVec2 at, const BoardRegion* step) {
  const ImVec2 low = ImGui::GetWindowDrawList()->GetClipRectMin(),
               high = ImGui::GetWindowDrawList()->GetClipRectMax();
  Heard* const heard = listener();
  for (const BoardRegion& region : board.regions) {
    const bool note = region.name.starts_with("note ");  // help text, not clickable
    const OnScreen place(region.rect, at);
    if (heard != nullptr && !region.help.empty()) hear_region(*heard, region, place, note, &region == step);
    if (note) continue;
    const ImVec2 min{std::max(low.x, place.min.x), std::max(low.y, place.min.y)},
        max{std::min(high.x, place.max.x), std::min(high.y, place.max.y)};
    if (min.x < max.x && min.y < max.y) note_place(region.name, min, max);
  }
}

WindowCanvas::WindowCanvas(const Ui& ui, double font_size) : ui_(ui), list_(*ImGui::GetWindowDrawList()) {
  BoardStyle style = board_style(ui);
  style_ = {style.background,
            style.text,
            style.muted,
            style.border,
            style.warning,
            style.accent,
            masked_style(ui.style.theme),
            font_size > 0 ? font_size : style.font_size,
            std::max(style.minimum, static_cast<double>(ui.style.small))};
  measure_ = std::move(style.measure);
}

void WindowCanvas::fill(const Rect& rect, Rgb color) {
  const OnScreen place(rect, {0, 0});
  if (ImGui::IsRectVisible(place.min, place.max)) list_.AddRectFilled(place.min, place.max, to_color(color));
}

void WindowCanvas::text(std::string_view text, double x, double y, const TextStyle& style) {
  MapTextStyle drawn = board_text_style(style.size);
  drawn.color = to_color(style.color);
  drawn.align_x = style.anchor == Anchor::start ? 0.0F : style.anchor == Anchor::middle ? 0.5F : 1.0F;
  const ImVec2 at{pixels(x), pixels(y)};
  style.rotated ? draw_rotated_text(list_, drawn, at, text) : draw_text(list_, drawn, at, text);
}

void WindowCanvas::line(double x0, double y0, double x1, double y1, double width, Rgb color, double opacity) {
  const OnScreen ends({x0, y0, x1 - x0, y1 - y0}, {0, 0});
  const ImVec2 low = list_.GetClipRectMin(), high = list_.GetClipRectMax();
  if (std::max(ends.min.y, ends.max.y) >= low.y && std::min(ends.min.y, ends.max.y) <= high.y)
    list_.AddLine(ends.min, ends.max, to_color(color, static_cast<float>(opacity)), pixels(width));
}

void WindowCanvas::map(const MapPicture& picture, const Rect& rect) {
  draw_picture(list_, ui_, place_map(ui_.style, slot_++, rect, picture));
}

void WindowCanvas::picture(const std::shared_ptr<const Picture>& picture, const Rect& rect) {
  const OnScreen place(rect, {0, 0});
  if (const ImTextureID texture = ui_.painter.picture(slot_++, picture))
    list_.AddImage(texture, place.min, place.max);
}

void WindowCanvas::color_bar(const Colors& colors, const Rect& rect) {
  draw_gradient(list_, ui_.style, rect, colors, rect.height >= rect.width);
}

Rect WindowCanvas::snapped(const Rect& rect) const {
  const double x = std::round(rect.x), y = std::round(rect.y);
  return {x, y, std::round(rect.right()) - x, std::round(rect.bottom()) - y};
}

void draw_board(const Ui& ui, const Board& board, ImVec2 at) {
  WindowCanvas canvas(ui);
  draw_board(canvas, board, at.x, at.y);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({pixels(board.width), pixels(board.height)});
}

}  // namespace headscope
