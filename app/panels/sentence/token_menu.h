#pragma once
#include "app/panels/sentence/token_chips.h"
#include "app/state/actions/adjust.h"

namespace headscope {

/// The tokens of one sentence, and the lists that they are marked in.
struct TokenChips : TokenSide {
  Ui& ui;
  const std::vector<Token>& tokens;
  MaskPart* padding;       ///< where the tokens are keys and the padding mask is on
  MaskPart* global;        ///< where a mask with global tokens is on
  bool predicted = false;  ///< a model's expectations are of these tokens
};

/// The part of the block in view that is on and of the first kind with a list of tokens: of keys alone, or of
/// queries and keys.
MaskPart* part_with_tokens(Ui& ui, bool of_keys);
bool is_marked(const MaskPart* part, int token);

/// The menu of the token whose button was drawn last, opened by the right button or the menu key: it splits
/// and joins tokens and marks them for masks. True while it is open.
bool token_menu(TokenChips& chips, int token);

}  // namespace headscope
