#pragma once
#include <span>

#include "core/inputs/names.h"

namespace headscope {

/// What is multiplied over the layers.
enum class Rollout { off, weights, norms };
std::span<const EnumName<Rollout>> enum_names(Rollout);

struct RolloutOptions {
  Rollout of = Rollout::off;  ///< off: each head has a map of its own
  bool residual = true;       ///< half of each layer is what goes past it
  bool operator==(const RolloutOptions&) const = default;
};

}  // namespace headscope
