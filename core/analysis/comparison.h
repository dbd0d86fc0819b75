#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/analysis/filtered_layer.h"
#include "core/base/tensor.h"
#include "core/source/trace.h"

namespace headscope {

/// A token position in A and the matching one in B; -1: no partner.
struct AlignedToken {
  int a = -1, b = -1;
  bool operator==(const AlignedToken&) const = default;
};

/// Aligns two token lists (a shortest edit script): equal tokens are partners, and between them a changed
/// token is the partner of the one in its place; inserted and deleted tokens have no partner.
std::vector<AlignedToken> align_tokens(std::span<const Token> a, std::span<const Token> b);

/// Positions that at least one side shows along an axis, and each side's row (or column) there, -1: none.
struct CommonAxis {
  std::vector<AlignedToken> tokens;  ///< of the traces, from 0
  std::vector<int> a, b;
};

/// A layer of two blocks on common axes, so that a cell has the same position in all three maps. Holds no
/// maps, which for thousands of tokens would take more memory than both sides: compare_head() computes those
/// of one head.
struct Comparison {
  std::shared_ptr<const FilteredLayer> shown_a, shown_b;
  int heads = 0;  ///< of A and B, the smaller number
  CommonAxis queries, keys;
  std::vector<float> largest;  ///< one per head: largest |difference|
  /// Per head: the largest |difference| within float32 rounding, which counts as 0; 0: there is none.
  std::vector<float> rounding;
  /// Per head: the upper end of the difference's colours. In long texts, as in part_extent(), not every cell
  /// counts for it; otherwise it is the largest.
  std::vector<float> of_colors;

  Index rows() const { return queries.tokens.size(); }
  Index columns() const { return keys.tokens.size(); }
};

/// The three maps of one head.
struct ComparedHead {
  Tensor a, b;         ///< [rows, columns]; 0 where the side has no such cell
  Tensor difference;   ///< [rows, columns]  b - a; 0 if either has no number or it is within rounding
  float largest = 0;   ///< largest |difference|
  float rounding = 0;  ///< largest |difference| within float32 rounding
  /// CellState of each cell, [rows, columns] flat: cell_masked, or cell_filtered where there is no partner.
  /// In the difference a cell masked on both sides is masked; on one side only it counts as weight 0 there.
  std::vector<std::uint8_t> state_a, state_b, state_difference;
};

/// How far apart two weights of a layer may be and still be equal up to float32 rounding.
float rounding_of_weights(const BlockTrace& block, int layer);

/// Compares the shown part of a layer of A with that of a layer of B. Both have the maps of all their heads;
/// if one side has no tokens the comparison has no heads.
std::shared_ptr<const Comparison> compare_layers(std::shared_ptr<const FilteredLayer> a,
                                                 std::shared_ptr<const FilteredLayer> b);

/// `head` < comparison.heads.
ComparedHead compare_head(const Comparison& comparison, int head);

/// A's filter applied to B's tokens: tokens hidden or kept by position follow their partners; tokens that
/// only B has are shown unless a range of tokens is kept, then only those inside it.
Filter partner_filter(const Filter& filter, const BlockTrace& a, const BlockTrace& b);

/// How much a head changed.
struct ChangedHead {
  int layer = 0, head = 0;
  double moved =
      0;  ///< ½ Σ |b − a| of a query, averaged over queries: the share of weight that went elsewhere
};
/// All heads that both have and that changed, the most changed first. Throws Stopped.
std::vector<ChangedHead> changed_heads(const std::shared_ptr<const BlockTrace>& a,
                                       const std::shared_ptr<const BlockTrace>& b, const Filter& filter,
                                       const std::stop_token& stop = {});

struct LargestDifference {
  int head = 0, row = 0, column = 0;  ///< of the comparison
  float a = 0, b = 0;
};
/// The `count` cells that differ most, largest first, of one head or of all (head = -1). Cells without
/// partner and equal ones are left out.
std::vector<LargestDifference> largest_differences(const Comparison& comparison, int head, std::size_t count);

}  // namespace headscope
