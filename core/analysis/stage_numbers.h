#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/matrix.h"

namespace headscope {

/// A number as a page shows it, with this many decimals: "−0.2944", "−∞", "1.2346e12" where it is very large.
std::string printed_number(double value, int decimals);
/// The value of that text: the number a reader calculates with.
double as_printed(double value, int decimals);
std::vector<double> as_printed(std::span<const double> values, int decimals);
double sum_as_printed(std::span<const double> values, int decimals);
/// "1e−5", with as many digits as it has.
std::string short_number(double value);

/// How many units of the last decimal the result of the printed operands differs from the printed result.
double units_off(double computed, double result, int decimals);
/// The number of decimals, from `from` on, at which the printed operands give the printed results: `off`
/// returns by how many units they miss them. One of the first `more` at which all match; if there is none
/// (among hundreds of rows one is always between two digits), one at which none is missed by more than a
/// unit, and the results are to be printed as the printed operands give them.
int operand_decimals(int from, int more, const std::function<double(int decimals)>& off);
/// The same for terms with that printed sum.
int term_decimals(std::span<const double> terms, double sum, int sum_decimals, int from);

/// a × b row by row.
struct PrintedProducts {
  std::vector<double> a, b, products;
  int a_decimals, b_decimals;
};
/// With at least this many decimals for the factors. The products are those of the printed factors.
PrintedProducts printed_products(std::span<const double> a, std::span<const double> b, int factor_decimals,
                                 int decimals);

/// The smallest number of decimals whose last one is worth `unit` or less; 0 to 12.
int decimals_of(double unit);

/// The unit of the last decimal to show for numbers up to `largest`, so that they have about `digits` digits,
/// but no finer than float32 resolves them and no coarser than `coarsest`.
double unit_of(double largest, int digits, double coarsest);

/// The largest power of ten that is not above it.
double power_of_ten(double value);

/// `decimals`, or fewer if the numbers lose nothing by it: typed numbers are shown as typed.
int shortest(std::span<const double> numbers, int decimals);
template <typename Derived>
int shortest(const Eigen::DenseBase<Derived>& numbers, int decimals) {
  const MatrixOf<double> copy = numbers.template cast<double>();
  return shortest(std::span(copy.data(), copy.size()), decimals);
}
}  // namespace headscope
