#pragma once
#include <imgui.h>

#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/style.h"

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

/// The font atlas: holds the characters that are in use and no others, found among the fonts on this machine.
/// It is built again between frames when a text brings new ones.
class Fonts {
 public:
  /// Takes note of a text's characters; cheap if they are known.
  void use(std::string_view utf8);
  /// Whether the atlas lacks characters that were used.
  bool outdated() const { return outdated_; }
  /// Builds the atlas of the current ImGui context: regular text `em` pixels of the screen high in its em;
  /// `raster` framebuffer pixels to one of ImGui's. Sets the fonts in `style`.
  void build(Style& style, float em, float raster);

 private:
  void place_new();
  FontFace* open(const std::string& path, int index);
  void find_faces_for(const std::set<char32_t>& missing);
  void add_sizes(float em, float raster);

  std::vector<std::unique_ptr<FontFace>> faces_;  // Latin, Chinese, then what scripts in use asked for
  FontFace* latin_ = nullptr;
  FontFace* chinese_ = nullptr;
  std::set<char32_t> used_;
  std::set<char32_t> unplaced_;  // used, and not yet given to a face
  std::map<std::pair<std::string, int>, FontFace*> opened_;
  std::vector<std::vector<ImWchar>> ranges_;  // must live as long as the atlas
  std::set<char32_t> nowhere_;                // no font on this machine draws them
  std::array<ImFont*, 4> fonts_{};            // tiny, small, regular, large
  bool outdated_ = true;
};

}  // namespace headscope
