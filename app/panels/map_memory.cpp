#include "app/panels/map_memory.h"

#include "core/scene/range.h"

namespace headscope {
namespace {

bool same_room(const LayoutRequest& a, const LayoutRequest& b) {
  return a.area.x == b.area.x && a.area.y == b.area.y && a.area.width == b.area.width &&
         a.area.height == b.area.height && a.heads == b.heads && a.rows == b.rows && a.columns == b.columns &&
         a.font_size == b.font_size && a.numbers == b.numbers && a.shared_bar == b.shared_bar;
}

/// A bar's end values take this room whatever they are, so that maps don't move while numbers change.
constexpr const char* widest_bound = "0.00123";

}  // namespace

void MapMemory::update(const std::shared_ptr<const FilteredLayer>& shown) {
  const bool same = !watched_.owner_before(shown) && !shown.owner_before(watched_) && shown_ == shown.get();
  if (same) return;
  watched_ = shown;
  shown_ = shown.get();
  range_.reset();
  empty_rows_.assign(static_cast<std::size_t>(shown->block->heads()), std::nullopt);
  std::vector<std::string> rows, columns;
  for (const int query : shown->queries) rows.push_back(shown->block->tokens[std::size_t(query)].text);
  for (const int key : shown->keys) columns.push_back(shown->block->key_tokens[std::size_t(key)].text);
  if (rows == row_tokens_ && columns == column_tokens_) return;
  layouts_.clear();
  row_tokens_ = std::move(rows);
  column_tokens_ = std::move(columns);
}

const std::vector<ColorRange>& MapMemory::ranges(Range range) {
  if (range_ != range) {
    range_ = range;
    ranges_ = color_ranges(*shown_, range);
  }
  return ranges_;
}

const std::vector<int>& MapMemory::empty_rows(int head) {
  std::optional<std::vector<int>>& rows = empty_rows_[static_cast<std::size_t>(head)];
  if (!rows) {
    rows.emplace();
    for (const Index query : shown_->block->mask.empty_queries(head)) {
      const int row = shown_->row(static_cast<int>(query));
      if (row >= 0) rows->push_back(row);
    }
  }
  return *rows;
}

const GridLayout& MapMemory::layout(int place, const LayoutRequest& request, const ImFont* font, int glyphs) {
  const auto index = static_cast<std::size_t>(place);
  if (layouts_.size() <= index) layouts_.resize(index + 1);
  std::optional<PlacedLayout>& placed = layouts_[index];
  if (placed && placed->font == font && placed->glyphs == glyphs && same_room(placed->request, request))
    return placed->layout;
  LayoutRequest full = request;
  full.x_tokens = column_tokens_;
  full.y_tokens = row_tokens_;
  full.bar_values = {widest_bound};
  placed = PlacedLayout{request, font, glyphs, grid_layout(full)};
  placed->request.measure = nullptr;
  return placed->layout;
}

}  // namespace headscope
