#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/text/tokenizer/model.h"

namespace headscope::tokenizers {

struct BpeOptions {
  std::optional<std::string> unknown;
  std::string continuing_prefix;  ///< of characters that do not begin the piece
  std::string end_suffix;         ///< of the last
  bool fuses_unknown = false;     ///< adjacent ones become one token
  bool byte_fallback = false;     ///< unknown characters become byte tokens, <0xE4>
  bool ignores_merges = false;    ///< for a piece that is in the vocabulary
};

/// Two texts that are merged into one.
struct Merge {
  std::string_view first, second;
};

/// Byte-pair encoding: starting from characters, repeatedly merges the pair that is first in the list of
/// merges, the leftmost of equal ones. With a queue: n log n for a piece of n characters.
class Bpe : public Model {
 public:
  /// `place` is named in messages. Throws Error (input) if a merge has no token.
  Bpe(Vocabulary vocabulary, const std::vector<Merge>& merges, BpeOptions options, std::string place);
  void encode(std::string_view piece, std::vector<ModelToken>& tokens, WorkBudget& budget) const override;

 private:
  /// What two adjacent tokens become.
  struct Rule {
    std::uint64_t pair = no_pair;
    std::uint32_t rank = 0;
    TokenId id = 0;
  };
  static constexpr std::uint64_t no_pair = ~std::uint64_t{0};
  struct Symbol;
  void add_characters(std::string_view piece, std::vector<Symbol>& symbols) const;
  void merge(std::vector<Symbol>& symbols) const;
  /// The slot of the pair, or the one where it would be inserted.
  std::size_t slot(std::uint64_t pair) const;
  const Rule* find_rule(TokenId first, TokenId second) const;

  std::vector<Rule> rules_;  // in slots by the pair; a power of two, half empty
  std::vector<std::optional<TokenId>> bytes_;
  BpeOptions options_;
  std::string place_;
};

std::unique_ptr<const Model> read_bpe(const JsonField& field);

}  // namespace headscope::tokenizers
