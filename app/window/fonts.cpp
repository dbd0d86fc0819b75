#include "app/window/fonts.h"

#include <ft2build.h>
#include <imgui_freetype.h>
#include FT_FREETYPE_H
#include FT_TRUETYPE_TABLES_H

#include <fontconfig/fontconfig.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <span>

#include "app/panels/widgets/glyphs.h"
#include "app/state/lesson/presentation.h"
#include "app/state/text/text_edit.h"
#include "core/base/error.h"
#include "core/figure/boards/ticks.h"
#include "core/figure/text/embedded_font.h"
#include "core/system/memory.h"

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

/// The line that the interface is laid out in and its baseline, in em: one for all fonts, some of which leave
/// half as much room again between lines.
constexpr float line_em = 1.164F, baseline_em = 0.93F;

/// The face for Simplified Chinese: in collections for all of East Asia, the one with the Chinese forms.
FoundFont chinese_font() {
  return best_match("zh-cn");
}

/// Fonts that together cover as many of the characters as this machine can show, each with the characters
/// taken from it. Colour bitmap fonts are left out: they cannot be scaled.
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

constexpr char32_t minus_sign = 0x2212;  // used in numbers
constexpr std::size_t max_characters =
    6000;  // an atlas with more would exceed what some graphics cards accept

/// A face opened for its character map and metrics.
class Face {
 public:
  explicit Face(const FontFace& face) {
    if (FT_Init_FreeType(&library_) != 0) return;
    const std::span<const std::byte> bytes = face.file.bytes();
    if (FT_New_Memory_Face(library_, reinterpret_cast<const FT_Byte*>(bytes.data()),
                           static_cast<FT_Long>(bytes.size()), face.index, &face_) != 0)
      face_ = nullptr;
  }
  ~Face() {
    if (face_ != nullptr) FT_Done_Face(face_);
    if (library_ != nullptr) FT_Done_FreeType(library_);
  }
  Face(const Face&) = delete;
  Face& operator=(const Face&) = delete;

  bool has(char32_t c) const { return face_ != nullptr && FT_Get_Char_Index(face_, c) != 0; }
  bool usable() const { return face_ != nullptr && FT_IS_SCALABLE(face_) && face_->units_per_EM > 0; }
  /// A length of a usable face.
  double in_em(int units) const { return static_cast<double>(units) / face_->units_per_EM; }
  bool has_tabular_digits() const {
    const auto advance = [this](char digit) {
      return FT_Load_Char(face_, static_cast<FT_ULong>(digit), FT_LOAD_NO_SCALE) == 0
                 ? face_->glyph->advance.x
                 : FT_Pos{-1};
    };
    const FT_Pos zero = advance('0');
    return zero > 0 && std::ranges::all_of(std::string_view("123456789"),
                                           [&](char digit) { return advance(digit) == zero; });
  }
  /// For the screen, by the hand of its designer: a program that all glyphs share.
  bool has_hints() const {
    FT_ULong length = 0;
    return FT_Load_Sfnt_Table(face_, FT_MAKE_TAG('f', 'p', 'g', 'm'), 0, nullptr, &length) == 0 && length > 0;
  }
  FT_Face get() const { return face_; }

 private:
  FT_Library library_ = nullptr;
  FT_Face face_ = nullptr;
};

/// The members of `characters` for which `wanted` holds.
template <typename Wanted>
std::vector<ImWchar> as_ranges(const std::set<char32_t>& characters, const Wanted& wanted) {
  std::vector<ImWchar> ranges;
  for (const char32_t c : characters) {
    if (!wanted(c)) continue;
    if (c > 0xFFFF && sizeof(ImWchar) == 2) continue;
    const auto w = static_cast<ImWchar>(c);
    if (!ranges.empty() && ranges.back() + 1 == w) {
      ranges.back() = w;
    } else {
      ranges.push_back(w);
      ranges.push_back(w);
    }
  }
  if (!ranges.empty()) ranges.push_back(0);
  return ranges;
}

/// The bitmap of a character above U+FFFF under its stand-in (app/panels/widgets/glyphs.h), for an ImGui with
/// 16-bit ImWchar. Space is reserved before the atlas is built, and the bitmap is copied into it afterwards.
struct WideGlyph {
  int rect = 0, width = 0, height = 0;
  std::vector<unsigned char> alpha;  // [height, width]

  void copy_into(ImFontAtlas& atlas) const {
    const ImFontAtlasCustomRect* place = atlas.GetCustomRectByIndex(rect);
    if (!place->IsPacked()) return;
    for (int y = 0; y < height; ++y)
      std::copy_n(alpha.data() + static_cast<std::ptrdiff_t>(y) * width, width,
                  atlas.TexPixelsAlpha8 + (place->Y + y) * atlas.TexWidth + place->X);
  }
};

/// Reserves the face's characters above U+FFFF for `font`, `em` pixels high. `used` are all characters in
/// use: where two share a stand-in, neither gets a bitmap.
void reserve_wide_glyphs(std::vector<WideGlyph>& list, ImFontAtlas& atlas, ImFont* font, const FontFace& face,
                         const std::set<char32_t>& used, double em, double ascent) {
  if (sizeof(ImWchar) > 2 || face.characters.empty() || *face.characters.rbegin() <= 0xFFFF) return;
  const Face opened(face);
  if (!opened.usable()) return;
  FT_Set_Pixel_Sizes(opened.get(), 0, static_cast<FT_UInt>(std::lround(em)));
  for (auto c = face.characters.upper_bound(0xFFFF); c != face.characters.end(); ++c) {
    const bool shared = std::ranges::any_of(
        used, [c](char32_t other) { return other != *c && drawn_character(other) == drawn_character(*c); });
    if (shared || FT_Load_Char(opened.get(), *c, FT_LOAD_RENDER | FT_LOAD_TARGET_LIGHT) != 0) continue;
    const FT_GlyphSlot glyph = opened.get()->glyph;
    const FT_Bitmap& bitmap = glyph->bitmap;
    if (bitmap.pixel_mode != FT_PIXEL_MODE_GRAY || bitmap.width == 0 || bitmap.rows == 0) continue;
    WideGlyph wide{0, static_cast<int>(bitmap.width), static_cast<int>(bitmap.rows), {}};
    for (unsigned y = 0; y < bitmap.rows; ++y) {
      const unsigned char* row = bitmap.buffer + static_cast<std::ptrdiff_t>(y) * bitmap.pitch;
      wide.alpha.insert(wide.alpha.end(), row, row + bitmap.width);
    }
    const ImVec2 offset(static_cast<float>(glyph->bitmap_left),
                        static_cast<float>(std::ceil(ascent)) - static_cast<float>(glyph->bitmap_top));
    wide.rect = atlas.AddCustomRectFontGlyph(font, drawn_character(*c), wide.width, wide.height,
                                             static_cast<float>(glyph->advance.x) / 64, offset);
    list.push_back(std::move(wide));
  }
}

}  // namespace

FontSizes ordinary_sizes(float em) {
  const float small = 0.85F * em, large = 1.3F * em;
  return {small, em,     large,
          0,     2 * em, {static_cast<float>(min_number) * small, 0.9F * small, small, em, large}};
}

FontSizes presented_sizes(float height) {
  const auto share = [height](double part) { return height * static_cast<float>(part); };
  const float text = share(Presented::text), minimum = share(Presented::min_number);
  return {text,
          text,
          share(Presented::heading),
          share(Presented::caption),
          share(Presented::number),
          {minimum, 1.2F * minimum, 1.45F * minimum, 1.8F * minimum, 2.3F * minimum}};
}

void Fonts::use(std::string_view utf8, bool caption) {
  // Called every frame for texts of thousands of tokens: skip quickly over characters that every font has.
  const auto beyond_ascii = [&](std::size_t from) {
    while (from < utf8.size() && static_cast<unsigned char>(utf8[from]) < 0x80) ++from;
    return from;
  };
  for (std::size_t at = beyond_ascii(0); at < utf8.size();) {
    std::size_t next = at;
    const char32_t c = decode_utf8(utf8, at, next);
    at = beyond_ascii(next);
    if (caption && c >= 0x80 && in_captions_.insert(c).second) outdated_ = true;
    if (c < 0x80 || used_.size() >= max_characters || !used_.insert(c).second) continue;
    unplaced_.insert(c);
    outdated_ = true;
  }
}

FontFace* Fonts::open(const std::string& path, int index) {
  if (path.empty()) return nullptr;
  const auto key = std::make_pair(path, index);
  if (const auto known = opened_.find(key); known != opened_.end()) return known->second;
  opened_[key] = nullptr;
  std::unique_ptr<FontFace> face;
  try {
    face = std::make_unique<FontFace>(FontFace{MappedFile(path), index});
  } catch (const Error&) {
    return nullptr;
  }
  const Face opened(*face);
  if (!opened.usable()) return nullptr;
  face->height = opened.in_em(opened.get()->ascender - opened.get()->descender);
  face->ascent = opened.in_em(opened.get()->ascender);
  face->for_numbers = opened.has_tabular_digits() && opened.has_hints();
  faces_.push_back(std::move(face));
  return opened_[key] = faces_.back().get();
}

void Fonts::find_faces_for_unplaced() {
  for (const auto& [font, characters] : fonts_for(unplaced_)) {
    FontFace* const face = open(font.path, font.index);
    if (face == nullptr) continue;
    face->characters.insert(characters.begin(), characters.end());
    for (const char32_t c : characters) unplaced_.erase(c);
  }
}

bool Fonts::is_font(const std::string& path) {
  try {
    const FontFace face{MappedFile(path), 0};
    return Face(face).usable();
  } catch (const Error&) {
    return false;
  }
}

bool Fonts::add(const std::string& path) {
  if (open(path, 0) == nullptr) {
    opened_.erase({path, 0});  // another file may come in its place
    return false;
  }
  FcConfigAppFontAddFile(nullptr, reinterpret_cast<const FcChar8*>(path.c_str()));
  unplaced_.merge(missing_);
  missing_.clear();
  outdated_ = true;
  return true;
}

FontFace* Fonts::find_latin() {
  // DejaVu Sans is what fontconfig gives where nobody has chosen a font.
  const FoundFont own = best_match("en", "system-ui");
  if (!own.chinese && own.family != "DejaVu Sans")
    if (FontFace* face = open(own.path, own.index); face != nullptr && face->for_numbers) return face;
  for (const char* family : {"Open Sans", "Noto Sans", "Ubuntu", "DejaVu Sans", "Liberation Sans"})
    if (const FoundFont found = best_match("en", family); found.family == family)
      if (FontFace* face = open(found.path, found.index)) return face;
  return open(own.path, own.index);
}

void Fonts::place_new() {
  if (faces_.empty()) {
    ensure_font();
    latin_ = find_latin();
    const FoundFont chinese = chinese_font();
    chinese_ = open(chinese.path, chinese.index);
    for (char32_t c = 0x20; c < 0x100; ++c) unplaced_.insert(c);
    unplaced_.insert({minus_sign, 0x2026, 0x22EE, 0xFFFD});
  }
  for (FontFace* face : {latin_, chinese_}) {
    if (face == nullptr) continue;
    const Face opened(*face);
    std::erase_if(unplaced_, [&](char32_t c) {
      if (!opened.has(c)) return false;
      face->characters.insert(c);
      return true;
    });
  }
  std::erase_if(unplaced_, [](char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); });
  if (!unplaced_.empty()) find_faces_for_unplaced();
  missing_.merge(unplaced_);
  unplaced_.clear();
}

ImFont* Fonts::font(float em, Characters characters) {
  if (em <= 0) return nullptr;
  for (const Built& built : built_)
    if (built.em == em && (built.characters == characters || built.characters == Characters::all))
      return built.font;
  const auto wanted = [&](char32_t c) {
    return characters == Characters::all || c < 0x7F || c == minus_sign ||
           (characters == Characters::of_captions && in_captions_.contains(c));
  };
  ImFont* font = nullptr;
  for (const auto& face : faces_) {
    ranges_.push_back(as_ranges(face->characters, wanted));
    if (ranges_.back().empty()) continue;
    ImFontConfig config;
    config.FontData = const_cast<std::byte*>(face->file.bytes().data());
    config.FontDataSize = static_cast<int>(face->file.bytes().size());
    // The atlas copies data that it does not own, 20 MB per size for a Chinese font: it is marked as the
    // owner until it has read the file.
    config.FontDataOwnedByAtlas = true;
    config.FontNo = face->index;
    config.SizePixels = std::round(em * raster_ * static_cast<float>(face->height));
    config.GlyphRanges = ranges_.back().data();
    config.MergeMode = font != nullptr;
    config.PixelSnapH = true;
    config.GlyphOffset.y =
        std::round(em * raster_ * (baseline_em - static_cast<float>(faces_.front()->ascent)));
    ImFont* added = atlas_.AddFont(&config);
    atlas_.ConfigData.back().FontDataOwnedByAtlas = false;
    if (font == nullptr) font = added;
  }
  if (font == nullptr) font = atlas_.AddFontDefault();
  built_.push_back({em, characters, font});
  return font;
}

void Fonts::build(const FontSizes& sizes, float raster) {
  place_new();
  sizes_ = sizes;
  raster_ = raster;
  atlas_.Clear();
  atlas_.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas_.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
  atlas_.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
  ranges_.clear();
  built_.clear();
  fonts_.small = font(sizes.small, Characters::all);
  fonts_.regular = font(sizes.regular, Characters::all);
  fonts_.large = font(sizes.large, Characters::all);
  fonts_.caption = font(sizes.caption, Characters::of_captions);
  fonts_.number = font(sizes.number, Characters::of_numbers);
  for (std::size_t i = 0; i < sizes.digits.size(); ++i)
    fonts_.digits[i] = font(sizes.digits[i], Characters::of_numbers);
  std::vector<WideGlyph> wide_glyphs;
  for (const Built& built : built_) {
    if (built.characters == Characters::of_numbers) continue;
    const double size = static_cast<double>(built.em * raster_);
    for (const auto& face : faces_)
      reserve_wide_glyphs(wide_glyphs, atlas_, built.font, *face, used_, size,
                          size * static_cast<double>(baseline_em));
  }
  atlas_.Build();
  for (const Built& built : built_) {
    built.font->FontSize = std::round(built.em * raster_ * line_em);
    built.font->Ascent = std::round(built.em * raster_ * baseline_em);
    built.font->Descent = built.font->Ascent - built.font->FontSize;
  }
  if (atlas_.TexPixelsAlpha8 != nullptr)
    for (const WideGlyph& glyph : wide_glyphs) glyph.copy_into(atlas_);
  fonts_.font_size = fonts_.regular->FontSize / raster;
  fonts_.framebuffer_scale = raster;
  outdated_ = false;
  // The next build finds the files in the page cache; until then they need not stay in memory.
  for (const auto& face : faces_) drop_pages(face->file.bytes());
}

void Fonts::show(Style& style) const {
  static_cast<StyleFonts&>(style) = fonts_;
  ImGui::GetIO().FontDefault = fonts_.regular;
  ImGui::GetIO().FontGlobalScale = 1 / fonts_.framebuffer_scale;
}

}  // namespace headscope
