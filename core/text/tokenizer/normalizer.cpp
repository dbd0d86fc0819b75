#include "core/text/tokenizer/normalizer.h"

#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/utf8.h"
#include "core/text/tokenizer/characters.h"
#include "core/text/tokenizer/pattern.h"
#include "core/text/tokenizer/precompiled.h"

namespace headscope::tokenizers {
namespace {

struct FormPart {
  char32_t character;
  std::ptrdiff_t change;
  std::uint8_t combining_class;
};

class Former {
 public:
  /// Characters newer than Unicode 9 stay unchanged unless `newest`.
  explicit Former(NormalForm form, bool newest = false)
      : composes_(form == NormalForm::nfc || form == NormalForm::nfkc), newest_(newest) {
    UErrorCode status = U_ZERO_ERROR;
    const bool compatible = form == NormalForm::nfkc || form == NormalForm::nfkd;
    icu_ = compatible ? icu::Normalizer2::getNFKCInstance(status) : icu::Normalizer2::getNFCInstance(status);
  }

  void operator()(AlignedText& text) const {
    const std::u32string before = characters(text.text());
    std::vector<FormPart> parts;
    parts.reserve(before.size());
    for (const char32_t c : before) decompose(c, parts);
    reorder(parts);
    if (composes_) compose(parts);
    const bool same =
        parts.size() == before.size() &&
        std::ranges::equal(parts, before, {}, [](const FormPart& part) { return part.character; });
    if (same) return;
    std::vector<NewCharacter> characters;
    characters.reserve(parts.size());
    for (const FormPart& part : parts) characters.push_back({part.character, part.change});
    text.transform(characters);
  }

 private:
  bool is_known(char32_t c) const { return newest_ || is_in_unicode_9(c); }

  std::uint8_t combining_class(char32_t c) const {
    return c < 0x300 || !is_known(c) ? std::uint8_t{0} : icu_->getCombiningClass(c);
  }

  void decompose(char32_t c, std::vector<FormPart>& parts) const {
    icu::UnicodeString decomposition;
    if (c < 0x80 || !is_known(c) || !icu_->getDecomposition(c, decomposition)) {
      parts.push_back({c, 0, combining_class(c)});
      return;
    }
    for (int32_t i = 0; i < decomposition.length(); i = decomposition.moveIndex32(i, 1)) {
      const char32_t part = decomposition.char32At(i);
      parts.push_back({part, i == 0 ? 0 : 1, combining_class(part)});
    }
  }

  // Marks between two starters by their class (canonical ordering).
  static void reorder(std::vector<FormPart>& parts) {
    const auto is_starter = [](const FormPart& part) { return part.combining_class == 0; };
    for (auto begin = parts.begin(); begin != parts.end();) {
      begin = std::find_if_not(begin, parts.end(), is_starter);
      const auto end = std::find_if(begin, parts.end(), is_starter);
      std::stable_sort(begin, end, [](const FormPart& a, const FormPart& b) {
        return a.combining_class < b.combining_class;
      });
      begin = end;
    }
  }

  // A mark composes with the starter before it unless a mark of the same or a higher class is between them.
  void compose(std::vector<FormPart>& parts) const {
    std::size_t kept = 0;
    std::size_t starter = parts.size();  // its index in the output; none yet
    int last_class = -1;                 // of what is kept after the starter; -1: nothing
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const FormPart part = parts[i];
      if (starter < parts.size() && last_class < part.combining_class) {
        const auto pair = icu_->composePair(parts[starter].character, part.character);
        if (pair >= 0 && is_known(pair)) {
          parts[starter].character = pair;
          parts[starter].change += part.change - 1;
          continue;
        }
      }
      if (part.combining_class == 0) {
        starter = kept;
        last_class = -1;
      } else {
        last_class = part.combining_class;
      }
      parts[kept++] = part;
    }
    parts.resize(kept);
  }

  const icu::Normalizer2* icu_ = nullptr;  // lives as long as ICU
  bool composes_, newest_;
};

/// UAX #15 with Unicode 9, whatever ICU's version: newer characters stay unchanged.
void normalize(AlignedText& text, NormalForm form) {
  if (!is_ascii(text.text())) Former{form}(text);
}

void to_lower_case(AlignedText& text) {
  std::vector<NewCharacter> lower;
  bool changed = false;
  for (const char32_t c : characters(text.text())) {
    const std::u32string small = lower_case(c);
    for (std::size_t i = 0; i < small.size(); ++i) lower.push_back({small[i], i == 0 ? 0 : 1});
    changed = changed || small[0] != c;
  }
  if (changed) text.transform(lower);
}

void clean_text(AlignedText& text) {
  text.filter([](char32_t c) { return c != 0 && c != 0xFFFD && !is_control(c); });
  text.map([](char32_t c) { return is_white_space(c) ? U' ' : c; });
}

void separate_ideographs(AlignedText& text) {
  std::vector<NewCharacter> spaced;
  bool any = false;
  for (const char32_t c : characters(text.text())) {
    if (!is_ideograph(c)) {
      spaced.push_back({c, 0});
      continue;
    }
    spaced.insert(spaced.end(), {{U' ', 0}, {c, 1}, {U' ', 1}});
    any = true;
  }
  if (any) text.transform(spaced);
}

Normalizer read_bert_normalizer(const JsonField& field) {
  const bool cleans = field.at("clean_text").flag(), separates = field.at("handle_chinese_chars").flag(),
             lower = field.at("lowercase").flag(), strips_accents = field.flag("strip_accents", lower);
  return [=](AlignedText& text) {
    if (cleans) clean_text(text);
    if (separates) separate_ideographs(text);
    if (strips_accents) {
      normalize(text, NormalForm::nfd);
      text.filter([](char32_t c) { return !is_nonspacing_mark(c); });
    }
    if (lower) to_lower_case(text);
  };
}

// What SentencePiece's "nmt" rules drop or replace by a space.
void apply_nmt(AlignedText& text) {
  text.filter([](char32_t c) {
    return !((c >= 0x01 && c <= 0x08) || c == 0x0B || (c >= 0x0E && c <= 0x1F) || c == 0x7F || c == 0x8F ||
             c == 0x9F);
  });
  text.map([](char32_t c) {
    const bool space = c == 0x09 || c == 0x0A || c == 0x0C || c == 0x0D || c == 0x1680 ||
                       (c >= 0x200B && c <= 0x200F) || c == 0x2028 || c == 0x2029 || c == 0x2581 ||
                       c == 0xFEFF || c == 0xFFFD;
    return space ? U' ' : c;
  });
}

void strip_accents(AlignedText& text) {
  text.filter([](char32_t c) { return !is_mark(c); });
}

Normalizer read_strip_normalizer(const JsonField& field) {
  return [left = field.at("strip_left").flag(), right = field.at("strip_right").flag()](AlignedText& text) {
    const std::u32string all = characters(text.text());
    std::size_t first = 0, last = all.size();
    while (left && first < last && is_white_space(all[first])) ++first;
    while (right && last > first && is_white_space(all[last - 1])) --last;
    if (last - first == all.size()) return;
    std::size_t i = 0;
    text.filter([&](char32_t) { return i++ >= first && i <= last; });
  };
}

Normalizer read_prepend(const JsonField& field) {
  return [content = field.at("prepend").text()](AlignedText& text) { text.prepend(content); };
}

Normalizer read_replace_normalizer(const JsonField& field) {
  return [pattern = read_pattern(field.at("pattern")), content = field.at("content").text()](
             AlignedText& text) { text.replace(pattern.matches(text.text(), text.budget()), content); };
}

Normalizer read_precompiled(const JsonField& field) {
  // Ours, for classes that run SentencePiece.
  const bool longest = field.flag("longest", false);
  return [map = Precompiled(field.at("precompiled_charsmap")), longest](AlignedText& text) {
    longest ? map.apply_longest(text) : map.apply(text);
  };
}

Normalizer read_normalizer_sequence(const JsonField& field) {
  return [all = field.at("normalizers").each(read_normalizer)](AlignedText& text) {
    for (const Normalizer& one : all) {
      constexpr std::size_t bytes_a_step = 4;
      text.budget().spend(1 + text.text().size() / bytes_a_step);
      one(text);
    }
  };
}

/// Without parameters.
template <auto change>
Normalizer fixed(const JsonField&) {
  return change;
}

template <NormalForm form>
void to_form(AlignedText& text) {
  normalize(text, form);
}

constexpr Kind<Normalizer> normalizer_kinds[] = {
    {"BertNormalizer", read_bert_normalizer},   {"ByteLevel", fixed<to_byte_characters>},
    {"Lowercase", fixed<to_lower_case>},        {"NFC", fixed<to_form<NormalForm::nfc>>},
    {"NFD", fixed<to_form<NormalForm::nfd>>},   {"NFKC", fixed<to_form<NormalForm::nfkc>>},
    {"NFKD", fixed<to_form<NormalForm::nfkd>>}, {"Nmt", fixed<apply_nmt>},
    {"Precompiled", read_precompiled},          {"Prepend", read_prepend},
    {"Replace", read_replace_normalizer},       {"Sequence", read_normalizer_sequence},
    {"Strip", read_strip_normalizer},           {"StripAccents", fixed<strip_accents>}};

struct ByteTables {
  std::array<char32_t, 256> characters{};
  std::array<int, 0x180> bytes{};

  constexpr ByteTables() {
    for (int& byte : bytes) byte = -1;
    char32_t next = 0x100;
    for (unsigned byte = 0; byte < 256; ++byte) {
      const bool itself =
          (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
      characters[byte] = itself ? byte : next++;
      bytes[characters[byte]] = byte;
    }
  }
};
constexpr ByteTables byte_tables;

}  // namespace

std::optional<std::string> bytes_of_characters(std::string_view token) {
  std::string bytes;
  for (const char32_t c : characters(token)) {
    const int byte = c < byte_tables.bytes.size() ? byte_tables.bytes[c] : -1;
    if (byte < 0) return {};
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

void to_byte_characters(AlignedText& text) {
  std::vector<NewCharacter> bytes;
  bytes.reserve(text.text().size());
  for (const char byte : text.text()) {
    const bool begins = !continues_character(byte);
    bytes.push_back({byte_tables.characters[static_cast<unsigned char>(byte)], begins ? 0 : 1});
  }
  text.transform(bytes);
}

void to_normal_form(AlignedText& text, NormalForm form) {
  if (!is_ascii(text.text())) Former{form, true}(text);
}

Normalizer read_normalizer(const JsonField& field) {
  return field.read_kind(normalizer_kinds);
}

}  // namespace headscope::tokenizers
