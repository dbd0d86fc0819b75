#pragma once
#include <cstddef>

namespace headscope {

/// Which sequence attends to which.
enum class BlockKind {
  self,     ///< one sentence to itself
  encoder,  ///< an encoder's source to itself
  decoder,  ///< a decoder's target to itself
  cross,    ///< one sentence to another
  text,     ///< a text to itself, beside a picture (CLIP)
  state,    ///< what each layer has beside its attention, of the same input (Falcon-H1's Mamba-2)
  // Of a stack whose layers read fewer and fewer rows (Funnel), behind those of `self`, which read all:
  pooling_2,  ///< the layer whose queries are pooled from the rows that are its keys
  block_2,    ///< those behind it
  pooling_3,
  block_3,
  pooling_4,
  block_4,
  upsampled,  ///< the last ones, over all rows again
};
inline constexpr std::size_t block_kinds = 13;

constexpr bool is_pooling(BlockKind kind) {
  return kind == BlockKind::pooling_2 || kind == BlockKind::pooling_3 || kind == BlockKind::pooling_4;
}
/// Of them and those behind them: which block, from 1.
constexpr int block_number(BlockKind kind) {
  return 2 + (static_cast<int>(kind) - static_cast<int>(BlockKind::pooling_2)) / 2;
}
/// Whether its layers follow others in one stack, of other rows.
constexpr bool continues_stack(BlockKind kind) {
  return kind >= BlockKind::pooling_2;
}
/// Whether its layers read fewer rows than there are tokens.
constexpr bool has_pooled_rows(BlockKind kind) {
  return continues_stack(kind) && kind != BlockKind::upsampled;
}

}  // namespace headscope
