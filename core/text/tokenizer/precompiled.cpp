#include "core/text/tokenizer/precompiled.h"

#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include <algorithm>
#include <utility>

#include "core/base/utf8.h"
#include "core/io/compress.h"

namespace headscope::tokenizers {
namespace {

// A unit of a Darts array (https://github.com/s-yata/darts-clone): the label of its own byte, where its
// children begin, whether a value is among them; or such a value.
bool has_leaf(std::uint32_t unit) {
  return ((unit >> 8) & 1U) != 0;
}
std::uint32_t value_of(std::uint32_t unit) {
  return unit & 0x7FFFFFFFU;
}
std::uint32_t label_of(std::uint32_t unit) {
  return unit & 0x800000FFU;
}
std::size_t offset_of(std::uint32_t unit) {
  return (unit >> 10) << ((unit & 0x200U) >> 6);
}

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

}  // namespace

Precompiled::Precompiled(const JsonField& field) {
  const auto bytes = from_base64(field.text());
  const std::size_t size = bytes && bytes->size() >= 4 ? little_endian(*bytes, 0) : 0;
  if (!bytes || size == 0 || size % 4 != 0 || size > bytes->size() - 4)
    throw input_error("{}: {} is damaged; expected base64 of a character map", field.file(), field.path());
  units_.resize(size / 4);
  for (std::size_t i = 0; i < units_.size(); ++i) units_[i] = little_endian(*bytes, 4 + 4 * i);
  texts_ = bytes->substr(4 + size);
  check(field);
}

void Precompiled::check(const JsonField& field) const {
  if (find_invalid_utf8(texts_) != std::string_view::npos)
    throw input_error("{}: {} is damaged; expected base64 of a character map", field.file(), field.path());
  std::vector<bool> seen(units_.size());
  std::vector<std::size_t> open{0};
  seen[0] = true;
  while (!open.empty()) {
    const std::uint32_t unit = units_[open.back()];
    const std::size_t children = open.back() ^ offset_of(unit);
    open.pop_back();
    if (children >= units_.size())
      throw input_error("{}: {} is damaged: it points to unit {} of {}", field.file(), field.path(), children,
                        units_.size());
    if (has_leaf(unit)) {
      const std::size_t text = value_of(units_[children]);
      const bool starts = text < texts_.size() && !continues_character(texts_[text]);
      if (!starts && text != texts_.size())
        throw input_error("{}: {} is damaged: it points to byte {} of {}", field.file(), field.path(), text,
                          texts_.size());
    }
    for (std::size_t label = 1; label < 256; ++label) {
      const std::size_t child = children ^ label;
      if (child >= units_.size() || label_of(units_[child]) != label || seen[child]) continue;
      seen[child] = true;
      open.push_back(child);
    }
  }
}

template <typename Found>
void Precompiled::for_each_match(std::string_view text, const Found& found) const {
  std::size_t at = offset_of(units_[0]);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned char byte = text[i];
    at ^= byte;
    if (byte == 0 || at >= units_.size() || label_of(units_[at]) != byte) return;
    const std::uint32_t unit = units_[at];
    at ^= offset_of(unit);
    if (!has_leaf(unit)) continue;
    const std::string_view rest = std::string_view(texts_).substr(value_of(units_[at]));
    if (!found(i + 1, rest.substr(0, rest.find('\0')))) return;
  }
}

std::optional<std::string_view> Precompiled::find(std::string_view part) const {
  std::optional<std::string_view> shortest;
  for_each_match(part, [&](std::size_t, std::string_view by) {
    shortest = by;
    return false;
  });
  return shortest;
}

void Precompiled::apply_longest(AlignedText& text) const {
  const std::string_view all = text.text();
  std::vector<std::pair<Bytes, std::string_view>> parts;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t bytes = 0;
    std::string_view longest;
    for_each_match(all.substr(begin), [&](std::size_t size, std::string_view by) {
      bytes = size;
      longest = by;
      return true;
    });
    if (bytes > 0) parts.push_back({{begin, begin + bytes}, longest});
    begin += bytes > 0 ? bytes : utf8_size(all[begin]);
  }
  if (!parts.empty()) text.substitute(parts);
}

void Precompiled::apply(AlignedText& text) const {
  const std::string& all = text.text();
  UErrorCode status = U_ZERO_ERROR;
  UText* utext = utext_openUTF8(nullptr, all.data(), all.size(), &status);
  const std::unique_ptr<icu::BreakIterator> clusters(
      icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
  if (clusters) clusters->setText(utext, status);
  std::vector<std::pair<Bytes, std::string_view>> parts;
  if (U_SUCCESS(status) && clusters) {
    std::size_t begin = clusters->first();
    for (auto next = clusters->next(); next != icu::BreakIterator::DONE; next = clusters->next()) {
      const std::size_t end = next;
      constexpr std::size_t long_cluster = 6;  // bytes
      const auto whole =
          end - begin < long_cluster ? find(std::string_view(all).substr(begin, end - begin)) : std::nullopt;
      if (whole) {
        parts.push_back({{begin, end}, *whole});
        begin = end;
        continue;
      }
      while (begin < end) {
        const std::size_t size = utf8_size(all[begin]);
        if (const auto one = find(std::string_view(all).substr(begin, size)))
          parts.push_back({{begin, begin + size}, *one});
        begin += size;
      }
    }
  }
  utext_close(utext);
  if (!parts.empty()) text.substitute(parts);
}

}  // namespace headscope::tokenizers
