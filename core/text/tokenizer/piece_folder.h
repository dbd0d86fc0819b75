#pragma once
#include <string>

#include "core/text/tokenizer/parts.h"
#include "core/text/tokenizer/tokenizer_folder.h"

namespace headscope::tokenizers {

/// A folder with a model of SentencePiece alone, as the classes that use one turn it into a tokenizer.json.
/// Throws Error (input) for one without such a model, and for a class that is not known.
TokenizerParts read_pieces(const TokenizerFolder& folder);

// The steps of LLaMA's class. `scheme` is where it puts a space before a text: "first" (not behind special
// tokens in it), "always" or "never".
const char* llama_scheme(const JsonField& config);
nlohmann::json llama_pre_tokenizer(const char* scheme);
nlohmann::json llama_decoder(bool strips);

/// The model of SentencePiece that a folder with no other file of a tokenizer is read from; "" if there is
/// none or its class is not known. Throws Error (input) for other files that are damaged.
std::string known_pieces_file(const std::string& folder);

}  // namespace headscope::tokenizers
