#include "core/text/tokenizer/normal_forms.h"

#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <algorithm>

#include "core/text/tokenizer/characters.h"

namespace headscope::tokenizers {
namespace {

struct Part {
  char32_t character;
  std::ptrdiff_t change;
  std::uint8_t combining_class;
};

class Former {
 public:
  explicit Former(NormalForm form) : composes_(form == NormalForm::nfc || form == NormalForm::nfkc) {
    UErrorCode status = U_ZERO_ERROR;
    const bool compatible = form == NormalForm::nfkc || form == NormalForm::nfkd;
    icu_ = compatible ? icu::Normalizer2::getNFKCInstance(status) : icu::Normalizer2::getNFCInstance(status);
  }

  void operator()(AlignedText& text) const {
    const std::u32string before = characters(text.text());
    std::vector<Part> parts;
    parts.reserve(before.size());
    for (const char32_t c : before) decompose(c, parts);
    reorder(parts);
    if (composes_) compose(parts);
    const bool same = parts.size() == before.size() &&
                      std::ranges::equal(parts, before, {}, [](const Part& part) { return part.character; });
    if (same) return;
    std::vector<NewCharacter> characters;
    characters.reserve(parts.size());
    for (const Part& part : parts) characters.push_back({part.character, part.change});
    text.transform(characters);
  }

 private:
  std::uint8_t combining_class(char32_t c) const {
    return c < 0x300 || !is_in_unicode_9(c) ? std::uint8_t{0}
                                            : icu_->getCombiningClass(static_cast<UChar32>(c));
  }

  void decompose(char32_t c, std::vector<Part>& parts) const {
    icu::UnicodeString decomposition;
    if (c < 0x80 || !is_in_unicode_9(c) || !icu_->getDecomposition(static_cast<UChar32>(c), decomposition)) {
      parts.push_back({c, 0, combining_class(c)});
      return;
    }
    for (int32_t i = 0; i < decomposition.length(); i = decomposition.moveIndex32(i, 1)) {
      const auto part = static_cast<char32_t>(decomposition.char32At(i));
      parts.push_back({part, i == 0 ? 0 : 1, combining_class(part)});
    }
  }

  // Marks between two starters by their class (canonical ordering).
  static void reorder(std::vector<Part>& parts) {
    const auto is_starter = [](const Part& part) { return part.combining_class == 0; };
    for (auto begin = parts.begin(); begin != parts.end();) {
      begin = std::find_if_not(begin, parts.end(), is_starter);
      const auto end = std::find_if(begin, parts.end(), is_starter);
      std::stable_sort(begin, end,
                       [](const Part& a, const Part& b) { return a.combining_class < b.combining_class; });
      begin = end;
    }
  }

  // A mark composes with the starter before it unless a mark of the same or a higher class is between them.
  void compose(std::vector<Part>& parts) const {
    std::size_t kept = 0;
    std::size_t starter = parts.size();  // its index in the output; none yet
    int last_class = -1;                 // of what is kept after the starter; -1: nothing
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Part part = parts[i];
      if (starter < parts.size() && last_class < part.combining_class) {
        const auto pair = icu_->composePair(static_cast<UChar32>(parts[starter].character),
                                            static_cast<UChar32>(part.character));
        if (pair >= 0 && is_in_unicode_9(static_cast<char32_t>(pair))) {
          parts[starter].character = static_cast<char32_t>(pair);
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
  bool composes_;
};

bool is_ascii(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

void normalize(AlignedText& text, NormalForm form) {
  if (!is_ascii(text.text())) Former{form}(text);
}

}  // namespace headscope::tokenizers
