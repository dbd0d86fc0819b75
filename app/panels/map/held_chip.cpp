#include "app/panels/map/held_chip.h"

#include <span>
#include <vector>

#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/derived/view_cache.h"
#include "app/state/view/color_range.h"

namespace headscope {
namespace {

/// Of the maps that the view draws.
std::int64_t cells_beyond(Ui& ui) {
  const View& view = ui.view();
  std::span<const ColorRange> of_layer;
  if (view.row().layer_maps() && !view.row().compares) {
    ui.memory.maps.update(ui.shown, ui.overview);
    of_layer = ui.memory.maps.ranges(view);
  }
  std::int64_t count = 0;
  for (const ColorRange& range : drawn_ranges(ui.view_cache, *ui.scene, of_layer))
    count += range.cells_beyond;
  return count;
}

float width_of(const std::string& text) {
  return ImGui::CalcTextSize(text.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
}

/// The longest first.
std::vector<std::string> forms(const Translator& tr, std::int64_t beyond) {
  const std::string rescale = std::string(" · ") + tr("rescale"), held = tr("range held");
  const std::string brief = tr("held");
  if (beyond == 0) return {held + rescale, brief + rescale, brief};
  return {held + " · " + tr.plural("{} cell beyond it", "{} cells beyond it", beyond) + rescale,
          brief + " · " + tr("{} beyond", beyond) + rescale, brief + rescale, brief};
}

}  // namespace

HeldChip::HeldChip(Ui& ui, float room) : ui_(ui) {
  if (!ui.view().range.holds()) return;
  beyond_ = cells_beyond(ui);
  for (const std::string& form : forms(ui.tr, beyond_)) {
    text_ = form;
    if (width_of(form) <= room) return;
  }
}

float HeldChip::width() const {
  return any() ? width_of(text_) : 0;
}

void HeldChip::draw() {
  std::string help = ui_.tr("The colours keep the ranges of before the change. Click to find them anew.");
  if (is_per_head(ui_.view().range.kind))
    help += std::string("\n") +
            ui_.tr("Each head keeps its own range: the same weight may have another colour in another head.");
  if (beyond_ > 0)
    help +=
        "\n" + ui_.tr.plural("{} cell is beyond its range and has the colour of that end.",
                             "{} cells are beyond their ranges and have the colour of that end.", beyond_);
  if (beyond_ > 0) ImGui::PushStyleColor(ImGuiCol_Text, palette(ui_.style.theme).warning);
  const bool pressed = button(text_, "rescale");
  if (beyond_ > 0) ImGui::PopStyleColor();
  tooltip(help);
  if (pressed) rescale(ui_.state);
}

}  // namespace headscope
