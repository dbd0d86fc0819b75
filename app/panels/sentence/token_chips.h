#pragma once
#include <memory>
#include <optional>

#include "app/panels/shell/ui.h"
#include "core/analysis/comparison.h"

namespace headscope {

enum class Side { queries, keys };

/// Which tokens of the panel's inputs are drawn.
struct TokenSide {
  Side side = Side::queries;
  bool b = false;                                  ///< of the comparison's B; else `comparison` is not asked
  std::optional<Cell> focus{};                     ///< the cell to mark, of these tokens
  std::shared_ptr<const Comparison> comparison{};  ///< where a chosen cell of B lies; nullptr: not known yet
};

/// The tokens of a sentence, below it, in at most so many lines; beyond those they scroll.
void draw_tokens(Ui& ui, const TokenSide& which, float max_lines);

/// Tokens of a block that is not in view, as high as those that are; true where one is clicked.
bool draw_still_tokens(Ui& ui, const TokenSide& which, const std::vector<Token>& tokens, float max_lines,
                       const std::string& help);

}  // namespace headscope
