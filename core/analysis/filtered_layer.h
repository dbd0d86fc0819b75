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

/// What a cell of a shown map is; one byte a cell.
enum CellState : std::uint8_t {
  cell_shown = 0,
  cell_masked = 1,    ///< BlockTrace::weightless(): no number
  cell_filtered = 2,  ///< left out by the filter, or without a partner in a comparison
};

/// Of what is shown of a long map: see long_extent().
struct LongExtent {
  Extent all, of_colors;
  bool from_zero = false;  ///< colours on a linear scale begin there
};

/// One layer's maps as they are shown: through a Filter, rows and columns that are left out taken away.
struct FilteredLayer {
  std::shared_ptr<const BlockTrace> block;  ///< what it was made from
  int layer = 0;
  std::vector<int> queries;      ///< the tokens shown as rows, from 0; of groups of tokens the first of each
  std::vector<int> keys;         ///< the tokens shown as columns, likewise
  std::optional<LongPart> part;  ///< what it is of a long map: see long_part.h
  /// [queries, keys] of each head, the trace's own memory where the filter is off; empty for heads that were
  /// not asked for.
  std::vector<Tensor> maps;
  bool renormalized = false;  ///< rows were divided by what was left: to be said on a badge

  int heads() const { return static_cast<int>(maps.size()); }
  /// The map of a head [queries, keys]; nullptr where it was not asked for.
  const float* weights(int head) const { return maps[static_cast<std::size_t>(head)].data(); }
  /// Cells of all maps that were asked for.
  Index cells() const;
  Index n_q() const { return static_cast<Index>(queries.size()); }
  Index n_k() const { return static_cast<Index>(keys.size()); }
  /// Of a long text: cells are means of their groups, else the largest.
  bool means() const { return part ? part->means : block->means; }
  /// CellState of each cell of a head, [queries, keys], or nullptr where all are shown.
  const std::uint8_t* state(int head) const;
  /// The row or column of a token or of its group, or -1 if it is left out.
  int row(int query) const;
  int column(int key) const;

  std::vector<LongExtent> extents;  ///< of a part of a long map, a head each
  bool unfiltered = true;           ///< nothing is left out: cells are as the trace and its mask say
  std::vector<std::vector<std::uint8_t>> states;  ///< a head each where something is left out
};

/// A cell of a head whose map is there, as it is shown.
struct ShownWeight {
  float weight = 0;  ///< 0 where none is shown
  CellState state = cell_shown;
};
/// Of tokens of the trace, also where those of a long map are shown in groups.
ShownWeight shown_weight(const FilteredLayer& shown, int head, int query, int key);

/// Applies `filter` to the maps of some heads of a layer. Without tokens there are no maps. Order: rows and
/// columns are taken away; rows are renormalized if keys were taken away and `filter.renormalize`; then of
/// each row the largest weights stay whose sum first reaches top_percent of the row's sum, and those of at
/// least `threshold`. Indices in the filter beyond the tokens are ignored; a filter that leaves no row or
/// column is taken as off. Throws Stopped.
std::shared_ptr<const FilteredLayer> filter_layer(std::shared_ptr<const BlockTrace> block, int layer,
                                                  const Filter& filter, std::span<const int> heads,
                                                  const std::stop_token& stop = {});
/// Of all heads.
std::shared_ptr<const FilteredLayer> filter_layer(std::shared_ptr<const BlockTrace> block, int layer,
                                                  const Filter& filter, const std::stop_token& stop = {});

}  // namespace headscope
