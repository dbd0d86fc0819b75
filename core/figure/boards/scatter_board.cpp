#include "core/figure/boards/scatter_board.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/round_up.h"
#include "core/scene/readable_numbers.h"

namespace headscope {
namespace {

/// One axis: from 0 to the value of a full bar, or the largest; with negative values as far below 0.
struct ColumnAxis {
  const HeadColumn* column = nullptr;
  double low = 0, high = 1;
  double at(double share) const { return low + share * (high - low); }
  double share(const HeadRow& row) const { return (*row.value(*column) - low) / (high - low); }
  bool has(const HeadRow& row) const { return row.value(*column).has_value(); }
};

ColumnAxis axis_of(const std::string& name, const std::vector<HeadRow>& rows) {
  ColumnAxis axis;
  axis.column = find_head_column(name);
  if (axis.column == nullptr) axis.column = &head_columns().front();
  axis.high = 0;
  bool negative = false;
  for (const HeadRow& row : rows) {
    const double value = row.value(*axis.column).value_or(0);
    axis.high = std::max(axis.high, std::abs(value));
    negative = negative || value < 0;
  }
  if (axis.high <= 0) axis.high = 1;
  // A rounded end, so that the largest value is not on the frame.
  const double unit = std::pow(10, std::floor(std::log10(axis.high)));
  for (const double step : {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0})
    if (step * unit >= axis.high * 1.02) {
      axis.high = step * unit;
      break;
    }
  if (negative) axis.low = -axis.high;
  return axis;
}

class Scatter {
 public:
  Scatter(const Scene& scene, const std::vector<HeadRow>& rows, const HeadTree* tree, const BoardStyle& style,
          const Translator& tr)
      : scene_(scene),
        rows_(rows),
        tree_(tree),
        style_(style),
        tr_(tr),
        x_(axis_of(scene.view.table.scatter_x, rows)),
        y_(axis_of(scene.view.table.scatter_y, rows)) {}

  Board draw(double width, double height) {
    const double em = style_.font_size;
    board_.width = width;
    board_.height = height;
    frame_ = {4.6 * em, 1.8 * em, width - 5.6 * em, height - 5.2 * em};
    if (legend() > 1) frame_.width -= 7 * em;
    draw_axes();
    int left_out = 0;
    for (const HeadRow& row : rows_) {
      if (x_.has(row) && y_.has(row))
        draw_point(row);
      else
        ++left_out;
    }
    if (left_out > 0 && !rows_.empty()) {
      const double room = frame_.width - style_.measure(tr_(y_.column->title), em) - em;
      const double size = style_.sized(0.8);
      std::string note = tr_.plural("{} head without both numbers is left out",
                                    "{} heads without both numbers are left out", left_out, left_out);
      if (style_.measure(note, size) > room)
        note = tr_.plural("{} head left out", "{} heads left out", left_out, left_out);
      text(shortened(note, room, size, style_), frame_.right(), frame_.y - 0.8 * em, 0.8, Anchor::end,
           style_.muted);
    }
    name_outliers();
    draw_legend();
    return std::move(board_);
  }

 private:
  bool by_group() const { return scene_.view.table.scatter_color == ScatterColor::group && tree_ != nullptr; }
  int legend() const { return by_group() ? scene_.view.table.groups : scene_.block->layer_count(); }
  Rgb color(int of) const {
    if (by_group()) return head_color(of, scene_.view.table.groups);
    const int layers = std::max(1, scene_.block->layer_count() - 1);
    // The end of the map that is near the background is left out.
    const bool dark = scene_.view.theme == Theme::dark;
    return colors(Colormap::viridis)[dark ? 110 + 145 * of / layers : 10 + 170 * of / layers];
  }
  std::string legend_text(int of) const {
    return by_group() ? tr_("Group {}", of + 1) : tr_("Layer {}", of + 1);
  }

  void text(const std::string& words, double x, double y, double share, Anchor anchor, Rgb color,
            bool rotated = false) {
    board_.texts.push_back({words, x, y, {style_.sized(share), color, anchor, rotated}});
  }
  void line(double x0, double y0, double x1, double y1, double opacity) {
    board_.lines.push_back({x0, y0, x1, y1, 1, style_.border, opacity});
  }

  void draw_axes() {
    const double em = style_.font_size;
    constexpr int steps = 4;
    for (int i = 0; i <= steps; ++i) {
      const double share = static_cast<double>(i) / steps;
      const double x = frame_.x + share * frame_.width, y = frame_.bottom() - share * frame_.height;
      line(x, frame_.y, x, frame_.bottom(), i == 0 ? 1 : 0.35);
      line(frame_.x, y, frame_.right(), y, i == 0 ? 1 : 0.35);
      text(with_minus(fmt::format("{:.3g}", x_.at(share))), x, frame_.bottom() + 0.9 * em, 0.85,
           Anchor::middle, style_.muted);
      text(with_minus(fmt::format("{:.3g}", y_.at(share))), frame_.x - 0.4 * em, y, 0.85, Anchor::end,
           style_.muted);
    }
    text(tr_(x_.column->title), frame_.x + frame_.width / 2, frame_.bottom() + 2.3 * em, 1, Anchor::middle,
         style_.text);
    // Above the frame: not all board renderers support rotated text, and inside there may be points.
    text(tr_(y_.column->title), frame_.x, frame_.y - 0.8 * em, 1, Anchor::start, style_.text);
  }

  void draw_point(const HeadRow& row) {
    const double em = style_.font_size, side = 0.62 * em;
    const auto [x, y] = place_of(row);
    const int group = by_group() ? std::max(0, tree_->group_of(row.layer, row.head)) : row.layer;
    const Rect point{x - side / 2, y - side / 2, side, side};
    board_.fills.push_back({{point.x - 1, point.y - 1, side + 2, side + 2}, style_.background});
    board_.fills.push_back({point, color(group)});
    taken_.push_back({point.x - 1, point.y - 1, side + 2, side + 2});
    const std::string head = head_title(tr_, scene_.labels, row.layer, row.head);
    const std::string name =
        scene_.block->layer_count() > 1 ? tr_("Layer {}", row.layer + 1) + " · " + head : head;
    board_.regions.push_back({{x - em / 2, y - em / 2, em, em},
                              fmt::format("point {} {}", row.layer, row.head),
                              fmt::format("{}\n{}: {}\n{}: {}", name, tr_(x_.column->title),
                                          statistic_text(*row.value(*x_.column)), tr_(y_.column->title),
                                          statistic_text(*row.value(*y_.column))),
                              HeadPlace{scene_.block->shape.kind, row.layer, row.head}});
  }

  std::pair<double, double> place_of(const HeadRow& row) const {
    return {frame_.x + x_.share(row) * frame_.width, frame_.bottom() - y_.share(row) * frame_.height};
  }

  /// Far from the middle of all, the farthest first; the user's names come before them.
  std::vector<const HeadRow*> outliers() const {
    constexpr double far = 2;  // times the usual distance
    constexpr std::size_t most = 12;
    std::vector<const HeadRow*> rows;
    std::vector<double> xs, ys;
    for (const HeadRow& row : rows_) {
      if (!x_.has(row) || !y_.has(row)) continue;
      rows.push_back(&row);
      xs.push_back(x_.share(row));
      ys.push_back(y_.share(row));
    }
    if (rows.empty()) return {};
    const auto median = [](std::vector<double> values) {
      std::ranges::nth_element(values, values.begin() + std::ssize(values) / 2);
      return values[values.size() / 2];
    };
    const double x = median(xs), y = median(ys);
    const auto distance = [&](const HeadRow* row) {
      return std::hypot(x_.share(*row) - x, y_.share(*row) - y);
    };
    std::vector<double> distances;
    for (const HeadRow* row : rows) distances.push_back(distance(row));
    const double usual = median(distances);
    const auto named = [&](const HeadRow* row) {
      const HeadLabel* label = find_label(scene_.labels, row->layer, row->head);
      return label != nullptr && !label->name.empty();
    };
    std::erase_if(rows, [&](const HeadRow* row) { return !named(row) && distance(row) <= far * usual; });
    std::ranges::stable_sort(rows, {},
                             [&](const HeadRow* row) { return std::pair(!named(row), -distance(row)); });
    rows.resize(std::min(rows.size(), most));
    return rows;
  }

  /// Beside their points, where they cover neither another point nor another name; left out where there is no
  /// such place.
  void name_outliers() {
    const double size = style_.sized(0.85), gap = 0.55 * style_.font_size, high = 1.1 * size;
    for (const HeadRow* row : outliers()) {
      const std::string name = short_head_title(scene_, row->layer, row->head);
      const double wide = style_.measure(name, size);
      const auto [x, y] = place_of(*row);
      const double right = x + gap, left = x - gap - wide, above = y - gap - high, below = y + gap;
      for (const Rect& place : {Rect{right, y - high / 2, wide, high},
                                {left, y - high / 2, wide, high},
                                {x - wide / 2, above, wide, high},
                                {x - wide / 2, below, wide, high},
                                {right - gap / 2, above + gap / 2, wide, high},
                                {right - gap / 2, below - gap / 2, wide, high},
                                {left + gap / 2, above + gap / 2, wide, high},
                                {left + gap / 2, below - gap / 2, wide, high}}) {
        const bool inside = place.x > frame_.x && place.right() < frame_.right() && place.y > frame_.y &&
                            place.bottom() < frame_.bottom();
        if (!inside || std::ranges::any_of(taken_, [&](const Rect& other) { return overlap(place, other); }))
          continue;
        taken_.push_back(place);
        text(name, place.x, place.y + high / 2, 0.85, Anchor::start, style_.text);
        break;
      }
    }
  }

  static bool overlap(const Rect& a, const Rect& b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
  }

  void draw_legend() {
    const int count = legend();
    if (count < 2) return;
    const double em = style_.font_size, x = frame_.right() + 1.2 * em;
    const int maximum = std::max(2, static_cast<int>(frame_.height / (1.4 * em)));
    const int step = divide_up(count, maximum);
    double y = frame_.y + em;
    for (int i = 0; i < count; i += step, y += 1.4 * em) {
      board_.fills.push_back({{x, y - 0.35 * em, 0.7 * em, 0.7 * em}, color(i)});
      text(legend_text(i), x + 1.1 * em, y, 0.9, Anchor::start, style_.muted);
    }
  }

  const Scene& scene_;
  const std::vector<HeadRow>& rows_;
  const HeadTree* tree_;
  const BoardStyle& style_;
  const Translator& tr_;
  ColumnAxis x_, y_;
  Rect frame_;
  std::vector<Rect> taken_;  // by points and names
  Board board_;
};

}  // namespace

Board scatter_board(const Scene& scene, const std::vector<HeadRow>& rows, const HeadTree* tree,
                    const BoardStyle& style, double width, double height, const Translator& tr) {
  return Scatter(scene, rows, tree, style, tr).draw(width, height);
}

}  // namespace headscope
