#include "core/analysis/heads_at_cell.h"

#include <algorithm>

namespace headscope {

std::shared_ptr<const std::vector<HeadAtCell>> heads_at_cell(const BlockTrace& block, Index query, Index key,
                                                             const std::stop_token& stop) {
  auto heads = std::make_shared<std::vector<HeadAtCell>>();
  for (int layer = 0; layer < block.layer_count(); ++layer)
    for (int head = 0; head < block.heads(); ++head) {
      if (stop.stop_requested()) return nullptr;
      heads->push_back({layer, head, block.maps->weight(layer, head, query, key)});
    }
  std::ranges::stable_sort(*heads, std::greater<>(), &HeadAtCell::weight);
  return heads;
}

}  // namespace headscope
