#pragma once
#include "core/io/gguf_file.h"
#include "core/text/tokenizer/parts.h"

namespace headscope::tokenizers {

/// The tokenizer of a GGUF file, from its metadata: byte-level BPE (tokenizer.ggml.model gpt2, its pattern by
/// tokenizer.ggml.pre), BPE of SentencePiece (llama) or WordPiece (bert); or the whole tokenizer.json that
/// some files have. Throws Error (input) for other models and patterns, and for lists of other lengths.
TokenizerParts read_gguf_tokenizer(const GgufFile& gguf);

}  // namespace headscope::tokenizers
