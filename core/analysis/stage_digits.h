#pragma once
#include "core/analysis/cell_arithmetic.h"

namespace headscope {

/// The minimum number of decimals for each number of a cell's stages. Chosen from the last number backwards:
/// operands have enough decimals that the rounding of all of them together changes the result by about one in
/// its own last digit. How many are shown in the end depends on the numbers, so that the printed arithmetic
/// holds (stage_numbers.h).
struct StageDigits {
  int x, projected, projection_terms;     ///< of the projections: x, W, b; q, k, v there; their products
  int q, product, dot;                    ///< of q · k
  int scaled, score;                      ///< over sqrt(d_k), and from the temperature on
  int exponential, row_sum, weight;       ///< of the softmax
  int factor, value, weighted, context;   ///< of the sum of values: its weights, V, their products
  int projection_o, o_products, o_terms;  ///< of the context, W_O and their products; of each head
  int output, norm;
};

/// The unit of this many terms whose sum has this unit.
double unit_of_terms(double unit, Index count);
/// The unit of two factors, up to these sizes, whose product has this unit.
double unit_of_factors(double unit, double a, double b);
/// No finer than float32 resolves numbers of this size.
double known(double unit, double size);

StageDigits stage_digits(const CellArithmetic& cell, double largest_value);

}  // namespace headscope
