#pragma once
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/text/tokenizer/aligned_text.h"
#include "core/text/tokenizer/vocabulary.h"

namespace headscope::tokenizers {

/// A token and the bytes of the piece that it covers.
struct ModelToken {
  TokenId id = 0;
  Bytes bytes;

  bool operator==(const ModelToken&) const = default;
};

class Model {
 public:
  explicit Model(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {}
  virtual ~Model() = default;
  /// Appends the tokens of a non-empty piece to `tokens`. Throws Error (input) if a part has no token and
  /// there is no unknown token, and if it is too much work.
  virtual void encode(std::string_view piece, std::vector<ModelToken>& tokens, WorkBudget& budget) const = 0;

  /// The unknown token, for models whose tokens are words and parts of words.
  virtual std::optional<TokenId> unknown() const { return {}; }

  const Vocabulary& vocabulary() const { return vocabulary_; }

 private:
  Vocabulary vocabulary_;
};

/// Reads `model` of a tokenizer.json. Throws Error (input).
std::unique_ptr<const Model> read_model(const JsonField& field);
/// Its type: BPE, WordPiece, Unigram or WordLevel, inferred from other fields if an old file does not name
/// it.
std::string model_type(const JsonField& field);

/// Ids of <0x00> to <0xFF>, if present.
std::vector<std::optional<TokenId>> byte_tokens(const Vocabulary& vocabulary);
/// The byte of "<0xE4>", or -1.
int byte_of_token(std::string_view token);

}  // namespace headscope::tokenizers
