#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/budget.h"

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
};

/// Throws Error (input), with `source` as the file's name, for bytes that are no such message, and
/// OverBudget.
SentencePieces read_sentence_pieces(std::string_view bytes, const std::string& source, Budget& budget);

}  // namespace headscope::tokenizers
