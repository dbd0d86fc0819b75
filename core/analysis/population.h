#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/statistics.h"
#include "core/attention/trace.h"

namespace headscope {

/// One column of the table of heads.
struct HeadColumn {
  const char* name;     ///< in CSV and JSON: "entropy", "mean_distance", …
  const char* title;    ///< English, to be translated
  const char* formula;  ///< English, to be translated: the definition with its formula, a few lines
  double high;          ///< what a full bar stands for; 0: the largest of the table
  /// Nothing where the number has no meaning (no token repeats).
  std::optional<double> (*value)(const HeadStatistics&);
};
std::span<const HeadColumn> head_columns();
/// The column of that name, or nullptr.
const HeadColumn* find_head_column(std::string_view name);

/// The heads of a layer in the order of `sort` (View::sort: "" by number, or a column; heads without the
/// number last, ties by number). "similarity" needs head_similarity() and gives the order by number here.
std::vector<int> sorted_heads(const std::vector<HeadStatistics>& heads, std::string_view sort,
                              bool descending);

/// The table that `headscope heads` writes: a line a head, `layer` and `head` from 0, then every column; of
/// all layers (-1) or of one.
std::string heads_csv(const Trace& trace, int layer = -1);
std::string heads_json(const Trace& trace, int layer = -1);

}  // namespace headscope
