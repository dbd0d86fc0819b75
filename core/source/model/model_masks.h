#pragma once
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/enum_table.h"
#include "core/inputs/inputs.h"
#include "core/model/config/config.h"
#include "core/model/layer/model_request.h"
#include "core/source/trace.h"

namespace headscope {

/// The masks of the inputs, for each block of a model.
class BlockMasks {
 public:
  struct Sides {
    std::span<const Token> queries, keys;
  };
  using SidesOf = std::function<Sides(BlockKind block)>;

  /// `global`: parts that name global tokens choose the model's own, see chosen_tokens().
  BlockMasks(const Interventions& interventions, bool fit, bool global)
      : interventions_(interventions), fit_(fit), global_(global) {}

  /// For these tokens. A part without a block applies where it fits. Throws Error (input) as build_mask(),
  /// and for one that fits nowhere.
  void build(const std::vector<BlockShape>& shapes, const SidesOf& sides_of);
  /// The inputs' mask in a layer of a block; null: nothing blocked.
  std::shared_ptr<const Mask> user(BlockKind kind, int layer) const {
    const auto& masks = at(kind).masks;
    if (masks.empty()) return nullptr;
    return masks[masks.size() == 1 ? 0 : static_cast<std::size_t>(layer)];
  }
  const std::vector<MaskPart>& parts(BlockKind kind) const { return at(kind).parts; }
  /// The global tokens of a text of n that the inputs choose (Longformer); nothing: the model's own choice.
  std::optional<std::vector<Index>> chosen_tokens(Index n) const;
  /// Sets the masks of a block, combined with what the model itself blocks: later tokens, and those outside
  /// of a layer's window or blocks.
  void combine(const BlockShape& shape, const ModelConfig& config, const ModelInput& input,
               BlockTrace& block) const;

 private:
  struct OfBlock {
    std::vector<MaskPart> parts;
    std::vector<std::shared_ptr<const Mask>> masks;  // one for all layers, or one for each
  };
  const OfBlock& at(BlockKind kind) const { return of_kind(blocks_, kind); }

  const Interventions& interventions_;
  bool chooses(const MaskPart& part) const {
    return global_ && part.on && part.kind == MaskKind::global && !part.layer;
  }
  bool fit_, global_;
  std::array<OfBlock, block_kinds> blocks_;
};

}  // namespace headscope
