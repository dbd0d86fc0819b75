// In place of text_shaper.cpp where there is no Pango: widths of lines from those of their characters, each
// in the first font that has it. Letters are not joined.
#include <fontconfig/fontconfig.h>
#include <ft2build.h>

#include <array>
#include <map>
#include <optional>
#include <type_traits>
#include <vector>

#include "core/base/utf8.h"
#include "core/figure/text/chinese_text.h"
#include "core/figure/text/device_glyph.h"
#include "core/figure/text/embedded_font.h"
#include "core/figure/text/figure_font.h"
#include "core/figure/text/text_shaper.h"
#include FT_FREETYPE_H

namespace headscope {
namespace {

const FcChar8* fc(const char* text) {
  return reinterpret_cast<const FcChar8*>(text);
}

/// Files of fonts in the order in which they are asked for a character.
std::vector<std::pair<std::string, int>> font_files(const std::string& families, const char* language) {
  ensure_font();
  FcPattern* const pattern = FcPatternCreate();
  for (std::size_t begin = 0; begin <= families.size();) {
    const std::size_t end = std::min(families.find(',', begin), families.size());
    FcPatternAddString(pattern, FC_FAMILY, fc(families.substr(begin, end - begin).c_str()));
    begin = end + 1;
  }
  FcPatternAddString(pattern, FC_LANG, fc(language));
  FcPatternAddBool(pattern, FC_COLOR, FcFalse);
  FcConfigSubstitute(nullptr, pattern, FcMatchPattern);
  FcDefaultSubstitute(pattern);
  FcResult result = FcResultNoMatch;
  FcFontSet* const sorted = FcFontSort(nullptr, pattern, FcTrue, nullptr, &result);
  std::vector<std::pair<std::string, int>> files;
  for (int i = 0; sorted != nullptr && i < sorted->nfont; ++i) {
    FcChar8* file = nullptr;
    int index = 0;
    if (FcPatternGetString(sorted->fonts[i], FC_FILE, 0, &file) != FcResultMatch) continue;
    FcPatternGetInteger(sorted->fonts[i], FC_INDEX, 0, &index);
    files.emplace_back(reinterpret_cast<const char*>(file), index & 0xFFFF);
  }
  if (sorted != nullptr) FcFontSetDestroy(sorted);
  FcPatternDestroy(pattern);
  return files;
}

/// Fonts, opened when they are first asked.
class FontList {
 public:
  explicit FontList(std::vector<std::pair<std::string, int>> files) : files_(std::move(files)) {
    if (FT_Init_FreeType(&library_) != 0) files_.clear();
  }
  ~FontList() {
    for (FT_Face face : faces_)
      if (face != nullptr) FT_Done_Face(face);
    if (library_ != nullptr) FT_Done_FreeType(library_);
  }
  FontList(const FontList&) = delete;
  FontList& operator=(const FontList&) = delete;

  /// With its glyph loaded, in units of the font; nullptr: no font has it.
  FT_Face loaded(char32_t c) {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (i == faces_.size()) faces_.push_back(open(files_[i].first, files_[i].second));
      FT_Face face = faces_[i];
      const FT_UInt glyph = face != nullptr ? FT_Get_Char_Index(face, c) : 0;
      if (glyph != 0 && FT_Load_Glyph(face, glyph, FT_LOAD_NO_SCALE) == 0) return face;
    }
    return nullptr;
  }

 private:
  FT_Face open(const std::string& file, int index) const {
    FT_Face face = nullptr;
    if (FT_New_Face(library_, file.c_str(), index, &face) != 0) return nullptr;
    if (FT_IS_SCALABLE(face) && face->units_per_EM > 0) return face;
    FT_Done_Face(face);
    return nullptr;
  }

  std::vector<std::pair<std::string, int>> files_;
  std::vector<FT_Face> faces_;
  FT_Library library_ = nullptr;
};

struct MeasuredLine {
  double width = 0;  // in em
  std::set<char32_t> missing;
};

/// Of a glyph, in em.
double width_of(FT_Face loaded) {
  return static_cast<double>(loaded->glyph->metrics.horiAdvance) / loaded->units_per_EM;
}

/// Of a character that the device draws, in em.
std::optional<double> width_on_device(char32_t c) {
  constexpr double em = 256;
  const std::optional<DeviceGlyph> glyph = device_glyph(c, em);
  return glyph ? std::optional(glyph->advance / em) : std::nullopt;
}

constexpr double box_width = 1;  // in em

/// What is drawn for a character that no font has.
void use_box(const TextShaper::UseOutline& use, double distance) {
  constexpr FT_Pos em = 1000, left = 100, right = 900, top = 800, bottom = -100, line = 40;
  std::array<FT_Vector, 8> points{{{left, bottom},
                                   {right, bottom},
                                   {right, top},
                                   {left, top},
                                   {left + line, bottom + line},
                                   {left + line, top - line},
                                   {right - line, top - line},
                                   {right - line, bottom + line}}};
  FT_Outline outline{};
  std::array<std::remove_pointer_t<decltype(outline.tags)>, 8> tags{};
  tags.fill(FT_CURVE_TAG_ON);
  std::array<std::remove_pointer_t<decltype(outline.contours)>, 2> ends{3, 7};
  outline.n_contours = 2;
  outline.n_points = 8;
  outline.points = points.data();
  outline.tags = tags.data();
  outline.contours = ends.data();
  use(outline, em, distance);
}

std::string shown_part(std::string_view text) {
  return printable(without_noncharacters(cut_off(text, TextShaper::max_bytes)));
}

}  // namespace

struct TextShaper::State {
  explicit State(const std::string& of_figures)
      : families(of_figures), fonts(font_files(families, "en")), chinese(font_files("sans-serif", "zh-cn")) {}

  const MeasuredLine& line(std::string_view text) {
    if (const auto found = lines.find(text); found != lines.end()) return found->second;
    MeasuredLine line;
    each(shown_part(text), [&](char32_t c, FT_Face face) {
      line.width += width_of(c, face);
      if (face == nullptr && !on_device[c]) line.missing.insert(c);
    });
    return lines.emplace(std::string(text), std::move(line)).first->second;
  }

  /// Its characters with the fonts that have them.
  template <typename Use>
  void each(const std::string& shown, const Use& use) {
    FontList& list = wants_simplified(shown) ? chinese : fonts;
    for (std::size_t i = 0; i < shown.size();) {
      const auto c = static_cast<char32_t>(next_code_point(shown, i));
      use(c, list.loaded(c));
    }
  }

  /// In em. `face`: has it, with its glyph loaded; else the device draws it, or nobody.
  double width_of(char32_t c, FT_Face face) {
    if (face != nullptr) return headscope::width_of(face);
    const auto [place, fresh] = on_device.try_emplace(c);
    if (fresh) place->second = width_on_device(c);
    return place->second.value_or(box_width);
  }

  std::string families;
  std::map<char32_t, std::optional<double>> on_device;  // widths in em
  FontList fonts, chinese;
  std::map<std::string, MeasuredLine, std::less<>> lines;
  std::set<char32_t> missing;
};

TextShaper::TextShaper(const std::string& family)
    : state_(std::make_unique<State>(family.empty() ? figure_families() : family + "," + figure_families())) {
}

TextShaper::~TextShaper() = default;

const std::string& TextShaper::families() const {
  return state_->families;
}

double TextShaper::width(std::string_view text, double size, bool /*bold*/) {
  return text.empty() ? 0 : state_->line(text).width * size;
}

void TextShaper::note(std::string_view text) {
  const MeasuredLine& line = state_->line(text);
  state_->missing.insert(line.missing.begin(), line.missing.end());
}

void TextShaper::outlines(std::string_view text, const UseOutline& use, const UseDevice& use_device) {
  note(text);
  double distance = 0;
  state_->each(shown_part(text), [&](char32_t c, FT_Face face) {
    const double width = state_->width_of(c, face);
    if (face != nullptr)
      use(face->glyph->outline, face->units_per_EM, distance);
    else if (state_->on_device[c])
      use_device(c, distance);
    else
      use_box(use, distance);
    distance += width;
  });
}

const std::set<char32_t>& TextShaper::missing() const {
  return state_->missing;
}

}  // namespace headscope
