#include "core/figure/layout.h"

#include <algorithm>
#include <array>

#include "core/figure/arrangement.h"
#include "core/figure/grid_shape.h"

namespace headscope {
namespace {

constexpr std::array<Attempt, 9> attempts{{{1, Parts::all, 0.6},
                                           {0.85, Parts::all, 0.6},
                                           {1, Parts::outer_axes, 0.6},
                                           {0.85, Parts::outer_axes, 0.6},
                                           {0.7, Parts::outer_axes, 0.6},
                                           {0.7, Parts::outer_labels, 0.5},
                                           {0.7, Parts::no_axes, 0.4},
                                           {0.55, Parts::no_axes, 0.25},
                                           {0.55, Parts::maps_only, 0}}};

/// Length of the longest of some of the labels, evenly chosen: enough for an estimate.
double longest_label(const std::vector<std::string>& tokens, const LayoutRequest& request) {
  constexpr std::size_t most = 32;
  double longest = 0;
  const std::size_t step = tokens.size() / most + 1;
  for (std::size_t i = 0; i < tokens.size(); i += step)
    longest = std::max(longest, request.measure(tokens[i]));
  return longest;
}

}  // namespace

GridLayout grid_layout(const LayoutRequest& request) {
  const auto heads = static_cast<int>(request.heads.size());
  const std::vector<GridShape> shapes = grid_shapes(heads, request.rows, request.columns);
  const LabelLengths labels{longest_label(request.x_tokens, request),
                            longest_label(request.y_tokens, request)};
  for (const Attempt& attempt : attempts) {
    const Metrics m = metrics(request, attempt);
    const GridShape shape = largest_shape(shapes, heads, [&](GridShape candidate) {
      Arrangement arrangement(request, m, candidate);
      arrangement.estimate(labels);
      return arrangement.side();
    });
    Arrangement arrangement(request, m, shape);
    arrangement.arrange();
    if (arrangement.share() >= attempt.enough) return arrangement.layout();
  }
  return {};
}

}  // namespace headscope
