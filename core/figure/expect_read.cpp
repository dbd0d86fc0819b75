#include "core/figure/expect_read.h"

#include "core/base/error.h"

namespace headscope {

void expect_read(const Scene& scene) {
  for (const auto& block : {scene.block, scene.other})
    if (const auto error = block && block->maps ? block->maps->error() : std::nullopt) throw Error(*error);
  if (const auto error = scene.trace ? error_of(*scene.trace) : std::nullopt) throw Error(*error);
}

}  // namespace headscope
