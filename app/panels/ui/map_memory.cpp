#include "app/panels/ui/map_memory.h"

#include "app/panels/widgets/widgets.h"
#include "core/scene/range.h"

namespace headscope {
void MapMemory::update(const std::shared_ptr<const FilteredLayer>& shown,
                       const std::shared_ptr<const FilteredLayer>& overview) {
  if (shown_ == shown) return;
  shown_ = shown;
  look_ = LayerLook(*shown);
  const LayerLook labels = overview && overview != shown ? LayerLook(*overview) : look_;
  if (labels.rows() == label_rows_ && labels.columns() == label_columns_) return;
  layouts_.clear();
  label_rows_ = labels.rows();
  label_columns_ = labels.columns();
}

const std::vector<ColorRange>& MapMemory::ranges(const View& view) {
  return held_.of(look_.ranges(view.range), view, is_slider_held());
}

const GridLayout& MapMemory::layout(int place, const LayoutRequest& request, int fonts) {
  const std::size_t index = place;
  if (layouts_.size() <= index) layouts_.resize(index + 1);
  std::optional<PlacedLayout>& placed = layouts_[index];
  if (placed && placed->room == request && placed->fonts == fonts) return placed->layout;
  LayoutRequest full = request;
  full.x_tokens = label_columns_;
  full.y_tokens = label_rows_;
  placed = PlacedLayout{request, fonts, grid_layout(full)};
  return placed->layout;
}

const std::vector<ColorRange>& HeldRanges::of(const std::vector<ColorRange>& now, const View& view,
                                              bool holding) {
  const Of of{view.kind, view.range, view.layer, now.size()};
  if (!holding || of_ != of) {
    before_ = shown_ = now;
    of_ = of;
    return shown_;
  }
  for (std::size_t i = 0; i < now.size(); ++i) shown_[i] = held_range(before_[i], now[i]);
  return shown_;
}

}  // namespace headscope
