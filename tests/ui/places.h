#pragma once
#include <imgui.h>
#include <imgui_internal.h>

#include <array>
#include <set>
#include <string>

#include "app/state/text/text_edit.h"
#include "core/io/file.h"
#include "tests/ui/imgui_versions.h"

namespace headscope::tests {

// Rectangles of marks (app/panels/widgets/ui_anchors.h): left, top, right, bottom.

inline bool overlap(const std::array<float, 4>& a, const std::array<float, 4>& b) {
  constexpr float slack = 0.51F;  // of a pixel, to which edges are rounded
  return a[0] < b[2] - slack && b[0] < a[2] - slack && a[1] < b[3] - slack && b[1] < a[3] - slack;
}

inline bool inside(const std::array<float, 4>& a, const std::array<float, 4>& b) {
  return a[0] >= b[0] - 1 && a[1] >= b[1] - 1 && a[2] <= b[2] + 1 && a[3] <= b[3] + 1;
}

/// What the translations have beyond Latin letters.
inline const std::set<char32_t>& wide_characters() {
  static const std::set<char32_t> characters = [] {
    std::set<char32_t> found;
    const std::string text = read_file(SOURCE_DIR "/assets/translations/zh_CN.po", 1 << 22);
    for (std::size_t at = 0; at < text.size();)
      if (const char32_t c = decode_utf8(text, at, at); c > 0x2000 && c < 0x10000) found.insert(c);
    return found;
  }();
  return characters;
}
inline const std::set<char32_t>& combining_marks() {
  static const std::set<char32_t> characters{0x301};
  return characters;
}

/// Glyphs of the translations as wide as they are high, like Chinese ones; the test's font has none.
inline void add_wide_glyphs() {
  add_boxes<wide_characters, 1>();
}
/// Glyphs without a width, like combining marks in a real font.
inline void add_zero_width_glyphs() {
  add_boxes<combining_marks, 0>();
}

}  // namespace headscope::tests
