#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/io/safetensors_reader.h"
#include "core/model/config/config.h"
#include "core/text/tokenizer/tokenizer.h"

namespace headscope {

/// Tokenizer files of a model, by name only.
struct TokenizerFiles {
  std::vector<std::string> files;     ///< files that are read
  std::vector<std::string> not_read;  ///< unsupported formats (SentencePiece)
  bool complete = false;
};

/// Where a model's config, weights and tokenizer are: a folder as downloaded, or a GGUF file.
class ModelFiles {
 public:
  /// Throws Error (input) for a file that is not GGUF's; a folder is read when it is asked for something.
  static std::unique_ptr<const ModelFiles> open(const std::string& path);
  virtual ~ModelFiles() = default;

  virtual ModelConfig config() const = 0;
  virtual Tokenizer tokenizer() const = 0;
  virtual WeightFiles weights() const = 0;

  virtual TokenizerFiles tokenizer_files() const = 0;
  /// The template of a chat as the file has it; "" if there is none.
  virtual std::string chat_template() const { return {}; }
  /// Weight files that the index names and that do not exist.
  virtual std::vector<std::string> missing_shards() const { return {}; }
  /// Whether there are weights, in any number of files. Throws Error (input) for those in other formats
  /// alone.
  virtual bool has_weights() const { return true; }
};

/// Whether a path names a folder or a GGUF file: what a trained model is opened from.
bool is_model_path(const std::string& path);

}  // namespace headscope
