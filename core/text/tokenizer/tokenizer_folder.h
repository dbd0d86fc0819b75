#pragma once
#include <cstddef>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/text/tokenizer/added_tokens.h"
#include "core/text/tokenizer/vocabulary.h"

namespace headscope::tokenizers {

/// The largest file of a tokenizer that is read, in bytes.
inline constexpr std::size_t max_tokenizer_file = std::size_t{256} << 20;

/// A JSON file with its name and its budget, which its Fields refer to.
struct JsonFile {
  explicit JsonFile(std::string its_path, std::size_t its_bytes = 0);
  JsonFile(JsonFile&& other) noexcept;
  ~JsonFile();

  std::string path;
  std::size_t bytes;
  std::unique_ptr<nlohmann::json> json;  ///< never null
  std::unique_ptr<WorkBudget> budget;

  JsonField top() const;
};

/// A model's folder with the contents of its small files.
class TokenizerFolder {
 public:
  explicit TokenizerFolder(const std::string& path)
      : path_(path),
        config_(read_if_there("tokenizer_config.json")),
        special_(read_if_there("special_tokens_map.json")),
        model_(read_if_there("config.json")) {}

  std::string at(const char* name) const;  ///< the path of a file
  bool has(const char* name) const;
  const std::string& path() const { return path_; }
  JsonField config() const { return config_.top(); }
  JsonFile read(const char* name) const;
  std::string read_text(const char* name) const;

  /// The class of the tokenizer in lower case, without "TokenizerFast"; "" if no file names one.
  std::string class_kind() const;
  /// The same; the kind of model if no class, or only the base class, is named.
  std::string kind() const {
    const std::string kind = class_kind();
    return kind.empty() || kind == "pretrained" ? model_type() : kind;
  }
  /// The class that reads tokenizer.json; the base class reads it unchanged.
  std::string reading_kind() const {
    const std::string kind = class_kind();
    return kind.empty() ? model_type() : kind;
  }

  /// A special token by its role, from any of the files.
  std::optional<AddedToken> role(const char* name) const;
  /// Whether model_input_names, where it is there, has the types of tokens.
  bool gives_types() const;
  /// additional_special_tokens, or extra_special_tokens, of any of the files.
  std::vector<std::string> additional() const;
  std::string role_or(const char* name, const char* otherwise) const {
    const auto token = role(name);
    return token ? token->content : otherwise;
  }

  /// Tokens outside the vocabulary: added_tokens_decoder, added_tokens.json and the special tokens, without
  /// duplicates, sorted by id if known.
  std::vector<AddedToken> added(const std::vector<AddedToken>& defaults) const;

  static constexpr const char* role_names[] = {"bos_token", "eos_token", "unk_token", "sep_token",
                                               "pad_token", "cls_token", "mask_token"};

 private:
  std::string model_type() const {
    const auto type = model_.top().find("model_type");
    return type ? type->text() : "";
  }
  JsonFile read_if_there(const char* name) const;

  std::string path_;
  JsonFile config_, special_, model_;
};

AddedToken special_token(const std::string& content, bool lstrip = false);

/// [token, id] of a token that a template needs. Throws Error (input), with `file`, if there is none.
nlohmann::json token_pair(const Vocabulary& vocabulary, const std::string& token, const std::string& file);

}  // namespace headscope::tokenizers
