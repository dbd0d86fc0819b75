#pragma once
#include <span>
#include <string>

#include "core/inputs/names.h"

namespace headscope {

/// The order of heads in the table and in the grid.
struct HeadSort {
  /// "" by number, "name" (the user's), "similarity", or the name of a column of head_columns().
  std::string by;
  bool descending = true;
  bool operator==(const HeadSort&) const = default;
};

/// Which part of the table of heads is shown.
enum class TableHalf { both, numbers, similarity, scatter };
std::span<const EnumName<TableHalf>> enum_names(TableHalf);
/// What the points of the scatter of heads are coloured by.
enum class ScatterColor { layer, group };
std::span<const EnumName<ScatterColor>> enum_names(ScatterColor);

/// What the table of heads shows.
struct TableOptions {
  TableHalf half = TableHalf::both;
  int groups = 1;  ///< into how many groups of similar heads the tree is cut; 1: not cut
  /// Columns of head_columns() for the axes of the scatter.
  std::string scatter_x = "previous", scatter_y = "first";
  ScatterColor scatter_color = ScatterColor::layer;
  bool operator==(const TableOptions&) const = default;
};

}  // namespace headscope
