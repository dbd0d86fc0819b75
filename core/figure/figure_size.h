#pragma once
#include <optional>
#include <span>

#include "core/figure/figure.h"
#include "core/scene/scene.h"

namespace headscope {

/// A common size of figures, and the resolution that goes with it.
struct FigureSize {
  const char* name;              ///< on the command line
  const char* title;             ///< English, to be translated
  const char* help;              ///< same
  double width;                  ///< inches
  std::optional<double> height;  ///< none: figure_height()
  double dpi;
  double font_size;  ///< of tick labels, in points
};
std::span<const FigureSize> figure_sizes();

/// For print.
inline constexpr double print_dpi = 300;

/// The height in inches at which a figure of this width in inches has little empty space.
double figure_height(const Scene& scene, const FigureOptions& options);

}  // namespace headscope
