#pragma once
#include "core/figure/boards/draw_view.h"
#include "core/figure/canvas/canvas.h"
#include "core/session/session_figure.h"
#include "tests/support/recording_canvas.h"
#include "tests/support/traces.h"

namespace headscope::tests {

/// What a figure is drawn from, with weights that encode their positions.
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
  canvas->fill({0, 0, width, height}, style.background);
  draw_view({*canvas, measure_with(shaper), style, tr}, scene_of(session, trace, b), width, height);
  return canvas->finish();
}

/// Whether every element is closed by its own end tag, and `<` and `&` are used for nothing else.
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
