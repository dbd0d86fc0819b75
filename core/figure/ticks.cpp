#include "core/figure/ticks.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <cmath>

#include "core/base/code_points.h"
#include "core/base/utf8.h"

namespace headscope {
namespace {

constexpr const char* ellipsis = "…";
constexpr const char* typical_number = "0.034";
constexpr double largest_number = 1.4;  // of the tick size

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
  constexpr std::size_t longest = 2000;  // bytes: no line shows more, and measuring takes its time
  if (text.size() > longest) return shortened(cut_off(text, longest), width, measure);
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

void label_part(PanelLayout& panel, const CellPart& part, const AxisTokens& tokens, double tick_size,
                const MeasureText& measure) {
  const double line = 1.25 * tick_size;
  const auto label = [&](std::vector<Tick>& ticks, const std::vector<std::string>& all, double begin,
                         double end, bool x_axis) {
    const double start = x_axis ? panel.map.x : panel.map.y;
    const double cell = (x_axis ? panel.map.width : panel.map.height) / (end - begin);
    const int first = static_cast<int>(std::ceil(begin - 0.5));
    const int last = std::min(static_cast<int>(all.size()), static_cast<int>(std::floor(end + 0.5)));
    if (first == 0 && last == std::ssize(all) && end - begin == static_cast<double>(last)) return;
    const std::span shown(all.begin() + first, all.begin() + std::max(first, last));
    const double limit = x_axis ? panel.x_ticks.height : panel.y_ticks.width;
    const TickPlan plan = plan_ticks(shown, x_axis, cell, line, limit, measure);
    ticks.clear();
    for (std::size_t i = 0; i < plan.tokens.size(); ++i)
      ticks.push_back(
          {first + plan.tokens[i], start + (first + plan.tokens[i] + 0.5 - begin) * cell, plan.labels[i]});
    if (x_axis) panel.ticks_turned = plan.turned;
  };
  if (panel.x_ticks.height > 0)
    label(panel.x_tick_labels, tokens.columns, part.key_begin, part.key_end, true);
  if (panel.y_ticks.width > 0)
    label(panel.y_tick_labels, tokens.rows, part.query_begin, part.query_end, false);
}

double fitting_number(double cell_width, double cell_height, double font, const MeasureText& measure) {
  const double by_width = (cell_width - 0.3 * font) / std::max(measure(typical_number), 1e-9);
  const double size = std::min({by_width, cell_height / (1.3 * font), largest_number});
  return size >= least_number ? size : 0;
}

}  // namespace headscope
