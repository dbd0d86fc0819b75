// Records what a figure draws instead of drawing it, so that tests can query it.
#pragma once
#include "core/figure/boards/board.h"
#include "core/figure/boards/draw_view.h"
#include "core/figure/canvas/canvas.h"
#include "core/scene/scene.h"
#include "tests/support/testing.h"

namespace headscope::tests {

/// The appearance of a map, wherever it is drawn.
struct ShownMap {
  std::vector<float> values;
  std::vector<int> states;
  CellPart part;
  const void* colors = nullptr;
  std::array<float, 3> range{};
  bool operator==(const ShownMap&) const = default;

  ShownMap(const MapPart& map, const void* of_colors, const ColorRange& ends)
      : part(map), colors(of_colors), range{ends.low, ends.high, ends.logarithm ? 1.0F : 0.0F} {
    if (map.values == nullptr) return;
    values.assign(map.values, map.values + map.n_q * map.n_k);
    states.assign(values.size(), 0);
    if (map.blocked != nullptr) std::copy(map.blocked, map.blocked + map.n_q * map.n_k, states.begin());
  }
};

class RecordingCanvas : public Canvas {
 public:
  struct Filled {
    Rect rect;
    Rgb color;
  };
  struct Written {
    std::string text;
    Rect box;
    TextStyle style;
    double x = 0, y = 0;
    std::size_t fills = 0;  ///< how many were drawn before it
    std::string where() const {
      return fmt::format("\"{}\" at {:.1f}:{:.1f}, {:.1f} x {:.1f}", text, box.x, box.y, box.width,
                         box.height);
    }
  };
  struct Stroke {
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0, width = 0;
    Rgb color;
    double opacity = 0;
  };

  explicit RecordingCanvas(TextShaper& shaper) : shaper_(&shaper) {}
  void fill(const Rect& rect, Rgb color) override { fills.push_back({rect, color}); }
  void text(std::string_view text, double x, double y, const TextStyle& style) override {
    texts.emplace_back(text);
    written.push_back({texts.back(), text_box(*shaper_, text, x, y, style), style, x, y, fills.size()});
  }
  void line(double x0, double y0, double x1, double y1, double width, Rgb color, double opacity) override {
    ++lines;
    strokes.push_back({x0, y0, x1, y1, width, color, opacity});
  }
  void map(const MapPicture& picture, const Rect& rect) override {
    maps.emplace_back(picture, picture.colors, picture.range);
    places.push_back(rect);
  }
  void picture(const std::shared_ptr<const Picture>&, const Rect& rect) override { pictures.push_back(rect); }
  void color_bar(const std::array<Rgb, 256>&, const Rect& rect) override { bars.push_back(rect); }
  std::string finish() override { return ""; }

  /// The only occurrence of a text; fails if there is not exactly one.
  const Written& only(const std::string& text) const {
    EXPECT_EQ(std::ranges::count(texts, text), 1) << text;
    const auto found = std::ranges::find(written, text, &Written::text);
    if (found == written.end()) throw std::runtime_error("not drawn: " + text);
    return *found;
  }

  int lines = 0;
  std::vector<std::string> texts;
  std::vector<ShownMap> maps;
  std::vector<Rect> places;  ///< of the maps
  std::vector<Rect> pictures;
  std::vector<Rect> bars;
  std::vector<Filled> fills;
  std::vector<Written> written;
  std::vector<Stroke> strokes;

 private:
  TextShaper* shaper_;
};

inline double middle_x(const Rect& r) {
  return r.x + r.width / 2;
}
inline double middle_y(const Rect& r) {
  return r.y + r.height / 2;
}

/// The texts whose centres are inside.
inline std::vector<RecordingCanvas::Written> texts_in(const RecordingCanvas& figure, const Rect& area) {
  std::vector<RecordingCanvas::Written> found;
  for (const auto& text : figure.written)
    if (area.contains(middle_x(text.box), middle_y(text.box))) found.push_back(text);
  return found;
}
inline std::vector<Rect> fills_of(const RecordingCanvas& figure, Rgb color) {
  std::vector<Rect> found;
  for (const auto& [rect, of] : figure.fills)
    if (of == color) found.push_back(rect);
  return found;
}

/// What a figure of the scene draws on a page of this size in points; with a shared shaper, texts are shaped
/// once.
inline RecordingCanvas recorded(const Scene& scene, TextShaper& shaper, double width, double height,
                                Language language = Language::en) {
  RecordingCanvas canvas(shaper);
  const FigureStyle style = figure_style(scene.view.theme);
  const Translator tr(language);
  draw_view({canvas, measure_with(shaper), style, tr}, scene, width, height);
  return canvas;
}
inline RecordingCanvas recorded(const Scene& scene, double width = 16 * 72, double height = 8 * 72) {
  TextShaper shaper;
  return recorded(scene, shaper, width, height);
}

}  // namespace headscope::tests
