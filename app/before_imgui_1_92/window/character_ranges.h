#pragma once
#include <imgui.h>

#include <set>
#include <vector>

namespace headscope {

/// The members of `characters` for which `wanted` holds, as ImGui takes them: first and last of each run,
/// and a 0.
template <typename Wanted>
std::vector<ImWchar> as_ranges(const std::set<char32_t>& characters, const Wanted& wanted) {
  std::vector<ImWchar> ranges;
  for (const char32_t c : characters) {
    if (!wanted(c)) continue;
    if (c > 0xFFFF && sizeof(ImWchar) == 2) continue;
    const auto w = static_cast<ImWchar>(c);
    if (!ranges.empty() && ranges.back() + 1 == w) {
      ranges.back() = w;
    } else {
      ranges.push_back(w);
      ranges.push_back(w);
    }
  }
  if (!ranges.empty()) ranges.push_back(0);
  return ranges;
}

}  // namespace headscope
