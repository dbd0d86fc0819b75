#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/analysis/filtered_layer.h"

namespace headscope {

/// What to read so that `seen`, in tokens, is shown with as many cells as a picture has pixels or with single
/// tokens: somewhat more than is seen, so that neighbouring views share it. Nothing if the overview, a block
/// of with_pooling(), shows it as well.
std::optional<LongPart> part_that_shows(const CellPart& seen, const BlockTrace& pools);

/// Receives the share that is done.
using ReportShare = std::function<void(double share)>;
/// For `count` pieces of a work of `all`, of which `before` have been done: reports the share of all. Empty
/// if `progress` is. `progress` must outlive it.
ReportShare share_of_pieces(const ReportShare& progress, std::size_t before, std::size_t count,
                            std::size_t all);

/// The part of some heads of a layer of a long block. nullptr if stopped.
std::shared_ptr<const FilteredLayer> part_layer(std::shared_ptr<const BlockTrace> block, int layer,
                                                std::span<const int> heads, const LongPart& part,
                                                const std::stop_token& stop = {},
                                                const ReportShare& progress = {});
/// The upper end of that part's colours in each head of the block; unset for heads that are not requested.
/// Empty if stopped.
std::vector<PartExtent> part_extents(const std::shared_ptr<const BlockTrace>& block, int layer,
                                     std::span<const int> heads, const LongPart& part,
                                     const std::stop_token& stop = {}, const ReportShare& progress = {});
/// The part with colours that cover other heads as well.
std::shared_ptr<const FilteredLayer> with_extents(const FilteredLayer& part,
                                                  std::span<const PartExtent> extents);
/// The overview of a block of with_pooling(), as the part that covers the whole original block; of those
/// heads that have been read.
std::shared_ptr<const FilteredLayer> overview_layer(const BlockTrace& pooled, int layer,
                                                    std::span<const int> heads);

/// The token cell that a cell of a shown map represents: of a pooled one the cell with the largest weight.
struct TokenCell {
  int query = 0, key = 0;
};
TokenCell token_cell(const FilteredLayer& shown, int head, int row, int column);
/// The cell with the largest weight among those queries and keys.
TokenCell largest_in_pool(const BlockTrace& block, int layer, int head, const LongPart& pool);

/// How many cells the view's zoom counts: tokens for a long map, otherwise shown rows and columns.
Index zoomed_rows(const FilteredLayer& shown);
Index zoomed_columns(const FilteredLayer& shown);

/// A part of a map, given in those cells, as rows and columns of what is shown of it.
CellPart in_cells(const FilteredLayer& shown, const CellPart& tokens);

/// What is shown of a head of a long map, pooled or in part: its weights, and those that its colours cover. A
/// query that may attend to few keys has large weights because of the mask alone; next to a causal map's
/// first row, whose only weight is 1, the others could not be distinguished. So among the shown queries,
/// those with less than a quarter of the keys of another one do not count for the colours; neither do single
/// cells, one in thousands, that are more than twice as large as all others. The smallest of this many
/// weights is close to 0: linear colours begin at 0.
PartExtent part_extent(const FilteredLayer& shown, int head);

/// How many keys the query of each shown row may attend to, shown or not.
std::vector<Index> key_counts(const FilteredLayer& shown, int head);

/// The shown rows of a head that count for its colours.
std::vector<bool> rows_of_colors(const FilteredLayer& shown, int head);

/// Histogram of the numbers of a long map, binned by the first bits of their floats.
class CellSizes {
 public:
  /// Adds those that are not negative; states may be nullptr: all are shown.
  void add(const float* numbers, const std::uint8_t* states, Index n);
  /// The upper end of the colours, where `largest` is the largest: `largest`, or, if single cells in
  /// thousands are more than twice as large as all others, the largest of the others.
  float end_of_colors(float largest) const;

 private:
  std::vector<Index> counts_ = std::vector<Index>(std::size_t{1} << 15);
  Index cells_ = 0;
};

}  // namespace headscope
