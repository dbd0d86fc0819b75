#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/analysis/filtered_layer.h"

namespace headscope {

/// What is read so that `seen`, in tokens, is shown by as many cells as a picture has pixels or by single
/// tokens: somewhat more than is seen, that neighbours share it. Nothing where the overview, a block
/// of with_groups(), shows it as well.
std::optional<LongPart> part_that_shows(const CellPart& seen, const BlockTrace& groups);

/// Told the share that is done.
using TellShare = std::function<void(double share)>;
/// For `count` pieces of a work of `all`, of which `before` have been done: tells the share of all. Nothing
/// where nobody is told. `progress` must live longer.
TellShare share_of_pieces(const TellShare& progress, std::size_t before, std::size_t count, std::size_t all);

/// The part of some heads of a layer of a long block. nullptr if it was stopped.
std::shared_ptr<const FilteredLayer> part_layer(std::shared_ptr<const BlockTrace> block, int layer,
                                                std::span<const int> heads, const LongPart& part,
                                                const std::stop_token& stop = {},
                                                const TellShare& progress = {});
/// Where the colours of that part end in each head of the block; of heads that are not asked for, nowhere.
/// Empty if it was stopped.
std::vector<LongExtent> part_extents(const std::shared_ptr<const BlockTrace>& block, int layer,
                                     std::span<const int> heads, const LongPart& part,
                                     const std::stop_token& stop = {}, const TellShare& progress = {});
/// The part, whose colours are those of other heads as well.
std::shared_ptr<const FilteredLayer> with_extents(const FilteredLayer& part,
                                                  std::span<const LongExtent> extents);
/// The overview of a block of with_groups() as the part that is all of the block that it is of: of those of
/// the heads that have been read.
std::shared_ptr<const FilteredLayer> overview_layer(const BlockTrace& grouped, int layer,
                                                    std::span<const int> heads);

/// The cell of tokens that a cell of a shown map stands for: of a group the one with the largest weight.
struct TokenCell {
  int query = 0, key = 0;
};
TokenCell token_cell(const FilteredLayer& shown, int head, int row, int column);
/// The one with the largest weight of that group of queries and keys.
TokenCell largest_of_group(const BlockTrace& block, int layer, int head, const LongPart& group);

/// How many cells the view's zoom counts: of a long map its tokens, else rows and columns that are shown.
Index zoomed_rows(const FilteredLayer& shown);
Index zoomed_columns(const FilteredLayer& shown);

/// A part of a map in those as the rows and columns of what is shown of it.
CellPart in_cells(const FilteredLayer& shown, const CellPart& tokens);

}  // namespace headscope
