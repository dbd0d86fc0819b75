#pragma once
#include <imgui.h>

#include <map>
#include <string>
#include <string_view>

namespace headscope {

// Characters above U+FFFF in a build of ImGui whose ImWchar has 16 bits: each has a stand-in in the
// private-use area (U+E000 to U+F8FF), for which the window's fonts have its glyph. The texts themselves are
// unchanged.
class StandIns {
 public:
  /// The one of a character above U+FFFF; after 6,400 of them U+FFFD.
  ImWchar of(char32_t character);
  /// The character that a stand-in was made for; any other is returned as it is.
  char32_t character(ImWchar drawn) const;

 private:
  static constexpr char32_t first = 0xE000, count = 0x1900;
  std::map<char32_t, ImWchar> known_;
  std::map<ImWchar, char32_t> taken_;
};

/// Those of the current ImGui context; nullptr: nothing is drawn in a window.
StandIns* window_stand_ins();

// ImGui indexes the vertices of the glyphs that one call draws with 16 bits, four per glyph, and aborts on
// overflow; zero-width glyphs are all visible, however many there are.

/// The maximum number of glyphs that one call draws.
constexpr std::size_t max_glyphs = 4000;
/// The text, with "…" after its first `max_glyphs` characters if there are more.
std::string_view first_glyphs(std::string_view utf8);
std::string drawable(std::string_view utf8);
/// A whole line, however long, in several calls.
void draw_long_line(ImDrawList& list, ImVec2 at, ImU32 color, std::string_view utf8);

/// What `character` is drawn as: itself, or its stand-in.
ImWchar drawn_character(char32_t character);
/// The other way round.
char32_t character_drawn_as(ImWchar drawn);
/// The text with stand-ins, character by character.
std::string drawn_characters(std::string_view utf8);
/// A line of text for ImGui's drawing functions: in visual order from left to right, with stand-ins,
/// drawable.
std::string drawn_text(std::string_view utf8);

}  // namespace headscope
