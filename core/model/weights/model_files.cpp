#include "core/model/weights/model_files.h"

#include <algorithm>
#include <filesystem>

#include "core/base/error.h"
#include "core/io/file.h"
#include "core/io/gguf_file.h"
#include "core/io/path_in_folder.h"
#include "core/io/weight_formats.h"
#include "core/model/config/parse_config.h"
#include "core/model/weights/gguf_model.h"
#include "core/text/tokenizer/piece_folder.h"

namespace headscope {
namespace {

class FilesOfFolder : public ModelFiles {
 public:
  explicit FilesOfFolder(std::string folder) : folder_(std::move(folder)) {}
  ModelConfig config() const override { return read_folder_config(folder_); }
  Tokenizer tokenizer() const override { return Tokenizer::from_folder(folder_); }
  WeightFiles weights() const override { return WeightFiles::open_folder(folder_); }

  TokenizerFiles tokenizer_files() const override {
    TokenizerFiles found;
    const auto look_for = [&](const char* name) {
      const bool there = is_in_folder(folder_, name);
      if (there) found.files.emplace_back(name);
      return there;
    };
    const bool whole = look_for("tokenizer.json");
    const bool vocabulary = look_for("vocab.json"), merges = look_for("merges.txt"),
               pieces = look_for("vocab.txt");
    found.complete = whole || (vocabulary && merges) || pieces;
    for (const char* name : {"tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"})
      look_for(name);
    const std::string read = found.complete ? "" : pieces_file();
    found.complete = found.complete || !read.empty();
    for (const char* name : {"tokenizer.model", "spiece.model", "spm.model", "sentencepiece.bpe.model",
                             "source.spm", "target.spm"})
      if (is_in_folder(folder_, name)) (name == read ? found.files : found.not_read).emplace_back(name);
    return found;
  }
  std::vector<std::string> missing_shards() const override { return headscope::missing_shards(folder_); }
  bool has_weights() const override {
    const bool there = std::ranges::any_of(files_in(folder_), [](const std::string& name) {
      return ending(name) == ".safetensors" || name == "model.safetensors.index.json";
    });
    if (there) return true;
    if (const std::optional<Error> other = other_weights_in(folder_)) throw Error(*other);
    return false;
  }

 private:
  std::string pieces_file() const {
    try {
      return tokenizers::known_pieces_file(folder_);
    } catch (const Error&) {
      return {};  // is said when the tokenizer is read
    }
  }

  std::string folder_;
};

class FilesOfGguf : public ModelFiles {
 public:
  explicit FilesOfGguf(const std::string& path) : gguf_(path) {}
  ModelConfig config() const override { return read_gguf_config(gguf_); }
  Tokenizer tokenizer() const override { return Tokenizer::from_gguf(gguf_); }
  WeightFiles weights() const override { return open_gguf_weights(gguf_); }
  TokenizerFiles tokenizer_files() const override {
    return {{std::filesystem::path(gguf_.metadata.source()).filename().string()}, {}, true};
  }
  std::string chat_template() const override {
    return gguf_.metadata.text("tokenizer.chat_template").value_or("");
  }

 private:
  GgufFile gguf_;
};

}  // namespace

std::unique_ptr<const ModelFiles> ModelFiles::open(const std::string& path) {
  if (is_gguf(path)) return std::make_unique<const FilesOfGguf>(path);
  return std::make_unique<const FilesOfFolder>(path);
}

bool is_model_path(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored) || is_gguf(path);
}

ModelConfig read_config(const std::string& path) {
  return ModelFiles::open(path)->config();
}

}  // namespace headscope
