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

/// Whether a head that the view names is off. Lines have a grey chip for it.
bool shows_ablated(const Ui& ui) {
  const ViewKindRow& row = ui.view().row();
  if (row.of_model() || row.compares || row.cells == CellsAs::lines) return false;
  const int one = ui.view().layer;
  if (row.one_head && ui.scene->head) return is_ablated(*ui.block, one, *ui.scene->head);
  for (int layer = 0; layer < ui.block->layer_count(); ++layer)
    if ((layer == one || !ui.view().row().one_layer) && ablated_heads(*ui.block, layer) > 0) return true;
  return false;
}

std::vector<ExplainedSign> shown_signs(const Ui& ui) {
  Signs signs = ui.memory.signs;
  signs.off |= shows_ablated(ui);
  return explained(ui.tr, signs);
}

float hatch_side(const Style& style) {
  return std::round(0.8F * style.small);
}

/// With the space behind it.
float width_of(const Style& style, const ExplainedSign& one) {
  const MapTextStyle text = text_style(style.small, 0, 0, 0.5F);
  const float gap = 0.35F * style.small,
              sign = one.sign.empty() ? hatch_side(style) : text_size(text, one.sign).x;
  return sign + gap + text_size(text, one.meaning).x + style.small;
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

SignLegend::SignLegend(const Ui& ui) : ui_(ui), signs_(shown_signs(ui)) {
  for (const ExplainedSign& one : signs_) width_ += width_of(ui.style, one);
  if (!signs_.empty()) width_ -= ui.style.small;  // none behind the last
}

void SignLegend::draw(float room) const {
  if (signs_.empty() || width_ > room) return;
  const Style& style = ui_.style;
  const Palette& theme = palette(style.theme);
  const float side = hatch_side(style);
  const MapTextStyle sign = text_style(style.small, theme.text, 0, 0.5F),
                     meaning = text_style(style.small, theme.muted, 0, 0.5F);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float middle = at.y + ImGui::GetFrameHeight() / 2;
  float x = at.x + room - width_;
  for (const ExplainedSign& one : signs_) {
    const float end = x + width_of(style, one), after = end - style.small - text_size(meaning, one.meaning).x;
    if (one.stroke)
      list.AddRectFilled({x, std::round(middle - side / 2)},
                         {x + std::max(2.0F, std::round(side / 4)), std::round(middle + side / 2)},
                         theme.warning);
    else if (one.sign.empty())
      draw_hatch(list, style.theme, {x, std::round(middle - side / 2)}, side);
    else
      draw_text(list, sign, {x, middle}, one.sign);
    draw_text(list, meaning, {after, middle}, one.meaning);
    note_place(std::string("sign ") + one.name, {x, at.y},
               {end - style.small, at.y + ImGui::GetFrameHeight()});
    x = end;
  }
}

}  // namespace headscope
