#pragma once

#include "core/attention/layer_weights.h"
#include "core/inputs/inputs.h"
#include "core/model/torch_random.h"

namespace headscope {

/// Draws one layer's parameters according to `inputs.weights` (see WeightKind). `inputs` must be valid.
LayerWeights draw_layer(const Inputs& inputs, TorchRandom& random);

}  // namespace headscope
