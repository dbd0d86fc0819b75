#include "core/figure/ticks.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <cmath>

#include "core/base/code_points.h"

namespace headscope {
namespace {

constexpr const char* ellipsis = "…";

/// Byte offsets at which `text` may be cut: before each character that doesn't belong to the one before it.
std::vector<std::size_t> cuts(std::string_view text) {
  std::vector<std::size_t> result;
  bool joined = false;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    const UChar32 c = next_code_point(text, i);
    const auto kind = u_getIntPropertyValue(c, UCHAR_GRAPHEME_CLUSTER_BREAK);
    const bool joins = kind == U_GCB_EXTEND || kind == U_GCB_SPACING_MARK || kind == U_GCB_ZWJ;
    if (!joins && !joined) result.push_back(begin);
    joined = kind == U_GCB_ZWJ;
  }
  return result;
}

int step_for(double room, double cell) {
  return cell > 0 ? std::max(1, static_cast<int>(std::min(std::ceil(room / cell - 1e-9), 1e6))) : 1'000'000;
}

}  // namespace

std::string shortened(std::string_view text, double width, const MeasureText& measure) {
  if (measure(text) <= width) return std::string(text);
  const std::vector<std::size_t> ends = cuts(text);
  const auto with_ellipsis = [&](std::size_t i) { return std::string(text.substr(0, ends[i])) + ellipsis; };
  std::size_t low = 0, high = ends.size();  // ends[low] fits or low is 0
  while (low + 1 < high) {
    const std::size_t middle = (low + high) / 2;
    (measure(with_ellipsis(middle)) <= width ? low : high) = middle;
  }
  if (low == 0) return measure(ellipsis) <= width ? ellipsis : "";
  return with_ellipsis(low);
}

TickPlan plan_ticks(std::span<const std::string> tokens, bool horizontal, double cell, double line,
                    double limit, const MeasureText& measure) {
  TickPlan plan;
  if (tokens.empty() || !(cell > 0) || limit < line * 0.6) return plan;
  const double gap = 0.35 * line;
  const int line_step = step_for(line, cell);
  plan.step = line_step;
  plan.turned = horizontal;
  // Nothing level is narrower than about half a line: where that is crowded already, only what is shown is
  // measured.
  if (horizontal && cell * line_step > 0.5 * line + gap) {
    double widest = 0;
    for (std::size_t i = 0; i < tokens.size() && widest + gap <= cell * line_step;
         i += static_cast<std::size_t>(line_step))
      widest = std::max(widest, measure(tokens[i]));
    plan.turned = widest + gap > cell * line_step;
  }
  for (std::size_t i = 0; i < tokens.size(); i += static_cast<std::size_t>(plan.step)) {
    std::string label = plan.turned || !horizontal ? shortened(tokens[i], limit, measure) : tokens[i];
    plan.extent = std::max(plan.extent, plan.turned || !horizontal ? measure(label) : line);
    plan.tokens.push_back(static_cast<int>(i));
    plan.labels.push_back(std::move(label));
  }
  plan.extent = std::min(plan.extent, std::max(limit, line));
  return plan;
}

}  // namespace headscope
