#pragma once
#include <imgui.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/shell/panel_memory.h"
#include "app/state/app.h"
#include "app/window/font_faces.h"

namespace headscope {

/// For regular text `em` high, with `raster` framebuffer pixels per ImGui pixel.
TextSizes ordinary_sizes(float em, float raster);
/// For a view presented in a window `height` pixels high.
TextSizes presented_sizes(float height, float raster);

#if IMGUI_VERSION_NUM >= 19200

/// The window's fonts: each character is found among the fonts on this machine and rasterized when it is
/// first drawn in a size.
class Fonts {
 public:
  /// For a language's interface, before the window exists: in any thread.
  void build_first(const Translator&, const TextSizes&) { faces_.latin(); }
  /// For an ImGui context, which must not outlive this object; nullptr: it has its own.
  ImFontAtlas* atlas() { return nullptr; }
  /// Takes characters that no other font has from this file, too. Returns whether it can be read as a font.
  bool add(const std::string& path);
  /// Characters in use that no font has.
  const std::set<char32_t>& missing() const { return faces_.missing(); }
  /// Before a frame: whether what is drawn needs another texture than the last frame.
  bool prepare(const App&, const std::u32string& /*coming*/, const TextSizes&) { return false; }
  /// Makes them those of `style` and of the current ImGui context.
  void show(Style& style, const TextSizes& sizes);
  /// After a frame: whether the fonts lack characters that were drawn.
  bool lack(PanelMemory&, bool /*presented*/) { return false; }
  /// The next frame needs others.
  void forget_drawn(PanelMemory&) {}

 private:
  FontFaces faces_;
  ImFont* font_ = nullptr;
};

#else

/// The font atlas: holds only the characters in use, found among the fonts on this machine. It is rebuilt
/// between frames when a text brings new ones. Only `show` needs an ImGui context, so another thread can
/// build the first atlas while the window opens.
class Fonts {
 public:
  void build_first(const Translator& tr, const TextSizes& sizes);
  ImFontAtlas* atlas() { return &atlas_; }
  bool add(const std::string& path);
  const std::set<char32_t>& missing() const { return faces_.missing(); }
  bool prepare(const App& app, const std::u32string& coming, const TextSizes& sizes);
  void show(Style& style, const TextSizes& sizes);
  bool lack(PanelMemory& memory, bool presented);
  void forget_drawn(PanelMemory& memory);

 private:
  /// Records a text's characters; cheap if they are known. `caption`: also for the largest font.
  void use(std::string_view utf8, bool caption = false);
  void use_texts(const App& app);
  void place_new();
  void build(const TextSizes& sizes);
  enum class Characters { all, of_captions, of_numbers };
  struct Built {
    float height;
    Characters characters;
    ImFont* font;
  };
  ImFont* font(float height, Characters characters);

  ImFontAtlas atlas_;
  TextSizes sizes_;
  FontFaces faces_;
  std::optional<Language> language_;
  std::map<const FontFace*, std::set<char32_t>> placed_;  // the characters in use that each face draws
  std::set<char32_t> used_;
  std::set<char32_t> unplaced_;               // used, but not yet assigned to a face
  std::vector<std::vector<ImWchar>> ranges_;  // must live as long as the atlas
  std::vector<Built> built_;                  // in the atlas
  ImFont* regular_ = nullptr;
  std::set<char32_t> in_captions_;
  bool outdated_ = true;  // the atlas lacks characters that were used
};

#endif

}  // namespace headscope
