#include "core/figure/text/formula_symbols.h"

#include <algorithm>
#include <iterator>

namespace headscope {
namespace {

using Kind = AtomKind;

constexpr FormulaSymbol symbols[] = {
    // Greek
    {"alpha", "α"},
    {"beta", "β"},
    {"gamma", "γ"},
    {"delta", "δ"},
    {"epsilon", "ε"},
    {"varepsilon", "ε"},
    {"zeta", "ζ"},
    {"eta", "η"},
    {"theta", "θ"},
    {"iota", "ι"},
    {"kappa", "κ"},
    {"lambda", "λ"},
    {"mu", "μ"},
    {"nu", "ν"},
    {"xi", "ξ"},
    {"pi", "π"},
    {"rho", "ρ"},
    {"sigma", "σ"},
    {"tau", "τ"},
    {"upsilon", "υ"},
    {"phi", "φ"},
    {"varphi", "φ"},
    {"chi", "χ"},
    {"psi", "ψ"},
    {"omega", "ω"},
    {"ell", "ℓ"},
    {"Gamma", "Γ"},
    {"Delta", "Δ"},
    {"Theta", "Θ"},
    {"Lambda", "Λ"},
    {"Xi", "Ξ"},
    {"Pi", "Π"},
    {"Sigma", "Σ"},
    {"Phi", "Φ"},
    {"Psi", "Ψ"},
    {"Omega", "Ω"},
    // signs
    {"infty", "∞"},
    {"top", "⊤"},
    {"partial", "∂"},
    {"ldots", "…"},
    {"dots", "…"},
    {"cdots", "⋯"},
    {"prime", "′"},
    {"checkmark", "✓"},
    {"|", "‖"},
    {"%", "%"},
    {"_", "_"},
    {"#", "#"},
    {"&", "&"},
    {"$", "$"},
    {"cdot", "·", Kind::binary},
    {"times", "×", Kind::binary},
    {"div", "÷", Kind::binary},
    {"pm", "±", Kind::binary},
    {"odot", "⊙", Kind::binary},
    {"oplus", "⊕", Kind::binary},
    {"le", "≤", Kind::relation},
    {"leq", "≤", Kind::relation},
    {"ge", "≥", Kind::relation},
    {"geq", "≥", Kind::relation},
    {"ne", "≠", Kind::relation},
    {"neq", "≠", Kind::relation},
    {"approx", "≈", Kind::relation},
    {"equiv", "≡", Kind::relation},
    {"in", "∈", Kind::relation},
    {"to", "→", Kind::relation},
    {"rightarrow", "→", Kind::relation},
    {"leftarrow", "←", Kind::relation},
    {"Rightarrow", "⇒", Kind::relation},
    {"mid", "|", Kind::relation},
    {"{", "{", Kind::opening},
    {"}", "}", Kind::closing},
    {"langle", "⟨", Kind::opening},
    {"rangle", "⟩", Kind::closing},
    {"lfloor", "⌊", Kind::opening},
    {"rfloor", "⌋", Kind::closing},
    // operations
    {"sum", "∑", Kind::sum},
    {"prod", "∏", Kind::sum},
    {"exp", "exp", Kind::operation},
    {"log", "log", Kind::operation},
    {"ln", "ln", Kind::operation},
    {"max", "max", Kind::operation},
    {"min", "min", Kind::operation},
    {"sin", "sin", Kind::operation},
    {"cos", "cos", Kind::operation},
    {"tanh", "tanh", Kind::operation},
    {"softmax", "softmax", Kind::operation},
    // spaces
    {",", "", Kind::space, 1.0 / 6},
    {":", "", Kind::space, 2.0 / 9},
    {";", "", Kind::space, 5.0 / 18},
    {"!", "", Kind::space, -1.0 / 6},
    {" ", "", Kind::space, 1.0 / 3},
    {"quad", "", Kind::space, 1},
    {"qquad", "", Kind::space, 2},
};

struct Character {
  const char* text;
  AtomKind kind;
};
constexpr Character symbol_characters[] = {
    {"+", Kind::binary},   {"−", Kind::binary},   {"·", Kind::binary},      {"×", Kind::binary},
    {"÷", Kind::binary},   {"±", Kind::binary},   {"⊙", Kind::binary},      {"=", Kind::relation},
    {"<", Kind::relation}, {">", Kind::relation}, {"≤", Kind::relation},    {"≥", Kind::relation},
    {"≠", Kind::relation}, {"≈", Kind::relation}, {"→", Kind::relation},    {"←", Kind::relation},
    {"∈", Kind::relation}, {":", Kind::relation}, {"(", Kind::opening},     {"[", Kind::opening},
    {")", Kind::closing},  {"]", Kind::closing},  {",", Kind::punctuation}, {";", Kind::punctuation},
};

}  // namespace

const FormulaSymbol* find_formula_symbol(std::string_view name) {
  const auto found = std::ranges::find(symbols, name, &FormulaSymbol::name);
  return found == std::end(symbols) ? nullptr : &*found;
}

AtomKind kind_of_character(std::string_view character) {
  const auto found = std::ranges::find(symbol_characters, character, &Character::text);
  return found == std::end(symbol_characters) ? Kind::ordinary : found->kind;
}

}  // namespace headscope
