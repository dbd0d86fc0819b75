#include "core/text/tokenizer/vocabulary.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/utf8.h"
#include "core/io/strict_json.h"

namespace headscope::tokenizers {

namespace {

std::uint32_t hash_of(std::string_view token) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>{}(token));
}

}  // namespace

std::size_t Vocabulary::slot(std::string_view token) const {
  const std::uint32_t hash = hash_of(token);
  std::size_t at = hash & (slots_.size() - 1);
  while (slots_[at].entry != 0 && !(slots_[at].hash == hash && entries_[slots_[at].entry - 1].token == token))
    at = (at + 1) & (slots_.size() - 1);
  return at;
}

Vocabulary::Vocabulary(std::vector<Entry> entries, const std::string& place) : entries_(std::move(entries)) {
  std::ranges::stable_sort(entries_, {}, &Entry::id);
  slots_.resize(std::bit_ceil(2 * entries_.size() + 1));
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto& [token, id] = entries_[i];
    if (i > 0 && entries_[i - 1].id == id)
      throw input_error("{}: \"{}\" and \"{}\" have one id, {}; expected one each", place,
                        cut_off(printable(entries_[i - 1].token), 60), cut_off(printable(token), 60), id);
    slots_[slot(token)] = {hash_of(token), static_cast<std::uint32_t>(i + 1)};
  }
}

Vocabulary Vocabulary::from_object(const JsonField& field) {
  field.expect_object();
  std::vector<Entry> entries;
  entries.reserve(field.json().size());
  constexpr std::int64_t maximum = std::numeric_limits<TokenId>::max();
  for (const auto& [token, id] : field.json().items()) {
    const auto number = integer_in(id, 0, maximum);
    if (!number)
      throw input_error("{}: {}: the id of \"{}\" is {}; expected a whole number from {} to {}", field.file(),
                        field.path(), cut_off(printable(token), 60), cut_off(id.dump(), 60), 0, maximum);
    entries.push_back({token, static_cast<TokenId>(*number)});
  }
  return Vocabulary(std::move(entries), field.place());
}

std::optional<TokenId> Vocabulary::find(std::string_view token) const {
  const Slot& found = slots_[slot(token)];
  if (found.entry == 0) return {};
  return entries_[found.entry - 1].id;
}

std::optional<std::string_view> Vocabulary::token(TokenId id) const {
  const auto found = std::ranges::lower_bound(entries_, id, {}, &Entry::id);
  if (found == entries_.end() || found->id != id) return {};
  return found->token;
}

}  // namespace headscope::tokenizers
