#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/tokenizer/byte_automaton.h"
#include "core/text/tokenizer/field.h"
#include "core/text/tokenizer/model.h"
#include "core/text/tokenizer/normalizer.h"
#include "core/text/tokenizer/pre_tokenizer.h"

namespace headscope::tokenizers {

struct AddedToken {
  std::string content;
  bool single_word = false;  ///< no word character may stand beside it
  bool lstrip = false;       ///< takes the white space before it
  bool rstrip = false;       ///< and behind it
  bool normalized = false;   ///< is looked for in the normalized text, itself normalized
  bool special = false;

  bool operator==(const AddedToken&) const = default;
};

/// One of `added_tokens` in a tokenizer.json. Throws Error (input).
AddedToken read_added_token(const Field& field);

/// Tokens that are cut out of a text before the model sees it: the leftmost, of those the longest.
class AddedTokens {
 public:
  /// A token that the model has keeps the model's id, others are numbered behind all: the file's own numbers
  /// count for nothing in the reference. `normalizer` may be null.
  /// Throws Error (input) where normalizing them is more than the budget has.
  AddedTokens(std::vector<AddedToken> tokens, const Model& model, const Normalizer* normalizer,
              WorkBudget& budget);

  /// A whole sentence in pieces, normalized.
  std::vector<Piece> cut(std::string_view sentence, const Normalizer* normalizer, WorkBudget& budget) const;

  std::optional<TokenId> find(std::string_view token) const;
  const AddedToken* token(TokenId id) const;
  bool is_special(std::string_view token) const;
  /// Those that the model has not.
  std::size_t beyond_model() const { return beyond_model_; }
  /// Sorted.
  std::vector<TokenId> ids() const;

 private:
  void cut_out(const LongestBeginnings& tokens, const AlignedText& text, std::vector<Piece>& pieces) const;

  std::unordered_map<std::string, TokenId> ids_;
  std::unordered_map<TokenId, AddedToken> tokens_;
  std::unordered_map<std::string, bool> special_;
  LongestBeginnings raw_, normalized_;
  std::size_t beyond_model_ = 0;
};

}  // namespace headscope::tokenizers
