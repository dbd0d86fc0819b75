#include "app/window/fonts.h"

#include <utility>

#include "app/window/glyph_loader.h"

namespace headscope {
namespace {

class LoadedFonts : public Fonts {
 public:
  void open(Language, const TextSizes&) override { faces_.latin(); }

  bool show(const App&, WindowEvents&, const TextSizes& sizes) override {
    if (font_ == nullptr) font_ = add_font(*ImGui::GetIO().Fonts, faces_, sizes.font_size);
    ImGui::GetIO().FontDefault = font_;
    return std::exchange(added_, false);
  }

  bool add(const std::string& path) override {
    if (!faces_.add(path)) return false;
    forget_glyphs(*ImGui::GetIO().Fonts);
    added_ = true;
    return true;
  }

  const std::set<char32_t>& missing() const override { return faces_.missing(); }

 private:
  FontFaces faces_;
  ImFont* font_ = nullptr;
  bool added_ = false;  // a font, since the last frame
};

}  // namespace

std::unique_ptr<Fonts> make_fonts() {
  return std::make_unique<LoadedFonts>();
}

}  // namespace headscope
