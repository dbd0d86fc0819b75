#pragma once
#include "app/panels/sentence/token_chips.h"
#include "app/state/document/adjust.h"

namespace headscope {

/// The tokens of one sentence, and the lists in which they can be marked.
struct TokenChips : TokenSide {
  Ui& ui;
  const std::vector<Token>& tokens;
  MaskPart* padding;                ///< if the tokens are keys and the padding mask is on
  MaskPart* global;                 ///< if a mask with global tokens is on
  bool predicted = false;           ///< a model's predictions are for these tokens
  bool edits = false;               ///< they stand in the field that edits their text
  std::optional<EditPlace> edit{};  ///< asked for in this frame
};

/// The active part of the block in view that is of the first kind with a list of tokens: of keys alone, or of
/// queries and keys.
MaskPart* part_with_tokens(Ui& ui, bool of_keys);
bool is_marked(const MaskPart* part, int token);

/// The menu of the token whose button was drawn last, opened by the right button or the menu key: splits and
/// joins tokens and marks them for masks. True while it is open.
bool token_menu(TokenChips& chips, int token);

}  // namespace headscope
