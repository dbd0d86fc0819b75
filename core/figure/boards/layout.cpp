#include "core/figure/boards/layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "core/base/round_up.h"
#include "core/figure/boards/bar_ends.h"
#include "core/figure/boards/cell_numbers.h"
#include "core/figure/boards/ticks.h"
#include "core/scene/range.h"

namespace headscope {
namespace {

/// Which parts an attempt shows, from everything down to the bare maps.
enum class Parts { all, keys_in_rows, ticks_in_rows, outer_axes, outer_ticks, no_axes, maps_only };

struct Attempt {
  double scale;
  Parts parts;
  double enough;  ///< accepted from this share of the side that maps could have with nothing around
  bool level_bars = false;
  double largest = 0;  ///< the side that maps are limited to; 0: none
};
/// Spaces and sizes of one attempt, in the caller's unit.
struct Metrics {
  double font = 0, tick = 0, line = 0, tick_line = 0, title_line = 0, label_line = 0, tick_gap = 0, gap_x = 0,
         gap_y = 0;
  double bar_gap = 0, bar_width = 0, value_gap = 0, value_width = 0;
  double bar_line = 0;              ///< height of a level bar with its numbers, or of a strip
  double bar_name = 0;              ///< height of the line that says what bars show
  bool every_panel = false;         ///< axes at each panel, otherwise at the grid's left and lower edge
  bool every_row = false;           ///< keys below each row of panels
  bool level_bars = false;          ///< above the maps rather than beside them
  bool strips = false;              ///< level bars without numbers
  double largest = 0;               ///< the side that maps are limited to; 0: none
  double apart_x = 0, apart_y = 0;  ///< largest distance between panels, relative to the size of a map
  bool ticks = false, labels = false, titles = false, bars = false;
  bool labels_beside = false;  ///< the keys' label is after the last tick, not below the ticks
  MeasureText measure;         ///< at `font`
  MeasureText measure_tick;    ///< at `tick`

  double bar_room(bool only) const {
    return bar_gap + bar_width + value_gap + value_width + (only ? bar_name : 0);
  }
};

/// Whether one frame of axes is around all maps.
bool has_one_frame(const LayoutRequest& request) {
  return request.one_frame && request.heads.size() > 1;
}

constexpr double thinnest_map = 4;   // of the tick size
constexpr double longest_tick = 10;  // of the tick size

double positive(double x) {
  return x > 0 ? x : 0;
}

void set_tick_size(Metrics& m, const LayoutRequest& request, double size) {
  m.tick = size;
  m.tick_line = request.line_height * size;
  m.measure_tick = [scale = size / request.font_size, &request](std::string_view text) {
    return scale * request.measure(text);
  };
}

Metrics metrics(const LayoutRequest& request, const Attempt& attempt) {
  Metrics m;
  const double scale = std::max(attempt.scale, std::min(1.0, request.smallest / request.font_size));
  m.font = request.font_size * scale;
  m.line = 1.25 * m.font;
  m.title_line = 1.6 * m.font;
  m.label_line = 1.4 * m.font;
  m.tick_gap = 0.5 * m.font;
  m.gap_x = 1.0 * m.font;
  m.gap_y = 0.7 * m.font;
  m.bar_gap = 0.5 * m.font;
  m.bar_width = 0.7 * m.font;
  m.value_gap = 0.3 * m.font;
  m.bar_line = (attempt.scale < 1 && !request.maps_first ? 1.4 : 1.7) * m.font;
  m.strips = has_one_frame(request) && !request.shared_bar;
  m.level_bars = attempt.level_bars || m.strips;
  m.largest = attempt.largest;
  m.every_panel = attempt.parts == Parts::all;
  m.every_row = attempt.parts <= Parts::ticks_in_rows;
  m.ticks = attempt.parts <= Parts::outer_ticks;
  // A figure is read without the window: ticks do not go without the names of their axes.
  const bool of_figure = request.smallest > 0 && !request.maps_first;
  m.labels = (attempt.parts < Parts::outer_ticks && attempt.parts != Parts::ticks_in_rows) ||
             (of_figure && attempt.parts == Parts::outer_ticks);
  m.bars = attempt.parts <= Parts::no_axes;
  m.titles = m.bars && request.titles;
  // Where text has to shrink, labels are worth more than the name.
  const bool named = request.named_bars && attempt.parts <= Parts::outer_ticks;
  m.bar_name = named && (!request.maps_first || attempt.scale >= 1) ? 1.35 * m.font : 0;
  m.apart_x = m.apart_y = has_one_frame(request) ? 0.2 : 0.5;
  m.measure = [scale, &request](std::string_view text) { return scale * request.measure(text); };
  set_tick_size(m, request, m.font);
  for (const std::string& text : request.bar_values) m.value_width = std::max(m.value_width, m.measure(text));
  if (request.bar_values.empty()) m.value_width = m.measure("0.0123");
  if (request.presented) {
    m.titles = m.titles && request.heads.size() > 1;
    m.labels = m.labels && request.heads.size() == 1;
    m.labels_beside = true;
    m.tick_gap = 0.35 * m.font;  // for the mark around a label and the frame of a cell
  }
  if (m.strips) m.bar_line = 0.65 * m.font;
  if (!request.maps_first) return m;
  m.gap_x = 0.8 * m.font;
  m.gap_y = 0.6 * m.font;
  m.title_line = 1.35 * m.font;
  m.label_line = 1.2 * m.font;
  m.tick_gap = 0.35 * m.font;
  m.apart_x = 0.1;
  m.apart_y = m.strips || request.scrolled ? 0.05 : 0.35;
  return m;
}

/// How long tick labels are at the request's font size.
struct LabelLengths {
  double x = 0, y = 0;
};

/// One attempt at the grid: all panels have the same size.
class Arrangement {
 public:
  Arrangement(const LayoutRequest& request, const Metrics& metrics, GridShape shape)
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
    // The label of a narrow last column reaches beyond it.
    if (has_one_frame(request) && !request.maps_first)
      area_.width = positive(area_.width - 0.5 * m_.tick_line);
    const bool own_bars = m_.bars && !request.shared_bar;
    if (m_.bars && !name_beside()) leave_line(m_.bar_name);
    if (request.shared_bar && m_.bars) leave_room_for_bar();
    top_ = (m_.titles ? m_.title_line : 0) + (own_bars && m_.level_bars ? m_.bar_line : 0);
    right_ = own_bars && !m_.level_bars ? m_.bar_room(name_beside()) : 0;
  }

  void arrange() {
    fit_map();
    if (m_.ticks) fit_ticks();
    if (map_.width > 0) pull_together();
  }

  /// Sizes only, quickly: as if all labels were rotated and as long as the longest.
  void estimate(const LabelLengths& labels) {
    if (m_.ticks) {
      x_extent_ = std::min(labels.x * m_.font / request_.font_size, longest_x_tick());
      y_extent_ = std::min(labels.y * m_.font / request_.font_size, longest_y_tick());
    }
    fit_map();
  }

  double side() const { return std::sqrt(map_.width * map_.height); }
  /// Side of the maps relative to what they could have with nothing around them, 0 to 1.
  double share() const {
    const Rect bare =
        map_for(positive(request_.area.width / shape_.columns), positive(request_.area.height / shape_.rows));
    return bare.width > 0 ? std::sqrt(map_.width * map_.height / (bare.width * bare.height)) : 0;
  }
  GridShape shape() const { return shape_; }
  /// Whether every token has a label.
  bool complete() const { return m_.ticks && x_.step == 1 && y_.step == 1; }
  /// Whether it may be, judged by the room alone.
  bool may_be_complete() const {
    const double line = request_.line_height * std::min(request_.smallest, m_.font);
    const Rect bare = map_for(area_.width / shape_.columns, area_.height / shape_.rows);
    return bare.width / n_k_ >= line && bare.height / n_q_ >= line;
  }

  GridLayout layout() const {
    GridLayout grid;
    grid.shape = shape_;
    grid.tick_size = m_.tick;
    grid.title_size = (request_.presented ? 1 : 1.15) * m_.font;
    grid.label_size = m_.font;
    grid.tick_line = m_.tick_line;
    grid.labelled_every = m_.ticks && !x_.tokens.empty() ? std::max(x_.step, y_.step) : 0;
    const bool numbers = request_.numbers && n_k_ > 0 && n_q_ > 0 &&
                         (request_.presented ? bare_numbers : cell_numbers)(
                             {}, map_.width / n_k_, map_.height / n_q_, m_.font, m_.measure, 1.4)
                                 .size > 0;
    for (std::size_t i = 0; i < request_.heads.size(); ++i) {
      grid.panels.push_back(panel(i));
      grid.panels.back().numbers_fit = numbers;
    }
    grid.level_bars = m_.level_bars && !m_.strips;
    grid.strips = m_.strips && m_.bars;
    if (m_.labels && named_once()) name_axes(grid);
    if (request_.shared_bar && m_.bars && m_.level_bars && !grid.panels.empty()) {
      constexpr double maximum = 24;  // of the font
      const double width = std::min(maximum * m_.font, area_.width);
      grid.color_bar = {{area_.x + (area_.width - width) / 2, area_.y - m_.bar_line - m_.gap_y, width,
                         std::min(m_.bar_line, request_.area.height)},
                        {}};
    } else if (request_.shared_bar && m_.bars && !grid.panels.empty()) {
      const double first = grid.panels.front().map.y;
      double last = 0;
      for (const PanelLayout& p : grid.panels) last = std::max(last, p.map.bottom());
      grid.color_bar = place_bar(area_.right() + m_.gap_x, {0, first, 0, last - first}, request_.area);
    }
    grid.bar_name = bar_name(grid);
    return grid;
  }

 private:
  void leave_room_for_bar() {
    if (!m_.level_bars) {
      area_.width = positive(area_.width - m_.bar_room(name_beside()) - m_.gap_x);
      return;
    }
    leave_line(m_.bar_line + m_.gap_y);
  }
  void leave_line(double height) {
    height = std::min(area_.height, height);
    area_.y += height;
    area_.height -= height;
  }

  // Next to the only bar; otherwise there is one name for all.
  bool name_beside() const { return !m_.level_bars && (request_.shared_bar || request_.heads.size() == 1); }
  Rect bar_name(const GridLayout& grid) const {
    if (!m_.bars || m_.bar_name <= 0 || grid.panels.empty() || grid.panels.front().map.width <= 0) return {};
    const BarPlace& bar = request_.shared_bar ? grid.color_bar : grid.panels.front().color_bar;
    if (name_beside())
      return bar.width > 0 ? Rect{bar.values.right(), bar.y, m_.bar_name, bar.height} : Rect{};
    const double below = request_.shared_bar ? grid.color_bar.y : area_.y;
    return {area_.x, below - m_.bar_name, area_.width, m_.bar_name};
  }

  bool named_once() const { return has_one_frame(request_) && !request_.scrolled; }
  // Once, below the lowest words and left of the leftmost.
  void name_axes(GridLayout& grid) const {
    Rect maps = grid.panels.empty() ? Rect{} : grid.panels.front().map;
    if (maps.width <= 0) return;
    double below = 0;
    for (const PanelLayout& p : grid.panels) {
      maps.width = std::max(maps.width, p.map.right() - maps.x);
      maps.height = std::max(maps.height, p.map.bottom() - maps.y);
      below = std::max({below, p.map.bottom(), p.x_ticks.bottom()});
    }
    grid.x_label = {maps.x, below, maps.width, m_.label_line};
    grid.y_label = left_of(grid.panels.front(), maps);
  }
  // Between the name of an axis and its words, in the font's size: text that is scaled down is drawn a little
  // wider than measured.
  static constexpr double apart = 0.3;
  Rect left_of(const PanelLayout& p, const Rect& maps) const {
    const double before = p.y_ticks.width > 0 ? p.y_ticks.x : p.map.x;
    return {std::max(p.frame.x, before - m_.label_line - apart * m_.font), maps.y, m_.label_line,
            maps.height};
  }

  void fit_ticks() {
    // The labels' size depends on the cells, and the cells' on the room that the labels leave: the second
    // pass sees whether smaller cells rotate the labels, the third keeps the sizes that the first two found.
    for (int pass = 0; pass < 2; ++pass) {
      fit_tick_size();
      plan_axes(longest_x_tick(), longest_y_tick());
      x_extent_ = std::max(x_extent_, x_.extent);
      y_extent_ = std::max(y_extent_, y_.extent);
      fit_map();
    }
    fit_tick_size();
    plan_axes(x_extent_, y_extent_);
  }

  // As large as the cells are high and wide or, if labels of that size could not be read, as every n-th of
  // them leaves room for.
  void fit_tick_size() {
    const double smallest = std::min(request_.smallest, m_.font);
    if (smallest <= 0 || map_.width <= 0) return;
    const auto fitted = [&](double cell) {
      const double step = std::max(1.0, std::ceil(smallest * request_.line_height / cell - 1e-9));
      return step * cell / request_.line_height;
    };
    set_tick_size(m_, request_, std::min({m_.font, fitted(map_.width / n_k_), fitted(map_.height / n_q_)}));
  }

  // Panels that are far apart do not look like one figure.
  void pull_together() {
    const double slack_x = shape_.columns * positive(room_width_ - map_.width - m_.apart_x * map_.width);
    const double slack_y = shape_.rows * positive(room_height_ - map_.height - m_.apart_y * map_.height);
    // With one frame the window's maps stay where they are while what is below them changes.
    const double down =
        has_one_frame(request_) && request_.maps_first && !request_.presented ? 0 : slack_y / 2;
    area_ = {area_.x + slack_x / 2, area_.y + down, area_.width - slack_x, area_.height - slack_y};
    room_width_ -= slack_x / shape_.columns;
    room_height_ -= slack_y / shape_.rows;
  }

  // A third of a panel, or a fifth of the grid if its axes are only at its edge; more for numbers, which
  // cannot be cut.
  double longest_x_tick() const {
    if (request_.presented && request_.heads.size() == 1)
      return std::clamp(area_.height - top_ - m_.tick_gap - request_.min_map, 2 * m_.font,
                        longest_tick * m_.font);
    const double height = area_.height / shape_.rows;
    const double share =
        m_.every_panel || m_.every_row ? 0.3 * height : std::max(0.3 * height, 0.2 * area_.height);
    const double number =
        std::min(1.01 * group_name_width(request_.x_tokens, m_.measure_tick), 0.35 * height);
    return std::min(longest_tick * m_.font, std::max(share, number));
  }

  double longest_y_tick() const {
    return std::min(longest_tick * m_.font,
                    m_.every_panel ? area_.width / shape_.columns * 0.3 : area_.width * 0.2);
  }

  Rect map_for(double width, double height) const {
    if (n_q_ == 0 || n_k_ == 0 || width <= 0 || height <= 0) return {};
    const double longest = request_.stretch * std::min(width / n_k_, height / n_q_);
    double across = std::min(width, n_k_ * longest), down = std::min(height, n_q_ * longest);
    const double side = std::sqrt(across * down);
    if (m_.largest > 0 && side > m_.largest) across *= m_.largest / side, down *= m_.largest / side;
    const double thin =
        std::min(thinnest_map * m_.font, std::max(across, down));  // never wider than it is long
    return {0, 0, std::max(across, std::min(width, thin)), std::max(down, std::min(height, thin))};
  }

  void fit_map() {
    left_ = (m_.labels
                 ? m_.label_line + (named_once() ? 0 : apart * m_.font) + (m_.labels_beside ? m_.tick_gap : 0)
                 : 0) +
            (m_.ticks ? y_extent_ + m_.tick_gap : 0);
    // A label beside the ticks is there without any, too.
    const double beside = m_.labels && m_.labels_beside ? m_.tick_line : 0;
    bottom_ = (m_.labels && !m_.labels_beside ? m_.label_line : 0) +
              (m_.ticks ? std::max(x_extent_, beside) + m_.tick_gap : 0);
    const double columns = shape_.columns, rows = shape_.rows;
    const double lefts = m_.every_panel ? columns : 1, bottoms = m_.every_panel || m_.every_row ? rows : 1;
    room_width_ = positive((area_.width - lefts * left_ - (columns - 1) * m_.gap_x) / columns - right_);
    room_height_ = positive((area_.height - bottoms * bottom_ - (rows - 1) * m_.gap_y) / rows - top_);
    map_ = map_for(room_width_, room_height_);
  }

  void plan_axes(double x_limit, double y_limit) {
    x_ = plan_ticks(request_.x_tokens, true, map_.width / n_k_, m_.tick_line, x_limit, m_.measure_tick,
                    request_.presented);
    // Where maps are narrower than a label, those of neighbours would touch.
    const double pitch = std::min(room_width_, map_.width * (1 + m_.apart_x)) + right_ + m_.gap_x;
    if (shape_.columns > 1 && pitch < m_.tick_line) x_ = {};
    // Nor may the last one touch the first of the next map.
    while (shape_.columns > 1 && x_.rotated && x_.tokens.size() > 1 &&
           pitch - x_.tokens.back() * map_.width / n_k_ < m_.tick_line) {
      x_.tokens.pop_back();
      x_.labels.pop_back();
    }
    y_ = plan_ticks(request_.y_tokens, false, map_.height / n_q_, m_.tick_line, y_limit, m_.measure_tick);
  }

  PanelLayout panel(std::size_t index) const {
    const std::size_t columns = shape_.columns;
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
    if (m_.strips && m_.titles) p.title = {p.map.x, p.title.y, p.frame.right() - p.map.x, m_.title_line};
    place_axes(p, x_axis, y_axis);
    if (m_.bars && m_.level_bars && !request_.shared_bar) p.color_bar = {bar_line(p, half), {}};
    if (right_ > 0)
      p.color_bar = place_bar(p.map.right() + m_.bar_gap, p.map,
                              {p.frame.x, p.frame.y + top_, p.frame.width, p.frame.height - top_});
    // A bar that is higher than its map is next to the title too.
    if (p.color_bar.width > 0 && !m_.level_bars && p.color_bar.y < p.title.bottom()) {
      const double beside = std::min(half, p.color_bar.x - m_.bar_gap / 2 - center);
      p.title = {center - beside, p.title.y, 2 * beside, p.title.height};
    }
    return p;
  }

  // As wide as the map; over a small one as wide as its values need and the panel has room for.
  Rect bar_line(const PanelLayout& p, double half) const {
    if (m_.strips) return {p.map.x, p.map.y - 0.55 * m_.font, p.map.width, 0.3 * m_.font};
    const double width = std::max(p.map.width, std::min(2 * half, 7 * m_.font));
    return {p.map.x + (p.map.width - width) / 2, p.map.y - m_.bar_line, width, m_.bar_line};
  }

  void place_axes(PanelLayout& p, bool x_axis, bool y_axis) const {
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
            {x_.tokens[i], at, x_.slant ? shortened(x_.labels[i], room, m_.measure_tick) : x_.labels[i]});
      }
    }
    if (m_.ticks && y_axis) {
      p.y_ticks = {before - m_.tick_gap - y_.extent, p.map.y, y_.extent, p.map.height};
      before = p.y_ticks.x;
      for (std::size_t i = 0; i < y_.tokens.size(); ++i)
        p.y_tick_labels.push_back({y_.tokens[i], p.map.y + (y_.tokens[i] + 0.5) * cell_height, y_.labels[i]});
    }
    if (named_once()) return;
    if (m_.labels && x_axis && m_.labels_beside)
      p.x_label = {p.map.right() + m_.font, p.x_ticks.y, 4 * m_.font, m_.tick_line};
    else if (m_.labels && x_axis)
      p.x_label = {p.map.x, below, p.map.width, m_.label_line};
    if (m_.labels && m_.labels_beside) before -= m_.tick_gap;  // of the mark around a label
    if (m_.labels && y_axis) {
      const double left = before - m_.label_line;
      p.y_label = {std::max(p.frame.x, left - apart * m_.font), p.map.y, m_.label_line, p.map.height};
    }
  }

  BarPlace place_bar(double x, Rect beside, Rect within) const {
    const double height = std::min(within.height, std::max(beside.height, 2 * m_.line));
    const double lowest = within.y, highest = positive(within.bottom() - height - lowest) + lowest;
    const double y = std::clamp(beside.y + (beside.height - height) / 2, lowest, highest);
    return {{x, y, m_.bar_width, height}, {x + m_.bar_width + m_.value_gap, y, m_.value_width, height}};
  }

  const LayoutRequest& request_;
  Metrics m_;
  GridShape shape_;
  double n_q_, n_k_;
  Rect area_;                                // without the shared bar
  double x_extent_ = 0, y_extent_ = 0;       // of the tick labels, across their axes
  double left_ = 0, bottom_ = 0;             // space for the axes
  double top_ = 0, right_ = 0;               // space for title and colour bar
  double room_width_ = 0, room_height_ = 0;  // the largest a map can be
  Rect map_;                                 // size only
  TickPlan x_, y_;
};

constexpr double tall_cost = 0.65;

/// What a grid that is higher than wide costs: on a phone, whose window is so itself, nothing.
double tall_cost_in(const LayoutRequest& request) {
  const double tall = positive(request.area.height) / std::max(request.area.width, 1.0);
  return request.maps_first ? std::clamp(tall_cost * tall, tall_cost, 1.0) : tall_cost;
}

/// The quality of a shape whose maps have this side: few empty places, and wide rather than high.
double shape_score(GridShape shape, int heads, double side, double cost) {
  constexpr double empty_exponent = 2.6;
  const double filled = static_cast<double>(heads) / (shape.rows * shape.columns);
  return side * std::pow(filled, empty_exponent) * (shape.rows > shape.columns ? cost : 1);
}

GridShape best_shape(const std::vector<GridShape>& shapes, int heads, double cost,
                     const std::function<double(GridShape)>& side) {
  GridShape best = shapes.front();
  double best_score = 0;
  for (const GridShape shape : shapes) {
    const double score = shape_score(shape, heads, side(shape), cost);
    // Of equals the one closest to a square.
    if (score < best_score * (1 - 1e-9) || score <= 0) continue;
    if (score <= best_score * (1 + 1e-9) &&
        std::abs(shape.rows - shape.columns) >= std::abs(best.rows - best.columns))
      continue;
    best_score = score;
    best = shape;
  }
  return best;
}

constexpr std::array<Attempt, 9> of_figure{{{1, Parts::all, 0.6},
                                            {0.85, Parts::all, 0.6},
                                            {1, Parts::outer_axes, 0.6},
                                            {0.85, Parts::outer_axes, 0.6},
                                            {0.7, Parts::outer_axes, 0.6},
                                            {0.7, Parts::outer_ticks, 0.5},
                                            {0.55, Parts::outer_ticks, 0.25},
                                            {0.55, Parts::no_axes, 0.25},
                                            {0.55, Parts::maps_only, 0}}};

constexpr std::array<Attempt, 9> of_window{{{1, Parts::keys_in_rows, 0.6},
                                            {1, Parts::ticks_in_rows, 0.6},
                                            {1, Parts::outer_axes, 0.6},
                                            {1, Parts::outer_ticks, 0.55},
                                            {0.85, Parts::outer_ticks, 0.55},
                                            {0.7, Parts::outer_ticks, 0.5},
                                            {0.7, Parts::no_axes, 0.4},
                                            {0.55, Parts::no_axes, 0.25},
                                            {0.55, Parts::maps_only, 0}}};

/// With words at the grid's edge alone.
constexpr std::array<Attempt, 7> of_frame{{{1, Parts::outer_axes, 0},
                                           {1, Parts::outer_ticks, 0},
                                           {0.85, Parts::outer_ticks, 0},
                                           {0.7, Parts::outer_ticks, 0},
                                           {0.7, Parts::no_axes, 0},
                                           {0.55, Parts::no_axes, 0},
                                           {0.55, Parts::maps_only, 0}}};

/// With words at every row.
constexpr std::array<Attempt, 5> of_scrolled{{{1, Parts::keys_in_rows, 0},
                                              {1, Parts::ticks_in_rows, 0},
                                              {0.85, Parts::ticks_in_rows, 0},
                                              {0.7, Parts::ticks_in_rows, 0},
                                              {0.55, Parts::maps_only, 0}}};

constexpr std::array<Attempt, 5> of_projector{{{1, Parts::all, 0.6},
                                               {1, Parts::ticks_in_rows, 0.68},
                                               {1, Parts::outer_ticks, 0.5},
                                               {1, Parts::no_axes, 0.25},
                                               {1, Parts::maps_only, 0}}};

std::vector<Attempt> attempts_for(const LayoutRequest& request) {
  constexpr double most = 0.75;  // of the side of bare maps
  const bool one_frame = has_one_frame(request);
  const std::span<const Attempt> usual =
      !request.presented          ? (request.maps_first ? std::span<const Attempt>(of_window)
                                     : one_frame        ? std::span<const Attempt>(of_figure).subspan(2)
                                                        : of_figure)
      : request.heads.size() == 1 ? std::span<const Attempt>(of_projector)
                                  : std::span<const Attempt>(of_projector).subspan(one_frame ? 2 : 1);
  std::vector<Attempt> attempts;
  for (const double scale : request.larger) attempts.push_back({scale, usual.front().parts, most});
  attempts.insert(attempts.end(), usual.begin(), usual.end());
  return attempts;
}

/// The longest of an evenly chosen sample of the labels: enough for an estimate.
double width_of_longest(const std::vector<std::string>& tokens, const LayoutRequest& request) {
  constexpr std::size_t maximum = 32;
  double longest = 0;
  const std::size_t step = tokens.size() / maximum + 1;
  for (std::size_t i = 0; i < tokens.size(); i += step)
    longest = std::max(longest, request.measure(tokens[i]));
  return longest;
}

/// For the best shape, with nothing around the maps.
double bare_score(const std::vector<GridShape>& shapes, const LayoutRequest& request) {
  const auto n_q = static_cast<double>(request.y_tokens.size()),
             n_k = static_cast<double>(request.x_tokens.size());
  double largest = 0;
  for (const GridShape& shape : shapes) {
    const double width = request.area.width / shape.columns, height = request.area.height / shape.rows;
    const double longest = request.stretch * std::min(width / n_k, height / n_q);
    const double side = std::sqrt(std::min(width, n_k * longest) * std::min(height, n_q * longest));
    largest = std::max(
        largest, shape_score(shape, static_cast<int>(request.heads.size()), side, tall_cost_in(request)));
  }
  return largest;
}

/// For each number of rows the narrowest, from the widest to the highest.
std::vector<GridShape> all_shapes(int heads) {
  std::vector<GridShape> all;
  for (int columns = std::max(heads, 1); columns >= 1; --columns) {
    const GridShape shape{divide_up(std::max(heads, 1), columns), columns};
    if (all.empty() || all.back().rows != shape.rows)
      all.push_back(shape);
    else
      all.back() = shape;
  }
  return all;
}

/// The window's grid with one frame of axes. Its maps never get smaller when the room grows: they have the
/// largest side of all shapes; where something has to go so that they can be pointed at, they are not larger
/// than what brings it back; and larger text takes no more than is set aside for it.
class GrowingGrid {
 public:
  GrowingGrid(const LayoutRequest& request, std::vector<GridShape> shapes, bool fillable,
              const LabelLengths& labels)
      : request_(request),
        attempts_(request.scrolled ? std::span<const Attempt>(of_scrolled) : of_frame),
        shapes_(std::move(shapes)),
        fillable_(fillable),
        labels_(labels) {}

  GridLayout layout() const {
    Arrangement whole = largest(attempts_.front());
    if (is_enough(whole)) return with_larger_text(for_maps(whole.side()));
    for (Attempt attempt : attempts_.subspan(1)) {
      attempt.largest = request_.min_map;
      if (Arrangement less = largest(attempt); is_enough(less)) return less.layout();
    }
    return largest(attempts_.back()).layout();
  }

 private:
  static constexpr double rounding = 1e-6;

  bool is_enough(const Arrangement& one) const {
    return one.side() > 0 && one.side() >= request_.min_map - rounding;
  }

  // What maps have of a side: of large ones the rest is for larger text.
  double for_maps(double side) const {
    constexpr double large = 15, kept = 0.8;
    const double most = large * request_.font_size;
    return side <= most ? side : most + kept * (side - most);
  }

  GridLayout with_larger_text(double side) const {
    Attempt attempt = attempts_.front();
    attempt.largest = side;
    for (const double scale : request_.larger) {
      attempt.scale = scale;
      const Arrangement larger = largest(attempt);
      if (larger.complete() && larger.side() >= side - rounding) return larger.layout();
    }
    attempt.scale = 1;
    return largest(attempt).layout();
  }

  Arrangement largest(Attempt attempt) const {
    std::optional<Arrangement> best;
    for (const bool level : {true, false}) {
      if (!level && !request_.shared_bar) continue;
      attempt.level_bars = level;
      for (const GridShape shape : worth_trying(attempt)) {
        const Arrangement one = arranged(attempt, shape);
        if (!best || one.side() > best->side() + rounding) best.emplace(one);
      }
    }
    return *best;
  }

  // Where heads could fill a handsome shape, empty places cost: maps beside them are smaller than they could
  // be.
  Arrangement arranged(Attempt attempt, GridShape shape) const {
    constexpr double beside_empty = 0.87;
    const auto with = [&](double limit) {
      attempt.largest = limit;
      Arrangement one(request_, metrics(request_, attempt), shape);
      one.arrange();
      return one;
    };
    const double limit = attempt.largest;
    if (!fillable_ || shape.rows * shape.columns == std::ssize(request_.heads)) return with(limit);
    const double most = beside_empty * with(0).side();
    return with(limit > 0 ? std::min(limit, most) : most);
  }

  // Those that are among the largest by a quick estimate, the ones closest to a square first.
  std::vector<GridShape> worth_trying(const Attempt& attempt) const {
    constexpr double close = 0.8;
    std::vector<std::pair<double, GridShape>> all;
    double most = 0;
    for (const GridShape shape : shapes_) {
      Arrangement quick(request_, metrics(request_, attempt), shape);
      quick.estimate(labels_);
      all.emplace_back(quick.side(), shape);
      most = std::max(most, quick.side());
    }
    std::erase_if(all, [&](const auto& one) { return one.first < close * most; });
    std::ranges::stable_sort(all, {},
                             [](const auto& one) { return std::abs(one.second.columns - one.second.rows); });
    std::vector<GridShape> shapes;
    for (const auto& [side, shape] : all) shapes.push_back(shape);
    return shapes;
  }

  const LayoutRequest& request_;
  const std::span<const Attempt> attempts_;
  std::vector<GridShape> shapes_;
  bool fillable_;  // heads fill a handsome shape
  const LabelLengths& labels_;
};

/// ".31", as in cells.
std::string bare(std::string text) {
  constexpr std::string_view minus = "−";
  const std::size_t zero = text.starts_with(minus) ? minus.size() : 0;
  if (text.compare(zero, 2, "0.") == 0) text.erase(zero, 1);
  return text;
}

}  // namespace

std::vector<GridShape> grid_shapes(int heads, int rows, int columns) {
  heads = std::max(heads, 1);
  if (columns > 0) columns = std::min(columns, heads);
  if (rows > 0) rows = std::min(rows, heads);
  if (columns > 0) return {{std::max(rows, divide_up(heads, columns)), columns}};
  if (rows > 0) return {{rows, divide_up(heads, rows)}};
  constexpr int widest_handsome = 3;  // columns to a row
  std::vector<GridShape> all = all_shapes(heads), even;
  std::ranges::copy_if(all, std::back_inserter(even),
                       [&](GridShape shape) { return shape.rows * shape.columns == heads; });
  const bool handsome = std::ranges::any_of(even, [](GridShape shape) {
    return shape.columns >= shape.rows && shape.columns <= widest_handsome * shape.rows;
  });
  return handsome ? even : all;
}

GridShape largest_shape(const std::vector<GridShape>& shapes, int heads,
                        const std::function<double(GridShape)>& side) {
  return best_shape(shapes, heads, tall_cost, side);
}

GridLayout grid_layout(const LayoutRequest& request) {
  const auto heads = static_cast<int>(request.heads.size());
  const std::vector<GridShape> shapes = grid_shapes(heads, request.rows, request.columns);
  const double cost = tall_cost_in(request);
  const LabelLengths labels{width_of_longest(request.x_tokens, request),
                            width_of_longest(request.y_tokens, request)};
  if (has_one_frame(request) && request.maps_first && !request.presented) {
    const bool fillable = std::ranges::all_of(
        grid_shapes(heads, 0, 0), [&](GridShape shape) { return shape.rows * shape.columns == heads; });
    const bool chosen = request.rows + request.columns > 0;
    return GrowingGrid(request, chosen ? shapes : all_shapes(heads), fillable, labels).layout();
  }
  const auto estimated = [&](const Metrics& m, GridShape shape) {
    Arrangement arrangement(request, m, shape);
    arrangement.estimate(labels);
    return arrangement;
  };
  const auto tried = [&](const Attempt& attempt) {
    const Metrics m = metrics(request, attempt);
    const GridShape shape =
        best_shape(shapes, heads, cost, [&](GridShape candidate) { return estimated(m, candidate).side(); });
    Arrangement arrangement(request, m, shape);
    arrangement.arrange();
    return arrangement;
  };
  // With one frame a shape counts for what its maps have of the largest, not of what the shape could have.
  const auto is_enough = [&](const Arrangement& a, double share) {
    if (!has_one_frame(request)) return a.share() >= share;
    const double score = shape_score(a.shape(), heads, a.side(), cost);
    return share == 0 || (score > 0 && score >= share * bare_score(shapes, request));
  };
  // With a label for every token.
  const auto labelled = [&](bool level_bars) -> std::optional<Arrangement> {
    for (Attempt attempt : attempts_for(request)) {
      attempt.level_bars = level_bars;
      const Metrics m = metrics(request, attempt);
      std::vector<std::pair<double, GridShape>> candidates;
      for (const GridShape shape : shapes)
        if (const Arrangement a = estimated(m, shape); a.may_be_complete())
          candidates.emplace_back(-shape_score(shape, heads, a.side(), cost), shape);
      std::ranges::stable_sort(candidates, {}, &std::pair<double, GridShape>::first);
      for (const auto& [score, shape] : candidates) {
        Arrangement arrangement(request, m, shape);
        arrangement.arrange();
        if (arrangement.complete() && is_enough(arrangement, attempt.enough)) return arrangement;
      }
    }
    return std::nullopt;
  };
  if (request.smallest > 0 && !request.maps_first) {
    constexpr double larger = 1.05;  // a bar above the maps is worth it
    const std::optional<Arrangement> beside = labelled(false);
    if (beside && !(has_one_frame(request) && request.shared_bar)) return beside->layout();
    const std::optional<Arrangement> above = labelled(true);
    if (beside && (!above || above->side() < larger * beside->side())) return beside->layout();
    if (above) return above->layout();
  }
  for (Attempt attempt : attempts_for(request)) {
    attempt.level_bars = request.maps_first;
    Arrangement arrangement = tried(attempt);
    if (attempt.scale > 1 && !arrangement.complete()) continue;
    if (!request.maps_first) {
      if (is_enough(arrangement, attempt.enough)) return arrangement.layout();
      continue;
    }
    const double score = shape_score(arrangement.shape(), heads, arrangement.side(), cost);
    const double bare = bare_score(shapes, request);
    if (attempt.enough > 0 && (score <= 0 || score < attempt.enough * bare)) continue;
    // Maps that can be large enough to be read are, whatever is left out around them.
    const bool small = !request.presented && arrangement.side() < request.min_map;
    if (attempt.enough > 0 && small && bare >= request.min_map) continue;
    if (!request.shared_bar && !request.presented) return arrangement.layout();
    // One bar is next to the maps if they need the height rather than the width; on a projector all are.
    attempt.level_bars = false;
    Arrangement beside = tried(attempt);
    return beside.side() > 0 && beside.side() >= arrangement.side() ? beside.layout() : arrangement.layout();
  }
  return {};
}

std::vector<BarTick> fitting_ticks(const ColorRange& range,
                                   const std::function<bool(const std::vector<BarTick>&)>& fits) {
  for (int most = max_bar_ticks; most >= 2; --most)
    if (std::vector<BarTick> ticks = bar_ticks(range, most); fits(ticks)) return ticks;
  return {};
}

double LevelBar::text_x(const BarTick& tick, double width) const {
  const double x = x_of(tick), half = width / 2;
  return bar.width < width ? bar.x + bar.width / 2 : std::clamp(x, bar.x + half, bar.right() - half);
}

LevelBar level_bar(const Rect& line, const ColorRange& range, double font_size, const MeasureText& measure,
                   bool presented, double minimum) {
  struct Way {
    double scale;
    bool bare = false;
  };
  LevelBar level;
  level.below = range.below;
  level.above = range.above;
  level.bar = bar_between({line.x, line.y, line.width, std::min(0.5 * font_size, line.height)}, range.below,
                          range.above);
  for (const Way& way :
       {Way{1}, Way{1, true}, Way{0.85}, Way{0.72}, Way{0.72, true}, Way{0.6, true}, Way{0.5, true}}) {
    if ((presented && way.scale < 1) || (!presented && way.scale == 1 && way.bare)) continue;
    const double size = way.scale * font_size;
    if (size < minimum) break;
    const auto written = [&](const BarTick& tick) { return way.bare ? bare(tick.text) : tick.text; };
    const auto fits = [&](const std::vector<BarTick>& ticks) {
      double end = line.x - font_size;
      for (const BarTick& tick : ticks) {
        const double width = way.scale * measure(written(tick)), x = level.text_x(tick, width);
        if (x - width / 2 < end + 0.5 * size || width > line.width) return false;
        end = x + width / 2;
      }
      return true;
    };
    level.ticks = fitting_ticks(range, fits);
    if (level.ticks.empty()) continue;
    for (BarTick& tick : level.ticks) tick.text = written(tick);
    level.font_size = size;
    level.text_y = line.bottom() - 0.55 * size;
    break;
  }
  return level;
}

std::pair<std::string, std::string> in_two_lines(const std::string& text, const MeasureText& measure) {
  std::pair<std::string, std::string> best{text, ""};
  double minimum = measure(text);
  for (std::size_t at = text.find(' '); at != std::string::npos; at = text.find(' ', at + 1)) {
    const std::string first = text.substr(0, at), second = text.substr(at + 1);
    const double width = std::max(measure(first), measure(second));
    if (width < minimum) {
      minimum = width;
      best = {first, second};
    }
  }
  return best;
}

}  // namespace headscope
