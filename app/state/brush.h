#pragma once
#include "core/attention/painting.h"
#include "core/scene/scene.h"

namespace headscope {

/// How many tokens one row and one column of the shown map cover.
struct CellUnit {
  Index queries = 1, keys = 1;
  bool operator==(const CellUnit&) const = default;
  /// The pooled cell that contains a cell of tokens.
  Cell of(const Cell& tokens) const {
    return {tokens.head, static_cast<int>(tokens.query / queries), static_cast<int>(tokens.key / keys)};
  }
};

inline CellUnit unit_of(const BlockTrace& block) {
  return {block.query_pool, block.key_pool};
}

/// Painting of the mask on the maps: while it is on, click and drag on cells paint instead of locking them.
struct Brush {
  enum class Shape { cell, row, column, diagonal };
  static constexpr int largest_radius = 15;
  bool on = false;
  Shape shape = Shape::cell;
  bool free = false;      ///< unblocks what is painted instead of blocking it
  bool one_head = false;  ///< only the head being painted on
  int radius = 0;         ///< around `cell`: squares of 2 radius + 1 cells
};

/// The brush stroke being drawn.
struct Stroke {
  bool on = false;
  int button = 0;     ///< index of its mouse button: 0 left, 1 right
  bool block = true;  ///< otherwise it unblocks
  int head = 0;       ///< the head under the pointer in the last frame
  PaintCell last{};   ///< last tokens under the pointer
  CellUnit unit;      ///< when it began: maps read meanwhile may be finer or coarser
};

}  // namespace headscope
