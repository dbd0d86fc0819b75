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
  return look_.ranges(view.range);
}

const GridLayout& MapMemory::layout(int place, const LayoutRequest& request, int fonts) {
  const std::size_t index = place;
  if (layouts_.size() <= index) layouts_.resize(index + 1);
  return layouts_[index].get({request, fonts}, [&] {
    LayoutRequest full = request;
    full.x_tokens = label_columns_;
    full.y_tokens = label_rows_;
    return grid_layout(full);
  });
}

}  // namespace headscope
