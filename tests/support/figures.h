#pragma once
#include "core/figure/canvas.h"
#include "core/figure/draw_view.h"
#include "core/session/session_figure.h"
#include "tests/support/traces.h"

namespace headscope::tests {

/// What a figure is drawn from, with weights that say where they stand.
inline std::shared_ptr<const Trace> trace_of(const std::string& sentence, int heads,
                                             const std::vector<MaskPart>& mask = {}, int layers = 1) {
  const std::vector<Token> tokens = words(sentence);
  const auto weight = [n = std::ssize(tokens)](int layer, int head, Index i, Index j) {
    return static_cast<float>(((i * n + j) * 37 + head * 11 + layer) % 101) / 100;
  };
  const auto trace = trace_of(tokens, tokens, heads, layers, mask, weight);
  trace->inputs.sentence = sentence;
  return trace;
}

inline std::string drawn(FigureFormat format, const std::shared_ptr<const Trace>& trace,
                         const Session& session, Language language = Language::en, double width = 16 * 72,
                         double height = 8 * 72, double dpi = 100,
                         const std::shared_ptr<const Trace>& b = nullptr) {
  TextShaper shaper;
  const FigureStyle style = figure_style(session.view.theme);
  const Translator tr(language);
  const auto canvas = make_canvas(format, width, height, dpi, shaper, {"title", "{}"});
  draw_view({*canvas, shaper, style, tr}, scene_of(session, trace, b), width, height);
  return canvas->finish();
}

/// What a map looks like, wherever it is drawn.
struct ShownMap {
  std::vector<float> values;
  std::vector<int> states;
  CellPart part;
  const void* colors = nullptr;
  std::array<float, 3> range{};
  bool operator==(const ShownMap&) const = default;

  ShownMap(const MapPart& map, const void* of_colors, const ColorRange& ends)
      : part{map.query_begin, map.query_end, map.key_begin, map.key_end},
        colors(of_colors),
        range{ends.low, ends.high, ends.logarithm ? 1.0F : 0.0F} {
    if (map.values == nullptr) return;
    values.assign(map.values, map.values + map.n_q * map.n_k);
    states.assign(values.size(), 0);
    if (map.blocked != nullptr) std::copy(map.blocked, map.blocked + map.n_q * map.n_k, states.begin());
  }
};

/// Keeps what a figure draws instead of drawing it.
class RecordingCanvas : public Canvas {
 public:
  void fill(const Rect&, Rgb) override {}
  void text(std::string_view text, double, double, const TextStyle&) override { texts.emplace_back(text); }
  void line(double, double, double, double, double, Rgb, double) override { ++lines; }
  void map(const MapPicture& picture, const Rect& rect) override {
    maps.emplace_back(picture.part, picture.colors, picture.range);
    places.push_back(rect);
  }
  void color_bar(const std::array<Rgb, 256>&, const Rect&) override {}
  std::string finish() override { return ""; }

  int lines = 0;
  std::vector<std::string> texts;
  std::vector<ShownMap> maps;
  std::vector<Rect> places;
};

/// What a figure of the scene shows.
inline RecordingCanvas recorded(const Scene& scene, double width = 16 * 72, double height = 8 * 72) {
  RecordingCanvas canvas;
  TextShaper shaper;
  const FigureStyle style = figure_style(scene.view.theme);
  const Translator tr(Language::en);
  draw_view({canvas, shaper, style, tr}, scene, width, height);
  return canvas;
}

/// Whether every element is closed by its own end, and `<` and `&` stand for nothing else.
inline bool well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos || xml.find('<', at + 1) < end) return false;
    const std::string tag = xml.substr(at + 1, end - at - 1);
    if (tag.starts_with("?") || tag.ends_with("/")) continue;
    const std::string name = tag.substr(0, tag.find_first_of(" >"));
    if (!tag.starts_with("/")) {
      open.push_back(name);
    } else {
      if (open.empty() || "/" + open.back() != name) return false;
      open.pop_back();
    }
  }
  for (std::size_t at = xml.find('&'); at != std::string::npos; at = xml.find('&', at + 1))
    if (xml.find(';', at) - at > 5) return false;
  return open.empty();
}

}  // namespace headscope::tests
