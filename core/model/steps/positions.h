#pragma once
#include <vector>

#include "core/base/tensor.h"
#include "core/model/config/config.h"
#include "core/model/rows/row_intermediates.h"

namespace headscope {

/// Rotary positions (Su et al. 2021): dimensions i and i + d/2 of a head, or in pairs 2 i and 2 i + 1, are
/// rotated by position times frequency i. In double precision, needed for large positions. The frequencies
/// [dimensions / 2] for a text of n tokens; only some scalings depend on n.
std::vector<double> rotary_frequencies(const Rope& rope, Index head_dim, Index n);

/// What the query at a position is multiplied by: see Rope::query_growth.
double query_scale(const Rope& rope, Index position);

struct RotaryTable {
  Tensor cosine, sine;             // [positions, dimensions / 2], times Rope::attention_factor
  std::vector<float> query_scale;  // [positions]; empty: 1
  bool in_pairs = false;
  Index first_dimension = 0;
};
/// The patches of a picture, from a token on.
struct PicturePatches {
  Index first = 0, rows = 0, columns = 0;
};
/// What each pair's frequency is multiplied by at a position of the text, see Rope::of_patches.
Eigen::RowVectorXd rotary_places(const Rope& rope, Index pairs, Index position,
                                 const PicturePatches& patches);
/// For positions [begin, end).
RotaryTable rotary_table(const Rope& rope, const std::vector<double>& frequencies, Index begin, Index end,
                         const PicturePatches& patches = {});

/// Rotates a head's row by the table's row `position`, in place.
void rotate(const RotaryTable& table, Index position, float* row);
/// The same of a query's row [d], with its scale.
void rotate_query(const RotaryTable& table, Index position, float* row, Index d);
/// The same in double for a row [d_k] at a position of the text, with what is between; `scale` is a query's.
RotatedRow rotated_row(const Rope& rope, const std::vector<double>& frequencies, Index position,
                       const Eigen::RowVectorXd& before, double scale = 1,
                       const PicturePatches& patches = {});

/// Sines in the first half of the columns, cosines in the other (Vaswani et al. 2017, section 3.5, as Marian
/// lays them out); with `to_end` the last frequency is 1 / 10000.
void set_sinusoid(Index position, bool to_end, float* row, Index d);

/// T5's buckets of distances (Raffel et al. 2020): near ones have their own, farther ones share buckets of
/// increasing size; `two_sided` uses half of them for keys after the query, otherwise those count as distance
/// 0.
Index relative_bucket(Index key_minus_query, bool two_sided, Index buckets, Index max_distance);

/// DeBERTa's: distances up to half of the buckets have their own, farther ones share buckets of increasing
/// size up to the distance `farthest`; of the sign of the distance (He et al. 2021, their code).
Index log_bucket(Index distance, Index buckets, Index farthest);

/// The bias from `table` [buckets, heads] by key - query from 1 - n_q to n_k - 1: [heads, n_q + n_k - 1].
Tensor relative_bias(const Tensor& table, Index n_q, Index n_k, bool two_sided, Index max_distance);
/// The same by slope × (key - query), of slopes [heads] (Press et al. 2022).
Tensor linear_bias(const Tensor& slopes, Index n_q, Index n_k);
/// [heads, n_k]: factor × slope × key, where slope, key and their product are rounded to bfloat16. By the
/// rounding it is no function of the distance: beyond 256 keys neighbours share one place.
Tensor rounded_linear_bias(const Tensor& slopes, float factor, Index n_k);

}  // namespace headscope
