#pragma once
#include "core/io/gguf_file.h"
#include "core/io/safetensors_reader.h"
#include "core/model/config/config.h"

namespace headscope {

/// The config of a model in a GGUF file: its metadata under the names of a config.json, read as one, and what
/// the conversion has changed about the weights. Throws Error (input) as parse_config, with the names of the
/// metadata, and for an architecture that is not known, with the known ones.
ModelConfig read_gguf_config(const GgufFile& gguf);

/// Its weights, under the names of the family's own files.
WeightFiles open_gguf_weights(const GgufFile& gguf);

}  // namespace headscope
