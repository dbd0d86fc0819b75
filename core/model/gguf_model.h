#pragma once
#include <string>

#include "core/io/safetensors_reader.h"
#include "core/model/config.h"

namespace headscope {

/// The config of a model in a GGUF file: its metadata under the names of a config.json, read as one, and what
/// the conversion has changed about the weights. Throws Error (input) as parse_gguf and parse_config, and for
/// an architecture that is not known, with the known ones.
ModelConfig read_gguf_config(const std::string& path);

/// Its weights, under the names of the family's own files.
WeightFiles open_gguf_weights(const std::string& path);

/// The template of a chat as the file has it; "" if there is none.
std::string gguf_chat_template(const std::string& path);

}  // namespace headscope
