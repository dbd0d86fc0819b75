#include "app/panels/views/layers_bar.h"

#include <algorithm>

#include "app/panels/inputs/source_bar.h"
#include "app/panels/map/map_text.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "core/scene/range.h"
#include "core/scene/thumbnails.h"

namespace headscope {
namespace {

/// What the ends of the colours mean: numbers if all maps share them.
struct RangeWords {
  std::string low, high;
  float width() const { return ImGui::CalcTextSize(low.c_str()).x + ImGui::CalcTextSize(high.c_str()).x; }
};

RangeWords range_words(const Ui& ui, const std::vector<ColorRange>& ranges) {
  const std::optional<ColorRange> range = shared_range(ranges);
  if (!range) return {ui.tr("each head's lowest"), ui.tr("highest")};
  return {(range->logarithm ? ui.tr("log") + std::string(" ") : "") + low_text(*range), high_text(*range)};
}

void draw_colors(ImVec2 min, ImVec2 max, const Colors& colors, ImU32 border) {
  constexpr int pieces = 32;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto color = [&](int i) {
    return to_color(colors[static_cast<std::size_t>(std::min(255, i * 256 / pieces))]);
  };
  const auto edge = [&](int i) { return min.x + (max.x - min.x) * static_cast<float>(i) / pieces; };
  for (int i = 0; i < pieces; ++i)
    list.AddRectFilledMultiColor({edge(i), min.y}, {edge(i + 1), max.y}, color(i), color(i + 1), color(i + 1),
                                 color(i));
  list.AddRect({min.x - 1, min.y - 1}, {max.x + 1, max.y + 1}, border);
}

/// The colour strip between the words for its ends.
void draw_bar(const Ui& ui, const RangeWords& words, float width) {
  const Palette& theme = palette(ui.style.theme);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float em = ui.style.font_size, line = ImGui::GetFrameHeight(), gap = em * 0.4F;
  const float middle = from.y + line / 2, half = em * 0.35F;
  const float left = from.x + ImGui::CalcTextSize(words.low.c_str()).x + gap;
  const float right = from.x + width - gap - ImGui::CalcTextSize(words.high.c_str()).x;
  const float text_y = middle - ImGui::GetTextLineHeight() / 2;
  list.AddText({from.x, text_y}, theme.muted, words.low.c_str());
  list.AddText({right + gap, text_y}, theme.muted, words.high.c_str());
  draw_colors({left, middle - half}, {right, middle + half}, colors(ui.state.view.colormap), theme.border);
  ImGui::Dummy({width, line});
  anchor("color bar");
  tooltip(ui.tr("Colours of the weights; the range is set under Display."));
}

}  // namespace

void draw_layers_bar(Ui& ui, const std::vector<ColorRange>& ranges) {
  const float em = ui.style.font_size, right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  const bool given = !ui.inputs.seeded();
  int of_source = ui.block->shape.layers;
  int& layers = given ? of_source : ui.inputs.layers;
  const char* const why = ui.inputs.captured() ? ui.tr("A capture has the layers that were written into it.")
                                               : not_of_models(ui.tr);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(ui.tr.format("Layers: {}", layers).c_str());
  ImGui::SameLine();
  ImGui::BeginDisabled(given || layers <= 1);
  if (icon_button("layers less", Icon::minus, given ? why : ui.tr("Remove the last layer"))) --layers;
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(given || layers >= Limits::max_layers);
  if (icon_button("layers more", Icon::plus,
                  given ? why : ui.tr("Add a layer; each layer reads the output of the one before.")))
    ++layers;
  ImGui::EndDisabled();
  if (ranges.empty()) return;
  const RangeWords words = range_words(ui, ranges);
  const float width = words.width() + em * 8;
  next_in_line(width);
  const float room = right - ImGui::GetCursorPosX();
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room - width));
  draw_bar(ui, words, std::min(width, room));
}

}  // namespace headscope
