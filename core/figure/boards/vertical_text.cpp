#include "core/figure/boards/vertical_text.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/utf8.h"

namespace headscope {
namespace {

constexpr UChar32 more = 0x22EE;  // ⋮

// What a comparison puts between or before the characters of its labels: "猫 → 狗", "+ 旧".
constexpr std::array<UChar32, 4> signs{0x2192, 0x2193, '+', 0x2212};  // → ↓ + −

bool is_wide(UChar32 c) {
  const auto width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH || c == more ||
         std::ranges::find(signs, c) != signs.end();
}

// As set vertically: without spaces, and with its arrow pointing down.
std::string set_vertical(std::string_view label) {
  std::string text;
  for (std::size_t i = 0; i < label.size();) {
    const std::size_t begin = i;
    const UChar32 c = next_code_point(label, i);
    if (c == 0x2192)
      text += "↓";
    else if (c != ' ')
      text += label.substr(begin, i - begin);
  }
  return text;
}

}  // namespace

std::vector<std::size_t> character_starts(std::string_view text) {
  std::vector<std::size_t> result;
  bool joined = false;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    const UChar32 c = next_code_point(text, i);
    const auto kind = u_getIntPropertyValue(c, UCHAR_GRAPHEME_CLUSTER_BREAK);
    const bool joins = kind == U_GCB_EXTEND || kind == U_GCB_SPACING_MARK || kind == U_GCB_ZWJ;
    if (!joins && !joined) result.push_back(begin);
    joined = kind == U_GCB_ZWJ;
  }
  return result;
}

bool is_vertical(std::string_view whole) {
  const std::string label = set_vertical(whole);
  const std::vector<std::size_t> starts = character_starts(label);
  // An emoji with its skin tone is two wide where the font doesn't join them.
  for (std::size_t i = 0; i < label.size();) {
    const std::size_t begin = i;
    if (is_wide(next_code_point(label, i)) != std::ranges::binary_search(starts, begin)) return false;
  }
  return !starts.empty();
}

bool is_upright(std::string_view label) {
  std::size_t end = 0;
  if (!label.empty()) next_code_point(label, end);
  return is_vertical(label) || (end > 0 && end == label.size());
}

std::vector<std::string> vertical_characters(std::string_view whole) {
  const std::string label = set_vertical(whole);
  std::vector<std::string> characters;
  std::vector<std::size_t> starts = character_starts(label);
  starts.push_back(label.size());
  for (std::size_t i = 0; i + 1 < starts.size(); ++i)
    characters.push_back(label.substr(starts[i], starts[i + 1] - starts[i]));
  return characters;
}

std::string shortened_vertical(std::string_view whole, double room, double line) {
  const std::string label = set_vertical(whole);
  const std::vector<std::size_t> starts = character_starts(label);
  const double fitting = std::floor(room / line + 1e-9);
  if (static_cast<double>(starts.size()) <= fitting) return label;
  if (fitting < 1) return "";
  return label.substr(0, starts[static_cast<std::size_t>(fitting) - 1]) + "⋮";
}

double vertical_extent(std::string_view label, double line) {
  return static_cast<double>(character_starts(set_vertical(label)).size()) * line;
}

}  // namespace headscope
