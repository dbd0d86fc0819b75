#include "core/figure/page.h"

#include <algorithm>

#include "core/figure/boards/board.h"
#include "core/figure/boards/draw_view.h"
#include "core/figure/boards/sign_legend.h"

namespace headscope {
namespace {

/// Finds the signs in what is drawn, and draws nothing.
class SignsCanvas : public Canvas {
 public:
  SignsCanvas(const Translator& tr, bool formulas, bool scales)
      : tr_(tr), formulas_(formulas), scales_(scales) {}
  void fill(const Rect&, Rgb) override {}
  void text(std::string_view text, double, double, const TextStyle&) override {
    note_signs_of_text(signs_, tr_, text, formulas_);
  }
  void line(double, double, double, double, double, Rgb, double) override {}
  void map(const MapPicture& picture, const Rect&) override { note_signs_of_map(signs_, picture); }
  void picture(const std::shared_ptr<const Picture>&, const Rect&) override {}
  void color_bar(const std::array<Rgb, 256>&, const Rect&) override {}
  bool scales() const override { return scales_; }
  std::string finish() override { return ""; }
  const Signs& signs() const { return signs_; }

 private:
  const Translator& tr_;
  bool formulas_, scales_;
  Signs signs_;
};

/// Finds the bounds of what is drawn, and draws nothing.
class ExtentCanvas : public Canvas {
 public:
  ExtentCanvas(TextShaper& shaper, bool scales) : shaper_(shaper), scales_(scales) {}
  void fill(const Rect& rect, Rgb) override { add(rect); }
  void text(std::string_view text, double x, double y, const TextStyle& style) override {
    add(text_box(shaper_, text, x, y, style));
  }
  void line(double x0, double y0, double x1, double y1, double width, Rgb, double) override {
    const double half = width / 2;
    add({std::min(x0, x1) - half, std::min(y0, y1) - half, std::abs(x1 - x0) + width,
         std::abs(y1 - y0) + width});
  }
  void map(const MapPicture&, const Rect& rect) override { add(rect); }
  void picture(const std::shared_ptr<const Picture>&, const Rect& rect) override { add(rect); }
  void color_bar(const std::array<Rgb, 256>&, const Rect& rect) override { add(rect); }
  bool scales() const override { return scales_; }
  std::string finish() override { return ""; }

  bool any() const { return right_ > left_; }
  Rect extent() const { return {left_, top_, right_ - left_, bottom_ - top_}; }

 private:
  void add(const Rect& rect) {
    if (rect.width <= 0 || rect.height <= 0) return;
    left_ = std::min(left_, rect.x);
    top_ = std::min(top_, rect.y);
    right_ = std::max(right_, rect.right());
    bottom_ = std::max(bottom_, rect.bottom());
  }

  TextShaper& shaper_;
  bool scales_;
  double left_ = 1e9, top_ = 1e9, right_ = -1e9, bottom_ = -1e9;
};

/// Draws on another canvas whose origin is elsewhere on the page, and notes what readers may not see.
class ShiftedCanvas : public Canvas {
 public:
  ShiftedCanvas(Canvas& canvas, double x, double y, FigureFindings* findings)
      : canvas_(canvas), x_(x), y_(y), findings_(findings) {}
  void fill(const Rect& rect, Rgb color) override { canvas_.fill(there(rect), color); }
  void text(std::string_view text, double x, double y, const TextStyle& style) override {
    canvas_.text(text, x - x_, y - y_, style);
    if (findings_ == nullptr || text.empty()) return;
    double& smallest = findings_->smallest_text;
    smallest = smallest > 0 ? std::min(smallest, style.size) : style.size;
  }
  void line(double x0, double y0, double x1, double y1, double width, Rgb color, double opacity) override {
    canvas_.line(x0 - x_, y0 - y_, x1 - x_, y1 - y_, width, color, opacity);
  }
  void covering_line(double x0, double y0, double x1, double y1, double width, Rgb color, double opacity,
                     Rgb under) override {
    canvas_.covering_line(x0 - x_, y0 - y_, x1 - x_, y1 - y_, width, color, opacity, under);
  }
  void map(const MapPicture& picture, const Rect& rect) override { canvas_.map(picture, there(rect)); }
  void picture(const std::shared_ptr<const Picture>& picture, const Rect& rect) override {
    canvas_.picture(picture, there(rect));
  }
  void color_bar(const std::array<Rgb, 256>& colors, const Rect& rect) override {
    canvas_.color_bar(colors, there(rect));
  }
  Rect snapped(const Rect& rect) const override {
    const Rect r = canvas_.snapped(there(rect));
    return {r.x + x_, r.y + y_, r.width, r.height};
  }
  bool scales() const override { return canvas_.scales(); }
  double hairline() const override { return canvas_.hairline(); }
  std::string finish() override { return canvas_.finish(); }

 private:
  Rect there(const Rect& r) const { return {r.x - x_, r.y - y_, r.width, r.height}; }

  Canvas& canvas_;
  double x_, y_;
  FigureFindings* findings_;
};

}  // namespace

Rect text_box(TextShaper& shaper, std::string_view text, double x, double y, const TextStyle& style) {
  constexpr double above = 0.5, below = 0.5;  // of the size; its middle lies between them
  const double width = shaper.width(text, style.size), height = (above + below) * style.size;
  const double share = style.anchor == Anchor::start ? 0 : style.anchor == Anchor::middle ? 0.5 : 1;
  if (style.rotated) return {x - above * style.size, y - (1 - share) * width, height, width};
  return {x - share * width, y - above * style.size, width, height};
}

Page::Page(const Scene& scene, const FigureOptions& options, TextShaper& shaper, bool scales,
           const std::optional<ColorRange>& range)
    : scene_(scene),
      shaper_(shaper),
      style_(figure_style(scene.view.theme, options.font_size)),
      tr_(options.language),
      range_(range),
      extras_(options.extras),
      whole_{0, 0, options.width * points_per_inch, options.height.value_or(options.width) * points_per_inch},
      cut_(whole_) {
  if (extras_.legend) signs_ = drawn_signs(scales);
  // Maps on a page that is as high as they need keep their size.
  if (options.keep_width) whole_.height += legend_height(signs_, style_.font_size), cut_ = whole_;
  if (!options.tight) return;
  constexpr double margin = 4;  // points
  Rect drawn = drawn_extent(shaper, scales);
  if (drawn.width <= 0) return;
  if (options.keep_width) {
    // Maps on a page that is too low leave white bands at its sides.
    constexpr double filled = 0.96, taller = 1.12;
    const double usual = whole_.height;
    Rect widest = drawn;
    double height = usual;
    while (drawn.width < filled * (whole_.width - 2 * margin) && taller * whole_.height < 1.6 * usual) {
      whole_.height *= taller;
      drawn = drawn_extent(shaper, scales);
      if (drawn.width > 1.02 * widest.width) widest = drawn, height = whole_.height;
    }
    whole_.height = height;
    drawn = widest;
  }
  cut_ = {drawn.x - margin, drawn.y - margin, drawn.width + 2 * margin, drawn.height + 2 * margin};
  if (options.keep_width) cut_.x = 0, cut_.width = whole_.width;
}

Rect Page::drawn_extent(TextShaper& shaper, bool scales) const {
  ExtentCanvas canvas(shaper, scales);
  draw_whole(canvas);
  return canvas.any() ? canvas.extent() : Rect{};
}

Signs Page::drawn_signs(bool scales) const {
  SignsCanvas canvas(tr_, scene_.view.row().has_steps, scales);
  Signs signs;
  draw_whole(canvas, &signs);
  signs.add(canvas.signs());
  return signs;
}

void Page::draw_whole(Canvas& canvas, Signs* noted) const {
  draw_view({canvas, measure_with(shaper_), style_, tr_, range_, extras_, findings_, signs_, noted}, scene_,
            whole_.width, whole_.height);
}

void Page::draw(Canvas& canvas) const {
  canvas.fill({0, 0, cut_.width, cut_.height}, style_.background);
  ShiftedCanvas shifted(canvas, cut_.x, cut_.y, findings_);
  draw_whole(shifted);
}

}  // namespace headscope
