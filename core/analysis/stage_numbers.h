#pragma once
#include <string>

#include "core/base/matrix.h"

namespace headscope {

/// A number as a page shows it, with so many decimals: "−0.2944", "−∞", "1.2346e12" where it is very large.
std::string printed_number(double value, int decimals);

/// The smallest number of decimals whose last one counts `unit` or less; 0 to 12.
int decimals_of(double unit);

/// The unit of the last decimal to be shown of numbers up to `largest`, so that they have about `digits`
/// digits, but no finer than float32 knows them and no coarser than `coarsest`.
double unit_of(double largest, int digits, double coarsest);

/// The largest power of ten that is not above it.
double power_of_ten(double value);

/// `decimals`, or fewer where the numbers lose nothing by it: those that were typed are shown as typed.
template <typename Derived>
int shortest(const Eigen::DenseBase<Derived>& numbers, int decimals);
/// Likewise of one.
bool needs_decimals(double value, int decimals);

template <typename Derived>
int shortest(const Eigen::DenseBase<Derived>& numbers, int decimals) {
  for (int fewer = 0; fewer < decimals; ++fewer) {
    bool enough = true;
    for (Index i = 0; enough && i < numbers.rows(); ++i)
      for (Index j = 0; enough && j < numbers.cols(); ++j)
        enough = !needs_decimals(static_cast<double>(numbers.derived().coeff(i, j)), fewer);
    if (enough) return fewer;
  }
  return decimals;
}

}  // namespace headscope
