#include "core/figure/boards/formula_symbols.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace headscope {
namespace {

/// Commands by the kind of their characters.
struct SymbolTables {
  struct Named {
    const char* name;
    const char* text;
  };
  // Greek, and signs.
  static constexpr Named letters[] = {
      {"alpha", "α"},      {"beta", "β"},   {"gamma", "γ"}, {"delta", "δ"},     {"epsilon", "ε"},
      {"varepsilon", "ε"}, {"zeta", "ζ"},   {"eta", "η"},   {"theta", "θ"},     {"iota", "ι"},
      {"kappa", "κ"},      {"lambda", "λ"}, {"mu", "μ"},    {"nu", "ν"},        {"xi", "ξ"},
      {"pi", "π"},         {"rho", "ρ"},    {"sigma", "σ"}, {"tau", "τ"},       {"upsilon", "υ"},
      {"phi", "φ"},        {"varphi", "φ"}, {"chi", "χ"},   {"psi", "ψ"},       {"omega", "ω"},
      {"ell", "ℓ"},        {"Gamma", "Γ"},  {"Delta", "Δ"}, {"Theta", "Θ"},     {"Lambda", "Λ"},
      {"Xi", "Ξ"},         {"Pi", "Π"},     {"Sigma", "Σ"}, {"Phi", "Φ"},       {"Psi", "Ψ"},
      {"Omega", "Ω"},      {"infty", "∞"},  {"top", "⊤"},   {"partial", "∂"},   {"ldots", "…"},
      {"dots", "…"},       {"cdots", "⋯"},  {"prime", "′"}, {"checkmark", "✓"}, {"|", "‖"},
      {"%", "%"},          {"_", "_"},      {"#", "#"},     {"&", "&"},         {"$", "$"}};
  static constexpr Named binary_signs[] = {{"cdot", "·"}, {"times", "×"}, {"div", "÷"},
                                           {"pm", "±"},   {"odot", "⊙"},  {"oplus", "⊕"}};
  static constexpr Named relations[] = {
      {"le", "≤"},         {"leq", "≤"},       {"ge", "≥"},         {"geq", "≥"}, {"ne", "≠"},
      {"neq", "≠"},        {"approx", "≈"},    {"equiv", "≡"},      {"in", "∈"},  {"to", "→"},
      {"rightarrow", "→"}, {"leftarrow", "←"}, {"Rightarrow", "⇒"}, {"mid", "|"}};
  static constexpr Named openings[] = {{"{", "{"}, {"langle", "⟨"}, {"lfloor", "⌊"}};
  static constexpr Named closings[] = {{"}", "}"}, {"rangle", "⟩"}, {"rfloor", "⌋"}};
  static constexpr Named sums[] = {{"sum", "∑"}, {"prod", "∏"}};
  static constexpr Named operations[] = {{"exp", "exp"}, {"log", "log"},   {"ln", "ln"},
                                         {"max", "max"}, {"min", "min"},   {"sin", "sin"},
                                         {"cos", "cos"}, {"tanh", "tanh"}, {"softmax", "softmax"}};
  static constexpr std::pair<const char*, double> spaces[] = {
      {",", 1.0 / 6}, {":", 2.0 / 9}, {";", 5.0 / 18}, {"!", -1.0 / 6},
      {" ", 1.0 / 3}, {"quad", 1},    {"qquad", 2}};

  static constexpr std::pair<AtomKind, std::span<const Named>> symbols[] = {
      {AtomKind::ordinary, letters},    {AtomKind::binary, binary_signs}, {AtomKind::relation, relations},
      {AtomKind::opening, openings},    {AtomKind::closing, closings},    {AtomKind::sum, sums},
      {AtomKind::operation, operations}};
};

struct Character {
  const char* text;
  AtomKind kind;
};
constexpr Character symbol_characters[] = {
    {"+", AtomKind::binary},   {"−", AtomKind::binary},      {"·", AtomKind::binary},
    {"×", AtomKind::binary},   {"÷", AtomKind::binary},      {"±", AtomKind::binary},
    {"⊙", AtomKind::binary},   {"=", AtomKind::relation},    {"<", AtomKind::relation},
    {">", AtomKind::relation}, {"≤", AtomKind::relation},    {"≥", AtomKind::relation},
    {"≠", AtomKind::relation}, {"≈", AtomKind::relation},    {"→", AtomKind::relation},
    {"←", AtomKind::relation}, {"∈", AtomKind::relation},    {":", AtomKind::relation},
    {"(", AtomKind::opening},  {"[", AtomKind::opening},     {")", AtomKind::closing},
    {"]", AtomKind::closing},  {",", AtomKind::punctuation}, {";", AtomKind::punctuation},
};

}  // namespace

std::optional<FormulaSymbol> find_formula_symbol(std::string_view name) {
  for (const auto& [kind, list] : SymbolTables::symbols)
    for (const auto& symbol : list)
      if (name == symbol.name) return FormulaSymbol{symbol.text, kind};
  for (const auto& [space, width] : SymbolTables::spaces)
    if (name == space) return FormulaSymbol{"", AtomKind::space, width};
  return {};
}

AtomKind kind_of_character(std::string_view character) {
  const auto found = std::ranges::find(symbol_characters, character, &Character::text);
  return found == std::end(symbol_characters) ? AtomKind::ordinary : found->kind;
}

}  // namespace headscope
