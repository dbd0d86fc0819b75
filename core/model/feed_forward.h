#pragma once
#include <stop_token>

#include "core/model/language_model.h"

namespace headscope {

/// down(act(up)), or down(act(gate) up), for rows y [n, d_model].
Tensor feed_forward(const LanguageModel& model, const FeedForwardWeights& weights, const Tensor& y,
                    const ComputeContext& context, const std::stop_token& stop = {});

}  // namespace headscope
