#pragma once
#include "core/text/tokenizer/byte_trie.h"
#include "core/text/tokenizer/model.h"

namespace headscope::tokenizers {

struct ScoredPiece {
  std::string text;
  double score;
};

/// A unigram language model: the pieces whose scores (logarithms of probabilities) have the largest sum
/// (Viterbi; Kudo 2018). Characters that no piece covers are unknown, with a score 10 below the lowest;
/// adjacent unknown ones become one token, or byte tokens.
class Unigram : public Model {
 public:
  /// `place` is named in messages. Ids are indices in the list.
  Unigram(const std::vector<ScoredPiece>& pieces, std::optional<TokenId> unknown, bool byte_fallback,
          std::string place);
  /// With ids by another vocabulary: a piece that it lacks is unknown, and only pieces are looked for.
  /// `unknown_piece` is an index in the list.
  Unigram(Vocabulary vocabulary, const std::vector<ScoredPiece>& pieces, std::size_t unknown_piece,
          std::optional<TokenId> unknown, std::string place);
  void encode(std::string_view piece, std::vector<ModelToken>& tokens, WorkBudget& budget) const override;

 private:
  struct Step;
  void set_pieces(const std::vector<ScoredPiece>& pieces);
  std::vector<Step> best_steps(std::string_view text, WorkBudget& budget) const;
  void add(std::string_view text, std::size_t begin, std::vector<ModelToken>& tokens) const;

  ByteAutomaton pieces_;
  std::vector<double> scores_;
  double unknown_score_ = 0;
  std::optional<std::int32_t> unknown_piece_;  // an index of scores
  std::optional<TokenId> unknown_;
  std::vector<std::optional<TokenId>> bytes_;  // empty without byte fallback
  std::string place_;
};

std::unique_ptr<const Model> read_unigram(const JsonField& field);

}  // namespace headscope::tokenizers
