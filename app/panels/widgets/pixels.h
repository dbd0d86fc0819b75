#pragma once

namespace headscope {

/// A place or length in ImGui's pixels, which are float; what is laid out for figures, too, is double.
inline float pixels(double value) {
  return static_cast<float>(value);
}

}  // namespace headscope
