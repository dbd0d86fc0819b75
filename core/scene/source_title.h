#pragma once
#include <string>

#include "core/base/translate.h"
#include "core/source/trace.h"

namespace headscope {

/// The name of a model's folder; of a snapshot in the hub's cache the name of its repository.
std::string model_name(const std::string& folder);

/// Of a model or a capture, as its folder or file is called; empty for a seeded layer.
std::string source_name(const Inputs& inputs);

/// What a trace is of: "gpt2 · GPT-2 · 12 layers × 12 heads", "Layer from seed 42 · 8 heads".
std::string source_title(const Translator& tr, const Trace& trace);
/// The same of what was not run yet, as far as it is known.
std::string source_title(const Translator& tr, const Inputs& inputs);

/// The text whose attention it is; of a capture, its tokens.
std::string sentence_of(const Trace& trace);

/// A table of that file with columns that say both, where it is a .csv.
std::string with_origin(const std::string& path, std::string table, const Trace& trace);

/// "encoder", "decoder", "cross": what the attention of a block is called.
std::string block_title(const Translator& tr, BlockKind kind);

}  // namespace headscope
