#pragma once
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "core/inputs/inputs.h"
#include "core/source/trace.h"

namespace headscope {

/// The masks of the inputs, for each block of a model.
class BlockMasks {
 public:
  BlockMasks(const WhatIf& what_if, bool fit) : what_if_(what_if), fit_(fit) {}

  /// For these tokens. A part that names no block goes where it fits. Throws Error (input) as
  /// build_mask() for one that fits nowhere.
  void build(const std::vector<BlockShape>& shapes, std::span<const Token> tokens,
             std::span<const Token> target);
  /// What the inputs block in a layer of a block; null: nothing.
  std::shared_ptr<const Mask> user(BlockKind kind, int layer) const {
    const auto& masks = at(kind).masks;
    if (masks.empty()) return nullptr;
    return masks[masks.size() == 1 ? 0 : static_cast<std::size_t>(layer)];
  }
  const std::vector<MaskPart>& parts(BlockKind kind) const { return at(kind).parts; }
  /// Sets the masks of a block, together with what the model blocks itself: later tokens, and those outside
  /// of a layer's window.
  void combine(const BlockShape& shape, const std::vector<Index>& windows, BlockTrace& block) const;

 private:
  struct OfBlock {
    std::vector<MaskPart> parts;
    std::vector<std::shared_ptr<const Mask>> masks;  // one for all layers, or one for each
  };
  const OfBlock& at(BlockKind kind) const { return blocks_[static_cast<std::size_t>(kind)]; }

  const WhatIf& what_if_;
  bool fit_;
  std::array<OfBlock, 4> blocks_;
};

}  // namespace headscope
