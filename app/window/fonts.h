#pragma once
#include <imgui.h>

#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/widgets/style.h"
#include "app/window/wide_glyphs.h"

namespace headscope {

/// A face in a font file, mapped into memory.
struct FontFace {
  std::string path;
  int index = 0;
  std::shared_ptr<const void> memory;
  std::size_t bytes = 0;
  double ascent = 1;              ///< in em
  double height = 1;              ///< ascender - descender, in em
  std::set<char32_t> characters;  ///< those in use that it draws
};

/// The sizes of the window's fonts, in pixels of the screen to an em. Those that are alike are one font.
struct FontSizes {
  float tiny = 0, small = 0, regular = 0, large = 0;
  float caption = 0, number = 0;  ///< while presenting, else 0
  std::array<float, 5> digits{};  ///< of numbers in cells, the smallest first
  bool operator==(const FontSizes&) const = default;
};
/// For regular text `em` high.
FontSizes ordinary_sizes(float em);
/// For a view that is presented in a window so many pixels high.
FontSizes presented_sizes(float height);

/// The font atlas: holds the characters that are in use and no others, found among the fonts on this machine.
/// It is built again between frames when a text brings new ones. All but `show` needs no ImGui context, so
/// that another thread can build the first atlas while the window opens.
class Fonts {
 public:
  /// Takes note of a text's characters; cheap if they are known. `caption`: in the largest font too.
  void use(std::string_view utf8, bool caption = false);
  /// Whether the atlas lacks characters that were used.
  bool outdated() const { return outdated_; }
  /// Whether the atlas is of these sizes and lacks nothing.
  bool fits(const FontSizes& sizes, float raster) const {
    return !outdated_ && sizes == sizes_ && raster == raster_;
  }
  /// Builds the atlas; `raster` framebuffer pixels to one of ImGui's.
  void build(const FontSizes& sizes, float raster);
  /// Makes the built fonts those of `style` and of the current ImGui context.
  void show(Style& style) const;
  /// For an ImGui context, which must not outlive it.
  ImFontAtlas& atlas() { return atlas_; }

 private:
  void place_new();
  FontFace* open(const std::string& path, int index);
  void find_faces_for(const std::set<char32_t>& missing);
  enum class Characters { all, of_captions, of_numbers };
  struct Built {
    float em;
    Characters characters;
    ImFont* font;
  };
  ImFont* font(float em, Characters characters);
  void add_wide_glyphs(WideGlyphs& pictures);

  ImFontAtlas atlas_;
  StyleFonts fonts_;  // of the atlas
  FontSizes sizes_;
  float raster_ = 0;
  std::vector<std::unique_ptr<FontFace>> faces_;  // Latin, Chinese, then what scripts in use asked for
  FontFace* latin_ = nullptr;
  FontFace* chinese_ = nullptr;
  std::set<char32_t> used_;
  std::set<char32_t> unplaced_;  // used, and not yet given to a face
  std::map<std::pair<std::string, int>, FontFace*> opened_;
  std::vector<std::vector<ImWchar>> ranges_;  // must live as long as the atlas
  std::set<char32_t> nowhere_;                // no font on this machine draws them
  std::vector<Built> built_;                  // those of the atlas
  std::set<char32_t> in_captions_;
  bool outdated_ = true;
};

}  // namespace headscope
