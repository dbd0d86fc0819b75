#pragma once
#include "core/model/config.h"
#include "core/model/config_fields.h"

namespace headscope {

/// Rotary positions from `rope_parameters` (newer files) or `rope_scaling` and `rope_theta`, every default
/// filled in as transformers' modeling_rope_utils.py does. `positions` is max_position_embeddings.
Rope read_rope(const ConfigFields& config, Index head_dim, Index positions);

}  // namespace headscope
