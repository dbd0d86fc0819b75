#pragma once
#include <imgui.h>

namespace headscope {

/// The name of fonts that have numbers alone.
constexpr const char* numbers_only = "numbers";

/// There are fonts of a few sizes (window/fonts.cpp): the one that is enlarged least. Scaled down, strokes
/// one pixel high, such as a minus, could fall between the pixels of the screen. More of them have numbers.
ImFont& font_of(float size, bool number = false);
/// The size of a font, where it differs from `size` by less than the factor `near`.
float sharp_size(float size, float near);
/// The largest that fits.
float sharp_number_size(float size);

}  // namespace headscope
