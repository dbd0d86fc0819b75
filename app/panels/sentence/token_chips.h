#pragma once
#include <memory>
#include <optional>

#include "app/panels/ui/ui.h"
#include "core/analysis/comparison.h"

namespace headscope {

/// Which tokens of the panel's inputs are drawn.
struct TokenSide {
  Axis axis = Axis::queries;
  Side side = Side::a;
  std::optional<Cell> focus{};                     ///< the cell to mark, of these tokens
  std::shared_ptr<const Comparison> comparison{};  ///< places a cell of B; nullptr: not known yet
};

/// The tokens of a sentence, below it, in at most `line_limit` lines; beyond that they scroll.
void draw_tokens(Ui& ui, const TokenSide& which, float line_limit);

/// Tokens of a block that is not in view, as high as those of one that is; true if one is clicked.
bool draw_still_tokens(Ui& ui, const TokenSide& which, const std::vector<Token>& tokens, float line_limit,
                       const std::string& help);

}  // namespace headscope
