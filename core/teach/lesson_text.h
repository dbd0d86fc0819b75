#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/budget.h"
#include "core/teach/expression.h"

namespace headscope {

/// A run of characters of one look.
struct TextSpan {
  enum class Kind {
    text,
    code,
    formula,  ///< `text` is TeX
    display,  ///< a formula on a line of its own
    number,   ///< `text` is the expression, as written
    line_break,
  };
  Kind kind = Kind::text;
  std::string text;
  bool emphasis = false, strong = false;
  bool changed = false;  ///< no longer true of what a reader has changed: drawn muted
  std::string link;      ///< https://…, http://…, or the name of a lesson that comes with the program
  int line = 0;          ///< in the file, for formulas and numbers
  std::vector<Expression> value;  ///< for a number, one
  NumberForm form;
};

/// A part of a text of a lesson: it has either spans or children.
struct TextBlock {
  enum class Kind {
    paragraph,
    heading,
    list,   ///< of items
    item,   ///< of blocks
    quote,  ///< of blocks
    code,   ///< `spans` has one of Kind::text, with line ends
    table,  ///< of rows, the first of them the heading
    row,    ///< of cells
    cell,   ///< spans
    rule,
  };
  enum class Align { left, middle, right };
  Kind kind = Kind::paragraph;
  std::vector<TextSpan> spans;
  std::vector<TextBlock> children;
  int first_number = -1;  ///< for numbered lists
  Align align = Align::left;
};

/// Markdown (CommonMark by md4c, with tables) of a lesson, as a small tree.
struct LessonText {
  std::vector<TextBlock> blocks;
  bool empty() const { return blocks.empty(); }
};

/// A mistake at a line of a lesson's file.
struct LessonMistake {
  int line = 0;  ///< 0: the file as a whole, which the message names
  Error error;
};

/// Runs `act` and adds what it throws as a mistake of that line.
template <typename Act>
bool guarded(std::vector<LessonMistake>& mistakes, int line, const Act& act) {
  try {
    act();
    return true;
  } catch (const OverBudget&) {
    throw;
  } catch (const Error& error) {
    mistakes.push_back({line, error});
    return false;
  }
}

/// At most this many are reported per file, more would only follow from them; the rest is not looked through.
inline constexpr std::size_t max_lesson_mistakes = 5'000;

/// `first_line` is that of the text in its file. Mistakes in formulas, numbers' braces and expressions are
/// added to `mistakes`, the rest of the text is still read. Emphasis that begins or ends beside Chinese
/// punctuation is read as it is meant; where CommonMark reads it otherwise, that is added to `unportable`.
/// A file as in an editor: without a byte order mark, its lines end with \n. Throws Error (input) for what is
/// not UTF-8.
std::string plain_lines(std::string_view file, const std::string& path);

LessonText lesson_text(std::string_view markdown, int first_line, Budget& budget,
                       std::vector<LessonMistake>& mistakes,
                       std::vector<LessonMistake>* unportable = nullptr);

/// Calls use(span) for each span of the text.
template <typename Blocks, typename Use>
void for_each_span(Blocks& blocks, const Use& use) {
  for (auto& block : blocks) {
    for (auto& span : block.spans) use(span);
    for_each_span(block.children, use);
  }
}

/// The number of blocks before the references that a text ends with: a heading and links alone.
std::size_t blocks_before_references(const LessonText& text);
/// What plain_text() has of a span.
std::string_view plain_span(const TextSpan& span);
/// A text without formatting, one line per paragraph, item or table row, the cells separated by " | ". A live
/// number is "#", code, a formula or a link "_".
std::string plain_text(const LessonText& text);

}  // namespace headscope
