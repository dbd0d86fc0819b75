#pragma once
#include <optional>
#include <string_view>

namespace headscope {

/// How a part of a formula is spaced from its neighbours (Knuth, The TeXbook, chapter 17).
enum class AtomKind { ordinary, operation, sum, binary, relation, opening, closing, punctuation, space };

/// A command for a character or a word.
struct FormulaSymbol {
  const char* text;  ///< UTF-8
  AtomKind kind = AtomKind::ordinary;
  double space = 0;  ///< for a space: its width, relative to the text size
};
/// `name`: without its backslash.
std::optional<FormulaSymbol> find_formula_symbol(std::string_view name);

/// For a character that represents itself.
AtomKind kind_of_character(std::string_view character);

}  // namespace headscope
