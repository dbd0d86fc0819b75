#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "core/figure/figure.h"
#include "core/scene/scene.h"

namespace headscope {

inline constexpr double mm_per_inch = 25.4;

/// What figures are for: a size, and the resolution and size of text that go with it.
struct FigureSize {
  const char* name;              ///< on the command line
  const char* title;             ///< English, to be translated
  const char* help;              ///< same
  double width;                  ///< inches
  std::optional<double> height;  ///< none: figure_height()
  double dpi;
  double font_size;     ///< of labels, in points
  bool column = false;  ///< of a journal: its captions have the titles, and one colour bar is for all maps
  bool as_on_screen = false;               ///< FigureExtras::as_on_screen, as large as the window's view
  Letters letters = Letters::parentheses;  ///< if the figure has any
};
std::span<const FigureSize> figure_sizes();
/// nullptr: there is none of that name.
const FigureSize* find_figure_size(std::string_view name);

/// Takes over what the size says about page and text.
void use_size(const FigureSize& size, FigureOptions& options);
/// The same about what a view shows: a column has no title, and of heads that each have a range of their own
/// the one of all.
void use_size(const FigureSize& size, View& view);

/// For print.
inline constexpr double print_dpi = 300;

/// The height in inches at which a figure of this width in inches has little empty space.
double figure_height(const Scene& scene, const FigureOptions& options);

}  // namespace headscope
