#pragma once
#include <optional>

#include "core/figure/boards/board.h"
#include "core/figure/canvas/page.h"
#include "core/figure/figure.h"
#include "core/teach/handout.h"

// What handouts on paper and in HTML share.

namespace headscope {

/// So wide are figures and text, in inches.
inline constexpr double handout_width = 6.7;

/// The figure's size: as high as it needs to be, and no higher than leaves room for a text beside it on a
/// page.
FigureOptions handout_figure(const Scene& scene, Language language);

/// The steps of the arithmetic and their pages in type that can be read, as wide as the text at most; nothing
/// for other views. With the strip of shapes below a cell's steps, or alone, where `figure` says so.
std::optional<Board> handout_board(const Scene& scene, const BoardStyle& style, const Translator& tr,
                                   const HandoutFigure& figure = {});

/// For whoever writes on it, before the text; and lines to write on below a question, with their distance.
std::string name_line(const Translator& tr);
inline constexpr int answer_lines = 4;
inline constexpr double answer_line = 22;  // points

/// "Question 2"
std::string question_title(const HandoutQuestion& question, const Translator& tr);

/// Whether a link leads out of the program.
inline bool is_web(std::string_view link) {
  return link.starts_with("http");
}

/// A block's one formula that stands on a line of its own; nullptr: it is something else.
inline const TextSpan* only_formula(const TextBlock& block) {
  const bool one = block.kind == TextBlock::Kind::paragraph && block.spans.size() == 1 &&
                   block.spans.front().kind == TextSpan::Kind::display;
  return one ? &block.spans.front() : nullptr;
}

}  // namespace headscope
