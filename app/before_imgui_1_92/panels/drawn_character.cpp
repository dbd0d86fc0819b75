#include "app/before_imgui_1_92/panels/new_characters.h"
#include "app/panels/widgets/glyphs.h"

namespace headscope {

NewCharacters& new_characters() {
  static NewCharacters characters;
  return characters;
}

ImWchar drawn_character(char32_t character) {
  StandIns* const stand_ins = window_stand_ins();
  if (stand_ins != nullptr && character >= 0x80) new_characters().note(character);
  if (sizeof(ImWchar) > 2 || character <= 0xFFFF) return static_cast<ImWchar>(character);
  return stand_ins != nullptr ? stand_ins->of(character) : static_cast<ImWchar>(0xFFFD);
}

}  // namespace headscope
