#pragma once
#include <vector>

#include "core/base/tensor.h"
#include "core/model/config.h"

namespace headscope {

/// Rotary positions (Su et al. 2021): dimensions i and i + d/2 of a head are rotated by position times
/// frequency i. In double precision, needed for large positions. The frequencies [dimensions / 2] for a text
/// of n tokens; only some scalings depend on n.
std::vector<double> rotary_frequencies(const Rope& rope, Index head_dim, Index n);

struct RotaryTable {
  Tensor cosine, sine;  // [positions, dimensions / 2], times Rope::attention_factor
};
/// For positions [begin, end).
RotaryTable rotary_table(const Rope& rope, const std::vector<double>& frequencies, Index begin, Index end);

/// Rotates a head's row by the table's row `position`, in place.
void rotate(const RotaryTable& table, Index position, float* row);

}  // namespace headscope
