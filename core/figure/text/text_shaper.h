#pragma once
#include <memory>
#include <string>
#include <string_view>

using cairo_t = struct _cairo;

namespace headscope {

/// Whether a text's Han characters are to have their simplified Chinese forms: they alone don't say so, but
/// kana and hangul beside them say no. So does its punctuation where it stands alone.
bool wants_simplified(std::string_view text);
/// Whether it is Chinese with perhaps a few other words, not the other way round.
bool mostly_han(std::string_view text);

/// Shapes lines of text in any script with the fonts of the machine (Pango over fontconfig). Chinese takes
/// its simplified forms. Keeps what it has shaped: one for each figure, used by one thread.
class TextShaper {
 public:
  /// Of a longer line the beginning is shaped: no page holds more, and marks on one letter, of which any
  /// number fits, take time that grows with their square.
  static constexpr std::size_t most_bytes = 4096;

  TextShaper();
  ~TextShaper();
  TextShaper(const TextShaper&) = delete;
  TextShaper& operator=(const TextShaper&) = delete;

  /// Width of the line, in the unit of `size`. Proportional to `size`.
  double width(std::string_view text, double size);
  /// Draws the line from the left at the origin of `cr`, which is on its baseline, in the current colour.
  void draw(cairo_t* cr, std::string_view text, double size);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headscope
