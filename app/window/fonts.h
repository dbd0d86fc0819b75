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
#include "core/io/mapped_file.h"

namespace headscope {

/// A face in a font file.
struct FontFace {
  MappedFile file;
  int index = 0;
  double ascent = 1;                ///< in em
  double height = 1;                ///< ascender - descender, in em
  bool for_numbers = false;         ///< columns of digits line up, and strokes are fitted to pixels
  std::set<char32_t> characters{};  ///< the characters in use that it draws
};

/// Sizes of the window's fonts, in screen pixels per em. Equal sizes share one font.
struct FontSizes {
  float small = 0, regular = 0, large = 0;
  float caption = 0, number = 0;  ///< while presenting, otherwise 0
  std::array<float, 5> digits{};  ///< of numbers in cells, smallest first
  bool operator==(const FontSizes&) const = default;
};
/// For regular text `em` high.
FontSizes ordinary_sizes(float em);
/// For a view presented in a window `height` pixels high.
FontSizes presented_sizes(float height);

/// The font atlas: holds only the characters in use, found among the fonts on this machine. Latin letters are
/// the desktop's if its digits are equally wide and its strokes are fitted to pixels. It is rebuilt
/// between frames when a text brings new ones. Only `show` needs an ImGui context, so another thread can
/// build the first atlas while the window opens.
class Fonts {
 public:
  /// Records a text's characters; cheap if they are known. `caption`: also for the largest font.
  void use(std::string_view utf8, bool caption = false);
  static bool is_font(const std::string& path);
  /// Takes characters that no other font has from this file, too. Returns whether it can be read as a font.
  bool add(const std::string& path);
  /// Characters in use that no font has.
  const std::set<char32_t>& missing() const { return missing_; }
  /// Whether the atlas lacks characters that were used.
  bool outdated() const { return outdated_; }
  /// Whether the atlas has these sizes and lacks nothing.
  bool fits(const FontSizes& sizes, float raster) const {
    return !outdated_ && sizes == sizes_ && raster == raster_;
  }
  /// Builds the atlas with `raster` framebuffer pixels per ImGui pixel.
  void build(const FontSizes& sizes, float raster);
  /// Makes the built fonts those of `style` and the current ImGui context.
  void show(Style& style) const;
  /// For an ImGui context, which must not outlive this object.
  ImFontAtlas& atlas() { return atlas_; }

 private:
  FontFace* find_latin();
  void place_new();
  FontFace* open(const std::string& path, int index);
  void find_faces_for_unplaced();
  enum class Characters { all, of_captions, of_numbers };
  struct Built {
    float em;
    Characters characters;
    ImFont* font;
  };
  ImFont* font(float em, Characters characters);

  ImFontAtlas atlas_;
  StyleFonts fonts_;  // in the atlas
  FontSizes sizes_;
  float raster_ = 0;
  std::vector<std::unique_ptr<FontFace>> faces_;  // Latin, Chinese, then those that scripts in use need
  FontFace* latin_ = nullptr;
  FontFace* chinese_ = nullptr;
  std::set<char32_t> used_;
  std::set<char32_t> unplaced_;  // used, but not yet assigned to a face
  std::set<char32_t> missing_;
  std::map<std::pair<std::string, int>, FontFace*> opened_;
  std::vector<std::vector<ImWchar>> ranges_;  // must live as long as the atlas
  std::vector<Built> built_;                  // in the atlas
  std::set<char32_t> in_captions_;
  bool outdated_ = true;
};

}  // namespace headscope
