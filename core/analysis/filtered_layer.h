#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "core/analysis/filter.h"
#include "core/source/trace.h"

namespace headscope {

/// What a cell of a shown map is; one byte a cell.
enum CellState : std::uint8_t {
  cell_shown = 0,
  cell_masked = 1,    ///< blocked by the mask: no number
  cell_filtered = 2,  ///< left out by the filter, or without a partner in a comparison
};

/// One layer's maps as they are shown: through a Filter, rows and columns that are left out taken away.
struct FilteredLayer {
  std::shared_ptr<const Trace>
      trace;  ///< what it was made from; keeps `weights` alive where nothing is filtered
  int layer = 0;
  std::vector<int> queries;   ///< the tokens shown as rows, from 0
  std::vector<int> keys;      ///< the tokens shown as columns
  Tensor weights;             ///< [heads, queries, keys]; the trace's own memory where the filter is off
  bool renormalized = false;  ///< rows were divided by what was left: to be said on a badge

  Index n_q() const { return static_cast<Index>(queries.size()); }
  Index n_k() const { return static_cast<Index>(keys.size()); }
  /// CellState of each cell of a head, [queries, keys], or nullptr where all are shown.
  const std::uint8_t* state(int head) const;
  /// The row or column of a token, or -1 if it is left out.
  int row(int query) const;
  int column(int key) const;

  bool unfiltered = true;  ///< nothing is left out: cells are as the trace and its mask say
  std::vector<std::vector<std::uint8_t>> states;  ///< a head each where something is left out
};

/// Applies `filter` to a layer of the trace. Where maps of that layer are not kept, weights are empty. Order:
/// rows and columns are taken away; rows are renormalized if keys were taken away and `filter.renormalize`;
/// then of each row the largest weights stay whose sum first reaches top_percent of the row's sum, and those
/// of at least `threshold`. Indices in the filter beyond the tokens are ignored; a filter that leaves no row
/// or column is taken as off.
std::shared_ptr<const FilteredLayer> filter_layer(std::shared_ptr<const Trace> trace, int layer,
                                                  const Filter& filter);

}  // namespace headscope
