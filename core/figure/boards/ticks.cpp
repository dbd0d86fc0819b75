#include "core/figure/boards/ticks.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/utf8.h"
#include "core/figure/boards/vertical_text.h"
#include "core/text/token_label.h"

namespace headscope {
namespace {

constexpr const char* ellipsis = "…";

int step_for(double room, double cell) {
  return cell > 0 ? std::max(1, static_cast<int>(std::min(std::ceil(room / cell - 1e-9), 1e6))) : 1'000'000;
}

/// Of two numbers with a dash between them, as pooled tokens are named, the first; otherwise nothing.
std::string_view first_of_range(std::string_view text) {
  constexpr std::string_view dash = "–", digits = "0123456789";
  const std::size_t end = text.find_first_not_of(digits);
  const bool range = end != std::string_view::npos && end > 0 && text.substr(end).starts_with(dash) &&
                     text.find_first_not_of(digits, end + dash.size()) == std::string_view::npos;
  return range ? text.substr(0, end) : std::string_view();
}

/// The steepest angle at which no label of that length is cut, otherwise the flattest that cells of that
/// width have room for; none if that gains nothing.
Slant choose_slant(double longest, double cell, double line, double limit) {
  constexpr Slant slants[] = {{0.5 * std::numbers::sqrt2, 0.5 * std::numbers::sqrt2},
                              {0.5, 0.5 * std::numbers::sqrt3}};
  Slant chosen;
  for (const Slant& slant : slants) {
    const double length = slanted_length(limit, line, slant);
    if (cell * slant.sine < line || length <= limit) break;
    chosen = slant;
    if (longest <= length) break;
  }
  return chosen;
}

/// The labels of pooled tokens along an axis in one orientation: whole, or the first token of each if not all
/// of them fit; none if not even that fits, since a number cut short would be another number.
class GroupNames {
 public:
  GroupNames(std::span<const std::string> tokens, std::size_t step, double limit,
             const MeasureText& measure) {
    for (std::size_t i = 0; i < tokens.size(); i += step) {
      const std::string_view first = first_of_range(tokens[i]);
      if (first.empty() || measure(tokens[i]) <= limit) continue;
      firsts_ = true;
      if (measure(first) > limit) fits_ = false;
      if (measure(std::string(first) + ellipsis) > limit) marked_ = false;
    }
  }
  std::string of(const std::string& token) const {
    const std::string_view first = first_of_range(token);
    if (!firsts_ || first.empty()) return token;
    if (!fits_) return {};
    return std::string(first) + (marked_ ? ellipsis : "");
  }

 private:
  bool firsts_ = false, marked_ = true, fits_ = true;
};

}  // namespace

std::string shortened(std::string_view text, double width, const MeasureText& measure) {
  constexpr std::size_t longest = 2000;  // bytes: no line shows more, and measuring takes its time
  if (text.size() > longest) return shortened(cut_off(text, longest), width, measure);
  if (measure(text) <= width) return std::string(text);
  // A number cut short would be another number.
  if (const std::string_view first = first_of_range(text); !first.empty()) {
    if (std::string more = std::string(first) + ellipsis; measure(more) <= width) return more;
    if (measure(first) <= width) return std::string(first);
  }
  // An unknown token is identified by its word.
  if (const std::string_view word = word_of_unknown(text); !word.empty())
    return shortened(word, width, measure);
  const std::vector<std::size_t> ends = character_starts(text);
  const auto with_ellipsis = [&](std::size_t i) { return std::string(text.substr(0, ends[i])) + ellipsis; };
  std::size_t low = 0, high = ends.size();  // ends[low] fits or low is 0
  while (low + 1 < high) {
    const std::size_t middle = (low + high) / 2;
    (measure(with_ellipsis(middle)) <= width ? low : high) = middle;
  }
  if (low == 0) return measure(ellipsis) <= width ? ellipsis : "";
  return with_ellipsis(low);
}

double group_name_width(std::span<const std::string> tokens, const MeasureText& measure) {
  if (tokens.empty()) return 0;
  const std::string_view first = first_of_range(tokens.back());
  return first.empty() ? 0 : measure(std::string(first));
}

double slanted_length(double height, double line, const Slant& slant) {
  constexpr double rounding = 1e-6;
  return (height - line * slant.cosine) / slant.sine + rounding;
}
double slanted_height(double length, double line, const Slant& slant) {
  return length * slant.sine + line * slant.cosine;
}

TickPlan plan_ticks(std::span<const std::string> tokens, bool horizontal, double cell, double line,
                    double limit, const MeasureText& measure, bool may_slant) {
  TickPlan plan;
  if (tokens.empty() || !(cell > 0) || limit < line * 0.6) return plan;
  const double between = 0.35 * line;
  bool vertical = false;
  const std::size_t stride = tokens.size() / 64 + 1;
  for (std::size_t i = 0; horizontal && !vertical && i < tokens.size(); i += stride)
    vertical = is_vertical(tokens[i]);
  // Upright characters side by side are wider than a line of rotated letters is high.
  const int line_step = step_for(vertical ? std::max(line, 1.06 * measure("中")) : line, cell);
  plan.step = line_step;
  plan.rotated = horizontal;
  // No horizontal label is narrower than about half a line: if that is crowded already, only what is shown is
  // measured.
  if (horizontal && cell * line_step > 0.5 * line + between) {
    double widest = 0;
    for (std::size_t i = 0; i < tokens.size() && widest + between <= cell * line_step; i += line_step)
      widest = std::max(widest, measure(tokens[i]));
    plan.rotated = widest + between > cell * line_step;
  }
  if (plan.rotated && may_slant && !vertical && plan.step == 1) {
    double longest = 0;
    for (const std::string& token : tokens) longest = std::max(longest, measure(token));
    if (longest > limit) plan.slant = choose_slant(longest, cell, line, limit);
  }
  const double longest = plan.slant ? slanted_length(limit, line, plan.slant) : limit;
  const std::size_t step = plan.step;
  const bool level = horizontal && !plan.rotated;
  const GroupNames names(level ? std::span<const std::string>() : tokens, step, longest, measure);
  for (std::size_t i = 0; i < tokens.size(); i += step) {
    const bool in_column = plan.rotated && !plan.slant && is_upright(tokens[i]);
    std::string label = in_column ? shortened_vertical(tokens[i], limit, line)
                        : level   ? tokens[i]
                                  : shortened(names.of(tokens[i]), longest, measure);
    plan.extent = std::max(plan.extent, in_column    ? vertical_extent(label, line)
                                        : plan.slant ? slanted_height(measure(label), line, plan.slant)
                                        : plan.rotated || !horizontal ? measure(label)
                                                                      : line);
    plan.tokens.push_back(static_cast<int>(i));
    plan.labels.push_back(std::move(label));
  }
  plan.extent = std::min(plan.extent, std::max(limit, line));
  return plan;
}

void label_part(PanelLayout& panel, const CellPart& part, const AxisTokens& tokens, double line,
                const MeasureText& measure) {
  const auto label = [&](std::vector<Tick>& ticks, const std::vector<std::string>& all, double begin,
                         double end, bool x_axis) {
    const double start = x_axis ? panel.map.x : panel.map.y;
    const double cell = (x_axis ? panel.map.width : panel.map.height) / (end - begin);
    const int first = std::max(0, static_cast<int>(std::floor(begin)));
    const int last = std::min(static_cast<int>(all.size()), static_cast<int>(std::ceil(end)));
    if (first == 0 && last == std::ssize(all) && end - begin == last) return;
    const std::span shown(all.begin() + first, all.begin() + std::max(first, last));
    const double limit = x_axis ? panel.x_ticks.height : panel.y_ticks.width;
    const TickPlan plan = plan_ticks(shown, x_axis, cell, line, limit, measure);
    if (x_axis) panel.ticks_rotated = plan.rotated, panel.ticks_slant = {};
    ticks.clear();
    // A partly visible cell has its label in the middle of its visible part, unless that is too close to the
    // next one.
    const auto place = [&](int token) {
      const double low = std::max<double>(token, begin), high = std::min<double>(token + 1, end);
      return start + ((low + high) / 2 - begin) * cell;
    };
    const auto apart = [&](std::size_t i, std::size_t j) {
      const bool level = x_axis && !plan.rotated;
      const double room = level ? (measure(plan.labels[i]) + measure(plan.labels[j])) / 2 + line / 3 : line;
      return std::abs(place(first + plan.tokens[i]) - place(first + plan.tokens[j])) >= room - 1e-9;
    };
    for (std::size_t i = 0; i < plan.tokens.size(); ++i) {
      const int token = first + plan.tokens[i];
      const bool cut = token < begin || token + 1 > end;
      if (cut && ((i > 0 && !apart(i, i - 1)) || (i + 1 < plan.tokens.size() && !apart(i, i + 1)))) continue;
      ticks.push_back({token, place(token), plan.labels[i]});
    }
  };
  if (panel.x_ticks.height > 0)
    label(panel.x_tick_labels, tokens.columns, part.key_begin, part.key_end, true);
  if (panel.y_ticks.width > 0)
    label(panel.y_tick_labels, tokens.rows, part.query_begin, part.query_end, false);
}

void label_cell(PanelLayout& panel, const CellPart& part, const AxisTokens& tokens, int row, int column,
                double line, const MeasureText& measure) {
  const auto label = [&](std::vector<Tick>& ticks, const std::vector<std::string>& all, int token,
                         double position, double room, bool level) {
    const bool there = std::ranges::find(ticks, token, &Tick::token) != ticks.end();
    if (there || token < 0 || token >= std::ssize(all)) return;
    Tick own{token, position, shortened(all[token], room, measure)};
    std::erase_if(ticks, [&](const Tick& other) {
      const double needed = level ? (measure(own.label) + measure(other.label)) / 2 + line / 3 : line;
      return std::abs(other.position - position) < needed - 1e-9;
    });
    ticks.insert(std::ranges::upper_bound(ticks, token, {}, &Tick::token), std::move(own));
  };
  const double wide = panel.map.width / (part.key_end - part.key_begin),
               high = panel.map.height / (part.query_end - part.query_begin);
  const double x = panel.map.x + (column + 0.5 - part.key_begin) * wide,
               y = panel.map.y + (row + 0.5 - part.query_begin) * high;
  const bool seen_x =
      x > panel.map.x && x<panel.map.right(), seen_y = y> panel.map.y && y < panel.map.bottom();
  const bool level = !panel.ticks_rotated && !panel.ticks_slant;
  if (panel.x_ticks.height > 0 && seen_x && !panel.x_tick_labels.empty())
    label(panel.x_tick_labels, tokens.columns, column, x, level ? panel.map.width : panel.x_ticks.height,
          level);
  if (panel.y_ticks.width > 0 && seen_y && !panel.y_tick_labels.empty())
    label(panel.y_tick_labels, tokens.rows, row, y, panel.y_ticks.width, false);
}

}  // namespace headscope
