// The window's fonts before ImGui 1.92: one atlas with the characters in use, in each of ten sizes.
#include <imgui.h>

#if IMGUI_VERSION_NUM < 19200

#include <ft2build.h>
#include <imgui_freetype.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>
#include FT_FREETYPE_H

#include "app/panels/widgets/glyphs.h"
#include "app/state/lesson/presentation.h"
#include "app/state/text/text_edit.h"
#include "app/window/fonts.h"
#include "core/figure/boards/ticks.h"
#include "core/system/memory.h"
#include "core/text/visual_order.h"

namespace headscope {
namespace {

constexpr char32_t minus_sign = 0x2212;  // used in numbers
constexpr std::size_t max_characters =
    6000;  // an atlas with more would exceed what some graphics cards accept

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

/// Reserves the face's `characters` above U+FFFF for `font`, `em` pixels high.
void reserve_wide_glyphs(std::vector<WideGlyph>& list, ImFontAtlas& atlas, ImFont* font, const FontFace& face,
                         const std::set<char32_t>& characters, double em, double ascent) {
  if (sizeof(ImWchar) > 2 || characters.empty() || *characters.rbegin() <= 0xFFFF) return;
  FT_Set_Pixel_Sizes(face.get(), 0, static_cast<FT_UInt>(std::lround(em)));
  for (auto c = characters.upper_bound(0xFFFF); c != characters.end(); ++c) {
    if (FT_Load_Char(face.get(), *c, FT_LOAD_RENDER | FT_LOAD_TARGET_LIGHT) != 0) continue;
    const FT_GlyphSlot glyph = face.get()->glyph;
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

void Fonts::place_new() {
  if (placed_.empty()) {
    for (char32_t c = 0x20; c < 0x100; ++c) unplaced_.insert(c);
    unplaced_.insert({minus_sign, 0x2026, 0x22EE, 0xFFFD});
  }
  for (const char32_t c : std::exchange(unplaced_, {}))
    if (const FontFace* face = faces_.of(c)) placed_[face].insert(c);
}

void Fonts::build_first(const Translator& tr, const TextSizes& sizes) {
  language_ = tr.language();
  use(signs_in_use());
  use(tr.all_texts());
  build(sizes);
}

bool Fonts::add(const std::string& path) {
  const std::set<char32_t> missing = faces_.missing();
  if (!faces_.add(path)) return false;
  unplaced_.insert(missing.begin(), missing.end());
  outdated_ = true;
  return true;
}

void Fonts::use_texts(const App& app) {
  if (app.presentation.on) {
    use("→…–−·↵▁", true);
    for (const std::string_view text : {app.tr("blocked"), app.tr("hidden")}) use(text, true);
    for (const std::string_view text : sentences_in_use(app)) {
      use(text, true);
      use(visual_order(text), true);
    }
  }
  for (const std::string_view text : texts_in_use(app)) {
    use(text);
    use(visual_order(text));  // Arabic letters change form with their position
  }
  if (language_ == app.language()) return;
  language_ = app.language();
  use(app.tr.all_texts());
}

bool Fonts::prepare(const App& app, const std::u32string& coming, const TextSizes& sizes) {
  use_texts(app);
  for (const char32_t c : coming) {
    std::string one;
    append_utf8(one, c);
    use(one);
  }
  if (!outdated_ && sizes == sizes_) return false;
  build(sizes);
  return true;
}

bool Fonts::lack(PanelMemory& memory, bool presented) {
  use(memory.characters.take(), presented);
  return outdated_;
}

void Fonts::forget_drawn(PanelMemory& memory) {
  memory.characters.forget();
}

ImFont* Fonts::font(float height, Characters characters) {
  for (const Built& built : built_)
    if (built.height == height && (built.characters == characters || built.characters == Characters::all))
      return built.font;
  const float em = height / line_em * sizes_.framebuffer_scale;
  const auto wanted = [&](char32_t c) {
    return characters == Characters::all || c < 0x7F || c == minus_sign ||
           (characters == Characters::of_captions && in_captions_.contains(c));
  };
  ImFont* font = nullptr;
  for (const auto& face : faces_.opened()) {
    ranges_.push_back(as_ranges(placed_[face.get()], wanted));
    if (ranges_.back().empty()) continue;
    ImFontConfig config;
    config.FontData = const_cast<std::byte*>(face->file().bytes().data());
    config.FontDataSize = static_cast<int>(face->file().bytes().size());
    // The atlas copies data that it does not own, 20 MB per size for a Chinese font: it is marked as the
    // owner until it has read the file.
    config.FontDataOwnedByAtlas = true;
    config.FontNo = face->index();
    config.SizePixels = std::round(em * static_cast<float>(face->height()));
    config.GlyphRanges = ranges_.back().data();
    config.MergeMode = font != nullptr;
    config.PixelSnapH = true;
    config.GlyphOffset.y =
        std::round(em * (baseline_em - static_cast<float>(faces_.opened().front()->ascent())));
    if (characters == Characters::of_numbers) std::strcpy(config.Name, "numbers");  // for font_of()
    ImFont* added = atlas_.AddFont(&config);
    atlas_.ConfigData.back().FontDataOwnedByAtlas = false;
    if (font == nullptr) font = added;
  }
  if (font == nullptr) font = atlas_.AddFontDefault();
  built_.push_back({height, characters, font});
  return font;
}

/// Of numbers in cells, besides those of other texts.
std::array<float, 5> number_heights(const TextSizes& sizes) {
  if (sizes.caption > 0) {
    const float minimum = sizes.font_size * static_cast<float>(Presented::min_number / Presented::text);
    return {minimum, 1.2F * minimum, 1.45F * minimum, 1.8F * minimum, 2.3F * minimum};
  }
  return {static_cast<float>(min_number) * sizes.small, 0.9F * sizes.small, sizes.small, sizes.font_size,
          sizes.large};
}

void Fonts::build(const TextSizes& sizes) {
  place_new();
  sizes_ = sizes;
  atlas_.Clear();
  atlas_.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas_.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
  atlas_.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
  ranges_.clear();
  built_.clear();
  for (const float height : {sizes.small, sizes.large}) font(height, Characters::all);
  regular_ = font(sizes.font_size, Characters::all);
  if (sizes.caption > 0) font(sizes.caption, Characters::of_captions);
  font(sizes.number, Characters::of_numbers);
  for (const float height : number_heights(sizes)) font(std::round(height), Characters::of_numbers);
  std::vector<WideGlyph> wide_glyphs;
  const float raster = sizes.framebuffer_scale;
  for (const Built& built : built_) {
    if (built.characters == Characters::of_numbers) continue;
    const auto em = static_cast<double>(built.height / line_em * raster);
    for (const auto& [face, characters] : placed_)
      reserve_wide_glyphs(wide_glyphs, atlas_, built.font, *face, characters, em,
                          em * static_cast<double>(baseline_em));
  }
  atlas_.Build();
  for (const Built& built : built_) {
    built.font->FontSize = std::round(built.height * raster);
    built.font->Ascent = std::round(built.height / line_em * raster * baseline_em);
    built.font->Descent = built.font->Ascent - built.font->FontSize;
  }
  if (atlas_.TexPixelsAlpha8 != nullptr)
    for (const WideGlyph& glyph : wide_glyphs) glyph.copy_into(atlas_);
  outdated_ = false;
  // The next build finds the files in the page cache; until then they need not stay in memory.
  for (const auto& face : faces_.opened()) drop_pages(face->file().bytes());
}

void Fonts::show(Style& style, const TextSizes& sizes) {
  static_cast<TextSizes&>(style) = sizes;
  ImGui::GetIO().FontDefault = regular_;
  ImGui::GetIO().FontGlobalScale = 1 / sizes.framebuffer_scale;
}

}  // namespace headscope

#endif
