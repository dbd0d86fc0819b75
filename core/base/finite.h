#pragma once
#include "core/base/tensor.h"

namespace headscope {

/// The largest absolute value; NaN if there is one.
double largest_of(const Tensor& tensor);
/// Whether all numbers are finite: no infinity, no NaN.
bool finite(const Tensor& tensor);

}  // namespace headscope
