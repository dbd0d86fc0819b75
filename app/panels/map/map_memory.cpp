#include "app/panels/map/map_memory.h"

#include "app/panels/shell/panel_memory.h"
#include "app/panels/widgets/imgui_calls.h"
#include "core/scene/range.h"

namespace headscope {
namespace {

bool same_room(const LayoutRequest& a, const LayoutRequest& b) {
  return a.area.x == b.area.x && a.area.y == b.area.y && a.area.width == b.area.width &&
         a.area.height == b.area.height && a.heads == b.heads && a.rows == b.rows && a.columns == b.columns &&
         a.font_size == b.font_size && a.numbers == b.numbers && a.shared_bar == b.shared_bar &&
         a.maps_first == b.maps_first && a.presented == b.presented && a.stretch == b.stretch &&
         a.titles == b.titles && a.min_map == b.min_map && a.bar_values == b.bar_values;
}

}  // namespace

void MapMemory::update(const std::shared_ptr<const FilteredLayer>& shown,
                       const std::shared_ptr<const FilteredLayer>& overview) {
  const bool same = !watched_.owner_before(shown) && !shown.owner_before(watched_) && shown_ == shown.get();
  if (same) return;
  watched_ = shown;
  shown_ = shown.get();
  look_ = LayerLook(*shown);
  const LayerLook labels = overview && overview != shown ? LayerLook(*overview) : look_;
  if (labels.rows() == label_rows_ && labels.columns() == label_columns_) return;
  layouts_.clear();
  label_rows_ = labels.rows();
  label_columns_ = labels.columns();
}

const std::vector<ColorRange>& MapMemory::ranges(const View& view) {
  return held_.of(look_.ranges(view.range), view, sliding_frame == ImGui::GetFrameCount());
}

const GridLayout& MapMemory::layout(int place, const LayoutRequest& request, int fonts) {
  const auto index = static_cast<std::size_t>(place);
  if (layouts_.size() <= index) layouts_.resize(index + 1);
  std::optional<PlacedLayout>& placed = layouts_[index];
  if (placed && placed->fonts == fonts && same_room(placed->request, request)) return placed->layout;
  LayoutRequest full = request;
  full.x_tokens = label_columns_;
  full.y_tokens = label_rows_;
  placed = PlacedLayout{request, fonts, grid_layout(full)};
  placed->request.measure = nullptr;
  return placed->layout;
}

const std::vector<ColorRange>& HeldRanges::of(const std::vector<ColorRange>& now, const View& view,
                                              bool holding) {
  const bool same =
      kind_ == view.kind && choice_ == view.range && layer_ == view.layer && before_.size() == now.size();
  if (!holding || !same) {
    before_ = shown_ = now;
    kind_ = view.kind;
    choice_ = view.range;
    layer_ = view.layer;
    return shown_;
  }
  for (std::size_t i = 0; i < now.size(); ++i) shown_[i] = held_range(before_[i], now[i]);
  return shown_;
}

void note_sliding() {
  auto* memory = static_cast<PanelMemory*>(ImGui::GetIO().UserData);
  if (memory != nullptr && ImGui::IsItemActive()) memory->maps.sliding_frame = ImGui::GetFrameCount();
}

bool is_sliding() {
  const auto* memory = static_cast<const PanelMemory*>(ImGui::GetIO().UserData);
  return memory != nullptr && (memory->hold_colors || memory->maps.sliding_frame == ImGui::GetFrameCount());
}

}  // namespace headscope
