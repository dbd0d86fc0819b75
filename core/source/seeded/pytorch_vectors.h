#pragma once
#include <fmt/format.h>

#include <string>

#include "core/base/translate.h"
#include "core/source/trace.h"

namespace headscope {

/// [[…], …], one row per line.
template <typename Matrix>
std::string pytorch_rows(const Matrix& matrix) {
  std::string text = "[\n";
  for (Index i = 0; i < matrix.rows(); ++i) {
    text += "    [";
    for (Index j = 0; j < matrix.cols(); ++j) text += (j > 0 ? ", " : "") + fmt::format("{}", matrix(i, j));
    text += "],\n";
  }
  return text + "]";
}

/// The lines that create x [1, n_q, d_model], and in cross-attention y [1, n_k, d_model], of a seeded run:
/// drawn, as embedding draws them, or typed. Throws Error (input) for more typed numbers than
/// PytorchLimits::max_numbers.
std::string pytorch_vectors(const Trace& trace, const Translator& tr);

}  // namespace headscope
