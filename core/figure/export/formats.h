#pragma once
#include <memory>
#include <span>

namespace headscope {

class Canvas;
class TextShaper;
struct FigureMetadata;

enum class FigureFormat { png, svg, pdf };

/// A file format of figures.
struct FigureFormatRow {
  FigureFormat format;
  const char* ending;  ///< ".png"
  const char* name;    ///< the same in all languages
  const char* help;    ///< English, to be translated
  /// `width` and `height` in points; `dpi` is the resolution of PNG and the minimum at which vector formats
  /// pool cells.
  std::unique_ptr<Canvas> (*make_canvas)(double width, double height, double dpi, TextShaper& shaper,
                                         const FigureMetadata& metadata);
  bool pixels = false;  ///< its size in pixels is limited
};

/// In the order of FigureFormat.
std::span<const FigureFormatRow> figure_formats();

}  // namespace headscope
