#pragma once
#include <optional>

#include "core/base/translate.h"
#include "core/figure/boards/figure_style.h"
#include "core/figure/canvas/canvas.h"
#include "core/figure/figure.h"
#include "core/scene/scene.h"

namespace headscope {

inline constexpr double points_per_inch = 72;

/// A page with a scene on it, whole or cut to what is drawn. Its arguments must outlive it.
class Page {
 public:
  /// `options` with a height; `scales` as the canvas will have it (Canvas::scales), which decides what is
  /// drawn; `range` as FigurePen::range.
  Page(const Scene& scene, const FigureOptions& options, TextShaper& shaper, bool scales,
       const std::optional<ColorRange>& range = {});
  /// In points.
  double width() const { return cut_.width; }
  double height() const { return cut_.height; }
  /// The part of the whole page that is shown; can be replaced.
  const Rect& cut() const { return cut_; }
  void cut_to(const Rect& part) { cut_ = part; }
  /// Where drawing notes what it leaves out; nullptr: nowhere.
  void note_into(FigureFindings* findings) { findings_ = findings; }
  void draw(Canvas& canvas) const;

 private:
  Rect drawn_extent(TextShaper& shaper, bool scales) const;
  Signs drawn_signs(bool scales) const;
  void draw_whole(Canvas& canvas, Signs* noted = nullptr) const;

  const Scene& scene_;
  TextShaper& shaper_;
  FigureStyle style_;
  Translator tr_;
  std::optional<ColorRange> range_;
  FigureExtras extras_;
  FigureFindings* findings_ = nullptr;
  Signs signs_ = {};
  Rect whole_, cut_;
};

}  // namespace headscope
