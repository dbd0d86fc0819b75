#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/matrix.h"

namespace headscope {

/// A number as a page shows it, with so many decimals: "−0.2944", "−∞", "1.2346e12" where it is very large.
std::string printed_number(double value, int decimals);
/// What that text says: the number a reader calculates with.
double as_printed(double value, int decimals);
std::vector<double> as_printed(std::span<const double> values, int decimals);
double sum_as_printed(std::span<const double> values, int decimals);
/// "1e−5", with as many digits as it has.
std::string short_number(double value);

/// How many units of the last decimal lie between what printed operands give and what is printed as their
/// result.
double units_off(double computed, double result, int decimals);
/// The number of decimals, from `from` on, with which operands are printed so that they give the printed
/// results: `off` says by how many units they miss them. One of the first `more` with which all are met;
/// where there is none (of hundreds of rows one always lies between two digits), one with which none is
/// missed by more than a unit, and the results are to be printed as the printed operands give them.
int operand_decimals(int from, int more, const std::function<double(int decimals)>& off);
/// Likewise of terms with that printed sum.
int term_decimals(std::span<const double> terms, double sum, int sum_decimals, int from);

/// a × b row by row.
struct PrintedProducts {
  std::vector<double> a, b, products;
  int a_decimals, b_decimals;
};
/// With at least so many decimals for the factors. The products are those of the printed factors.
PrintedProducts printed_products(std::span<const double> a, std::span<const double> b, int factor_decimals,
                                 int decimals);

/// The smallest number of decimals whose last one counts `unit` or less; 0 to 12.
int decimals_of(double unit);

/// The unit of the last decimal to be shown of numbers up to `largest`, so that they have about `digits`
/// digits, but no finer than float32 knows them and no coarser than `coarsest`.
double unit_of(double largest, int digits, double coarsest);

/// The largest power of ten that is not above it.
double power_of_ten(double value);

/// `decimals`, or fewer where the numbers lose nothing by it: those that were typed are shown as typed.
int shortest(std::span<const double> numbers, int decimals);
template <typename Derived>
int shortest(const Eigen::DenseBase<Derived>& numbers, int decimals) {
  const MatrixOf<double> copy = numbers.template cast<double>();
  return shortest(std::span(copy.data(), static_cast<std::size_t>(copy.size())), decimals);
}
}  // namespace headscope
