#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/figure/boards/layout.h"
#include "core/scene/zoom.h"

namespace headscope {

/// The minimum size of numbers in cells, relative to the tick size.
inline constexpr double min_number = 0.8;

/// The orientation and spacing of the labels of one axis.
struct TickPlan {
  int step = 1;          ///< every step-th token has a label
  bool rotated = false;  ///< by 90 degrees
  Slant slant;           ///< by 45 or 30 degrees instead
  double extent = 0;     ///< room the labels need across the axis
  std::vector<int> tokens;
  std::vector<std::string> labels;
};

/// Labels along an axis whose cells are `cell` wide, each no longer than `limit`; `line` is the height of a
/// text line. A horizontal axis keeps its labels horizontal if all fit side by side, otherwise it rotates
/// them, or sets them vertically (vertical_text.h). With `may_slant`, labels that would be cut are slanted
/// instead if their cells are wide enough: below a map of that height more of them can be read.
TickPlan plan_ticks(std::span<const std::string> tokens, bool horizontal, double cell, double line,
                    double limit, const MeasureText& measure, bool may_slant = false);
/// The minimum label length on an axis of pooled tokens: the first number of the last of "1–64", "65–128", …;
/// 0 for other tokens.
double group_name_width(std::span<const std::string> tokens, const MeasureText& measure);
/// The longest slanted label that extends no further down than that, and how far one of that length extends.
double slanted_length(double height, double line, const Slant& slant);
double slanted_height(double length, double line, const Slant& slant);

/// The labels along the axes of a map.
struct AxisTokens {
  const std::vector<std::string>& rows;
  const std::vector<std::string>& columns;
};
/// If only a part of the map is shown: labels its tokens in place of all, which a layout has; for ticks
/// `line` apart (GridLayout::tick_line), of the size at which `measure` measures.
void label_part(PanelLayout& panel, const CellPart& part, const AxisTokens& tokens, double line,
                const MeasureText& measure);
/// Labels the row and the column of a cell of that part of the map, replacing the labels that they would
/// touch.
void label_cell(PanelLayout& panel, const CellPart& part, const AxisTokens& tokens, int row, int column,
                double line, const MeasureText& measure);

}  // namespace headscope
