#pragma once
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/text/tokenizer/aligned_text.h"
#include "core/text/tokenizer/vocabulary.h"

namespace headscope::tokenizers {

/// A token and the bytes of the piece that it stands for.
struct ModelToken {
  TokenId id = 0;
  Bytes bytes;

  bool operator==(const ModelToken&) const = default;
};

class Model {
 public:
  explicit Model(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {}
  virtual ~Model() = default;
  /// The tokens of a piece that is not empty, behind those in `tokens`. Throws Error (input) where there is
  /// none for a part of it, nor one for the unknown, and where it is too much work.
  virtual void encode(std::string_view piece, std::vector<ModelToken>& tokens, WorkBudget& budget) const = 0;

  /// The token of what it does not know, of models whose tokens are words and parts of words.
  virtual std::optional<TokenId> unknown() const { return {}; }

  const Vocabulary& vocabulary() const { return vocabulary_; }

 private:
  Vocabulary vocabulary_;
};

/// Of `model` in a tokenizer.json. Throws Error (input).
std::unique_ptr<const Model> read_model(const Field& field);
/// Its type: BPE, WordPiece, Unigram or WordLevel, by its other fields where old files do not say.
std::string model_type(const Field& field);

/// Ids of <0x00> to <0xFF>, where there are any.
std::vector<std::optional<TokenId>> byte_tokens(const Vocabulary& vocabulary);
/// The byte of "<0xE4>", or -1.
int byte_of_token(std::string_view token);

}  // namespace headscope::tokenizers
