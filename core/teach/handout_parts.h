#pragma once
#include <optional>

#include "core/figure/boards/board.h"
#include "core/figure/figure.h"
#include "core/figure/page.h"
#include "core/teach/handout.h"

// What handouts on paper and in HTML share.

namespace headscope {

/// The width of figures and text, in inches.
inline constexpr double handout_width = 6.7;

/// The figure's size: as high as it needs to be, but low enough to leave room for a text on the same page.
FigureOptions handout_figure(const Scene& scene, Language language);

/// The steps of the arithmetic and their pages in readable text, at most as wide as the text column; nothing
/// for other views. With the shape strip below a cell's steps, or only the strip, if `figure` says so.
std::optional<Board> handout_board(const Scene& scene, const BoardStyle& style, const Translator& tr,
                                   const HandoutFigure& figure = {});

/// Fields for the person who fills it in, before the text; and lines to write on below a question, with their
/// distance.
std::string name_line(const Translator& tr);
inline constexpr int answer_lines = 4;
int lines_of(const HandoutQuestion& question);
inline constexpr double answer_line = 22;  // points

/// The choices of a question with a box each, which is crossed where it is right and `answered`.
std::vector<TextBlock> choice_list(const HandoutQuestion& question, bool answered);
/// "Answer: 0.25"
std::string predicted_line(const HandoutQuestion& question, const Translator& tr);
/// "Question 2"
std::string question_title(const HandoutQuestion& question, const Translator& tr);

/// Whether a link points outside of the program.
inline bool is_web(std::string_view link) {
  return link.starts_with("http");
}

/// The formula of a block that is a single formula on its own line; nullptr: it is something else.
inline const TextSpan* only_formula(const TextBlock& block) {
  const bool one = block.kind == TextBlock::Kind::paragraph && block.spans.size() == 1 &&
                   block.spans.front().kind == TextSpan::Kind::display;
  return one ? &block.spans.front() : nullptr;
}

}  // namespace headscope
