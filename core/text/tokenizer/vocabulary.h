#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/text/tokenizer/field.h"
#include "core/text/tokenizer/tokenizer.h"

namespace headscope::tokenizers {

/// Tokens and their ids, which may have holes.
class Vocabulary {
 public:
  struct Entry {
    std::string token;
    TokenId id;
  };
  /// `place` (file and field) is named in messages. Throws Error (input) where an id is given twice; of equal
  /// tokens the last one counts.
  Vocabulary(std::vector<Entry> entries, const std::string& place);
  Vocabulary(Vocabulary&&) noexcept = default;
  Vocabulary& operator=(Vocabulary&&) noexcept = default;
  Vocabulary(const Vocabulary&) = delete;  // its map points into it
  Vocabulary& operator=(const Vocabulary&) = delete;
  /// {"token": id, …}
  static Vocabulary from_object(const Field& field);

  std::optional<TokenId> find(std::string_view token) const;
  std::optional<std::string_view> token(TokenId id) const;
  std::size_t size() const { return entries_.size(); }
  /// By id.
  std::span<const Entry> entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;  // by id
  std::unordered_map<std::string_view, TokenId> ids_;
};

}  // namespace headscope::tokenizers
