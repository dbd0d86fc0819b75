#pragma once
#include <string>

#include "core/source/trace.h"

namespace headscope {

// Weights as tab-separated text, for spreadsheets. Tabs and line ends inside tokens become spaces. Empty
// where the trace has no such cell.

/// "query<TAB>key<TAB>weight" of one cell.
std::string cell_text(const BlockTrace& block, int layer, int head, int query, int key);
/// A line of keys, then the query with its weights.
std::string row_text(const BlockTrace& block, int layer, int head, int query);
/// A line of keys, then a line for each query.
std::string head_text(const BlockTrace& block, int layer, int head);

}  // namespace headscope
