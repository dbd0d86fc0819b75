#pragma once
#include <array>
#include <vector>

#include "core/attention/attend_heads.h"
#include "core/base/buffer_pool.h"
#include "core/model/config/config.h"

namespace headscope {

// The rows of Funnel's layers: see Funnel.

/// The tokens [begin, end) that a row stands for.
struct PooledRow {
  Index begin = 0, end = 0;
};
/// Those of a block's layers, of a text of n tokens; of `blocks()` each token alone.
std::vector<PooledRow> rows_of_block(const Funnel& funnel, Index n, Index block);
/// The two of n rows that each pooled row is made of; twice the same if it is one alone. Empty: so few rows
/// are not pooled.
std::vector<std::array<Index, 2>> pooled_pairs(const Funnel& funnel, Index n);
Tensor pooled_rows(const Funnel& funnel, const Tensor& x, BufferPool& memory);
/// The row of the last block, which has `rows`, that is added to a token's; -1: none, as the last tokens may
/// be left out.
Index repeated_row(const Funnel& funnel, Index token, Index rows);
/// The first block's rows that are added are those behind so many layers, as many as have weights of their
/// own.
Index added_behind(const ModelConfig& config);
/// The sum of the last block's rows, repeated, and the first block's.
Tensor upsampled_rows(const Funnel& funnel, const Tensor& last, const Tensor& first, BufferPool& memory);

/// Throws Error (input) for a text that the class cannot place: it counts positions as if rows were pooled
/// that are too few to be.
void check_pooled_length(const Funnel& funnel, Index n);

/// Where a layer's queries and keys are, and their segments, of tokens of these types; empty: all of one.
PositionTerms pooled_places(const Funnel& funnel, Index layer, Index n, const std::vector<Index>& types);

}  // namespace headscope
