#pragma once
#include <vector>

#include "core/base/tensor.h"
#include "core/model/config.h"

namespace headscope {

/// Rotary positions (Su et al. 2021): dimension i of a head turns with dimension i + d/2 by position times
/// frequency i. In double precision, as all that depends on positions far away. The frequencies [dimensions /
/// 2] for a text of n tokens; only some scalings look at n.
std::vector<double> rotary_frequencies(const Rope& rope, Index head_dim, Index n);

struct RotaryTable {
  Tensor cosine, sine;  // [positions, dimensions / 2], times Rope::attention_factor
};
/// Of the positions [begin, end).
RotaryTable rotary_table(const Rope& rope, const std::vector<double>& frequencies, Index begin, Index end);

/// Turns a head's row at the table's row `position`, in place.
void rotate(const RotaryTable& table, Index position, float* row);

}  // namespace headscope
