#pragma once
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace headscope {

/// A font on this machine, as fontconfig names it.
struct FoundFont {
  std::string path, family;
  int index = 0;         ///< of the face in its file
  bool chinese = false;  ///< whether it has Chinese characters
};

/// The face for Latin text: the user's, unless that is one made for Chinese, whose lines are too far apart
/// for an interface; then the first of a few that is here.
FoundFont latin_font();
/// For Simplified Chinese: in collections for all of East Asia the face with the Chinese forms.
FoundFont chinese_font();
/// Fonts that together have as many of the characters as this machine can show, each with those it is for.
/// Fonts made of coloured pictures are left out: they cannot be scaled.
std::vector<std::pair<FoundFont, std::set<char32_t>>> fonts_for(const std::set<char32_t>& characters);

}  // namespace headscope
