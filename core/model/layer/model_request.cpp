#include "core/model/layer/model_request.h"

#include <utility>

#include "core/base/enum_table.h"

namespace headscope {

void ModelChanges::set(BlockKind kind, Index layer, AttentionChange change) {
  auto& layers = of_kind(layers_, kind);
  if (std::ssize(layers) <= layer) layers.resize(layer + 1);
  layers[layer] = std::move(change);
}

const AttentionChange& ModelChanges::at(BlockKind kind, Index layer) const {
  static const AttentionChange none;
  const auto& layers = of_kind(layers_, kind);
  return layer < std::ssize(layers) ? layers[layer] : none;
}

bool ModelChanges::same_for_a_prefix(const ModelChanges& other, BlockKind kind) const {
  const auto& layers = of_kind(layers_, kind);
  for (const AttentionChange& change : layers)
    if (change.mask != nullptr || change.mixes_rows()) return false;
  return layers == of_kind(other.layers_, kind);
}

}  // namespace headscope
