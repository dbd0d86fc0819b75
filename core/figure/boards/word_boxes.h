#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/figure/boards/board.h"
#include "core/figure/boards/ticks.h"

namespace headscope {

/// Tokens as boxes and axes name them; one of nothing but blanks is ∅.
std::vector<std::string> word_labels(const std::vector<std::string>& tokens);

/// Words in boxes, in lines.
struct WordPlaces {
  std::vector<Rect> boxes;  ///< of those that have room
  double size = 0, height = 0;
  bool all = true;
};
/// From (0, 0), in as few lines of as large a text as they fit into; what has no room in `lines` of the
/// smallest is left out.
WordPlaces fit_words(const std::vector<std::string>& words, const BoardStyle& style, double width, int lines);
/// In one line of the smallest text, in boxes that are hardly larger than their words.
WordPlaces fit_close_words(const std::vector<std::string>& words, const BoardStyle& style, double width);

/// The colour of a word's box that is lit so strongly, 0 to 1, and what can be read on it.
Rgb lit_fill(const BoardStyle& style, double share);
Rgb ink_on_lit(const BoardStyle& style, double share);

/// Words along one axis of a map, at its left or below it.
struct WordAxis {
  bool horizontal = true;
  double start = 0;  ///< where the map begins, along the axis
  double cell = 0;   ///< of a word, along the axis
  double edge = 0;   ///< of the map: the labels end `gap` left of it, or begin so far below it
  double gap = 0, size = 0, line = 0;
};
/// How they stand, no longer than `limit`; see plan_ticks().
TickPlan plan_words(std::span<const std::string> words, const WordAxis& axis, double limit,
                    const BoardStyle& style);
/// Words that are lit at least so strongly are not to be covered: they lie in regions named lit_region.
inline constexpr double plainly_lit = 0.3;
inline constexpr const char* lit_region = "note lit";
/// Draws them. `lit` says how strongly each is lit, empty: none is; what is lit wholly is always there, in
/// place of those it would touch.
void add_word_axis(Board& board, std::span<const std::string> words, const WordAxis& axis,
                   const TickPlan& plan, const std::vector<double>& lit, const BoardStyle& style);
/// Where a word's label stands, labelled or not.
Rect word_place(const WordAxis& axis, const TickPlan& plan, std::size_t word);

}  // namespace headscope
