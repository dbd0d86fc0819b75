#pragma once
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace headscope {

/// A font on this machine, as fontconfig names it.
struct FoundFont {
  std::string path, family;
  int index = 0;         ///< of the face within its file
  bool chinese = false;  ///< whether it has Chinese characters
};

/// The face for Latin text: the user's, unless that is a Chinese font, whose line spacing is too wide for an
/// interface; then the first available one of a short list.
FoundFont latin_font();
/// The face for Simplified Chinese: in collections for all of East Asia, the one with the Chinese forms.
FoundFont chinese_font();
/// Fonts that together cover as many of the characters as this machine can show, each with the characters
/// taken from it. Colour bitmap fonts are left out: they cannot be scaled.
std::vector<std::pair<FoundFont, std::set<char32_t>>> fonts_for(const std::set<char32_t>& characters);

}  // namespace headscope
