#pragma once
#include <optional>
#include <span>

#include "core/scene/scene.h"

namespace headscope {

/// A size that figures often have, and the resolution that goes with it.
struct FigureSize {
  const char* name;              ///< on the command line
  const char* title;             ///< English, to be translated
  const char* help;              ///< likewise
  double width;                  ///< inches
  std::optional<double> height;  ///< none: figure_height()
  double dpi;
};
std::span<const FigureSize> figure_sizes();

/// What print asks for.
inline constexpr double print_dpi = 300;

/// The height in inches at which a figure so many inches wide has little empty room.
double figure_height(const Scene& scene, double width);

}  // namespace headscope
