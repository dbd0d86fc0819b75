#include "core/figure/text/figure_font.h"

#include <fmt/format.h>
#include <fontconfig/fontconfig.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <iterator>
#include <string>
#include <system_error>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/system/process.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// A family and the folder of its fonts in today's distributions; empty: it is in none.
fs::path folder_of(const char* file, std::initializer_list<const char*> folders) {
  for (const char* folder : folders)
    if (is_there(fs::path(folder) / file)) return folder;
  return {};
}
fs::path open_sans_folder() {
  return folder_of("OpenSans-Regular.ttf", {"/usr/share/fonts/truetype/open-sans",
                                            "/usr/share/fonts/open-sans", "/usr/share/fonts/TTF"});
}
fs::path dejavu_folder() {
  return folder_of("DejaVuSans.ttf",
                   {"/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu-sans-fonts",
                    "/usr/share/fonts/TTF", "/usr/share/fonts/dejavu"});
}

bool fonts_are_configured() {
  for (const char* variable : {"FONTCONFIG_FILE", "FONTCONFIG_PATH", "FONTCONFIG_SYSROOT"})
    if (!environment(variable).empty()) return true;
  const fs::path home = home_folder(), config = environment("XDG_CONFIG_HOME");
  const fs::path own = config.empty() && !home.empty() ? home / ".config" : config;
  return is_there("/etc/fonts/local.conf") || is_there(own / "fontconfig") ||
         (!home.empty() && is_there(home / ".fonts.conf"));
}

/// The first of them, as a message shows them.
std::string some_of(const std::set<char32_t>& characters) {
  constexpr std::size_t shown = 8;
  std::string text;
  std::size_t taken = 0;
  for (const char32_t c : characters)
    if (taken++ < shown) append_utf8(text, c);
  return printable(text) + (characters.size() > shown ? "…" : "");
}

}  // namespace

const char* figure_families() {
  if (fonts_are_configured() || dejavu_folder().empty()) return "sans-serif";
  return open_sans_folder().empty() ? "DejaVu Sans,sans-serif" : "Open Sans,DejaVu Sans,sans-serif";
}

bool has_font(const std::string& family) {
  FcPattern* const pattern = FcPatternCreate();
  FcPatternAddString(pattern, FC_FAMILY, reinterpret_cast<const FcChar8*>(family.c_str()));
  FcObjectSet* const objects = FcObjectSetBuild(FC_FAMILY, nullptr);
  FcFontSet* const fonts = FcFontList(nullptr, pattern, objects);
  const bool found = fonts != nullptr && fonts->nfont > 0;
  if (fonts != nullptr) FcFontSetDestroy(fonts);
  FcObjectSetDestroy(objects);
  FcPatternDestroy(pattern);
  return found;
}

std::vector<std::string> paper_fonts() {
  constexpr std::array<std::array<const char*, 4>, 4> kinds{
      {{"Latin Modern Roman", "LM Roman 10", "CMU Serif", "Computer Modern"},
       {"Latin Modern Sans", "LM Sans 10", "CMU Sans Serif", ""},
       {"Times New Roman", "TeX Gyre Termes", "Liberation Serif", "Nimbus Roman"},
       {"Arial", "TeX Gyre Heros", "Liberation Sans", "Nimbus Sans"}}};
  std::vector<std::string> found;
  for (const auto& kind : kinds) {
    const auto* const there =
        std::ranges::find_if(kind, [](const char* name) { return *name != 0 && has_font(name); });
    if (there != kind.end()) found.emplace_back(*there);
  }
  return found;
}

void draw_with_own_fonts() {
  const fs::path letters = open_sans_folder(), symbols = dejavu_folder();
  if (symbols.empty() || fonts_are_configured()) return;
  FcConfig* const config = FcConfigCreate();
  if (config == nullptr) return;
  const std::string text = fmt::format(
      "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig>{}<dir>{}</dir>"
      "<cachedir>/var/cache/fontconfig</cachedir><cachedir prefix=\"xdg\">fontconfig</cachedir></fontconfig>",
      letters.empty() ? "" : fmt::format("<dir>{}</dir>", letters.string()), symbols.string());
  if (FcConfigParseAndLoadFromMemory(config, reinterpret_cast<const FcChar8*>(text.c_str()), FcTrue) &&
      FcConfigBuildFonts(config))
    FcConfigSetCurrent(config);
  FcConfigDestroy(config);
}

std::string missing_text(const Translator& tr, const std::set<char32_t>& missing) {
  return missing.empty()
             ? ""
             : tr("No font on this machine has {}: boxes are drawn in their place", some_of(missing));
}

void expect_letters(const std::set<char32_t>& missing) {
  std::set<char32_t> letters;
  std::ranges::copy_if(missing, std::inserter(letters, letters.end()),
                       [](char32_t c) { return u_isalpha(c) != 0; });
  if (!letters.empty())
    throw unable_error("no font on this machine has {}; install one that does (for Chinese: fonts-noto-cjk)",
                       some_of(letters));
}

}  // namespace headscope
