#pragma once
#include <imgui.h>

#include <string>
#include <string_view>

namespace headscope {

// Characters above U+FFFF in a build of ImGui whose ImWchar has 16 bits: each has a stand-in in the
// private-use area (U+E000 to U+F8FF), for which the window's font atlas holds its picture; where two that
// are in use share a stand-in, the atlas holds a box for it. Texts themselves stay as they are.

// ImGui numbers the corners of the glyphs that one call draws in 16 bits, four of them each, and ends the
// program where they do not suffice; glyphs without a width all lie in view, however many they are.

/// The glyphs that one call draws at most.
constexpr std::size_t most_glyphs = 4000;
/// The text, with "…" behind its first `most_glyphs` characters where there are more.
std::string_view first_glyphs(std::string_view utf8);
std::string drawable(std::string_view utf8);
/// All of a line, however long, in several calls.
void draw_long_line(ImDrawList& list, ImVec2 at, ImU32 color, std::string_view utf8);

/// What `character` is drawn as: itself, or its stand-in.
ImWchar drawn_character(char32_t character);
/// The text with stand-ins, character by character.
std::string drawn_characters(std::string_view utf8);
/// A line of text for ImGui's drawing functions: as it stands from left to right, with stand-ins, drawable.
std::string drawn_text(std::string_view utf8);

}  // namespace headscope
