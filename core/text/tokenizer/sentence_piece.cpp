#include "core/text/tokenizer/sentence_piece.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

#include "core/base/error.h"
#include "core/base/utf8.h"

namespace headscope::tokenizers {
namespace {

/// A field of a protobuf message: a number, or the bytes of a text or of a message within it.
struct Field {
  std::uint64_t number = 0, value = 0;
  enum class Wire : std::uint8_t {
    varint = 0,
    eight_bytes = 1,
    bytes = 2,
    four_bytes = 5
  } wire = Wire::varint;
  std::string_view bytes;
};

/// The fields of a message one after another.
class Message {
 public:
  Message(std::string_view bytes, const std::string& source) : rest_(bytes), source_(source) {}

  bool next(Field& field) {
    if (rest_.empty()) return false;
    const std::uint64_t key = varint();
    field = {.number = key >> 3, .wire = static_cast<Field::Wire>(key & 7U), .bytes = {}};
    switch (field.wire) {
      case Field::Wire::varint:
        field.value = varint();
        return true;
      case Field::Wire::eight_bytes:
        field.value = little_endian(take(8));
        return true;
      case Field::Wire::bytes:
        field.bytes = take(varint());
        return true;
      case Field::Wire::four_bytes:
        field.value = little_endian(take(4));
        return true;
    }
    throw damaged();
  }

 private:
  Error damaged() const { return input_error("{}: damaged, or no model of SentencePiece", source_); }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const unsigned char byte = take(1)[0];
      value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if (byte < 0x80U) return value;
    }
    throw damaged();
  }
  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) throw damaged();
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(size));
    rest_.remove_prefix(taken.size());
    return taken;
  }
  static std::uint64_t little_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
  }

  std::string_view rest_;
  const std::string& source_;
};

SentencePieces::Piece read_piece(std::string_view bytes, const std::string& source, std::size_t id) {
  SentencePieces::Piece piece;
  Message message(bytes, source);
  for (Field field; message.next(field);) {
    if (field.number == 1 && field.wire == Field::Wire::bytes) piece.text = std::string(field.bytes);
    if (field.number == 2 && field.wire == Field::Wire::four_bytes)
      piece.score = std::bit_cast<float>(static_cast<std::uint32_t>(field.value));
    if (field.number == 3 && field.wire == Field::Wire::varint)
      piece.kind = static_cast<SentencePieces::Kind>(std::min<std::uint64_t>(field.value, 255));
  }
  if (find_invalid_utf8(piece.text) != std::string_view::npos)
    throw input_error("{}: piece {} is not valid UTF-8", source, id);
  if (!std::isfinite(piece.score))
    throw input_error("{}: the score of piece {} is {}; expected a finite number", source, id,
                      std::isnan(piece.score) ? "NaN" : fmt::format("{}", piece.score));
  return piece;
}

}  // namespace

SentencePieces read_sentence_pieces(std::string_view bytes, const std::string& source, Budget& budget) {
  SentencePieces model;
  Message message(bytes, source);
  for (Field field; message.next(field);) {
    if (field.wire != Field::Wire::bytes) continue;
    if (field.number == 1) {
      budget.charge(1, sizeof(SentencePieces::Piece));
      model.pieces.push_back(read_piece(field.bytes, source, model.pieces.size()));
    } else if (field.number == 2) {
      Message training(field.bytes, source);
      for (Field inner; training.next(inner);) {
        if (inner.number == 3) model.algorithm = inner.value;
        if (inner.number == 35) model.byte_fallback = inner.value != 0;
        if (inner.number == 40) model.unknown = inner.value;
      }
    } else if (field.number == 3) {
      Message normalizer(field.bytes, source);
      for (Field inner; normalizer.next(inner);)
        if (inner.number == 2)
          model.character_map = std::string(inner.bytes);
        else if (inner.number == 3)
          model.begins_with_space = inner.value != 0;
    }
  }
  if (model.pieces.empty()) throw input_error("{}: damaged, or no model of SentencePiece", source);
  if (model.unknown >= model.pieces.size())
    throw input_error("{}: the unknown token is {}; expected less than {}", source, model.unknown,
                      model.pieces.size());
  return model;
}

std::vector<Merge> merges_by_score(std::span<const ScoredText> tokens) {
  constexpr std::size_t longest = 96;  // bytes of a piece that is worth taking apart
  std::unordered_set<std::string_view> texts;
  for (const ScoredText& token : tokens) texts.insert(token.text);
  struct Scored {
    double score;
    Merge merge;
  };
  std::vector<Scored> scored;
  for (const auto& [token, score] : tokens) {
    if (token.size() > longest) continue;
    for (std::size_t at = 1; at < token.size(); ++at) {
      if (continues_character(token[at])) continue;  // within a character
      const Merge merge{token.substr(0, at), token.substr(at)};
      if (texts.contains(merge.first) && texts.contains(merge.second)) scored.push_back({score, merge});
    }
  }
  std::ranges::stable_sort(scored, std::greater<>(), &Scored::score);
  std::vector<Merge> merges;
  merges.reserve(scored.size());
  for (const Scored& each : scored) merges.push_back(each.merge);
  return merges;
}

nlohmann::json merges_of_scores(std::span<const ScoredText> tokens) {
  // One text for a pair takes a third of the memory of two, but is cut at its space.
  const bool spaces = std::ranges::any_of(
      tokens, [](const ScoredText& token) { return token.text.find(' ') != std::string_view::npos; });
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [first, second] : merges_by_score(tokens)) {
    const std::string left(first), right(second);
    list.push_back(spaces ? nlohmann::json{left, right} : nlohmann::json(left + " " + right));
  }
  return list;
}

}  // namespace headscope::tokenizers
