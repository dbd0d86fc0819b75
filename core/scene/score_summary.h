#pragma once
#include <string>
#include <vector>

#include "core/analysis/cell_arithmetic.h"
#include "core/base/translate.h"

namespace headscope {

/// One line of a cell's arithmetic in short: an operation on the number above, and its result.
struct ShortStep {
  std::string operation;  ///< "÷ 8"; empty for the first
  std::string name;       ///< "√d_k"
  std::string value;      ///< the result, as printed
  double number = 0;      ///< the same as a number
  std::string help = {};  ///< translated
};

/// From q · k to the attention weight of a cell of the block. The number of lines is the same for every cell
/// of the block; none if its source knows no scores. Reads one row.
std::vector<ShortStep> score_summary(const Translator& tr, const BlockTrace& block, const CellPlace& place);

}  // namespace headscope
