#include "core/analysis/row_sums.h"

#include <algorithm>
#include <cmath>

#include "core/base/matrix.h"

namespace headscope {

std::shared_ptr<const RowSums> row_sums(const BlockTrace& block, int layer, std::stop_token stop) {
  auto sums = std::make_shared<RowSums>();
  double minimum = INFINITY, maximum = 0;
  for (int head = 0; head < block.heads() && !stop.stop_requested(); ++head) {
    const auto& empty = block.mask_of(layer).empty_queries(head);
    for_each_row(*block.maps, layer, head, [&](Index query, const float* row) {
      ++sums->rows;
      if (block.fills_with_infinity() && std::ranges::binary_search(empty, query)) {
        ++sums->empty;
        return;
      }
      const double sum = RowView(row, block.n_k()).cast<double>().sum();
      minimum = std::min(minimum, sum);
      maximum = std::max(maximum, sum);
    });
  }
  if (stop.stop_requested()) return nullptr;
  if (sums->rows > sums->empty) sums->minimum = minimum, sums->maximum = maximum;
  return sums;
}

}  // namespace headscope
