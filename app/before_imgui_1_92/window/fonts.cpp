// The window's fonts before ImGui 1.92: one atlas with the characters in use, in each of ten sizes.
#include "app/window/fonts.h"

#include <backends/imgui_impl_opengl3.h>
#include <ft2build.h>
#include <imgui_freetype.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>
#include FT_FREETYPE_H

#include "app/before_imgui_1_92/panels/font_sizes.h"
#include "app/before_imgui_1_92/panels/new_characters.h"
#include "app/before_imgui_1_92/window/character_ranges.h"
#include "app/before_imgui_1_92/window/texts_in_use.h"
#include "app/before_imgui_1_92/window/wide_glyphs.h"
#include "app/state/actions/present.h"
#include "app/state/text/text_edit.h"
#include "app/window/font_faces.h"
#include "core/base/utf8.h"
#include "core/figure/boards/ticks.h"
#include "core/figure/text/device_glyph.h"
#include "core/system/memory.h"
#include "core/text/visual_order.h"

namespace headscope {
namespace {

constexpr char32_t minus_sign = 0x2212;  // used in numbers
/// Beside ASCII, what stands in cells: · – − ≤ ≥
bool is_in_numbers(char32_t c) {
  return c == minus_sign || c == 0xB7 || c == 0x2013 || c == 0x2264 || c == 0x2265;
}
constexpr std::size_t max_characters =
    6000;  // an atlas with more would exceed what some graphics cards accept

/// In em; the height is ascender - descender.
float in_em(const FontFace& face, int units) {
  return static_cast<float>(static_cast<double>(units) / face.get()->units_per_EM);
}
float height_of(const FontFace& face) {
  return in_em(face, face.get()->ascender - face.get()->descender);
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

/// Holds only the characters in use, found among the fonts on this machine. It is rebuilt between frames when
/// a text brings new ones. Only `show` needs an ImGui context, so another thread can build the first atlas
/// while the window opens.
class RasterizedFonts : public Fonts {
 public:
  RasterizedFonts() {
    new_characters().listen = [this](char32_t character) { take_drawn(character); };
  }
  ~RasterizedFonts() override { new_characters() = {}; }

  void open(Language language, const TextSizes& sizes) override;
  bool show(const App& app, WindowEvents& events, const TextSizes& sizes) override;
  bool add(const std::string& path) override;
  const std::set<char32_t>& missing() const override { return missing_; }

 private:
  enum class Characters { all, of_captions, of_numbers };
  struct Built {
    float height;
    Characters characters;
    ImFont* font;
  };
  /// Records a text's characters; cheap if they are known. `caption`: also for the largest font.
  void use(std::string_view utf8, bool caption = false);
  void use(char32_t character, bool caption);
  void use_texts(const App& app);
  void take_drawn(char32_t character);
  void place_new();
  void build(const TextSizes& sizes);
  ImFont* font(float height, Characters characters);
  void add_wide_glyphs(std::vector<WideGlyph>& glyphs);
  void give_to_context();
  void upload_again();

  ImFontAtlas atlas_;
  TextSizes sizes_;
  FontFaces faces_;
  std::optional<Language> language_;
  std::map<const FontFace*, std::set<char32_t>> placed_;  // the characters in use that each face draws
  std::set<char32_t> on_device_;                          // those that the device draws, as no face has them
  std::set<char32_t> missing_;                            // those that nobody draws
  std::set<char32_t> used_;
  std::set<char32_t> unplaced_;               // used, but not yet assigned to a face
  std::vector<std::vector<ImWchar>> ranges_;  // must live as long as the atlas
  std::vector<Built> built_;                  // in the atlas
  ImFont* regular_ = nullptr;
  std::set<char32_t> in_captions_;
  WindowEvents* events_ = nullptr;  // of the window that shows them
  bool presented_ = false;
  bool outdated_ = true;  // the atlas lacks characters that were used
};

void RasterizedFonts::use(char32_t character, bool caption) {
  if (caption && character >= 0x80 && in_captions_.insert(character).second) outdated_ = true;
  if (character < 0x80 || used_.size() >= max_characters || !used_.insert(character).second) return;
  unplaced_.insert(character);
  outdated_ = true;
}

void RasterizedFonts::use(std::string_view utf8, bool caption) {
  // Called every frame for texts of thousands of tokens: skip quickly over characters that every font has.
  const auto beyond_ascii = [&](std::size_t from) {
    while (from < utf8.size() && is_ascii(utf8[from])) ++from;
    return from;
  };
  for (std::size_t at = beyond_ascii(0); at < utf8.size();) {
    std::size_t next = at;
    use(decode_utf8(utf8, at, next), caption);
    at = beyond_ascii(next);
  }
}

/// The frame is drawn again, with it.
void RasterizedFonts::take_drawn(char32_t character) {
  use(character, presented_);
  if (outdated_ && events_ != nullptr) events_->frames.ask(DueFrames::arrived);
}

void RasterizedFonts::place_new() {
  if (placed_.empty()) {
    for (char32_t c = 0x20; c < 0x100; ++c) unplaced_.insert(c);
    unplaced_.insert({minus_sign, 0x2026, 0x22EE, 0xFFFD});
  }
  for (const char32_t c : std::exchange(unplaced_, {})) {
    if (const FontFace* face = faces_.of(c))
      placed_[face].insert(c);
    else if (faces_.missing().contains(c))
      (device_glyph(c, sizes_.font_size) ? on_device_ : missing_).insert(c);
  }
}

void RasterizedFonts::open(Language language, const TextSizes& sizes) {
  language_ = language;
  use(signs_in_use());
  use(Translator(language).all_texts());
  build(sizes);
}

bool RasterizedFonts::add(const std::string& path) {
  const std::set<char32_t> missing = faces_.missing();
  if (!faces_.add(path)) return false;
  unplaced_.insert(missing.begin(), missing.end());
  on_device_.clear();
  missing_.clear();
  outdated_ = true;
  return true;
}

void RasterizedFonts::use_texts(const App& app) {
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

bool RasterizedFonts::show(const App& app, WindowEvents& events, const TextSizes& sizes) {
  events_ = &events;
  if (std::exchange(presented_, app.presentation.on) != app.presentation.on) new_characters().forget();
  use_texts(app);
  for (const char32_t c : events.input.coming_characters()) use(c, false);
  const bool builds = outdated_ || sizes != sizes_;
  const bool uploaded = atlas_.TexID != nullptr;  // which a build resets
  if (builds) build(sizes);
  give_to_context();
  if (builds && uploaded) upload_again();
  return builds;
}

ImFont* RasterizedFonts::font(float height, Characters characters) {
  for (const Built& built : built_)
    if (built.height == height && (built.characters == characters || built.characters == Characters::all))
      return built.font;
  const float em = height / line_em * sizes_.framebuffer_scale;
  const auto wanted = [&](char32_t c) {
    return characters == Characters::all || c < 0x7F || is_in_numbers(c) ||
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
    config.SizePixels = std::round(em * height_of(*face));
    config.GlyphRanges = ranges_.back().data();
    config.MergeMode = font != nullptr;
    config.PixelSnapH = true;
    const FontFace& first = *faces_.opened().front();
    config.GlyphOffset.y = std::round(em * (baseline_em - in_em(first, first.get()->ascender)));
    if (characters == Characters::of_numbers) std::strcpy(config.Name, numbers_only);
    ImFont* added = atlas_.AddFont(&config);
    atlas_.ConfigData.back().FontDataOwnedByAtlas = false;
    if (font == nullptr) font = added;
  }
  if (font == nullptr) font = atlas_.AddFontDefault();
  built_.push_back({height, characters, font});
  return font;
}

void RasterizedFonts::add_wide_glyphs(std::vector<WideGlyph>& glyphs) {
  for (const Built& built : built_) {
    if (built.characters == Characters::of_numbers) continue;
    const double em = built.height / line_em * sizes_.framebuffer_scale;
    for (const auto& [face, characters] : placed_)
      reserve_wide_glyphs(glyphs, atlas_, built.font, *face, characters, em, em * baseline_em);
    reserve_device_glyphs(glyphs, atlas_, built.font, on_device_, em, em * baseline_em);
  }
}

void RasterizedFonts::build(const TextSizes& sizes) {
  sizes_ = sizes;
  place_new();
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
  add_wide_glyphs(wide_glyphs);
  atlas_.Build();
  const float raster = sizes.framebuffer_scale;
  for (const Built& built : built_) {
    built.font->FontSize = std::round(built.height * raster);
    built.font->Ascent = std::round(built.height / line_em * raster * baseline_em);
    built.font->Descent = built.font->Ascent - built.font->FontSize;
  }
  copy_into(atlas_, wide_glyphs);
  outdated_ = false;
  // The next build finds the files in the page cache; until then they need not stay in memory.
  for (const auto& face : faces_.opened()) drop_pages(face->file().bytes());
}

/// In place of its own atlas.
void RasterizedFonts::give_to_context() {
  ImGuiIO& io = ImGui::GetIO();
  if (io.Fonts != &atlas_) {
    if (std::exchange(GImGui->FontAtlasOwnedByContext, false)) IM_DELETE(io.Fonts);
    io.Fonts = &atlas_;
  }
  io.FontDefault = regular_;
  io.FontGlobalScale = 1 / sizes_.framebuffer_scale;
}

/// The backend's first frame has uploaded the first.
void RasterizedFonts::upload_again() {
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

}  // namespace

std::unique_ptr<Fonts> make_fonts() {
  return std::make_unique<RasterizedFonts>();
}

}  // namespace headscope
