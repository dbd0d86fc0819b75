#include "core/source/model/cell_intermediates.h"

#include <cmath>

namespace headscope {

NormedRow normed_row(NormedRow row) {
  if (!row.scale) {
    row.mean = row.rms ? 0 : row.x.mean();
    row.deviation = std::sqrt((row.x.array() - row.mean).square().mean() + row.epsilon);
  }
  row.y = (row.x.array() - row.mean) / row.deviation;
  if (row.weight.size() > 0) row.y = row.y.cwiseProduct(row.weight);
  if (row.bias.size() > 0) row.y += row.bias;
  return row;
}

}  // namespace headscope
