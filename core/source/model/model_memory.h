#pragma once
#include <cstddef>

#include "core/model/config.h"

namespace headscope {

/// Memory of a run of a model, in bytes.
struct ModelMemory {
  std::size_t weights = 0;  ///< used in place in their files: no memory of the process
  std::size_t run = 0;      ///< data kept per layer, and the working memory of one of them
  std::size_t maps = 0;     ///< of one layer, while it is shown
  std::size_t needed() const { return run + maps; }
};

/// For the given numbers of tokens of the text, and of an encoder–decoder's target.
ModelMemory model_memory(const ModelConfig& config, std::size_t weights, Index tokens, Index target);

/// Throws Error (unable) with the numbers if a run would not fit into `available` bytes.
void check_memory(const ModelMemory& memory, std::size_t available);

}  // namespace headscope
