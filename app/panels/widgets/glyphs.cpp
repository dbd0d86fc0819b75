#include "app/panels/widgets/glyphs.h"

#include "app/panels/shell/panel_memory.h"
#include "app/state/text/text_edit.h"
#include "core/text/visual_order.h"

namespace headscope {
namespace {

/// Records characters that the font atlas may lack; nullptr: not recorded.
DrawnCharacters* noted_characters() {
  if (ImGui::GetCurrentContext() == nullptr) return nullptr;
  auto* const memory = static_cast<PanelMemory*>(ImGui::GetIO().UserData);
  return memory == nullptr ? nullptr : &memory->characters;
}

}  // namespace

ImWchar drawn_character(char32_t character) {
  if constexpr (sizeof(ImWchar) == 2) {
    if (character > 0xFFFF) return static_cast<ImWchar>(0xE000 + character % 0x1900);
  }
  return static_cast<ImWchar>(character);
}

std::string_view first_glyphs(std::string_view utf8) {
  if (utf8.size() <= max_glyphs) return utf8;
  std::size_t at = 0;
  for (std::size_t glyphs = 0; glyphs < max_glyphs && at < utf8.size(); ++glyphs) {
    std::size_t next = at;
    decode_utf8(utf8, at, next);
    at = next;
  }
  return utf8.substr(0, at);
}

std::string drawable(std::string_view utf8) {
  const std::string_view first = first_glyphs(utf8);
  return std::string(first) + (first.size() < utf8.size() ? "…" : "");
}

std::string drawn_text(std::string_view utf8) {
  return drawn_characters(visual_order(drawable(utf8)));
}

void draw_long_line(ImDrawList& list, ImVec2 at, ImU32 color, std::string_view utf8) {
  while (!utf8.empty()) {
    const std::string_view part = first_glyphs(utf8);
    const std::string drawn = drawn_characters(part);
    list.AddText(at, color, drawn.data(), drawn.data() + drawn.size());
    utf8.remove_prefix(part.size());
    if (!utf8.empty()) at.x += ImGui::CalcTextSize(drawn.data(), drawn.data() + drawn.size()).x;
  }
}

std::string drawn_characters(std::string_view utf8) {
  DrawnCharacters* const noted = noted_characters();
  std::string drawn;
  drawn.reserve(utf8.size());
  for (std::size_t at = 0; at < utf8.size();) {
    std::size_t next = at;
    const char32_t character = decode_utf8(utf8, at, next);
    if (noted != nullptr && character >= 0x80) noted->note(character);
    append_utf8(drawn, drawn_character(character));
    at = next;
  }
  return drawn;
}

}  // namespace headscope
