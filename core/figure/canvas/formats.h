#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/budget.h"

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
  /// Whether this build can write it; nullptr: every build can.
  bool (*is_built_in)() = nullptr;
};

/// In the order of FigureFormat.
std::span<const FigureFormatRow> figure_formats();

std::unique_ptr<Canvas> make_png_canvas(double width, double height, double dpi, TextShaper& shaper,
                                        const FigureMetadata& metadata);
std::unique_ptr<Canvas> make_pdf_canvas(double width, double height, double dpi, TextShaper& shaper,
                                        const FigureMetadata& metadata);
/// False where it was built without Cairo: then make_pdf_canvas() throws Error (unable).
bool writes_pdf();
std::unique_ptr<Canvas> make_svg_canvas(double width, double height, double dpi, TextShaper& shaper,
                                        const FigureMetadata& metadata);

// Where a figure's file stores the session it was drawn from, as JSON:
//   PNG  an iTXt chunk with the keyword below
//   SVG  the text of the element below, inside <metadata>
//   PDF  the document's Keywords: the prefix below and the JSON in base64, ending with a semicolon
//   GIF, WebP  the Keywords of an XMP packet (ISO 16684-1), as in a PDF
//   APNG  as PNG

inline constexpr const char* png_session_keyword = "headscope-session";
inline constexpr std::string_view svg_session_open =
    "<headscope:session xmlns:headscope=\"urn:headscope:session\">";
inline constexpr std::string_view svg_session_close = "</headscope:session>";
inline constexpr std::string_view pdf_session_prefix = "headscope-session:";

std::string pdf_keywords(std::string_view session);
/// The XMP packet of GIF and WebP: the title, and the session unless it is empty.
std::string xmp_packet(std::string_view title, std::string_view session);
/// For XML 1.0 text and attributes; characters that XML cannot hold become U+FFFD.
std::string xml_escaped(std::string_view text);

/// The session's JSON in the bytes of a figure or an animation. Throws Error (input) naming `path` if the
/// file is none of them, holds no session, is damaged, or unpacks to more than the budget has room for.
std::string session_json_in_figure(std::string_view bytes, const std::string& path, Budget& budget);
/// The same with the budget of a file of these bytes.
std::string session_json_in_figure(std::string_view bytes, const std::string& path);
/// Whether a file that starts with these bytes is one of them.
bool starts_like_figure(std::string_view start);

}  // namespace headscope
