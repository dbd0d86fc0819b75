#pragma once
#include <string>
#include <vector>

#include "core/figure/canvas.h"
#include "core/figure/draw_view.h"

namespace headscope {

/// What a figure is drawn from, with weights that say where they stand.
inline Trace trace_of(const std::string& sentence, int heads, const std::vector<MaskPart>& mask = {},
                      int layers = 1) {
  Trace trace;
  trace.inputs.sentence = sentence;
  trace.inputs.heads = heads;
  trace.inputs.layers = layers;
  trace.tokens = trace.key_tokens = words(sentence);
  const Index n = trace.n_q();
  if (n == 0) return trace;
  trace.mask = build_mask(mask, trace.tokens, trace.key_tokens, heads);
  trace.statistics.resize(static_cast<std::size_t>(layers),
                          std::vector<HeadStatistics>(static_cast<std::size_t>(heads)));
  for (int l = 0; l < layers; ++l) {
    trace.layers.emplace_back().weights = Tensor({heads, n, n});
    for (Index h = 0; h < heads; ++h)
      for (Index c = 0; c < n * n; ++c)
        trace.layers.back().weights.at(h)[c] = static_cast<float>((c * 37 + h * 11 + l) % 101) / 100;
  }
  return trace;
}

inline std::string drawn(FigureFormat format, const Trace& trace, const Session& session,
                         Language language = Language::en, double width = 16 * 72, double height = 8 * 72,
                         double dpi = 100, const Trace* b = nullptr) {
  TextShaper shaper;
  const FigureStyle style = figure_style(session.view.theme);
  const Translator tr(language);
  const auto canvas = make_canvas(format, width, height, dpi, shaper, {"title", "{}"});
  draw_view({*canvas, shaper, style, tr}, trace, b, session, width, height);
  return canvas->finish();
}

inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
  return n;
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

}  // namespace headscope
