#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/io/json_field.h"
#include "core/text/tokenizer/tokenizer.h"

namespace headscope::tokenizers {

/// Tokens and their ids, which may have gaps.
class Vocabulary {
 public:
  struct Entry {
    std::string token;
    TokenId id;
  };
  /// `place` (file and field) is named in messages. Throws Error (input) for a duplicate id; of equal tokens
  /// the last one is used.
  Vocabulary(std::vector<Entry> entries, const std::string& place);
  Vocabulary(Vocabulary&&) noexcept = default;
  Vocabulary& operator=(Vocabulary&&) noexcept = default;
  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;
  /// {"token": id, …}
  static Vocabulary from_object(const JsonField& field);

  std::optional<TokenId> find(std::string_view token) const;
  std::optional<std::string_view> token(TokenId id) const;
  std::size_t size() const { return entries_.size(); }
  /// By id.
  std::span<const Entry> entries() const { return entries_; }

 private:
  /// An entry by part of its hash: most lookups compare one text.
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t entry = 0;  // its number, from 1; 0: empty
  };
  /// The slot of the token, or the one where it would be inserted.
  std::size_t slot(std::string_view token) const;

  std::vector<Entry> entries_;  // by id
  std::vector<Slot> slots_;     // a power of two, half empty
};

}  // namespace headscope::tokenizers
