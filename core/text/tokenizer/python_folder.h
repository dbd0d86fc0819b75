#pragma once
#include "core/text/tokenizer/parts.h"
#include "core/text/tokenizer/tokenizer_folder.h"

namespace headscope::tokenizers {

// Classes that transformers has in Python alone, without a tokenizer.json.

/// BertJapaneseTokenizer with words that need no dictionary. Throws Error (input) for those of MeCab, Sudachi
/// or Juman++.
TokenizerParts read_japanese_folder(const TokenizerFolder& folder);
/// ByT5Tokenizer: a token is a byte.
TokenizerParts read_byte_folder(const TokenizerFolder& folder);

}  // namespace headscope::tokenizers
