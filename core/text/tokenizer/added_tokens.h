#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/io/json_field.h"
#include "core/text/tokenizer/byte_trie.h"
#include "core/text/tokenizer/model.h"
#include "core/text/tokenizer/normalizer.h"
#include "core/text/tokenizer/pre_tokenizer.h"

namespace headscope::tokenizers {

struct AddedToken {
  std::string content;
  bool single_word = false;  ///< no word character may be adjacent
  bool lstrip = false;       ///< takes the white space before it
  bool rstrip = false;       ///< and after it
  bool normalized = false;   ///< is matched in normalized form against the normalized text
  bool special = false;

  bool operator==(const AddedToken&) const = default;
};

/// One of `added_tokens` in a tokenizer.json. Throws Error (input).
AddedToken read_added_token(const JsonField& field);

/// Tokens cut out of a text before the model sees it: leftmost match, then longest.
class AddedTokens {
 public:
  /// A token in the model's vocabulary keeps its id, others are numbered after it: the reference ignores the
  /// file's ids. `normalizer` may be empty. Throws Error (input) if normalizing them exceeds the budget.
  AddedTokens(std::vector<AddedToken> tokens, const Model& model, const Normalizer& normalizer,
              WorkBudget& budget);

  /// Splits a whole sentence into normalized pieces. Special tokens in it are text like any other where
  /// `as_text`.
  std::vector<Piece> cut(std::string_view sentence, const Normalizer& normalizer, WorkBudget& budget,
                         bool as_text = false) const;

  std::optional<TokenId> find(std::string_view token) const;
  const AddedToken* token(TokenId id) const;
  bool is_special(std::string_view token) const;
  /// The number of tokens that are not in the model's vocabulary.
  std::size_t beyond_model() const { return beyond_model_; }
  /// Sorted.
  std::vector<TokenId> ids() const;

 private:
  void cut_out(const LongestBeginnings& tokens, const AlignedText& text, bool as_text,
               std::vector<Piece>& pieces) const;

  std::unordered_map<std::string, TokenId> ids_;
  std::unordered_map<TokenId, AddedToken> tokens_;
  std::unordered_map<std::string, bool> special_;
  LongestBeginnings raw_, normalized_;
  std::size_t beyond_model_ = 0;
};

}  // namespace headscope::tokenizers
