#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/budget.h"
#include "core/base/utf8.h"

namespace headscope::tokenizers {

/// Bytes [begin, end).
struct Bytes {
  std::size_t begin = 0, end = 0;

  std::size_t size() const { return end - begin; }
  bool operator==(const Bytes&) const = default;
};

/// A character of a transformed text and what it replaces: 0 replaces the next old character, a positive
/// number none (it was inserted), -n the next one and n more.
struct NewCharacter {
  char32_t character = 0;
  std::ptrdiff_t change = 0;
};

/// A normalized part of a sentence that maps each of its bytes to the bytes of the sentence it comes from.
/// The alignment is that of `tokenizers`: what is inserted belongs to the character before it, what replaces
/// several belongs to the first (in `replace` to the last). An operation that makes the text much longer than
/// its part of the sentence throws Error (input).
class AlignedText {
 public:
  /// `budget` covers everything derived from the sentence and must outlive it.
  AlignedText(std::string_view sentence, WorkBudget& budget);

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }
  WorkBudget& budget() const { return *budget_; }
  /// Its part of the sentence.
  Bytes original() const { return original_; }
  /// The bytes of the sentence that a part of the text comes from.
  Bytes origin(Bytes part) const;
  AlignedText slice(Bytes part) const;

  /// Replaces the whole text; the first `removed` characters are dropped.
  void transform(std::span<const NewCharacter> characters, std::size_t removed = 0);
  /// `content` before the first character, if there is one.
  void prepend(std::string_view content);
  /// Replaces each of these parts, which are in order, by `content`.
  void replace(std::span<const Bytes> parts, std::string_view content);
  /// Replaces each part, in order, by a text that is aligned to the part's first character.
  void substitute(std::span<const std::pair<Bytes, std::string_view>> parts);
  /// Removes each character for which keep(character) is false.
  template <typename Keep>
  void filter(const Keep& keep);
  /// Replaces each character by one character.
  template <typename Map>
  void map(const Map& map);

 private:
  struct Origin {
    std::uint32_t begin, end;
  };
  AlignedText() = default;
  Bytes transformed_part() const;
  /// Throws Error (input) if a text of `bytes` is too large (so that no chain of replacements exhausts
  /// memory) or too much work to write.
  void spend(std::size_t bytes) const;
  /// Replaces parts in order: replacement_of(part) is its bytes, the new text and the origin of its bytes.
  template <typename Part, typename Replacement>
  void rewrite(std::span<const Part> parts, const Replacement& replacement_of);
  void transform_part(Bytes part, std::span<const NewCharacter> characters, std::size_t removed);

  std::string text_;
  std::vector<Origin> origins_;  // of each byte
  Bytes original_;
  WorkBudget* budget_ = nullptr;
};

/// The characters of valid UTF-8.
std::u32string characters(std::string_view text);
/// Length in bytes of the character that begins with `lead`.
inline std::size_t utf8_size(char lead) {
  const unsigned char byte = lead;
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

template <typename Keep>
void AlignedText::filter(const Keep& keep) {
  const std::u32string all = characters(text_);
  std::vector<NewCharacter> kept;
  std::size_t first = 0;
  for (const char32_t c : all)
    if (keep(c))
      kept.push_back({c, 0});
    else if (kept.empty())
      ++first;
    else
      --kept.back().change;
  if (kept.size() != all.size()) transform(kept, first);
}

template <typename Map>
void AlignedText::map(const Map& map) {
  std::vector<NewCharacter> mapped;
  bool changed = false;
  for (const char32_t c : characters(text_)) {
    mapped.push_back({map(c), 0});
    changed = changed || mapped.back().character != c;
  }
  if (changed) transform(mapped);
}

}  // namespace headscope::tokenizers
