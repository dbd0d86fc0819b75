#include "core/figure/boards/arrangement.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/figure/boards/cell_numbers.h"
#include "core/figure/boards/ticks.h"

namespace headscope {
namespace {

constexpr double thinnest_map = 4;   // of the tick size
constexpr double longest_tick = 10;  // of the tick size

double positive(double x) {
  return x > 0 ? x : 0;
}

}  // namespace

Metrics metrics(const LayoutRequest& request, const Attempt& attempt) {
  Metrics m;
  m.font = request.font_size * attempt.scale;
  m.line = 1.25 * m.font;
  m.tick_line = request.line_height * m.font;
  m.title_line = 1.6 * m.font;
  m.label_line = 1.4 * m.font;
  m.tick_gap = 0.5 * m.font;
  m.gap_x = 1.0 * m.font;
  m.gap_y = 0.7 * m.font;
  m.bar_gap = 0.5 * m.font;
  m.bar_width = 0.7 * m.font;
  m.value_gap = 0.3 * m.font;
  m.bar_line = 1.1 * m.font;
  m.level_bars = attempt.level_bars;
  m.every_panel = attempt.parts == Parts::all;
  m.every_row = attempt.parts <= Parts::ticks_in_rows;
  m.ticks = attempt.parts <= Parts::outer_ticks;
  m.labels = attempt.parts < Parts::outer_ticks && attempt.parts != Parts::ticks_in_rows;
  m.bars = attempt.parts <= Parts::no_axes;
  m.titles = m.bars && request.titles;
  m.apart_x = m.apart_y = 0.5;
  m.measure = [scale = attempt.scale, &request](std::string_view text) {
    return scale * request.measure(text);
  };
  for (const std::string& text : request.bar_values) m.value_width = std::max(m.value_width, m.measure(text));
  if (request.bar_values.empty()) m.value_width = m.measure("0.0123");
  if (request.presented) {
    m.titles = m.titles && request.heads.size() > 1;
    m.labels = m.labels && request.heads.size() == 1;
    m.labels_beside = true;
    m.tick_gap = 0.2 * m.font;
  }
  if (!request.maps_first) return m;
  m.gap_x = 0.8 * m.font;
  m.gap_y = 0.6 * m.font;
  m.title_line = 1.35 * m.font;
  m.label_line = 1.2 * m.font;
  m.tick_gap = 0.35 * m.font;
  m.apart_x = 0.1;
  m.apart_y = 0.35;
  return m;
}

Arrangement::Arrangement(const LayoutRequest& request, const Metrics& metrics, GridShape shape)
    : request_(request),
      m_(metrics),
      shape_(shape),
      n_q_(static_cast<double>(request.y_tokens.size())),
      n_k_(static_cast<double>(request.x_tokens.size())),
      area_(request.area) {
  area_.width = positive(area_.width);
  area_.height = positive(area_.height);
  m_.gap_x = std::min(m_.gap_x, 0.2 * area_.width / shape.columns);
  m_.gap_y = std::min(m_.gap_y, 0.2 * area_.height / shape.rows);
  const bool own_bars = m_.bars && !request.shared_bar;
  if (request.shared_bar && m_.bars) leave_room_for_bar();
  top_ = (m_.titles ? m_.title_line : 0) + (own_bars && m_.level_bars ? m_.bar_line : 0);
  right_ = own_bars && !m_.level_bars ? m_.bar_room() : 0;
}

void Arrangement::leave_room_for_bar() {
  if (!m_.level_bars) {
    area_.width = positive(area_.width - m_.bar_room() - m_.gap_x);
    return;
  }
  const double line = std::min(area_.height, m_.bar_line + m_.gap_y);
  area_.y += line;
  area_.height -= line;
}

void Arrangement::estimate(const LabelLengths& labels) {
  if (m_.ticks) {
    x_extent_ = std::min(labels.x * m_.font / request_.font_size, longest_x_tick());
    y_extent_ = std::min(labels.y * m_.font / request_.font_size, longest_y_tick());
  }
  fit_map();
}

void Arrangement::arrange() {
  fit_map();
  if (m_.ticks) fit_ticks();
  if (map_.width > 0) pull_together();
}

void Arrangement::fit_ticks() {
  // The labels' size depends on the cells, and the cells' on the room that the labels leave: the second pass
  // sees whether smaller cells rotate the labels, the third keeps the sizes that the first two found.
  for (int pass = 0; pass < 2; ++pass) {
    plan_axes(longest_x_tick(), longest_y_tick());
    x_extent_ = std::max(x_extent_, x_.extent);
    y_extent_ = std::max(y_extent_, y_.extent);
    fit_map();
  }
  plan_axes(x_extent_, y_extent_);
}

// Panels that are far apart do not look like one figure.
void Arrangement::pull_together() {
  const double slack_x = shape_.columns * positive(room_width_ - map_.width - m_.apart_x * map_.width);
  const double slack_y = shape_.rows * positive(room_height_ - map_.height - m_.apart_y * map_.height);
  area_ = {area_.x + slack_x / 2, area_.y + slack_y / 2, area_.width - slack_x, area_.height - slack_y};
  room_width_ -= slack_x / shape_.columns;
  room_height_ -= slack_y / shape_.rows;
}

// A third of a panel, or a fifth of the grid if its axes are only at its edge; more for numbers, which cannot
// be cut.
double Arrangement::longest_x_tick() const {
  if (request_.presented && request_.heads.size() == 1)
    return std::clamp(area_.height - top_ - m_.tick_gap - request_.min_map, 2 * m_.font,
                      longest_tick * m_.font);
  const double height = area_.height / shape_.rows;
  const double share = m_.every_panel || m_.every_row ? 0.3 * height : 0.2 * area_.height;
  const double number = std::min(1.01 * group_name_width(request_.x_tokens, m_.measure), 0.35 * height);
  return std::min(longest_tick * m_.font, std::max(share, number));
}

double Arrangement::longest_y_tick() const {
  return std::min(longest_tick * m_.font,
                  m_.every_panel ? area_.width / shape_.columns * 0.3 : area_.width * 0.2);
}

Rect Arrangement::map_for(double width, double height) const {
  if (n_q_ == 0 || n_k_ == 0 || width <= 0 || height <= 0) return {};
  const double longest = request_.stretch * std::min(width / n_k_, height / n_q_);
  const double across = std::min(width, n_k_ * longest), down = std::min(height, n_q_ * longest);
  const double thin =
      std::min(thinnest_map * m_.font, std::max(across, down));  // never wider than it is long
  return {0, 0, std::max(across, std::min(width, thin)), std::max(down, std::min(height, thin))};
}

void Arrangement::fit_map() {
  left_ = (m_.labels ? m_.label_line + (m_.labels_beside ? m_.tick_gap : 0) : 0) +
          (m_.ticks ? y_extent_ + m_.tick_gap : 0);
  bottom_ = (m_.labels && !m_.labels_beside ? m_.label_line : 0) + (m_.ticks ? x_extent_ + m_.tick_gap : 0);
  const double columns = shape_.columns, rows = shape_.rows;
  const double lefts = m_.every_panel ? columns : 1, bottoms = m_.every_panel || m_.every_row ? rows : 1;
  room_width_ = positive((area_.width - lefts * left_ - (columns - 1) * m_.gap_x) / columns - right_);
  room_height_ = positive((area_.height - bottoms * bottom_ - (rows - 1) * m_.gap_y) / rows - top_);
  map_ = map_for(room_width_, room_height_);
}

void Arrangement::plan_axes(double x_limit, double y_limit) {
  x_ = plan_ticks(request_.x_tokens, true, map_.width / n_k_, m_.tick_line, x_limit, m_.measure,
                  request_.presented);
  y_ = plan_ticks(request_.y_tokens, false, map_.height / n_q_, m_.tick_line, y_limit, m_.measure);
}

double Arrangement::share() const {
  const Rect bare =
      map_for(positive(request_.area.width / shape_.columns), positive(request_.area.height / shape_.rows));
  return bare.width > 0 ? std::sqrt(map_.width * map_.height / (bare.width * bare.height)) : 0;
}

GridLayout Arrangement::layout() const {
  GridLayout grid;
  grid.shape = shape_;
  grid.tick_size = m_.font;
  grid.title_size = (request_.presented ? 1 : 1.15) * m_.font;
  grid.label_size = m_.font;
  grid.tick_line = m_.tick_line;
  const bool numbers = request_.numbers && n_k_ > 0 && n_q_ > 0 &&
                       (request_.presented ? bare_numbers : cell_numbers)(
                           {}, map_.width / n_k_, map_.height / n_q_, m_.font, m_.measure, 1.4)
                               .size > 0;
  for (std::size_t i = 0; i < request_.heads.size(); ++i) {
    grid.panels.push_back(panel(i));
    grid.panels.back().numbers_fit = numbers;
  }
  grid.level_bars = m_.level_bars;
  if (request_.shared_bar && m_.bars && m_.level_bars && !grid.panels.empty()) {
    constexpr double maximum = 24;  // of the font
    const double width = std::min(maximum * m_.font, area_.width);
    grid.color_bar = {area_.x + (area_.width - width) / 2, area_.y - m_.bar_line - m_.gap_y, width,
                      std::min(m_.bar_line, request_.area.height)};
  } else if (request_.shared_bar && m_.bars && !grid.panels.empty()) {
    const double first = grid.panels.front().map.y;
    double last = 0;
    for (const PanelLayout& p : grid.panels) last = std::max(last, p.map.bottom());
    place_bar(grid.color_bar, grid.bar_high, grid.bar_low, area_.right() + m_.gap_x,
              {0, first, 0, last - first}, request_.area);
  }
  return grid;
}

PanelLayout Arrangement::panel(std::size_t index) const {
  const auto columns = static_cast<std::size_t>(shape_.columns);
  const std::size_t row_index = index / columns;
  const auto row = static_cast<double>(row_index), column = static_cast<double>(index % columns);
  const bool x_axis = m_.every_panel || m_.every_row || index + columns >= request_.heads.size(),
             y_axis = m_.every_panel || column == 0;
  const double left = y_axis ? left_ : 0, bottom = x_axis ? bottom_ : 0;
  PanelLayout p;
  p.head = request_.heads[index];
  const double inner_left = m_.every_panel ? (column + 1) * left_ : left_;
  const double inner_top = m_.every_panel || m_.every_row ? row * bottom_ : 0;
  const double room_x = area_.x + inner_left + column * (room_width_ + right_ + m_.gap_x);
  const double room_y = area_.y + inner_top + row * (room_height_ + top_ + m_.gap_y) + top_;
  p.frame = {room_x - left, room_y - top_, left + room_width_ + right_, top_ + room_height_ + bottom};
  p.map = {room_x + (room_width_ - map_.width) / 2, room_y + (room_height_ - map_.height) / 2, map_.width,
           map_.height};
  if (map_.width <= 0 || map_.height <= 0) return p;
  const double center = p.map.x + p.map.width / 2;
  const double half = std::min(center - p.frame.x, p.frame.right() - center);
  if (m_.titles) p.title = {center - half, p.map.y - top_, 2 * half, m_.title_line};
  place_axes(p, x_axis, y_axis);
  if (m_.bars && m_.level_bars && !request_.shared_bar) p.color_bar = bar_line(p, half);
  if (right_ > 0)
    place_bar(p.color_bar, p.bar_high, p.bar_low, p.map.right() + m_.bar_gap, p.map,
              {p.frame.x, p.frame.y + top_, p.frame.width, p.frame.height - top_});
  // A bar that is higher than its map is next to the title too.
  if (p.color_bar.width > 0 && !m_.level_bars && p.color_bar.y < p.title.bottom()) {
    const double beside = std::min(half, p.color_bar.x - m_.bar_gap / 2 - center);
    p.title = {center - beside, p.title.y, 2 * beside, p.title.height};
  }
  return p;
}

// Next to the ticks, and beyond the colour bar, whose name it would otherwise seem to be.
double Arrangement::x_label_begin(const PanelLayout& p) const {
  const double usual = p.map.right() + m_.font, beyond = p.map.right() + right_;
  return right_ > 0 && beyond + 4 * m_.font <= request_.area.right() ? beyond : usual;
}

// As wide as the map; over a small one as wide as its values need and the panel has room for.
Rect Arrangement::bar_line(const PanelLayout& p, double half) const {
  const double width = std::max(p.map.width, std::min(2 * half, 7 * m_.font));
  return {p.map.x + (p.map.width - width) / 2, p.map.y - m_.bar_line, width, m_.bar_line};
}

void Arrangement::place_axes(PanelLayout& p, bool x_axis, bool y_axis) const {
  p.ticks_rotated = x_.rotated;
  p.ticks_slant = x_.slant;
  const double cell_width = p.map.width / n_k_, cell_height = p.map.height / n_q_;
  double below = p.map.bottom(), before = p.map.x;
  if (m_.ticks && x_axis) {
    p.x_ticks = {p.map.x, below + m_.tick_gap, p.map.width, x_.extent};
    below = p.x_ticks.bottom();
    for (std::size_t i = 0; i < x_.tokens.size(); ++i) {
      const double at = p.map.x + (x_.tokens[i] + 0.5) * cell_width;
      // Slanted labels extend to the left of their column.
      const double room = (at - request_.area.x) / x_.slant.cosine;
      p.x_tick_labels.push_back(
          {x_.tokens[i], at, x_.slant ? shortened(x_.labels[i], room, m_.measure) : x_.labels[i]});
    }
  }
  if (m_.ticks && y_axis) {
    p.y_ticks = {before - m_.tick_gap - y_.extent, p.map.y, y_.extent, p.map.height};
    before = p.y_ticks.x;
    for (std::size_t i = 0; i < y_.tokens.size(); ++i)
      p.y_tick_labels.push_back({y_.tokens[i], p.map.y + (y_.tokens[i] + 0.5) * cell_height, y_.labels[i]});
  }
  if (m_.labels && x_axis && m_.labels_beside)
    p.x_label = {x_label_begin(p), p.x_ticks.y, 4 * m_.font, m_.tick_line};
  else if (m_.labels && x_axis)
    p.x_label = {p.map.x, below, p.map.width, m_.label_line};
  if (m_.labels && m_.labels_beside) before -= m_.tick_gap;  // of the mark around a label
  if (m_.labels && y_axis) {
    // Text that is scaled down is drawn a little wider than measured.
    const double apart = 0.15 * m_.font, left = before - m_.label_line;
    p.y_label = {std::max(p.frame.x, left - apart), p.map.y, m_.label_line, p.map.height};
  }
}

void Arrangement::place_bar(Rect& bar, Rect& high, Rect& low, double x, Rect beside, Rect within) const {
  const double height = std::min(within.height, std::max(beside.height, 2 * m_.line));
  const double lowest = within.y, highest = positive(within.bottom() - height - lowest) + lowest;
  const double y = std::clamp(beside.y + (beside.height - height) / 2, lowest, highest);
  bar = {x, y, m_.bar_width, height};
  const double text_height = std::min(m_.line, height / 2);
  high = {bar.right() + m_.value_gap, y, m_.value_width, text_height};
  low = {bar.right() + m_.value_gap, y + height - text_height, m_.value_width, text_height};
}

}  // namespace headscope
