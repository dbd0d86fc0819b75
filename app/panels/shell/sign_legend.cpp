#include <cmath>
#include <string>
#include <vector>

#include "app/panels/map/board.h"
#include "app/panels/shell/frame_parts.h"
#include "app/panels/widgets/placed_text.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "core/scene/colormap.h"
#include "core/scene/labels.h"

namespace headscope {
namespace {

/// One of them; an empty sign is the hatch.
struct Sign {
  const char* anchor;
  std::string sign;
  const char* meaning;
};

/// Whether a head that the view names is off.
bool shows_ablated(const Ui& ui) {
  if (ui.state.view.row().of_model()) return false;
  const int one = ui.state.view.layer;
  for (int layer = 0; layer < ui.block->layer_count(); ++layer)
    if ((layer == one || !ui.state.view.row().one_layer) && ablated_heads(*ui.block, layer) > 0) return true;
  return false;
}

std::vector<Sign> shown_signs(const Ui& ui) {
  const PanelMemory::Signs& shown = ui.memory.signs;
  std::vector<Sign> signs;
  if (shown.blocked) signs.push_back({"sign blocked", "", ui.tr("blocked")});
  if (shown.small)
    signs.push_back({"sign small", std::string(PanelMemory::Signs::of_small), ui.tr("rounds to 0")});
  if (shown.undefined)
    signs.push_back({"sign undefined", std::string(PanelMemory::Signs::of_undefined), ui.tr("undefined")});
  if (shows_ablated(ui)) signs.push_back({"sign off", ui.tr("off"), ui.tr("ablated head")});
  return signs;
}

void draw_hatch(ImDrawList& list, Theme theme, ImVec2 min, float side) {
  const MaskedStyle style = masked_style(theme);
  const ImVec2 max{min.x + side, min.y + side};
  list.AddRectFilled(min, max, to_color(style.background));
  list.PushClipRect(min, max, true);
  for (float at = side / 2; at < 2 * side; at += side / 2)
    list.AddLine({min.x + at, min.y}, {min.x + at - side, max.y}, to_color(style.line));
  list.PopClipRect();
}

}  // namespace

void draw_sign_legend(const Ui& ui, float room) {
  const std::vector<Sign> signs = shown_signs(ui);
  const Palette& theme = palette(ui.style.theme);
  const float side = std::round(0.8F * ui.style.small), gap = 0.35F * ui.style.small, apart = ui.style.small;
  const MapTextStyle sign = text_style(ui.style.small, theme.text, 0, 0.5F),
                     meaning = text_style(ui.style.small, theme.muted, 0, 0.5F);
  const auto width_of = [&](const Sign& one) {
    const float width = one.sign.empty() ? side : text_size(sign, one.sign).x;
    return width + gap + text_size(meaning, one.meaning).x + apart;
  };
  float width = -apart;  // none behind the last
  for (const Sign& one : signs) width += width_of(one);
  if (signs.empty() || width > room) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float middle = at.y + ImGui::GetFrameHeight() / 2;
  float x = at.x + room - width;
  for (const Sign& one : signs) {
    const float end = x + width_of(one), after = end - apart - text_size(meaning, one.meaning).x;
    if (one.sign.empty())
      draw_hatch(list, ui.style.theme, {x, std::round(middle - side / 2)}, side);
    else
      draw_text(list, sign, {x, middle}, one.sign);
    draw_text(list, meaning, {after, middle}, one.meaning);
    note_place(one.anchor, {x, at.y}, {end - apart, at.y + ImGui::GetFrameHeight()});
    x = end;
  }
}

}  // namespace headscope
