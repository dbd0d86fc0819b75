#pragma once
#include <imgui.h>

#include <cstddef>

// What the code asks of Dear ImGui 1.92, where it is older: 1.86 (Debian 12) or 1.90.1 (Debian 13, Ubuntu
// 24.04). The files of this folder are compiled in place of those with the same names (choose.cmake).
#if IMGUI_VERSION_NUM < 18600 || (IMGUI_VERSION_NUM >= 19100 && IMGUI_VERSION_NUM < 19200)
#error "Dear ImGui 1.86, 1.90.1 or 1.92 is expected"
#endif

#if IMGUI_VERSION_NUM < 19200

/// Buttons always had it.
constexpr ImGuiButtonFlags ImGuiButtonFlags_EnableNav = 0;

namespace ImGui {
/// The font that is rasterized in that size, or nearly.
void PushFont(std::nullptr_t, float size);
}  // namespace ImGui

#endif

#if IMGUI_VERSION_NUM < 18700

struct ImGuiTable;
namespace ImGui {
ImGuiID TableGetInstanceID(ImGuiTable* table, int instance);
}

#endif
