#include "app/panels/dialogs/figure_preview.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "core/io/file.h"

namespace headscope {
namespace {

/// The size in inches, and below it in pixels if the figure contains any.
std::array<std::string, 2> size_texts(const Translator& tr, const ExportDialog& dialog,
                                      const FigurePreview& preview) {
  const auto inches = [](double value) { return fmt::format("{:.2f}", value); };
  const auto pixels = [&](double value) { return std::lround(value * dialog.dpi); };
  return {tr.format("{} × {} inches", inches(preview.width), inches(preview.height)),
          ending(dialog.path) != ".png"
              ? ""
              : tr.format("{} × {} pixels", pixels(preview.width), pixels(preview.height))};
}

void draw_page(Ui& ui, const FigurePreview& preview, ImVec2 from, ImVec2 room) {
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  const FigurePicture& picture = *preview.picture;
  const float width = static_cast<float>(picture.width) / std::max(scale.x, 0.1F),
              height = static_cast<float>(picture.height) / std::max(scale.y, 0.1F);
  // A preview made for another size is scaled down until the right one is ready.
  const float share = std::min({1.0F, room.x / width, room.y / height});
  const ImVec2 low{std::floor(from.x + (room.x - share * width) / 2),
                   std::floor(from.y + (room.y - share * height) / 2)};
  const ImVec2 high{low.x + share * width, low.y + share * height};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 edge = palette(ui.style.theme).muted;
  list.AddRectFilled({low.x + 2, low.y + 2}, {high.x + 3, high.y + 3}, IM_COL32(0, 0, 0, 60));
  if (const ImTextureID texture = ui.painter.picture(PainterSlots::page, preview.picture))
    list.AddImage(texture, low, high);
  list.AddRect({low.x - 1, low.y - 1}, {high.x + 1, high.y + 1}, edge);
  note_place("export page", low, high);
}

}  // namespace

void draw_figure_preview(App& app, Ui& ui, ImVec2 size) {
  const float lines = 2 * ImGui::GetTextLineHeightWithSpacing(), edge = 4;
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale, from = ImGui::GetCursorScreenPos();
  const ImVec2 room{size.x - 2 * edge, size.y - lines - 2 * edge};
  const auto preview = room.x < 1 || room.y < 1 ? nullptr
                                                : export_preview(app, static_cast<int>(room.x * scale.x),
                                                                 static_cast<int>(room.y * scale.y));
  if (preview) draw_page(ui, *preview, {from.x + edge, from.y + edge}, room);
  ImGui::Dummy({size.x, size.y - lines});
  anchor("export preview");
  if (!preview) return;
  for (const std::string& text : size_texts(ui.tr, app.dialogs.figure, *preview)) {
    const std::string fitting = fit_text(text, size.x);
    const float space = (size.x - ImGui::CalcTextSize(fitting.c_str()).x) / 2;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, space));
    muted_text(ui.style, fitting);
  }
}

}  // namespace headscope
