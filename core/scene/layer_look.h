#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/filtered_layer.h"
#include "core/scene/range.h"
#include "core/scene/view.h"

namespace headscope {

/// What screen and figure show of a layer in addition to its numbers. Each is computed on first use and
/// cached, because it reads every cell.
class LayerLook {
 public:
  LayerLook() = default;
  /// `shown` must outlive this object.
  explicit LayerLook(const FilteredLayer& shown);

  /// The tokens of the rows and columns.
  const std::vector<std::string>& rows() const { return rows_; }
  const std::vector<std::string>& columns() const { return columns_; }
  /// As color_ranges().
  const std::vector<ColorRange>& ranges(const RangeChoice& choice);
  /// Rows of a head without any allowed key.
  const std::vector<int>& empty_rows(int head);

 private:
  Index queries_of(int row) const;

  const FilteredLayer* shown_ = nullptr;
  std::vector<std::string> rows_, columns_;
  std::optional<RangeChoice> choice_;
  std::vector<ColorRange> ranges_;
  std::vector<std::optional<std::vector<int>>> empty_rows_;
};

}  // namespace headscope
