#pragma once
#include "core/analysis/cell_arithmetic.h"

namespace headscope {

/// How many decimals each number of a cell's stages is shown with at least. They are chosen from the last one
/// backwards: those that a number is made of have as many as it takes that their rounding, all of it
/// together, changes it by about one in its own last digit. With how many they are shown in the end depends
/// on the numbers: so that what is shown holds as it is printed (stage_numbers.h).
struct StageDigits {
  int x, projected, projection_terms;     ///< of the projections: x, W, b; q, k, v there; their products
  int q, product, dot;                    ///< of q · k
  int scaled, score;                      ///< over sqrt(d_k), and from the temperature on
  int exponential, row_sum, weight;       ///< of the softmax
  int factor, value, weighted, context;   ///< of the sum of values: its weights, V, their products
  int projection_o, o_products, o_terms;  ///< of the context, W_O and their products; of each head
  int output, norm;
};

/// The unit of so many terms whose sum has this unit.
double unit_of_terms(double unit, Index count);
/// The unit of two factors, up to these sizes, whose product has this unit.
double unit_of_factors(double unit, double a, double b);
/// No finer than float32 knows numbers of this size.
double known(double unit, double size);

StageDigits stage_digits(const CellArithmetic& cell, double largest_value);

}  // namespace headscope
