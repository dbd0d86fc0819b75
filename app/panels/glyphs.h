#pragma once
#include <imgui.h>

#include <string>
#include <string_view>

namespace headscope {

// Characters above U+FFFF in a build of ImGui whose ImWchar has 16 bits: each has a stand-in in the
// private-use area (U+E000 to U+F8FF), for which the window's font atlas holds its picture; where two that
// are in use share a stand-in, the atlas holds a box for it. Texts themselves stay as they are.

/// What `character` is drawn as: itself, or its stand-in.
ImWchar drawn_character(char32_t character);
/// The text with stand-ins, character by character.
std::string drawn_characters(std::string_view utf8);
/// A line of text for ImGui's drawing functions: as it stands from left to right, with stand-ins.
std::string drawn_text(std::string_view utf8);

}  // namespace headscope
