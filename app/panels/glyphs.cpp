#include "app/panels/glyphs.h"

#include "app/state/text_edit.h"
#include "core/text/visual_order.h"

namespace headscope {

ImWchar drawn_character(char32_t character) {
  if constexpr (sizeof(ImWchar) == 2) {
    if (character > 0xFFFF) return static_cast<ImWchar>(0xE000 + character % 0x1900);
  }
  return static_cast<ImWchar>(character);
}

std::string drawn_text(std::string_view utf8) {
  return drawn_characters(visual_order(utf8));
}

std::string drawn_characters(std::string_view utf8) {
  std::string drawn;
  drawn.reserve(utf8.size());
  for (std::size_t at = 0; at < utf8.size();) {
    std::size_t next = at;
    append_utf8(drawn, drawn_character(decode_utf8(utf8, at, next)));
    at = next;
  }
  return drawn;
}

}  // namespace headscope
