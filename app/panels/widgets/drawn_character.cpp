#include "app/panels/widgets/glyphs.h"

namespace headscope {

ImWchar drawn_character(char32_t character) {
  if (sizeof(ImWchar) > 2 || character <= 0xFFFF) return static_cast<ImWchar>(character);
  StandIns* const stand_ins = window_stand_ins();
  return stand_ins != nullptr ? stand_ins->of(character) : static_cast<ImWchar>(0xFFFD);
}

}  // namespace headscope
