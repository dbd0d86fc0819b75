#include "app/panels/widgets/glyphs.h"

#include "app/panels/widgets/widget_memory.h"
#include "app/state/text/text_edit.h"
#include "core/text/visual_order.h"

namespace headscope {
ImWchar StandIns::of(char32_t character) {
  if (const auto known = known_.find(character); known != known_.end()) return known->second;
  if (taken_.size() == count) return 0xFFFD;
  char32_t place = character % count;
  while (taken_.contains(static_cast<ImWchar>(first + place))) place = (place + 1) % count;
  const auto stand_in = static_cast<ImWchar>(first + place);
  taken_[stand_in] = character;
  return known_[character] = stand_in;
}

char32_t StandIns::character(ImWchar drawn) const {
  const auto taken = taken_.find(drawn);
  return taken != taken_.end() ? taken->second : drawn;
}

StandIns* window_stand_ins() {
  WidgetMemory* const memory = widget_memory();
  return memory != nullptr ? &memory->stand_ins : nullptr;
}

char32_t character_drawn_as(ImWchar drawn) {
  const StandIns* const stand_ins = window_stand_ins();
  return stand_ins != nullptr ? stand_ins->character(drawn) : drawn;
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
