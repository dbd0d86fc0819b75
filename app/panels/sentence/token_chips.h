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

/// How tokens are drawn.
struct TokenStrip {
  float line_limit = 1;  ///< in at most that many lines; beyond that they scroll
  bool edits = false;    ///< they stand in the field that edits their text
  std::string field{};   ///< its name, for tests
};

/// Where the text of a strip is to be edited.
struct EditPlace {
  std::ptrdiff_t token = 0;
  bool on_it = false;   ///< the token itself was clicked
  bool before = false;  ///< the caret goes in front of the token; otherwise behind it
};

/// The tokens of a sentence. The result: what asks to edit their text, a click on one, between or behind
/// them, or the pencil. A click on a token locks its row, too.
std::optional<EditPlace> draw_tokens(Ui& ui, const TokenSide& which, const TokenStrip& strip);

/// Locks the row of a token, or the column of one of the keys.
void lock_token(Ui& ui, const TokenSide& which, const std::vector<Token>& tokens, int i);

/// The same for tokens of a block that is not in view, as high as those of one that is; `pressed` if one is
/// clicked.
std::optional<EditPlace> draw_still_tokens(Ui& ui, const TokenSide& which, const std::vector<Token>& tokens,
                                           const TokenStrip& strip, const std::string& help, bool& pressed);

/// The height of such a strip.
float height_of_tokens(Ui& ui, const TokenSide& which, const std::vector<Token>& tokens,
                       const TokenStrip& strip);

}  // namespace headscope
