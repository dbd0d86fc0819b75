#pragma once
#include <imgui.h>

#include <set>
#include <vector>

namespace headscope {

struct FontFace;

/// Bitmaps of characters above U+FFFF under their stand-ins (app/panels/widgets/glyphs.h), for an ImGui with
/// 16-bit ImWchar. Space is reserved before the atlas is built, and the bitmaps are copied into it
/// afterwards.
class WideGlyphs {
 public:
  /// Draws the face's characters above U+FFFF for `font`, `em` pixels high. `used` are all characters in use:
  /// where two share a stand-in, neither gets a bitmap.
  void add(ImFontAtlas& atlas, ImFont* font, const FontFace& face, const std::set<char32_t>& used, double em,
           double ascent);
  void copy_into(ImFontAtlas& atlas) const;

 private:
  struct Picture {
    int rect = 0, width = 0, height = 0;
    std::vector<unsigned char> alpha;  // [height, width]
  };
  std::vector<Picture> pictures_;
};

}  // namespace headscope
