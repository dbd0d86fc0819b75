#pragma once
#include <array>
#include <cstddef>
#include <span>

#include "core/base/translate.h"
#include "core/inputs/names.h"

namespace headscope {

enum class ViewKind {
  grid,
  head,
  lines,
  layers,
  compare,
  head_table,
  steps,
  lens,
  contributions,
  model,
  picture,
  causes,
  circuits
};
/// The question that a view answers; its tabs and menu entries are grouped by it.
enum class ViewGroup { look, measure, explain };

/// The names and properties of a view. Texts are English, to be translated.
struct ViewKindRow {
  ViewKind value;
  const char* name;       ///< in files
  const char* alias;      ///< the command line's word if it differs, or nullptr
  const char* tab;        ///< on its tab
  const char* help;       ///< of the tab; Ctrl with its position opens the first ten, 0 the tenth
  const char* action;     ///< in menus
  ViewGroup group;        ///< tabs and menu list the groups in the order of ViewGroup
  bool one_layer;         ///< whether it shows one layer at a time
  bool maps = false;      ///< whether it shows the cells of attention maps
  bool predicts = false;  ///< whether it shows a trained model's predictions
  bool whole = false;     ///< whether it shows every block of an encoder–decoder at once
  /// Whether it is about a model as a whole, not about cells of a block.
  bool of_model() const { return predicts || whole; }
};

/// In the order of ViewKind and of the keys.
inline constexpr std::array view_kinds{
    ViewKindRow{ViewKind::grid, "grid", nullptr, TR("Grid"), TR("All heads of a layer (Ctrl+1)"),
                TR("Grid of heads"), ViewGroup::look, true, true},
    ViewKindRow{ViewKind::head, "head", nullptr, TR("Head"), TR("One head, enlarged (Ctrl+2)"),
                TR("One head"), ViewGroup::look, true, true},
    ViewKindRow{ViewKind::lines, "lines", nullptr, TR("Lines"),
                TR("Attention as lines between tokens (Ctrl+3)"), TR("Lines"), ViewGroup::look, true, true},
    ViewKindRow{ViewKind::layers, "layers", nullptr, TR("Layers"),
                TR("All heads of all layers at once (Ctrl+4)"), TR("Layers × heads"), ViewGroup::look, false,
                true},
    ViewKindRow{ViewKind::compare, "compare", nullptr, TR("Compare"),
                TR("A and B side by side, with their difference (Ctrl+5)"), TR("Compare A with B"),
                ViewGroup::measure, true, true},
    ViewKindRow{ViewKind::head_table, "population", "table", TR("Table"),
                TR("All heads as numbers, and how similar they are (Ctrl+6)"), TR("Table of heads"),
                ViewGroup::measure, false},
    ViewKindRow{ViewKind::steps, "steps", "arithmetic", TR("Steps"),
                TR("The arithmetic of one cell, step by step (Ctrl+7)"), TR("Steps of the arithmetic"),
                ViewGroup::explain, true},
    ViewKindRow{ViewKind::lens, "logit_lens", "lens", TR("Logit lens"),
                TR("Logit lens: what a trained model would predict after each layer (Ctrl+8)"),
                TR("Logit lens: the prediction after each layer"), ViewGroup::explain, false, false, true},
    ViewKindRow{ViewKind::contributions, "contributions", nullptr, TR("Logit contributions"),
                TR("What each head adds to the logit of a token (Ctrl+9)"),
                TR("Logit contributions of the heads"), ViewGroup::explain, false, false, true},
    ViewKindRow{ViewKind::model, "model", nullptr, TR("Whole model"),
                TR("Encoder, decoder and cross-attention in one picture (Ctrl+0)"), TR("Whole model"),
                ViewGroup::look, false, false, false, true},
    ViewKindRow{ViewKind::picture, "picture", nullptr, TR("Picture"),
                TR("Where every head of every layer looks in the picture"), TR("Heads over the picture"),
                ViewGroup::look, false},
    ViewKindRow{ViewKind::causes, "causes", nullptr, TR("Causes"),
                TR("Which heads cause a prediction: each is knocked out or patched in turn"),
                TR("Causes of a prediction"), ViewGroup::measure, false, false, true},
    ViewKindRow{ViewKind::circuits, "circuits", nullptr, TR("Circuits"),
                TR("What a head's matrices copy, match and read from other heads, whatever the text"),
                TR("Circuits of a head"), ViewGroup::explain, false, false, true},
};

constexpr const ViewKindRow& view_kind(ViewKind kind) {
  return view_kinds[static_cast<std::size_t>(kind)];
}

/// The caption of a group, English, to be translated.
constexpr const char* view_group_name(ViewGroup group) {
  constexpr const char* names[] = {TR("Look"), TR("Measure"), TR("Explain")};
  return names[static_cast<std::size_t>(group)];
}
inline constexpr ViewGroup view_groups[] = {ViewGroup::look, ViewGroup::measure, ViewGroup::explain};

std::span<const EnumName<ViewKind>> enum_names(ViewKind);

}  // namespace headscope
