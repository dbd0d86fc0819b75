#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "core/base/utf8.h"
#include "core/figure/canvas/canvas.h"
#include "core/figure/canvas/formats.h"
#include "core/figure/canvas/png_writer.h"
#include "core/figure/canvas/pool.h"
#include "core/figure/canvas/svg_text.h"
#include "core/figure/text/chinese_text.h"
#include "core/io/compress.h"

namespace headscope {

std::string svg_color(Rgb color) {
  return fmt::format("#{:02x}{:02x}{:02x}", color.r, color.g, color.b);
}

std::string svg_number(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string svg_box(const Rect& rect, int decimals) {
  return fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", svg_number(rect.x, decimals),
                     svg_number(rect.y, decimals), svg_number(rect.width, decimals),
                     svg_number(rect.height, decimals));
}

namespace {

/// Up to this many cells per side are paths; beyond that, a picture is smaller and drawn faster.
constexpr int max_path_cells = 64;

/// JSON may hold the two characters that XML can't, but only inside its strings, where they can be escaped.
std::string json_for_xml(std::string json) {
  for (const auto& [character, escape] : {std::pair{"\xef\xbf\xbe", "\\ufffe"}, {"\xef\xbf\xbf", "\\uffff"}})
    for (std::size_t at = json.find(character); at != std::string::npos; at = json.find(character, at))
      json.replace(at, 3, escape);
  return xml_escaped(json);
}

/// "'LM Roman 10',sans-serif": the names of families with blanks and numbers are quoted in CSS.
std::string css_families(std::string_view families) {
  std::string list;
  while (!families.empty()) {
    const std::size_t end = std::min(families.find(','), families.size());
    const std::string one(families.substr(0, end));
    if (!list.empty()) list += ',';
    list += one.find(' ') == std::string::npos ? one : "'" + one + "'";
    families.remove_prefix(std::min(end + 1, families.size()));
  }
  return list;
}

class SvgCanvas : public Canvas {
 public:
  SvgCanvas(double width, double height, double dpi, TextShaper& shaper, const FigureMetadata& metadata)
      : shaper_(shaper), dpi_(dpi) {
    add(R"(<?xml version="1.0" encoding="UTF-8"?>)"
        "\n"
        R"(<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" )"
        R"(width="{0}pt" height="{1}pt" viewBox="0 0 {0} {1}" font-family="{3}">)"
        "\n<title>{2}</title>\n",
        svg_number(width), svg_number(height), xml_escaped(metadata.title),
        xml_escaped(css_families(shaper.families())));
    if (!metadata.session.empty())
      add("<metadata>{}{}{}</metadata>\n", svg_session_open, json_for_xml(metadata.session),
          svg_session_close);
  }

  void fill(const Rect& r, Rgb color) override {
    add("<rect {} fill=\"{}\"/>\n", svg_box(r), svg_color(color));
  }

  void text(std::string_view text, double x, double y, const TextStyle& style) override {
    if (!text.empty()) shaper_.note(text);
    const double drop = baseline_drop * style.size;
    const std::string place = style.rotated
                                  ? fmt::format("transform=\"translate({} {}) rotate(-90)\" y=\"{}\"",
                                                svg_number(x), svg_number(y), svg_number(drop))
                                  : fmt::format("x=\"{}\" y=\"{}\"", svg_number(x), svg_number(y + drop));
    const char* anchor = style.anchor == Anchor::start    ? ""
                         : style.anchor == Anchor::middle ? " text-anchor=\"middle\""
                                                          : " text-anchor=\"end\"";
    add("<text {} font-size=\"{}\" fill=\"{}\"{}{}{}>{}</text>\n", place, svg_number(style.size),
        svg_color(style.color), style.bold ? " font-weight=\"bold\"" : "", anchor,
        wants_simplified(text) ? " xml:lang=\"zh-CN\"" : "",
        xml_escaped(printable(cut_off(text, TextShaper::max_bytes))));
  }

  void line(double x0, double y0, double x1, double y1, double width, Rgb color, double opacity) override {
    add("<path d=\"M{} {}L{} {}\" stroke=\"{}\" stroke-width=\"{}\" stroke-opacity=\"{}\"/>\n",
        svg_number(x0), svg_number(y0), svg_number(x1), svg_number(y1), svg_color(color), svg_number(width),
        svg_number(opacity));
  }
  void covering_line(double x0, double y0, double x1, double y1, double width, Rgb color, double opacity,
                     Rgb under) override {
    line(x0, y0, x1, y1, width, under, 1);
    line(x0, y0, x1, y1, width, color, opacity);
  }

  void picture(const std::shared_ptr<const Picture>& shared, const Rect& rect) override {
    const Picture& picture = *shared;
    std::vector<std::uint32_t> pixels;
    for (std::size_t i = 0; i + 3 < picture.rgba.size(); i += 4)
      pixels.push_back(picture.rgba[i] << 16 | picture.rgba[i + 1] << 8 | picture.rgba[i + 2]);
    const std::string png = png_from_pixels(pixels.data(), picture.width, picture.height, picture.width, {});
    add("<image {} preserveAspectRatio=\"none\" "
        "xlink:href=\"data:image/png;base64,{}\"/>\n",
        svg_box(rect), to_base64(png));
  }

  bool scales() const override { return true; }
  void map(const MapPicture& picture, const Rect& rect) override {
    const WholeCells whole = whole_cells(picture, rect);
    const MapCodes map = map_codes_for_print(whole.picture, whole.rect, dpi_);
    if (map.pooled.columns == 0 || map.pooled.rows == 0) return;
    if (map.any_masked) hatch(picture.masked, rect);
    if (whole.cut)
      add("<clipPath id=\"part{0}\"><rect {1}/></clipPath>\n"
          "<g clip-path=\"url(#part{0})\">\n",
          ++parts_, svg_box(rect));
    if (std::max(map.pooled.columns, map.pooled.rows) <= max_path_cells)
      paths(picture, map, whole.rect);
    else
      image(picture, map, whole.rect);
    if (whole.cut) add("</g>\n");
  }

  void color_bar(const std::array<Rgb, 256>& colors, const Rect& rect) override {
    const bool level = rect.width > rect.height;
    auto [entry, is_new] =
        gradients_.try_emplace(std::pair(&colors, level), fmt::format("colors{}", gradients_.size()));
    if (is_new) {
      add("<defs><linearGradient id=\"{}\" x1=\"0\" {}>", entry->second,
          level ? "y1=\"0\" x2=\"1\" y2=\"0\"" : "y1=\"1\" x2=\"0\" y2=\"0\"");
      for (std::size_t i = 0; i < 256; i += 5)
        add("<stop offset=\"{:.4g}\" stop-color=\"{}\"/>", static_cast<double>(i) / 255,
            svg_color(colors[i]));
      add("</linearGradient></defs>\n");
    }
    add("<rect {} fill=\"url(#{})\"/>\n", svg_box(rect), entry->second);
  }

  std::string finish() override {
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> text, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), text, std::forward<Args>(args)...);
  }

  void hatch(const MaskedStyle& style, const Rect& rect) {
    if (!hatch_defined_) {
      const double s = hatch_spacing;
      add("<defs><pattern id=\"hatch\" patternUnits=\"userSpaceOnUse\" width=\"{0}\" height=\"{0}\">"
          "<rect width=\"{0}\" height=\"{0}\" fill=\"{3}\"/><path d=\"M-1 1L1 -1M0 {0}L{0} 0M{1} {2}L{2} "
          "{1}\" "
          "stroke=\"{4}\" stroke-width=\"{5}\"/></pattern></defs>\n",
          svg_number(s), svg_number(s - 1), svg_number(s + 1), svg_color(style.background),
          svg_color(style.line), svg_number(hatch_width));
      hatch_defined_ = true;
    }
    add("<rect {} fill=\"url(#hatch)\"/>\n", svg_box(rect));
  }

  static Rgb color_of(const MapPicture& picture, std::uint16_t code) {
    return code < 256 ? (*picture.colors)[code] : picture.masked.background;
  }

  /// One path per colour, neighbours in a row joined: edges that two cells share are the same number.
  void paths(const MapPicture& picture, const MapCodes& map, const Rect& rect) {
    std::map<std::uint16_t, std::string> cells;
    const int columns = map.pooled.columns;
    for (int y = 0; y < map.pooled.rows; ++y) {
      const auto* row = map.codes.data() + static_cast<std::ptrdiff_t>(y) * columns;
      for (int x = 0; x < columns;) {
        const int begin = x;
        while (x < columns && row[x] == row[begin]) ++x;
        if (row[begin] != code_masked)
          fmt::format_to(std::back_inserter(cells[row[begin]]), "M{} {}h{}v1h{}z", begin, y, x - begin,
                         begin - x);
      }
    }
    add("<g transform=\"translate({} {}) scale({:.8g} {:.8g})\" shape-rendering=\"crispEdges\">\n",
        svg_number(rect.x), svg_number(rect.y), rect.width / columns, rect.height / map.pooled.rows);
    for (const auto& [code, path] : cells)
      add("<path fill=\"{}\" d=\"{}\"/>\n", svg_color(color_of(picture, code)), path);
    out_ += "</g>\n";
  }

  /// A picture with each cell enlarged by an integer factor, so that viewers that smooth it anyway blur it
  /// little.
  void image(const MapPicture& picture, const MapCodes& map, const Rect& rect) {
    constexpr int wanted_side = 1024;
    const int columns = map.pooled.columns, rows = map.pooled.rows;
    const int factor = std::max(1, wanted_side / std::max(columns, rows));
    const std::string png = palette_png(picture, map, factor);
    add("<image {} preserveAspectRatio=\"none\" "
        "image-rendering=\"optimizeSpeed\" "
        "style=\"image-rendering:pixelated\" xlink:href=\"data:image/png;base64,{}\"/>\n",
        svg_box(rect), to_base64(png));
  }

  static std::string palette_png(const MapPicture& picture, const MapCodes& map, int factor) {
    // A palette holds 256 entries; masked and filtered cells replace a colour that has a close neighbour.
    std::array<std::uint8_t, 258> entry{};
    std::vector<Rgb> palette(picture.colors->begin(), picture.colors->end());
    for (std::size_t i = 0; i < 256; ++i) entry[i] = static_cast<std::uint8_t>(i);
    entry[code_masked] = 254;
    entry[code_filtered] = 252;
    if (map.any_masked) entry[254] = 255;
    if (map.any_filtered) {
      entry[252] = 253;
      palette[252] = picture.masked.background;
    }
    const std::size_t columns = map.pooled.columns, rows = map.pooled.rows;
    const auto scale = static_cast<std::size_t>(factor), width = columns * scale;
    std::vector<std::uint8_t> indices(width * rows * scale);
    for (std::size_t y = 0; y < rows; ++y) {
      std::uint8_t* first = indices.data() + y * scale * width;
      for (std::size_t x = 0; x < columns; ++x)
        std::fill_n(first + x * scale, scale, entry[map.codes[y * columns + x]]);
      for (std::size_t copy = 1; copy < scale; ++copy) std::copy_n(first, width, first + copy * width);
    }
    return png_from_indices(indices, static_cast<int>(width), static_cast<int>(rows * scale), palette,
                            map.any_masked ? 254 : -1);
  }

  std::string out_;
  TextShaper& shaper_;
  double dpi_;
  bool hatch_defined_ = false;
  int parts_ = 0;                                                  // maps with clipped cells
  std::map<std::pair<const void*, bool>, std::string> gradients_;  // of colours, level or not
};

}  // namespace

std::unique_ptr<Canvas> make_svg_canvas(double width, double height, double dpi, TextShaper& shaper,
                                        const FigureMetadata& metadata) {
  return std::make_unique<SvgCanvas>(width, height, dpi, shaper, metadata);
}

}  // namespace headscope
