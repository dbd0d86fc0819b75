#pragma once
#include <imgui.h>

#include <string_view>

#include "app/panels/ui/ui.h"

namespace headscope {

/// What an input method composes, underlined, over everything, with its first letter at the caret of the
/// edited text. `caret`: its own, in bytes.
void draw_composition(const Style& style, std::string_view text, std::size_t caret, ImVec2 at, float height);

}  // namespace headscope
