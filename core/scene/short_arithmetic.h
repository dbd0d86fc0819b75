#pragma once
#include <string>
#include <vector>

#include "core/analysis/cell_arithmetic.h"
#include "core/base/translate.h"

namespace headscope {

/// One line of a cell's arithmetic in short: what is done to the number above, and what it gives.
struct ShortStep {
  std::string operation;  ///< "÷ 8"; empty for the first
  std::string name;       ///< "√d_k"
  std::string value;      ///< the number it gives, as printed
  std::string help;       ///< translated
};

/// From q · k to the attention weight of a cell that the block has. As many lines for every cell of the
/// block; none where its source knows no scores. Reads one row.
std::vector<ShortStep> short_arithmetic(const Translator& tr, const BlockTrace& block,
                                        const CellPlace& place);

}  // namespace headscope
