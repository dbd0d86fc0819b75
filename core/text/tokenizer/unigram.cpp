#include "core/text/tokenizer/unigram.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "core/base/utf8.h"

namespace headscope::tokenizers {
namespace {

Vocabulary numbered(const std::vector<ScoredPiece>& pieces, const std::string& place) {
  std::vector<Vocabulary::Entry> entries;
  entries.reserve(pieces.size());
  for (const ScoredPiece& piece : pieces)
    entries.push_back({piece.text, static_cast<TokenId>(entries.size())});
  return Vocabulary(std::move(entries), place);
}

constexpr std::int32_t not_reached = -2, no_piece = -1;

}  // namespace

/// The best path to a position: its last piece.
struct Unigram::Step {
  double score = 0;
  std::uint32_t begin = 0;
  std::int32_t piece = not_reached;
};

Unigram::Unigram(const std::vector<ScoredPiece>& pieces, std::optional<TokenId> unknown, bool byte_fallback,
                 std::string place)
    : Model(numbered(pieces, place)), unknown_piece_(unknown), unknown_(unknown), place_(std::move(place)) {
  set_pieces(pieces);
  if (byte_fallback) bytes_ = byte_tokens(vocabulary());
}

Unigram::Unigram(Vocabulary vocabulary, const std::vector<ScoredPiece>& pieces, std::size_t unknown_piece,
                 std::optional<TokenId> unknown, std::string place)
    : Model(std::move(vocabulary)),
      unknown_piece_(static_cast<std::int32_t>(unknown_piece)),
      unknown_(unknown),
      place_(std::move(place)) {
  set_pieces(pieces);
}

void Unigram::set_pieces(const std::vector<ScoredPiece>& pieces) {
  // Of equal pieces the last one is used.
  std::unordered_map<std::string_view, std::int32_t> last;
  for (std::size_t i = 0; i < pieces.size(); ++i) last[pieces[i].text] = static_cast<std::int32_t>(i);
  std::vector<std::pair<std::string_view, std::int32_t>> texts;
  double lowest = std::numeric_limits<double>::infinity();
  for (const ScoredPiece& piece : pieces) {
    texts.emplace_back(piece.text, last.at(piece.text));
    scores_.push_back(piece.score);
    lowest = std::min(lowest, piece.score);
  }
  constexpr double unknown_penalty = 10;
  unknown_score_ = lowest - unknown_penalty;
  pieces_ = ByteAutomaton(std::move(texts));
}

std::vector<Unigram::Step> Unigram::best_steps(std::string_view text, WorkBudget& budget) const {
  std::vector<Step> ends(text.size() + 1);
  std::uint32_t state = ByteAutomaton::start;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t character = utf8_size(text[at]), end = at + character;
    for (; at < end; ++at) state = pieces_.next(state, text[at]);
    Step& step = ends[end];
    const auto reach = [&](std::size_t bytes, double score, std::int32_t piece) {
      const double sum = score + ends[end - bytes].score;
      if (step.piece == not_reached || sum > step.score)
        step = {sum, static_cast<std::uint32_t>(end - bytes), piece};
    };
    bool covered = false;
    std::size_t tried = 0;
    pieces_.ending(state, [&](std::size_t bytes, std::int32_t piece) {
      reach(bytes, scores_[piece], piece);
      covered = covered || bytes == character;
      ++tried;
      return true;
    });
    constexpr std::size_t tried_in_a_step = 4;
    budget.spend(1 + tried / tried_in_a_step);
    if (!covered) reach(character, unknown_score_, unknown_piece_.value_or(no_piece));
  }
  return ends;
}

void Unigram::encode(std::string_view piece, std::vector<ModelToken>& tokens, WorkBudget& budget) const {
  const std::vector<Step> ends = best_steps(piece, budget);
  std::vector<Bytes> parts;  // from the last to the first
  bool fuses = false;
  for (std::size_t end = piece.size(); end > 0;) {
    const Step& step = ends[end];
    if (step.piece == no_piece)
      throw input_error("{}: \"{}\" is not in the vocabulary, and unk_id is missing", place_,
                        printable(piece.substr(step.begin, end - step.begin)));
    const bool is_unknown = step.piece == unknown_piece_;
    if (is_unknown && fuses)
      parts.back().begin = step.begin;
    else
      parts.push_back({step.begin, end});
    fuses = is_unknown;
    end = step.begin;
  }
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    add(piece.substr(part->begin, part->size()), part->begin, tokens);
}

void Unigram::add(std::string_view text, std::size_t begin, std::vector<ModelToken>& tokens) const {
  const Bytes bytes{begin, begin + text.size()};
  if (const auto id = vocabulary().find(text)) {
    tokens.push_back({*id, bytes});
    return;
  }
  const auto has_token = [&](char c) { return bytes_[static_cast<unsigned char>(c)].has_value(); };
  if (!bytes_.empty() && std::ranges::all_of(text, has_token)) {
    for (const char c : text) tokens.push_back({*bytes_[static_cast<unsigned char>(c)], bytes});
    return;
  }
  if (!unknown_)
    throw input_error("{}: \"{}\" is not in the vocabulary, and unk_id is missing", place_,
                      cut_off(printable(text), 60));
  tokens.push_back({*unknown_, bytes});
}

std::unique_ptr<const Model> read_unigram(const JsonField& field) {
  const JsonField list = field.at("vocab");
  std::vector<ScoredPiece> pieces;
  pieces.reserve(list.items());
  for (std::size_t i = 0; i < list.items(); ++i) {
    const nlohmann::json& entry = list.json()[i];
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() || !entry[1].is_number())
      throw list.item(i).wrong("{}: {} is {}; expected [\"token\", score]");
    pieces.push_back({entry[0].get<std::string>(), entry[1].get<double>()});
  }
  std::optional<TokenId> unknown;
  if (const auto id = field.find("unk_id")) {
    if (pieces.empty()) throw list.wrong("{}: {} is {}; expected the unknown token in it");
    unknown = static_cast<TokenId>(id->integer(0, static_cast<std::int64_t>(pieces.size()) - 1));
  }
  return std::make_unique<Unigram>(pieces, unknown, field.flag("byte_fallback", false), list.place());
}

}  // namespace headscope::tokenizers
