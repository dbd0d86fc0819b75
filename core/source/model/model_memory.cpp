#include "core/source/model/model_memory.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/model/model_size.h"

namespace headscope {

ModelMemory model_memory(const ModelConfig& config, std::size_t weights, Index tokens, Index target) {
  const Index n = std::max(tokens, target);
  const auto heads = static_cast<std::size_t>(std::max(config.encoder.heads, config.decoder.heads));
  return {weights, run_bytes(config, n), sizeof(float) * heads * static_cast<std::size_t>(n * n)};
}

void check_memory(const ModelMemory& memory, std::size_t available) {
  if (memory.needed() / 10 <= available / 11) return;
  constexpr double gigabyte = 1e9;
  const auto gigabytes = [](std::size_t bytes) {
    return fmt::format("{:.1f}", static_cast<double>(bytes) / gigabyte);
  };
  throw unable_error(
      "this text needs {} GB of memory ({} GB for the layers' inputs, {} GB for maps; the weights, {} GB, "
      "stay "
      "in their files), {} GB are free; use a shorter text",
      gigabytes(memory.needed()), gigabytes(memory.run), gigabytes(memory.maps), gigabytes(memory.weights),
      gigabytes(available));
}

}  // namespace headscope
