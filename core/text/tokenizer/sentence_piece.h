#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/budget.h"
#include "core/text/tokenizer/bpe.h"

namespace headscope::tokenizers {

/// What a model file of SentencePiece (spm.model, spiece.model) says: a protobuf message, of which a
/// tokenizer needs a few fields (https://github.com/google/sentencepiece, sentencepiece_model.proto).
struct SentencePieces {
  enum class Kind : std::uint8_t { normal = 1, unknown, control, user_defined, unused, byte };
  struct Piece {
    std::string text;
    double score = 0;
    Kind kind = Kind::normal;
  };
  std::vector<Piece> pieces;    ///< by id
  std::string character_map;    ///< of the normalizer, as Precompiled has it before base64; empty: none
  std::uint64_t algorithm = 1;  ///< 1 Unigram, 2 BPE, 3 words, 4 characters
  std::uint64_t unknown = 0;    ///< id
  bool byte_fallback = false;
  bool begins_with_space = true;  ///< a space is put before a text
};

/// Throws Error (input), with `source` as the file's name, for bytes that are no such message, and
/// OverBudget.
SentencePieces read_sentence_pieces(std::string_view bytes, const std::string& source, Budget& budget);

/// A token and its score: the better, the higher.
struct ScoredText {
  std::string_view text;
  double score = 0;
};
/// SentencePiece's BPE joins the neighbours whose union has the highest score: all pairs of tokens that are a
/// token together, the highest first. They refer to the texts of `tokens`.
std::vector<Merge> merges_by_score(std::span<const ScoredText> tokens);
/// The same as "merges" of a tokenizer.json.
nlohmann::json merges_of_scores(std::span<const ScoredText> tokens);

}  // namespace headscope::tokenizers
