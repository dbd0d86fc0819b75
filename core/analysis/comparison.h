#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/analysis/filter.h"
#include "core/attention/trace.h"
#include "core/tensor.h"

namespace headscope {

/// A place that a token of A and a token of B share; -1: no partner.
struct AlignedToken {
  int a = -1, b = -1;
  bool operator==(const AlignedToken&) const = default;
};

/// Lines two token lists up (a shortest edit script): equal tokens are partners, and between them a changed
/// token is the partner of the one that stands in its place; what was put in or taken out has no partner.
std::vector<AlignedToken> align_tokens(std::span<const Token> a, std::span<const Token> b);

/// A layer of two traces on common axes, so that the same cell lies at the same place in all three maps.
struct Comparison {
  std::shared_ptr<const ShownLayer> shown_a, shown_b;
  int heads = 0;                      ///< of A and B, the smaller number
  std::vector<AlignedToken> queries;  ///< rows; tokens of the traces, from 0
  std::vector<AlignedToken> keys;     ///< columns
  Tensor a, b;                        ///< [heads, rows, columns]; 0 where the side has no such cell
  Tensor difference;                  ///< [heads, rows, columns]  b - a; 0 where either has no number
  std::vector<float> largest;         ///< a head each: largest |difference|
  /// CellState of each cell, [heads, rows, columns] flat: cell_masked, or cell_filtered where there is no
  /// partner. In the difference a cell masked on both sides is masked; on one side only it counts as weight 0
  /// there.
  std::vector<std::uint8_t> state_a, state_b, state_difference;

  Index rows() const { return static_cast<Index>(queries.size()); }
  Index columns() const { return static_cast<Index>(keys.size()); }
};

/// Compares what is shown of a layer of A with what is shown of one of B. Maps must be kept on both sides;
/// else the comparison has no heads.
std::shared_ptr<const Comparison> compare_layers(std::shared_ptr<const ShownLayer> a,
                                                 std::shared_ptr<const ShownLayer> b);

/// A filter of A's tokens for B: what is hidden or kept by number follows its partner; tokens that only B has
/// are shown unless a range of tokens is kept, then only those inside it.
Filter partner_filter(const Filter& filter, const Trace& a, const Trace& b);

struct LargestDifference {
  int head = 0, row = 0, column = 0;  ///< of the comparison
  float a = 0, b = 0;
};
/// The `count` cells that differ most, largest first, of one head or of all (head = -1). Cells without
/// partner and equal ones are left out.
std::vector<LargestDifference> largest_differences(const Comparison& comparison, int head, std::size_t count);

}  // namespace headscope
