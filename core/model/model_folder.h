#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/io/safetensors_reader.h"
#include "core/model/config.h"

namespace headscope {

/// What a model's folder holds of text's way to tokens, by the names of its files alone.
struct TokenizerFiles {
  std::vector<std::string> files;     ///< that are read
  std::vector<std::string> not_read;  ///< of other formats (SentencePiece)
  bool complete = false;
};
TokenizerFiles find_tokenizer_files(const std::string& folder);

/// A model's folder before anything is computed.
struct ModelFolder {
  std::string folder;
  ModelConfig config;
  std::optional<WeightFiles> weights;  ///< none where there are none, or not all
  std::vector<std::string> missing_shards;
  TokenizerFiles tokenizer;
};

/// Throws Error (input) for what is there and wrong; what is not there at all is left out of the result, but
/// for config.json.
ModelFolder look_into_model(const std::string& folder);

/// Throws Error (input) for what is neither the name of a model on board that is there nor the folder of a
/// trained model at first sight.
void expect_model(const std::string& model);

}  // namespace headscope
