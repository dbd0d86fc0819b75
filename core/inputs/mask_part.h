#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/budget.h"
#include "core/inputs/block_kind.h"

namespace headscope {

/// The kind of a mask part; mask_kinds.h has a row for each, in this order.
enum class MaskKind {
  causal,
  padding,
  segments,
  file,
  painted,
  window,
  dilated,
  global,
  random,
  longformer,
  bigbird,
};

/// Blocked cells of one row, keys [key_begin, key_end), in every head (head = -1) or in one.
struct PaintedRun {
  int head = -1;
  int query = 0;
  int key_begin = 0;
  int key_end = 0;
  auto operator<=>(const PaintedRun&) const = default;
};

/// The canonical form: sorted, adjacent or overlapping runs merged, empty ones removed.
void merge_painted(std::vector<PaintedRun>& runs);

/// One part of a mask. A kind uses only its own parameters.
struct MaskPart {
  MaskKind kind = MaskKind::causal;
  bool on = true;
  /// Where it applies: in one block, or in one of its layers; not engaged: wherever it fits.
  std::optional<BlockKind> block{};
  std::optional<int> layer{};         ///< from 0; only with a block
  int window = 1;                     ///< w
  int dilation = 2;                   ///< d
  int random_keys = 2;                ///< r
  std::uint64_t seed = 7;             ///< of the random keys
  std::vector<int> tokens{};          ///< from 0, sorted, each once
  std::string path{};                 ///< of a .npy file
  std::vector<PaintedRun> painted{};  ///< sorted, merged

  bool operator==(const MaskPart&) const = default;
};

/// Whether a part applies to the attention of a block. One without a block applies wherever it fits, except
/// that padding concerns the source: a decoder's own tokens are another text.
bool reaches(const MaskPart& part, BlockKind block);
/// The parts that apply to a layer of a block.
std::vector<MaskPart> parts_of(std::span<const MaskPart> parts, BlockKind block, int layer);
/// Whether masks can differ between layers of a block.
bool differ_by_layer(std::span<const MaskPart> parts, BlockKind block);

bool is_pattern(MaskKind kind);
/// A part with the default parameters of its text form.
MaskPart make_mask_part(MaskKind kind);

/// The text form, [BLOCK[:LAYER]/]SPEC, the same on the command line, in sessions and in the window. Throws
/// Error (input) naming what is wrong and what is expected. An empty text or "none" is not a part; the caller
/// skips it.
MaskPart parse_mask_part(std::string_view spec);
/// The same within the file's budget, which even a short text of painted cells can exceed.
MaskPart parse_mask_part(std::string_view spec, Budget& budget);
std::string to_string(const MaskPart& part);

}  // namespace headscope
