#include "core/text/tokenizer/normalizer.h"

#include <array>
#include <vector>

#include "core/text/tokenizer/characters.h"
#include "core/text/tokenizer/normal_forms.h"
#include "core/text/tokenizer/pattern.h"
#include "core/text/tokenizer/precompiled.h"

namespace headscope::tokenizers {
namespace {

using Made = std::unique_ptr<const Normalizer>;

/// A function of the text alone.
class Simple : public Normalizer {
 public:
  explicit Simple(void (*change)(AlignedText&)) : change_(change) {}
  void normalize(AlignedText& text) const override { change_(text); }

 private:
  void (*change_)(AlignedText&);
};

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

class Bert : public Normalizer {
 public:
  explicit Bert(const Field& field)
      : cleans_(field.at("clean_text").flag()),
        separates_(field.at("handle_chinese_chars").flag()),
        lower_(field.at("lowercase").flag()),
        strips_accents_(field.flag("strip_accents", lower_)) {}

  void normalize(AlignedText& text) const override {
    if (cleans_) clean_text(text);
    if (separates_) separate_ideographs(text);
    if (strips_accents_) {
      tokenizers::normalize(text, NormalForm::nfd);
      text.filter([](char32_t c) { return !is_nonspacing_mark(c); });
    }
    if (lower_) to_lower_case(text);
  }

 private:
  bool cleans_, separates_, lower_, strips_accents_;
};

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

class Strip : public Normalizer {
 public:
  explicit Strip(const Field& field)
      : left_(field.at("strip_left").flag()), right_(field.at("strip_right").flag()) {}

  void normalize(AlignedText& text) const override {
    const std::u32string all = characters(text.text());
    std::size_t first = 0, last = all.size();
    while (left_ && first < last && is_white_space(all[first])) ++first;
    while (right_ && last > first && is_white_space(all[last - 1])) --last;
    if (last - first == all.size()) return;
    std::size_t i = 0;
    text.filter([&](char32_t) { return i++ >= first && i <= last; });
  }

 private:
  bool left_, right_;
};

class Prepend : public Normalizer {
 public:
  explicit Prepend(const Field& field) : content_(field.at("prepend").text()) {}
  void normalize(AlignedText& text) const override { text.prepend(content_); }

 private:
  std::string content_;
};

class Replace : public Normalizer {
 public:
  explicit Replace(const Field& field)
      : pattern_(read_pattern(field.at("pattern"))), content_(field.at("content").text()) {}
  void normalize(AlignedText& text) const override {
    text.replace(pattern_.matches(text.text(), text.budget()), content_);
  }

 private:
  Pattern pattern_;
  std::string content_;
};

class MapPrecompiled : public Normalizer {
 public:
  explicit MapPrecompiled(const Field& field) : map_(field.at("precompiled_charsmap")) {}
  void normalize(AlignedText& text) const override { map_.apply(text); }

 private:
  Precompiled map_;
};

class Sequence : public Normalizer {
 public:
  explicit Sequence(const Field& field) {
    const Field list = field.at("normalizers");
    for (std::size_t i = 0; i < list.items(); ++i) all_.push_back(read_normalizer(list.item(i)));
  }
  void normalize(AlignedText& text) const override {
    for (const Made& one : all_) {
      constexpr std::size_t bytes_a_step = 4;
      text.budget().spend(1 + text.text().size() / bytes_a_step);
      one->normalize(text);
    }
  }

 private:
  std::vector<Made> all_;
};

template <typename Kind>
Made make(const Field& field) {
  return std::make_unique<Kind>(field);
}

template <auto change>
Made simple(const Field&) {
  return std::make_unique<Simple>(change);
}

template <NormalForm form>
void to_form(AlignedText& text) {
  normalize(text, form);
}

struct NormalizerKind {
  const char* name;
  Made (*make)(const Field&);
};

constexpr NormalizerKind normalizer_kinds[] = {
    {"BertNormalizer", make<Bert>},
    {"ByteLevel", simple<to_byte_characters>},
    {"Lowercase", simple<to_lower_case>},
    {"NFC", simple<to_form<NormalForm::nfc>>},
    {"NFD", simple<to_form<NormalForm::nfd>>},
    {"NFKC", simple<to_form<NormalForm::nfkc>>},
    {"NFKD", simple<to_form<NormalForm::nfkd>>},
    {"Nmt", simple<apply_nmt>},
    {"Precompiled", make<MapPrecompiled>},
    {"Prepend", make<Prepend>},
    {"Replace", make<Replace>},
    {"Sequence", make<Sequence>},
    {"Strip", make<Strip>},
    {"StripAccents", simple<strip_accents>},
};

struct ByteTables {
  std::array<char32_t, 256> characters{};
  std::array<int, 0x180> bytes{};

  constexpr ByteTables() {
    for (int& byte : bytes) byte = -1;
    char32_t next = 0x100;
    for (unsigned byte = 0; byte < 256; ++byte) {
      const bool itself =
          (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
      characters[byte] = itself ? static_cast<char32_t>(byte) : next++;
      bytes[characters[byte]] = static_cast<int>(byte);
    }
  }
};
constexpr ByteTables byte_tables;

}  // namespace

char32_t byte_character(unsigned char byte) {
  return byte_tables.characters[byte];
}

int byte_of(char32_t character) {
  return character < byte_tables.bytes.size() ? byte_tables.bytes[character] : -1;
}

void to_byte_characters(AlignedText& text) {
  std::vector<NewCharacter> bytes;
  bytes.reserve(text.text().size());
  for (const char byte : text.text()) {
    const bool begins = (static_cast<unsigned char>(byte) & 0xC0U) != 0x80;
    bytes.push_back({byte_character(static_cast<unsigned char>(byte)), begins ? 0 : 1});
  }
  text.transform(bytes);
}

std::unique_ptr<const Normalizer> read_normalizer(const Field& field) {
  return field.at("type").one_of(normalizer_kinds).make(field);
}

}  // namespace headscope::tokenizers
