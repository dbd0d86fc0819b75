#pragma once
#include <cstddef>
#include <string>

#include "core/io/safetensors_reader.h"
#include "core/model/config.h"

namespace headscope {

/// Whether a tensor is a parameter of the model, and counted once: no buffer (masks, positions that are
/// computed), and no second copy of a matrix that the output or the other stack shares with the embedding.
bool is_parameter(const ModelConfig& config, const WeightFiles& weights, std::string_view name);

/// Numbers in all parameters.
std::size_t count_parameters(const ModelConfig& config, const WeightFiles& weights);

/// Types of the parameters with commas, that of most of their numbers first: "float16, float32".
std::string parameter_types(const ModelConfig& config, const WeightFiles& weights);

/// What a run over so many tokens (of an encoder–decoder: so many on either side) takes of memory beside the
/// weights, which are used where they lie: what each layer keeps, and the working memory of one of them.
std::size_t run_bytes(const ModelConfig& config, Index tokens);

/// Throws Error (unable) with both figures where the weights, used where they lie, would not stay in memory.
void check_weights_fit(const std::string& folder, std::size_t weights, std::size_t available);

}  // namespace headscope
