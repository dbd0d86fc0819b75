#include "core/model/config/config.h"

namespace headscope {

std::optional<Index> ModelConfig::longest(bool of_decoder) const {
  if (position_kind != PositionKind::learned) return std::nullopt;
  return (of_decoder && decoder_positions > 0 ? decoder_positions : positions) - position_offset;
}

const Rope* ModelConfig::rope_of(Index layer) const {
  const std::size_t at = layer;
  if (!rope || (at < layers_without_rope.size() && layers_without_rope[at])) return nullptr;
  const bool local = local_rope && at < sliding_windows.size() && sliding_windows[at] > 0;
  return local ? &*local_rope : &*rope;
}

}  // namespace headscope
