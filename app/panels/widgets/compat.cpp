#include "app/panels/widgets/compat.h"

#include <imgui_internal.h>

#include <algorithm>
#include <string_view>

namespace headscope {
namespace {

/// Ends the tables of the current window, and all ids pushed within them.
void end_tables(ImGuiContext& context) {
  while (ImGuiTable* const table = context.CurrentTable) {
    if (table->OuterWindow != context.CurrentWindow && table->InnerWindow != context.CurrentWindow) return;
#if IMGUI_VERSION_NUM < 18700
    const ImGuiID own = table->ID + static_cast<ImGuiID>(table->InstanceCurrent);
#else
    const ImGuiID own = ImGui::TableGetInstanceID(table, table->InstanceCurrent);
#endif
    ImVector<ImGuiID>& names = table->InnerWindow->IDStack;
    while (names.Size > 1 && names.back() != own) names.pop_back();
    ImGui::EndTable();
  }
}

#if IMGUI_VERSION_NUM < 19200

/// ImGui's own recovery asserts on fonts instead of taking them back.
struct Recovery {
  explicit Recovery(ImGuiContext& context) { context.FontStack.clear(); }
};
void recover_window(ImGuiContext&) {
  ImGui::ErrorCheckEndWindowRecover(nullptr);
}
void recover_rest(ImGuiContext&) {
  ImGui::ErrorCheckEndFrameRecover(nullptr);
}

#else

/// While it exists, ImGui takes back what is open without a word.
struct Recovery {
  explicit Recovery(ImGuiContext& context) : io(context.IO) { report(false); }
  ~Recovery() { report(true); }
  Recovery(const Recovery&) = delete;
  Recovery& operator=(const Recovery&) = delete;
  void report(bool on) {
    io.ConfigErrorRecoveryEnableAssert = on;
    io.ConfigErrorRecoveryEnableDebugLog = on;
    io.ConfigErrorRecoveryEnableTooltip = on;
  }
  ImGuiIO& io;
};
void recover_window(ImGuiContext& context) {
  ImGuiWindowStackData& window = context.CurrentWindowStack.back();
  // ImGui's own recovery takes BeginDisabled(false) for a tooltip's.
  const int begun = window.StackSizesInBegin.SizeOfDisabledStack + (window.DisabledOverrideReenable ? 1 : 0);
  while (context.DisabledStackSize > begun) ImGui::EndDisabled();
  ImGui::ErrorRecoveryTryToRecoverWindowState(&window.StackSizesInBegin);
  window.DisabledOverrideReenable = false;  // taken back with the rest, which End() does not know
}
void recover_rest(ImGuiContext& context) {
  ImGui::ErrorRecoveryTryToRecoverState(&context.StackSizesInNewFrame);
}

#endif

#if IMGUI_VERSION_NUM < 19200

constexpr const char* numbers_only = "numbers";  // as rasterized_fonts.cpp names them

float height_of(const ImFont& font) {
  return font.FontSize * ImGui::GetIO().FontGlobalScale;
}

/// The font for which `better(height, best)` holds against all others.
template <typename Better>
ImFont& best_font(bool number, const Better& better) {
  ImFont* best = nullptr;
  for (ImFont* font : ImGui::GetIO().Fonts->Fonts) {
    const bool has_words =
        font->ConfigData == nullptr || std::string_view(font->ConfigData->Name) != numbers_only;
    if ((number || has_words) && (best == nullptr || better(height_of(*font), height_of(*best)))) best = font;
  }
  return *best;
}

/// Largest of those that are at most `limit` high, else smallest.
ImFont& largest_within(float limit, bool number) {
  return best_font(number, [limit](float height, float best) {
    return best > limit ? height < best : height <= limit && height > best;
  });
}

#endif

}  // namespace

#if IMGUI_VERSION_NUM < 19200

ImFont& font_of(float size, bool number) {
  return largest_within(1.04F * size, number);
}

float sharp_size(float size, float near) {
  const ImFont& font = best_font(false, [size](float height, float best) {
    return std::max(height / size, size / height) < std::max(best / size, size / best);
  });
  const float height = height_of(font);
  return std::max(height / size, size / height) < near ? height : size;
}

float sharp_number_size(float size) {
  return height_of(largest_within(size + 0.01F, true));
}

#endif

void recover_frame() {
  ImGuiContext& context = *GImGui;
  if (!context.WithinFrameScope) return;
  const Recovery recovery(context);
  while (context.CurrentWindowStack.Size > 1) {
    end_tables(context);
    recover_window(context);
    if ((context.CurrentWindow->Flags & ImGuiWindowFlags_ChildWindow) != 0)
      ImGui::EndChild();
    else
      ImGui::End();
  }
  recover_rest(context);
  ImGui::EndFrame();
}

#if IMGUI_VERSION_NUM < 19200

bool navigates_by_keys() {
  return !GImGui->NavDisableHighlight;
}
void show_highlight() {
  GImGui->NavDisableHighlight = false;
  GImGui->NavDisableMouseHover = true;
}
void mark_navigated_item() {
  ImGui::RenderNavHighlight({ImGui::GetItemRectMin(), ImGui::GetItemRectMax()}, ImGui::GetItemID());
}
bool is_item_disabled() {
  return (GImGui->LastItemData.InFlags & ImGuiItemFlags_Disabled) != 0;
}

#else

bool navigates_by_keys() {
  return GImGui->NavCursorVisible;
}
void show_highlight() {
  GImGui->NavCursorVisible = true;
  GImGui->NavHighlightItemUnderNav = true;
}
void mark_navigated_item() {
  ImGui::RenderNavCursor({ImGui::GetItemRectMin(), ImGui::GetItemRectMax()}, ImGui::GetItemID());
}
bool is_item_disabled() {
  return (GImGui->LastItemData.ItemFlags & ImGuiItemFlags_Disabled) != 0;
}

#endif

}  // namespace headscope
