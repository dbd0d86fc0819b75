#include "app/before_imgui_1_92/panels/font_sizes.h"

#include <algorithm>
#include <string_view>

#include "app/before_imgui_1_92/imgui_1_92.h"

namespace headscope {
namespace {

float height_of(const ImFont& font) {
  return font.FontSize * ImGui::GetIO().FontGlobalScale;
}

/// The font for which `better(height, best)` holds against all others.
template <typename Better>
ImFont& best_font(bool number, const Better& better) {
  const ImVector<ImFont*>& fonts = ImGui::GetIO().Fonts->Fonts;
  ImFont* best = fonts.front();  // has words
  for (ImFont* font : fonts) {
    const bool has_words =
        font->ConfigData == nullptr || std::string_view(font->ConfigData->Name) != numbers_only;
    if ((number || has_words) && better(height_of(*font), height_of(*best))) best = font;
  }
  return *best;
}

/// Largest of those that are at most `limit` high, else smallest.
ImFont& largest_within(float limit, bool number) {
  return best_font(number, [limit](float height, float best) {
    return best > limit ? height < best : height <= limit && height > best;
  });
}

}  // namespace

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

}  // namespace headscope

namespace ImGui {

void PushFont(std::nullptr_t, float size) {
  PushFont(&headscope::font_of(size));
}

}  // namespace ImGui
