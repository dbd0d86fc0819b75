#pragma once
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/translate.h"
#include "core/figure/boards/formula.h"

using cairo_t = struct _cairo;

namespace headscope {

/// A part of a paragraph: text of one look, or an inline formula.
struct ParagraphRun {
  std::string text;  ///< "\n" ends a line
  bool strong = false, emphasis = false, code = false;
  std::optional<Formula> formula;  ///< in place of the text
  std::string link;                ///< address that a reader can follow; empty: none
};

struct ParagraphStyle {
  double size = 10;  ///< points
  Rgb color;
  Language language = Language::en;
  Anchor anchor = Anchor::start;  ///< of its lines, within the width
};

/// Text in several looks with formulas in it, with line breaks by Unicode's rules and those of Chinese
/// typography (Pango).
class Paragraph {
 public:
  /// Lines are at most this wide if a word fits; none: they end only where the text says.
  Paragraph(const std::vector<ParagraphRun>& runs, const ParagraphStyle& style, std::optional<double> width);
  ~Paragraph();
  Paragraph(Paragraph&&) noexcept;
  Paragraph& operator=(Paragraph&&) noexcept;

  /// Adds the characters that no font has.
  void add_missing_to(std::set<char32_t>& missing) const;
  double width() const;  ///< of its longest line
  int lines() const;
  double height(int line) const;
  /// Of a line, below its upper edge.
  double baseline(int line) const;
  /// Draws it with its upper left corner there. `canvas` draws on `context`.
  void draw(int line, Canvas& canvas, cairo_t* context, double x, double y) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headscope
