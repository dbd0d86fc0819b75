#pragma once
#include <cstddef>
#include <string>

#include "core/io/safetensors_reader.h"
#include "core/model/config/config.h"

namespace headscope {

/// Whether a tensor is a buffer of computed values that some files contain, or of another model beside this
/// one.
bool is_buffer(const ModelConfig& config, std::string_view name);

/// Whether a tensor is the second copy of an output bias that is stored both with its matrix and separately.
bool is_second_bias(const ModelConfig& config, const WeightFiles& weights, std::string_view name);

/// Whether both tensors have the same type, shape and numbers.
bool same_numbers(const TensorView& a, const TensorView& b);

/// Whether a tensor counts as a parameter of the model: not a buffer (masks, computed positions), and not a
/// second copy of a matrix that the output or the other stack shares with the embedding.
bool is_parameter(const ModelConfig& config, const WeightFiles& weights, std::string_view name);

/// Numbers in all parameters.
std::size_t count_parameters(const ModelConfig& config, const WeightFiles& weights);

/// Types of the parameters with commas, the most common first: "float16, float32".
std::string parameter_types(const ModelConfig& config, const WeightFiles& weights);

/// Memory of a run over `tokens` tokens (for an encoder–decoder: on either side) besides the weights, which
/// are used in place: what each layer keeps, and the working memory of one of them.
std::size_t run_bytes(const ModelConfig& config, Index tokens);

/// Throws Error (unable) with both numbers if the weights, used in place, would not fit in memory.
void check_weights_fit(const std::string& folder, std::size_t weights, std::size_t available);

/// Memory of a run of a model, in bytes.
struct ModelMemory {
  std::size_t weights = 0;  ///< used in place in their files: no memory of the process
  std::size_t run = 0;      ///< what each layer keeps, and the working memory of one of them
  std::size_t maps = 0;     ///< of one layer, while it is shown
  std::size_t needed() const { return run + maps; }
};

/// For the given numbers of tokens of the text, and of an encoder–decoder's target.
ModelMemory model_memory(const ModelConfig& config, std::size_t weights, Index tokens, Index target);

/// Throws Error (unable) with the numbers if a run would not fit into `available` bytes.
void check_memory(const ModelMemory& memory, std::size_t available);

}  // namespace headscope
