#pragma once
#include <imgui.h>

#include <string>
#include <string_view>

namespace headscope {

// Characters above U+FFFF in a build of ImGui whose ImWchar has 16 bits: each has a stand-in in the
// private-use area (U+E000 to U+F8FF), for which the window's font atlas holds its glyph; if two characters
// in use share a stand-in, the atlas holds a box for it. The texts themselves are unchanged.

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
/// The text with stand-ins, character by character.
std::string drawn_characters(std::string_view utf8);
/// A line of text for ImGui's drawing functions: in visual order from left to right, with stand-ins,
/// drawable.
std::string drawn_text(std::string_view utf8);

}  // namespace headscope
