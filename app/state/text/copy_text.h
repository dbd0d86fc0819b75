#pragma once
#include <optional>
#include <string>

#include "core/analysis/filtered_layer.h"

namespace headscope {

// Weights as they are shown, as tab-separated text, for spreadsheets: of the tokens that the filter leaves,
// renormalized where rows are; a cell that the filter hides is empty, a blocked one 0. Tabs and line ends
// inside tokens become spaces. Of a long text, of which a part is shown, tokens have their numbers. Empty
// where there is no such cell.

/// "query<TAB>key<TAB>weight" of one cell.
std::string cell_text(const FilteredLayer& shown, int head, int query, int key);
/// A line of keys, then the query with its weights.
std::string row_text(const FilteredLayer& shown, int head, int query);
/// A line of keys, then a line for each query; with `seen` of the rows and columns that it meets.
std::string head_text(const FilteredLayer& shown, int head, const std::optional<CellPart>& seen = {});

}  // namespace headscope
