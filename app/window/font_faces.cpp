#include "app/window/font_faces.h"

#include <fontconfig/fontconfig.h>
#include <ft2build.h>

#include <algorithm>
#include <span>
#include <string_view>
#include FT_FREETYPE_H
#include FT_TRUETYPE_TABLES_H

#include "core/base/error.h"
#include "core/figure/text/embedded_font.h"

namespace headscope {
namespace {

/// A font on this machine, as fontconfig names it.
struct FoundFont {
  std::string path, family;
  int index = 0;         ///< of the face within its file
  bool chinese = false;  ///< whether it has Chinese characters
};

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

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0);
}

}  // namespace

struct FontFace::Library {
  FT_Library library = nullptr;
  Library() { FT_Init_FreeType(&library); }
  ~Library() { FT_Done_FreeType(library); }
};

FontFace::FontFace(const std::string& path, int index)
    : file_(path), index_(index), library_(std::make_unique<Library>()) {
  const std::span<const std::byte> bytes = file_.bytes();
  if (FT_New_Memory_Face(library_->library, reinterpret_cast<const FT_Byte*>(bytes.data()), bytes.size(),
                         index, &face_) == 0 &&
      FT_IS_SCALABLE(face_) && face_->units_per_EM > 0)
    return;
  if (face_ != nullptr) FT_Done_Face(face_);
  throw input_error("{}: not a scalable font; expected a .ttf, .otf or .ttc file", path);
}

FontFace::~FontFace() {
  FT_Done_Face(face_);
}

bool FontFace::has(char32_t character) const {
  return FT_Get_Char_Index(face_, character) != 0;
}

bool FontFace::for_numbers() const {
  const auto advance = [this](char digit) {
    return FT_Load_Char(face_, digit, FT_LOAD_NO_SCALE) == 0 ? face_->glyph->advance.x : FT_Pos{-1};
  };
  const FT_Pos zero = advance('0');
  const bool tabular = zero > 0 && std::ranges::all_of(std::string_view("123456789"),
                                                       [&](char digit) { return advance(digit) == zero; });
  // Hints by the hand of its designer: a program that all glyphs share.
  FT_ULong length = 0;
  return tabular && FT_Load_Sfnt_Table(face_, FT_MAKE_TAG('f', 'p', 'g', 'm'), 0, nullptr, &length) == 0 &&
         length > 0;
}

/// Every font of this machine that can be scaled, the best first. Colour bitmap fonts are left out.
struct FontFaces::Others {
  std::unique_ptr<FcFontSet, decltype(&FcFontSetDestroy)> sorted{nullptr, &FcFontSetDestroy};

  Others() {
    Pattern pattern = ask(nullptr);
    FcConfigSubstitute(nullptr, pattern.get(), FcMatchPattern);
    FcDefaultSubstitute(pattern.get());
    FcResult result = FcResultNoMatch;
    sorted.reset(FcFontSort(nullptr, pattern.get(), FcFalse, nullptr, &result));
  }

  /// Calls use(font) for those that have the character, until it returns true.
  template <typename Use>
  void having(char32_t character, const Use& use) const {
    for (int i = 0; sorted != nullptr && i < sorted->nfont; ++i) {
      FcPattern* const font = sorted->fonts[i];
      FcCharSet* has = nullptr;
      FcBool color = FcFalse, scalable = FcTrue;
      FcPatternGetBool(font, FC_COLOR, 0, &color);
      FcPatternGetBool(font, FC_SCALABLE, 0, &scalable);
      if (color == FcTrue || scalable == FcFalse ||
          FcPatternGetCharSet(font, FC_CHARSET, 0, &has) != FcResultMatch ||
          FcCharSetHasChar(has, character) == FcFalse)
        continue;
      if (use(file_of(font))) return;
    }
  }
};

FontFaces::FontFaces() = default;
FontFaces::~FontFaces() = default;

FontFace* FontFaces::open(const std::string& path, int index) {
  if (path.empty()) return nullptr;
  const auto key = std::make_pair(path, index);
  if (const auto known = opened_.find(key); known != opened_.end()) return known->second;
  opened_[key] = nullptr;
  try {
    faces_.push_back(std::make_unique<FontFace>(path, index));
  } catch (const Error&) {
    return nullptr;
  }
  return opened_[key] = faces_.back().get();
}

FontFace* FontFaces::find_latin() {
  // DejaVu Sans is what fontconfig gives where nobody has chosen a font.
  const FoundFont own = best_match("en", "system-ui");
  if (!own.chinese && own.family != "DejaVu Sans")
    if (FontFace* face = open(own.path, own.index); face != nullptr && face->for_numbers()) return face;
  for (const char* family : {"Open Sans", "Noto Sans", "Ubuntu", "DejaVu Sans", "Liberation Sans"})
    if (const FoundFont found = best_match("en", family); found.family == family)
      if (FontFace* face = open(found.path, found.index)) return face;
  return open(own.path, own.index);
}

void FontFaces::find_first() {
  if (std::exchange(found_first_, true)) return;
  ensure_font();
  latin_ = find_latin();
  const auto is_latin = [this](const auto& face) { return face.get() == latin_; };
  if (const auto at = std::ranges::find_if(faces_, is_latin); at != faces_.end())
    std::rotate(faces_.begin(), at, at + 1);
  // In collections for all of East Asia, the face with the Chinese forms.
  const FoundFont chinese = best_match("zh-cn");
  open(chinese.path, chinese.index);
}

FontFace* FontFaces::latin() {
  find_first();
  return latin_;
}

FontFace* FontFaces::find(char32_t character) {
  find_first();
  for (const auto& face : faces_)
    if (face->has(character)) return face.get();
  if (others_ == nullptr) others_ = std::make_unique<Others>();
  FontFace* best = nullptr;
  others_->having(character, [&](const FoundFont& font) {
    best = open(font.path, font.index);
    return best != nullptr;
  });
  return best;
}

FontFace* FontFaces::of(char32_t character) {
  if (is_control(character)) return nullptr;
  const auto [place, fresh] = known_.try_emplace(character, nullptr);
  if (!fresh) return place->second;
  place->second = find(character);
  if (place->second == nullptr) missing_.insert(character);
  return place->second;
}

bool FontFaces::is_font(const std::string& path) {
  try {
    const FontFace face(path, 0);
    return true;
  } catch (const Error&) {
    return false;
  }
}

bool FontFaces::add(const std::string& path) {
  find_first();
  if (open(path, 0) == nullptr) {
    opened_.erase({path, 0});  // another file may come in its place
    return false;
  }
  FcConfigAppFontAddFile(nullptr, reinterpret_cast<const FcChar8*>(path.c_str()));
  others_.reset();
  for (const char32_t c : std::exchange(missing_, {})) known_.erase(c);
  return true;
}

}  // namespace headscope
