#include "core/text/tokenizer/bpe.h"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <queue>

#include "core/base/utf8.h"

namespace headscope::tokenizers {
namespace {

std::uint64_t pair_key(TokenId first, TokenId second) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(first)) << 32 |
         static_cast<std::uint32_t>(second);
}

constexpr std::int32_t no_symbol = -1;

}  // namespace

struct Bpe::Symbol {
  TokenId id;
  std::size_t bytes;  // 0 once merged into the one before
  std::int32_t previous, next;
};

Bpe::Bpe(Vocabulary vocabulary, const std::vector<Merge>& merges, BpeOptions options, std::string place)
    : Model(std::move(vocabulary)), options_(std::move(options)), place_(std::move(place)) {
  if (options_.byte_fallback) bytes_ = byte_tokens(this->vocabulary());
  rules_.resize(std::bit_ceil(2 * merges.size() + 1));
  std::string joined;
  for (std::size_t i = 0; i < merges.size(); ++i) {
    const auto& [first, second] = merges[i];
    if (second.size() < options_.continuing_prefix.size())
      throw input_error("{}: merge {} is \"{} {}\"; expected {} before its second part", place_, i,
                        cut_off(printable(first), 60), cut_off(printable(second), 60),
                        options_.continuing_prefix);
    joined.assign(first).append(second.substr(options_.continuing_prefix.size()));
    TokenId ids[3];
    TokenId* id = ids;
    for (const std::string_view part : {first, second, std::string_view(joined)}) {
      const auto found = this->vocabulary().find(part);
      if (!found)
        throw input_error("{}: merge {} needs \"{}\", which is not in the vocabulary", place_, i,
                          cut_off(printable(part), 60));
      *id++ = *found;
    }
    const std::uint64_t pair = pair_key(ids[0], ids[1]);
    rules_[slot(pair)] = {pair, static_cast<std::uint32_t>(i), ids[2]};
  }
}

std::size_t Bpe::slot(std::uint64_t pair) const {
  const std::size_t mask = rules_.size() - 1;
  std::size_t at = static_cast<std::size_t>((pair * 0x9E3779B97F4A7C15U) >> 32) & mask;
  while (rules_[at].pair != no_pair && rules_[at].pair != pair) at = (at + 1) & mask;
  return at;
}

const Bpe::Rule* Bpe::find_rule(TokenId first, TokenId second) const {
  const Rule& rule = rules_[slot(pair_key(first, second))];
  return rule.pair == no_pair ? nullptr : &rule;
}

void Bpe::add_characters(std::string_view piece, std::vector<Symbol>& symbols) const {
  const auto add = [&](TokenId id, std::size_t bytes) {
    const auto at = static_cast<std::int32_t>(symbols.size());
    if (at > 0) symbols.back().next = at;
    symbols.push_back({id, bytes, at - 1, no_symbol});
  };
  std::optional<TokenId> unknown;
  if (options_.unknown) unknown = vocabulary().find(*options_.unknown);
  std::size_t unknown_bytes = 0;  // that await their token
  const auto add_unknown = [&] {
    if (unknown_bytes > 0) add(*unknown, unknown_bytes);
    unknown_bytes = 0;
  };
  std::string written;
  for (std::size_t at = 0; at < piece.size();) {
    const std::size_t bytes = utf8_size(piece[at]);
    const std::string_view character = piece.substr(at, bytes);
    written.assign(at > 0 ? options_.continuing_prefix : "").append(character);
    at += bytes;
    if (at == piece.size()) written += options_.end_suffix;
    if (const auto id = vocabulary().find(written)) {
      add_unknown();
      add(*id, bytes);
      continue;
    }
    const auto has_token = [&](char c) { return bytes_[static_cast<unsigned char>(c)].has_value(); };
    if (options_.byte_fallback && std::ranges::all_of(written, has_token)) {
      // Unknown ones before them come later, as in the reference.
      for (const char c : written) add(*bytes_[static_cast<unsigned char>(c)], 1);
      continue;
    }
    if (!options_.unknown) continue;  // it is dropped
    if (!unknown)
      throw input_error("{}: \"{}\" is not in the vocabulary, nor is its unknown token {}", place_,
                        printable(character), cut_off(printable(*options_.unknown), 60));
    if (!options_.fuses_unknown) add_unknown();
    unknown_bytes += bytes;
  }
  add_unknown();
}

void Bpe::merge(std::vector<Symbol>& symbols) const {
  struct Candidate {
    std::uint32_t rank;
    std::int32_t at;
    TokenId id;
  };
  const auto later = [](const Candidate& a, const Candidate& b) {
    return a.rank != b.rank ? a.rank > b.rank : a.at > b.at;
  };
  std::priority_queue<Candidate, std::vector<Candidate>, decltype(later)> queue(later);
  const auto symbol = [&](std::int32_t at) -> Symbol& { return symbols[at]; };
  const auto consider = [&](std::int32_t at) {
    if (at == no_symbol || symbol(at).next == no_symbol) return;
    if (const Rule* rule = find_rule(symbol(at).id, symbol(symbol(at).next).id))
      queue.push({rule->rank, at, rule->id});
  };
  for (std::int32_t at = 0; at < std::ssize(symbols); ++at) consider(at);
  while (!queue.empty()) {
    const Candidate best = queue.top();
    queue.pop();
    Symbol& left = symbol(best.at);
    if (left.bytes == 0 || left.next == no_symbol) continue;
    Symbol& right = symbol(left.next);
    const Rule* rule = find_rule(left.id, right.id);
    if (rule == nullptr || rule->id != best.id) continue;  // one of them has been merged since
    left.id = best.id;
    left.bytes += right.bytes;
    left.next = right.next;
    right.bytes = 0;
    if (left.next != no_symbol) symbol(left.next).previous = best.at;
    consider(left.previous);
    consider(best.at);
  }
}

void Bpe::encode(std::string_view piece, std::vector<ModelToken>& tokens, WorkBudget& budget) const {
  constexpr std::size_t steps_a_byte = 4;
  budget.spend(1 + steps_a_byte * piece.size());
  if (options_.ignores_merges)
    if (const auto whole = vocabulary().find(piece)) {
      tokens.push_back({*whole, {0, piece.size()}});
      return;
    }
  std::vector<Symbol> symbols;
  symbols.reserve(piece.size());
  add_characters(piece, symbols);
  merge(symbols);
  std::size_t at = 0;
  for (const Symbol& symbol : symbols) {
    if (symbol.bytes == 0) continue;
    tokens.push_back({symbol.id, {at, at + symbol.bytes}});
    at += symbol.bytes;
  }
}

namespace {

Merge read_merge(const JsonField& list, std::size_t index) {
  // Not as Fields: there are hundreds of thousands.
  const nlohmann::json& merge = list.json()[index];
  if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string())
    return {merge[0].get_ref<const std::string&>(), merge[1].get_ref<const std::string&>()};
  if (merge.is_string()) {
    const std::string_view text = merge.get_ref<const std::string&>();
    const std::size_t space = text.find(' ');
    if (space != std::string_view::npos && text.find(' ', space + 1) == std::string_view::npos)
      return {text.substr(0, space), text.substr(space + 1)};
  }
  throw list.item(index).wrong("{}: {} is {}; expected two tokens: \"a b\" or [\"a\", \"b\"]");
}

}  // namespace

std::unique_ptr<const Model> read_bpe(const JsonField& field) {
  BpeOptions options;
  if (const auto unknown = field.find("unk_token")) options.unknown = unknown->text();
  if (const auto prefix = field.find("continuing_subword_prefix")) options.continuing_prefix = prefix->text();
  if (const auto suffix = field.find("end_of_word_suffix")) options.end_suffix = suffix->text();
  options.fuses_unknown = field.flag("fuse_unk", false);
  options.byte_fallback = field.flag("byte_fallback", false);
  options.ignores_merges = field.flag("ignore_merges", false);
  const auto dropout = field.find("dropout");
  if (dropout && dropout->number() != 0)
    throw dropout->wrong("{}: {} is {}; expected null: merges at random give other tokens each time");
  const JsonField list = field.at("merges");
  std::vector<Merge> merges;
  merges.reserve(list.items());
  for (std::size_t i = 0; i < list.items(); ++i) {
    // Some files still contain the first line of merges.txt.
    const nlohmann::json& merge = list.json()[i];
    if (merge.is_string() && merge.get_ref<const std::string&>().starts_with("#version")) continue;
    merges.push_back(read_merge(list, i));
  }
  return std::make_unique<Bpe>(Vocabulary::from_object(field.at("vocab")), merges, std::move(options),
                               list.place());
}

}  // namespace headscope::tokenizers
