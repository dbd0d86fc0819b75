#pragma once
#include <optional>
#include <string>

#include "core/analysis/filtered_layer.h"

namespace headscope {

// Weights as shown, as tab-separated text for spreadsheets: of the tokens that the filter keeps, renormalized
// if rows are; a cell hidden by the filter is empty, a blocked one 0. Tabs and line ends inside tokens become
// spaces. For a long text, which is shown in part, tokens have their indices. Empty if the cell does not
// exist.

/// "query<TAB>key<TAB>weight" of one cell.
std::string cell_text(const FilteredLayer& shown, int head, int query, int key);
/// A line of keys, then the query with its weights.
std::string row_text(const FilteredLayer& shown, int head, int query);
/// As many digits as a float32 has.
std::string whole_number(float value);
/// A line of keys, then a line for each query; with `seen`, only its rows and columns.
std::string head_text(const FilteredLayer& shown, int head, const std::optional<CellPart>& seen = {},
                      std::string (*number)(float value) = whole_number);

}  // namespace headscope
