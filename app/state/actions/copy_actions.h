#pragma once
#include <string>

#include "core/inputs/side.h"
#include "core/scene/scene.h"

namespace headscope {

struct App;

// Copy to the clipboard, with a notice: weights of A's block, or of B's.

void copy_cell(App& app, int layer, const Cell& cell, Side side = Side::a);
void copy_row(App& app, int layer, const Cell& cell, Side side = Side::a);
void copy_head(App& app, int layer, int head, Side side = Side::a);

/// The present head as copy_head() has it, for those who hear it: at most so many queries and keys.
struct MapTable {
  std::string title;  ///< of what it is: the head, what its cells are, the view, the text
  std::string text;   ///< tab-separated: a line of keys, then the queries with their weights
  bool operator==(const MapTable&) const = default;
};
constexpr int max_table = 200;
MapTable map_table(App& app);

}  // namespace headscope
