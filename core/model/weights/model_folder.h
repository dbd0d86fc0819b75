#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/model/weights/model_files.h"

namespace headscope {

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
