#include "core/model/layer/model_request.h"

#include <utility>

namespace headscope {

void ModelChanges::set(BlockKind kind, Index layer, AttentionChange change) {
  auto& layers = layers_[static_cast<std::size_t>(kind)];
  if (std::ssize(layers) <= layer) layers.resize(layer + 1);
  layers[layer] = std::move(change);
}

const AttentionChange& ModelChanges::at(BlockKind kind, Index layer) const {
  static const AttentionChange none;
  const auto& layers = layers_[static_cast<std::size_t>(kind)];
  return layer < std::ssize(layers) ? layers[layer] : none;
}

bool ModelChanges::same_for_a_prefix(const ModelChanges& other, BlockKind kind) const {
  const auto& layers = layers_[static_cast<std::size_t>(kind)];
  for (const AttentionChange& change : layers)
    if (change.mask != nullptr || change.mixes_rows()) return false;
  return layers == other.layers_[static_cast<std::size_t>(kind)];
}

}  // namespace headscope
