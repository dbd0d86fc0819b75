#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/io/safetensors_reader.h"
#include "core/model/config.h"

namespace headscope {

/// Tokenizer files in a model's folder, by name only.
struct TokenizerFiles {
  std::vector<std::string> files;     ///< files that are read
  std::vector<std::string> not_read;  ///< unsupported formats (SentencePiece)
  bool complete = false;
};
TokenizerFiles find_tokenizer_files(const std::string& folder);

/// Whether a path names a folder or a GGUF file: what a trained model is opened from.
bool is_model_path(const std::string& path);

/// A model's folder, or its GGUF file, inspected without computing anything.
struct ModelFolder {
  std::string folder;
  ModelConfig config;
  std::optional<WeightFiles> weights;  ///< none if they are missing or incomplete
  std::vector<std::string> missing_shards;
  TokenizerFiles tokenizer;
  std::string chat_template;  ///< of a GGUF file
};

/// Throws Error (input) for invalid files and a missing config.json; other missing files are left out of the
/// result.
ModelFolder look_into_model(const std::string& folder);

/// Throws Error (input) unless it is the name of an installed built-in model or a folder or GGUF file that
/// looks like a trained model.
void expect_model(const std::string& model);

}  // namespace headscope
