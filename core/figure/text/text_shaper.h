#pragma once
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>

using cairo_t = struct _cairo;
struct FT_Outline_;

namespace headscope {

/// Shapes lines of text in any script with the fonts of the machine (Pango over fontconfig). Chinese takes
/// its simplified forms. Keeps what it has shaped: one for each figure, used by one thread.
class TextShaper {
 public:
  /// Only the beginning of a longer line is shaped: no page holds more, and marks on one letter, of which any
  /// number fits, take quadratic time.
  static constexpr std::size_t max_bytes = 4096;

  /// `family`: the font, before figure_families(); empty: those alone.
  explicit TextShaper(const std::string& family = {});
  ~TextShaper();
  TextShaper(const TextShaper&) = delete;
  TextShaper& operator=(const TextShaper&) = delete;

  /// A list of families for Pango and CSS.
  const std::string& families() const;
  /// Width of the line, in the unit of `size`. Proportional to `size`.
  double width(std::string_view text, double size, bool bold = false);
  /// Notes what is missing of a line that somebody else draws.
  void note(std::string_view text);
  /// The characters of all lines drawn so far for which there is no font: boxes stand for them.
  const std::set<char32_t>& missing() const;
  /// Draws the line from the left at the origin of `cr`, which is on its baseline, in the current colour.
  void draw(cairo_t* cr, std::string_view text, double size, bool bold = false);
  /// Where there is no Cairo (plain_text_shaper.cpp): calls `use` with each letter's outline, in units of its
  /// font, of which `em` are the text's size, and with the distance from the line's beginning in em. `use`
  /// may change the outline. Characters that the device draws (device_glyph.h) go to `use_device`.
  using UseOutline = std::function<void(FT_Outline_& outline, double em, double distance)>;
  using UseDevice = std::function<void(char32_t character, double distance)>;
  void outlines(std::string_view text, const UseOutline& use, const UseDevice& use_device);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headscope
