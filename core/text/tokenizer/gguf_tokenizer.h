#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/io/gguf_metadata.h"
#include "core/text/tokenizer/tokenizer.h"

namespace headscope::tokenizers {

/// What a tokenizer.json says, from a GGUF file's metadata: byte-level BPE (tokenizer.ggml.model gpt2, its
/// pattern by tokenizer.ggml.pre), BPE of SentencePiece (llama) or WordPiece (bert); or the whole
/// tokenizer.json that some files have. Throws Error (input) for other models and patterns, and for lists of
/// other lengths.
nlohmann::json gguf_tokenizer(const GgufMetadata& metadata);

/// "bos_token" … as in special_tokens_map.json, by the ids that the file gives.
std::map<std::string, TokenId, std::less<>> gguf_roles(const GgufMetadata& metadata);

}  // namespace headscope::tokenizers
