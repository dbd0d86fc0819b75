#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/analysis/cell_part.h"
#include "core/analysis/filter.h"
#include "core/source/trace.h"

namespace headscope {

/// The state of a cell of a shown map; one byte per cell.
enum CellState : std::uint8_t {
  cell_shown = 0,
  cell_masked = 1,    ///< BlockTrace::weightless(): no number
  cell_filtered = 2,  ///< left out by the filter, or without a partner in a comparison
};

/// Of what is shown of a long map: see part_extent().
struct PartExtent {
  Extent all, of_colors;
  bool from_zero = false;  ///< colours on a linear scale begin there
};

/// One layer's maps as shown: through a Filter, without the rows and columns that it leaves out.
struct FilteredLayer {
  std::shared_ptr<const BlockTrace> block;  ///< what it was computed from
  int layer = 0;
  std::vector<int> queries;      ///< the tokens shown as rows, from 0; if pooled, the first token of each
  std::vector<int> keys;         ///< the tokens shown as columns, same
  std::optional<LongPart> part;  ///< which part of a long map it is: see long_part.h
  /// [queries, keys] of each head, the trace's own memory if the filter is off; empty for heads that were not
  /// requested.
  std::vector<Tensor> maps;
  bool renormalized = false;  ///< rows were divided by what was left: shown on a badge

  int heads() const { return static_cast<int>(maps.size()); }
  /// The map of a head [queries, keys]; nullptr if it was not requested.
  const float* weights(int head) const { return maps[head].data(); }
  /// Cells of all requested maps.
  Index cells() const;
  Index n_q() const { return queries.size(); }
  Index n_k() const { return keys.size(); }
  /// For a long text: pooled cells are means, otherwise the largest.
  bool means() const { return part ? part->means : block->means; }
  /// CellState of each cell of a head, [queries, keys], or nullptr if all are shown.
  const std::uint8_t* state(int head) const;
  /// The row or column of a token, pooled or not, or -1 if it is left out.
  int row(int query) const;
  int column(int key) const;

  std::vector<PartExtent> extents;  ///< of a part of a long map, one per head
  bool unfiltered = true;           ///< nothing is left out: cells are as the trace and its mask say
  std::vector<std::vector<std::uint8_t>> states;  ///< one per head if something is left out
};

/// A cell, as shown, of a head whose map is there.
struct ShownWeight {
  float weight = 0;  ///< 0 where none is shown
  CellState state = cell_shown;
};
/// In tokens of the trace, even if those of a long map are pooled.
ShownWeight shown_weight(const FilteredLayer& shown, int head, int query, int key);

/// Applies `filter` to the maps of some heads of a layer. Without tokens there are no maps. Order: rows and
/// columns are removed; rows are renormalized if keys were removed and `filter.renormalize`; then each row
/// keeps the largest weights whose sum first reaches top_percent of the row's sum, without those below
/// `threshold`. The filter is about weights, whatever cells show (BlockTrace::cells); renormalized are
/// weights and shares of a row alone. Indices in the filter beyond the tokens are ignored; a filter that
/// leaves no row or column counts as off. Throws Stopped.
std::shared_ptr<const FilteredLayer> filter_layer(std::shared_ptr<const BlockTrace> block, int layer,
                                                  const Filter& filter, std::span<const int> heads,
                                                  const std::stop_token& stop = {});
/// Of all heads.
std::shared_ptr<const FilteredLayer> filter_layer(std::shared_ptr<const BlockTrace> block, int layer,
                                                  const Filter& filter, const std::stop_token& stop = {});

}  // namespace headscope
