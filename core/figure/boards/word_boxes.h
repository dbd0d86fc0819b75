#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/figure/boards/board.h"
#include "core/figure/boards/ticks.h"
#include "core/scene/prediction_text.h"

namespace headscope {

/// A token as named in boxes and on axes; one that consists of blanks is ∅.
std::string word_label(const std::string& token);
/// What a model predicts: a token so named, or a label as it is.
std::string predicted_label(const Translator& tr, const Trace& trace, Index id);
std::vector<std::string> word_labels(const std::vector<std::string>& tokens);

/// Words in boxes, in lines.
struct WordPlaces {
  std::vector<Rect> boxes;  ///< of those that fit
  double size = 0, height = 0;
  bool all = true;
};
/// Starting at (0, 0), in as few lines of as large a text as fit; words that do not fit into `lines` of the
/// smallest text are left out.
WordPlaces fit_words(const std::vector<std::string>& words, const BoardStyle& style, double width, int lines);
/// On one line of the smallest text, in boxes that are hardly larger than their words.
WordPlaces fit_close_words(const std::vector<std::string>& words, const BoardStyle& style, double width);

/// The colour of a word's box lit this strongly, 0 to 1, and a readable text colour on it.
Rgb lit_fill(const BoardStyle& style, double share);
Rgb ink_on_lit(const BoardStyle& style, double share);

/// Words along one axis of a map, at its left or below it.
struct WordAxis {
  bool horizontal = true;
  double start = 0;  ///< where the map begins, along the axis
  double cell = 0;   ///< of a word, along the axis
  double edge = 0;   ///< of the map: the labels end `gap` left of it, or begin that far below it
  double gap = 0, size = 0, line = 0;
};
/// Their orientation, no longer than `limit`; see plan_ticks().
TickPlan plan_words(std::span<const std::string> words, const WordAxis& axis, double limit,
                    const BoardStyle& style);
/// Words lit at least this strongly have a region LitWord.
inline constexpr double plainly_lit = 0.3;
/// Draws them. `lit` returns how strongly each is lit, empty: none is; a fully lit word is always drawn, in
/// place of those it would touch.
void add_word_axis(Board& board, std::span<const std::string> words, const WordAxis& axis,
                   const TickPlan& plan, const std::vector<double>& lit, const BoardStyle& style);
/// The position of a word's label, whether it is drawn or not.
Rect word_place(const WordAxis& axis, const TickPlan& plan, std::size_t word);

}  // namespace headscope
