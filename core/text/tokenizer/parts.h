#pragma once
#include <map>
#include <string>

#include "core/text/tokenizer/added_tokens.h"
#include "core/text/tokenizer/decoder.h"
#include "core/text/tokenizer/post_processor.h"

namespace headscope::tokenizers {

/// The components of a tokenizer; all but the model and the added tokens are optional.
struct TokenizerParts {
  Normalizer normalizer;
  PreTokenizer pre_tokenizer;
  std::unique_ptr<const Model> model;
  PostProcessor post_processor;
  Decoder decoder;
  std::unique_ptr<const AddedTokens> added;
  std::map<std::string, TokenId, std::less<>> roles;
  TokenizerFacts facts;
  bool has_byte_characters = false;  ///< tokens are written in characters that represent bytes
  bool splits_special = false;       ///< special tokens in a text are text like any other
};

/// Reads a whole tokenizer.json; if `model` is given, the file's is not read. `added` are the added tokens of
/// a file without a list of them. Throws Error (input).
TokenizerParts read_parts(const JsonField& top, std::unique_ptr<const Model> model = nullptr,
                          std::vector<AddedToken> added = {});

/// Reads a model's folder. Throws Error (input).
TokenizerParts read_folder(const std::string& folder);

}  // namespace headscope::tokenizers
