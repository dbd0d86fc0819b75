#include "app/window/font_search.h"

#include <fontconfig/fontconfig.h>

#include <algorithm>
#include <iterator>
#include <memory>

namespace headscope {
namespace {

using Pattern = std::unique_ptr<FcPattern, decltype(&FcPatternDestroy)>;

FoundFont file_of(FcPattern* pattern) {
  FcChar8* path = nullptr;
  int index = 0;
  if (pattern == nullptr || FcPatternGetString(pattern, FC_FILE, 0, &path) != FcResultMatch) return {};
  FcPatternGetInteger(pattern, FC_INDEX, 0, &index);
  FcChar8* family = nullptr;
  FcCharSet* characters = nullptr;
  FcPatternGetString(pattern, FC_FAMILY, 0, &family);
  const bool chinese = FcPatternGetCharSet(pattern, FC_CHARSET, 0, &characters) == FcResultMatch &&
                       FcCharSetHasChar(characters, 0x4E00) == FcTrue;
  return {reinterpret_cast<const char*>(path), family != nullptr ? reinterpret_cast<const char*>(family) : "",
          index & 0xFFFF, chinese};
}

Pattern ask(const char* language, const char* family = "sans-serif") {
  Pattern pattern(FcPatternCreate(), &FcPatternDestroy);
  FcPatternAddString(pattern.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>(family));
  if (language != nullptr)
    FcPatternAddString(pattern.get(), FC_LANG, reinterpret_cast<const FcChar8*>(language));
  FcPatternAddBool(pattern.get(), FC_SCALABLE, FcTrue);
  FcPatternAddBool(pattern.get(), FC_COLOR, FcFalse);
  return pattern;
}

FoundFont best_match(const char* language, const char* family = "sans-serif") {
  Pattern pattern = ask(language, family);
  FcConfigSubstitute(nullptr, pattern.get(), FcMatchPattern);
  FcDefaultSubstitute(pattern.get());
  FcResult result = FcResultNoMatch;
  const Pattern match(FcFontMatch(nullptr, pattern.get(), &result), &FcPatternDestroy);
  return file_of(match.get());
}

}  // namespace

FoundFont latin_font() {
  const FoundFont user = best_match("en", "sans-serif");
  if (!user.chinese) return user;
  for (const char* family :
       {"Noto Sans", "Cantarell", "Ubuntu", "Open Sans", "DejaVu Sans", "Liberation Sans"}) {
    const FoundFont found = best_match("en", family);
    if (!found.path.empty() && found.family == family) return found;
  }
  return user;
}

FoundFont chinese_font() {
  return best_match("zh-cn");
}

std::vector<std::pair<FoundFont, std::set<char32_t>>> fonts_for(const std::set<char32_t>& characters) {
  Pattern pattern = ask(nullptr);
  FcCharSet* wanted = FcCharSetCreate();
  for (const char32_t c : characters) FcCharSetAddChar(wanted, c);
  FcPatternAddCharSet(pattern.get(), FC_CHARSET, wanted);
  FcConfigSubstitute(nullptr, pattern.get(), FcMatchPattern);
  FcDefaultSubstitute(pattern.get());
  FcResult result = FcResultNoMatch;
  FcFontSet* sorted = FcFontSort(nullptr, pattern.get(), FcTrue, nullptr, &result);
  std::vector<std::pair<FoundFont, std::set<char32_t>>> fonts;
  std::set<char32_t> left = characters;
  for (int i = 0; sorted != nullptr && i < sorted->nfont && !left.empty(); ++i) {
    FcCharSet* has = nullptr;
    FcBool color = FcFalse, scalable = FcTrue;
    FcPatternGetBool(sorted->fonts[i], FC_COLOR, 0, &color);
    FcPatternGetBool(sorted->fonts[i], FC_SCALABLE, 0, &scalable);
    if (color == FcTrue || scalable == FcFalse ||
        FcPatternGetCharSet(sorted->fonts[i], FC_CHARSET, 0, &has) != FcResultMatch)
      continue;
    std::set<char32_t> here;
    std::ranges::copy_if(left, std::inserter(here, here.end()),
                         [has](char32_t c) { return FcCharSetHasChar(has, c) == FcTrue; });
    if (here.empty()) continue;
    for (const char32_t c : here) left.erase(c);
    fonts.emplace_back(file_of(sorted->fonts[i]), std::move(here));
  }
  if (sorted != nullptr) FcFontSetDestroy(sorted);
  FcCharSetDestroy(wanted);
  return fonts;
}

}  // namespace headscope
