#pragma once
#include <string_view>

#include "core/io/gguf_metadata.h"
#include "core/model/config/config.h"

namespace headscope {

/// Throws Error (input) for a key under the architecture's name ("llama.…") that may change what the model
/// computes and is not read, with its value: there is no other way to know that `model` is what the file
/// holds.
void expect_known_keys(const GgufMetadata& metadata, std::string_view architecture, const ModelConfig& model);

}  // namespace headscope
