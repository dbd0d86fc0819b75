#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/dialogs/figure_page.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "app/state/document/figure_export.h"
#include "app/state/document/figure_moves.h"
#include "core/figure/canvas/formats.h"
#include "core/figure/figure_size.h"
#include "core/figure/page.h"
#include "core/io/formats.h"

namespace headscope {
namespace {

constexpr float screen_pixels = 96;  // to an inch, of a screen that is not scaled

/// Where the page is, in ImGui's pixels.
struct ShownPage {
  ImVec2 low, high;
  float point = 1;  // of the figure
  bool true_size = false;

  ImVec2 at(double x, double y) const {
    return {low.x + static_cast<float>(x) * point, low.y + static_cast<float>(y) * point};
  }
};

ImVec2 shifted(ImVec2 at, ImVec2 by) {
  return {at.x + by.x, at.y + by.y};
}

void draw_page(const Ui& ui, const FigurePreview& preview, const ShownPage& page) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(shifted(page.low, {2, 2}), shifted(page.high, {3, 3}), IM_COL32(0, 0, 0, 60));
  if (const ImTextureID texture = ui.painter.picture(PainterSlots::page, preview.picture))
    list.AddImage(texture, page.low, page.high);
  list.AddRect(shifted(page.low, {-1, -1}), shifted(page.high, {1, 1}), palette(ui.style.theme).border);
  note_place("export page", page.low, page.high);
}

/// Millimetres from number to number that leave them room.
float ruler_step(float millimetre, float room) {
  for (const float step : {10.0F, 20.0F, 50.0F, 100.0F, 200.0F, 500.0F})
    if (step * millimetre >= room) return step;
  return 1000;
}

/// Above the page, from its left edge on.
void draw_ruler(const Ui& ui, const ShownPage& page, float top, float height) {
  const float millimetre = page.point * static_cast<float>(points_per_inch / mm_per_inch);
  const float room = ImGui::CalcTextSize("0000 mm").x, step = ruler_step(millimetre, room), small = step / 5;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Palette& colors = palette(ui.style.theme);
  const float bottom = top + height;
  int tick = 0;
  for (float at = 0; page.low.x + at * millimetre <= page.high.x + 1; at += small, ++tick) {
    const float x = std::floor(page.low.x + at * millimetre);
    const bool numbered = tick % 5 == 0;
    list.AddLine({x, bottom - (numbered ? 0.5F : 0.25F) * height}, {x, bottom}, colors.muted);
    if (numbered && x + room <= page.high.x + room / 2)
      list.AddText(ImGui::GetFont(), ui.style.small, {x + 3, top}, colors.muted,
                   ui.tr("{} mm", fmt::format("{:.0f}", at)).c_str());
  }
  note_place("ruler", {page.low.x, top}, {page.high.x, bottom});
}

std::string part_name(const FigureHandle& part) {
  switch (part.of) {
    case FigureHandle::Of::title:
      return fmt::format("part title {}.{}", part.layer + 1, part.head + 1);
    case FigureHandle::Of::mark:
      return fmt::format("part mark {}", part.mark);
    case FigureHandle::Of::label:
      break;
  }
  return fmt::format("part label {}", part.mark);
}

std::array<ImVec2, 2> part_place(const ShownPage& page, const FigureHandle& part) {
  const Rect& place = part.place;
  return {page.at(place.x, place.y), page.at(place.right(), place.bottom())};
}

/// The topmost below the pointer; nullptr: none.
const FigureHandle* pointed_part(const FigurePreview& preview, const ShownPage& page) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const FigureHandle* found = nullptr;
  for (const FigureHandle& part : preview.findings.handles) {
    const auto [low, high] = part_place(page, part);
    const bool over = mouse.x >= low.x && mouse.x <= high.x && mouse.y >= low.y && mouse.y <= high.y;
    // Marks are drawn below the texts of all.
    if (over && (found == nullptr || part.of != FigureHandle::Of::mark)) found = &part;
  }
  return found;
}

void outline_part(const Ui& ui, const ShownPage& page, const FigureHandle& part, ImVec2 by) {
  const auto [low, high] = part_place(page, part);
  ImGui::GetWindowDrawList()->AddRect(shifted(shifted(low, by), {-2, -2}), shifted(shifted(high, by), {2, 2}),
                                      palette(ui.style.theme).accent, 2, 0, 2);
}

/// Parts are dragged with the mouse; a double click puts a text back.
void drag_parts(Workspace& work, Ui& ui, const FigurePreview& preview, const ShownPage& page) {
  for (const FigureHandle& part : preview.findings.handles) {
    const auto [low, high] = part_place(page, part);
    note_place(part_name(part), low, high);
  }
  ImGui::SetCursorScreenPos(page.low);
  ImGui::InvisibleButton(
      "page", {std::max(1.0F, page.high.x - page.low.x), std::max(1.0F, page.high.y - page.low.y)});
  hear_as(HeardRole::image, ui.tr("Figure"));
  auto& dragged = ui.memory.dragged_part;
  const FigureHandle* const pointed = ImGui::IsItemHovered() ? pointed_part(preview, page) : nullptr;
  if (ImGui::IsItemActivated() && pointed != nullptr) dragged = *pointed;
  const FigureHandle* const shown = dragged ? &*dragged : pointed;
  if (shown != nullptr) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
  const ImVec2 by = dragged ? ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0) : ImVec2{};
  if (shown != nullptr) outline_part(ui, page, *shown, by);
  if (pointed != nullptr && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) put_back(work, *pointed);
  if (!dragged || ImGui::IsItemActive()) return;
  if (std::hypot(by.x, by.y) > 2) move_part(work, *dragged, by.x / page.point, by.y / page.point);
  dragged.reset();
}

std::string size_of_page(const Translator& tr, const ExportDialog& dialog, const FigurePreview& preview,
                         const ShownPage& page) {
  const auto millimetres = [](double inches) { return fmt::format("{:.0f}", inches * mm_per_inch); };
  std::string text = tr("{} × {} mm", millimetres(preview.width), millimetres(preview.height));
  const FigureFormatRow* const format = find_format(figure_formats(), dialog.path);
  const auto pixels = [&](double inches) { return std::lround(inches * dialog.dpi); };
  if (format != nullptr && format->pixels)
    text += " · " + tr("{} × {} pixels", pixels(preview.width), pixels(preview.height));
  const double share = page.point * points_per_inch / screen_pixels;
  return text + " · " +
         (page.true_size ? std::string(tr("true size")) : tr("shown at {} %", std::lround(100 * share)));
}

/// The page below the ruler in a room of that size.
ShownPage page_in(const FigurePreview& preview, ImVec2 from, ImVec2 room, float inch) {
  ShownPage page;
  const auto width = static_cast<float>(preview.width), height = static_cast<float>(preview.height);
  const float fitted = std::min(room.x / width, room.y / height);
  page.true_size = inch <= fitted;
  const float shown = std::min(inch, fitted);
  page.point = shown / static_cast<float>(points_per_inch);
  page.low = {std::floor(from.x + std::max(0.0F, room.x - shown * width) / 2), std::floor(from.y)};
  page.high = {page.low.x + shown * width, page.low.y + shown * height};
  return page;
}

void lines_below(Workspace& work, const Ui& ui, const ExportDialog& dialog, const FigurePreview& preview,
                 const ShownPage& page, float width) {
  muted_text(ui.style, fit_text(size_of_page(ui.tr, dialog, preview, page), width));
  anchor("page size");
  if (ui.style.finger > 0) return;  // no shell to give it to
  const std::string command = command_of(work, dialog).line;
  muted_text(ui.style, fit_text(command, width));
  anchor("command");
  tooltip(command);
}

}  // namespace

void draw_figure_preview(Workspace& work, Ui& ui, ExportDialog& dialog) {
  const ImVec2 from = ImGui::GetCursorScreenPos(), all = ImGui::GetContentRegionAvail();
  const float ruler = 1.9F * ImGui::GetFontSize(), edge = 4,
              lines = (ui.style.finger > 0 ? 1.0F : 2.0F) * ImGui::GetTextLineHeightWithSpacing();
  const ImVec2 room{all.x - 2 * edge, all.y - ruler - lines - 3 * edge};
  note_place("export preview", from, {from.x + all.x, from.y + all.y - lines});
  if (room.x < 1 || room.y < 1 || dialog.width <= 0 || dialog.height <= 0) return;
  const float inch = screen_pixels * ui.style.screen_scale;
  const double shown = std::min({static_cast<double>(inch), room.x / dialog.width, room.y / dialog.height});
  const auto preview = export_preview(work, dialog, shown * ImGui::GetIO().DisplayFramebufferScale.x);
  if (!preview) return;
  const ShownPage page = page_in(*preview, {from.x + edge, from.y + ruler + edge}, room, inch);
  draw_ruler(ui, page, from.y, ruler);
  draw_page(ui, *preview, page);
  drag_parts(work, ui, *preview, page);
  ImGui::SetCursorScreenPos({from.x, from.y + all.y - lines});
  lines_below(work, ui, dialog, *preview, page, all.x);
}

}  // namespace headscope
