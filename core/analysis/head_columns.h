#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "core/analysis/statistics.h"

namespace headscope {

/// One column of the table of heads.
struct HeadColumn {
  const char* name;     ///< in CSV and JSON: "entropy", "mean_distance", …
  const char* title;    ///< English, to be translated
  const char* formula;  ///< English, to be translated: the definition with its formula, a few lines
  double high;          ///< the value of a full bar; 0: the largest of the table
  /// Nothing if it is a mean over no rows (no token repeats, every key blocked).
  std::optional<double> (*value)(const HeadStatistics&);
};
std::span<const HeadColumn> head_columns();
/// The column of that name, or nullptr.
const HeadColumn* find_head_column(std::string_view name);

}  // namespace headscope
