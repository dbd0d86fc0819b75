#pragma once
#include <string_view>

namespace headscope {

/// How a part of a formula stands to its neighbours (Knuth, The TeXbook, chapter 17).
enum class AtomKind { ordinary, operation, sum, binary, relation, opening, closing, punctuation, space };

/// A command that stands for a character or a word.
struct FormulaSymbol {
  const char* name;  ///< without its backslash
  const char* text;  ///< UTF-8
  AtomKind kind = AtomKind::ordinary;
  double space = 0;  ///< of a space: its width, in sizes of the text
};
/// nullptr: there is none.
const FormulaSymbol* find_formula_symbol(std::string_view name);

/// Of a character that stands for itself.
AtomKind kind_of_character(std::string_view character);

}  // namespace headscope
