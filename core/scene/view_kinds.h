#pragma once
#include <array>
#include <cstddef>
#include <span>

#include "core/base/enum_table.h"
#include "core/base/translate.h"
#include "core/inputs/names.h"
#include "core/scene/view_icon.h"

namespace headscope {

struct Trace;
struct ViewedSource;

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
/// Its place in tables with a row a view.
constexpr std::size_t place_of(ViewKind kind) {
  return static_cast<std::size_t>(kind);
}
inline constexpr std::size_t view_count = place_of(ViewKind::circuits) + 1;

/// The question that a view answers; entries of rail and menu are grouped by it.
enum class ViewGroup { look, measure, explain };

/// How a view shows what cells hold.
enum class CellsAs {
  nothing,
  maps,    ///< as colours
  lines,   ///< as widths, which have no sign and are relative to the largest
  overlay  ///< laid over a picture: without a sign, too
};

/// How a handout prints the figure of a view.
struct PrintedSize {
  double height = 3.2;     ///< in inches, at most
  double width = 1;        ///< of the page: a wider figure is scaled down to it
  double smallest = 0.72;  ///< to which it is scaled so that it fits below what is above it
  double largest = 1.25;
};

/// Texts are English, to be translated.
struct ViewNames {
  ViewKind value;
  const char* name;    ///< in files
  const char* alias;   ///< the command line's word if it differs, or nullptr
  const char* tab;     ///< on the rail
  const char* help;    ///< of that; Ctrl with its position opens the first nine
  const char* action;  ///< in menus, and as the title of a figure that names nothing else
  ViewGroup group;     ///< rail and menu list the groups in the order of ViewGroup
  std::span<const IconPart> icon;
};

/// What a view is: window, figures, command line and sessions ask for this, never for its kind.
struct ViewTraits {
  CellsAs cells = CellsAs::nothing;
  bool one_layer = false;     ///< it shows one layer at a time
  bool one_head = false;      ///< one head of it: View::head, or that of the locked cell
  bool zooms = false;         ///< one map fills it, which View::zoom enlarges down to single tokens
  bool arranges = false;      ///< maps in View::rows and View::columns
  bool compares = false;      ///< A and B next to each other
  bool has_steps = false;     ///< the steps of View::steps, which keys go through
  bool whole = false;         ///< every block of an encoder–decoder at once
  bool predicts = false;      ///< a trained model's predictions
  bool has_colormap = false;  ///< it shows no cells, but other numbers by View::colormap
  bool own_numbers = false;   ///< numbers computed for it alone, with colours and arrays of its own
  bool changes_runs = false;  ///< what changes of a run cause: View::causes
  bool chooses_head = false;  ///< a head of its board that is clicked is chosen for it, and not opened
  bool wide = false;          ///< many columns of numbers: panels next to it give way
  /// Options of the command line that have an effect here, but not in every view.
  std::span<const char* const> options = {};
  /// The option that names the token it asks about, which has to exist.
  const char* token_option = nullptr;
  // Why it has nothing to show of a trace, which may be nullptr, or, where more decides that, of a source:
  // English, to be translated, or nullptr. See why_no_view().
  const char* (*none)(const Trace* trace) = nullptr;
  const char* (*missing)(const ViewedSource& source) = nullptr;
  PrintedSize printed = {};

  /// Whether it shows the cells of attention maps.
  bool maps() const { return cells == CellsAs::maps || cells == CellsAs::lines; }
  /// Whether those are of one layer: cells that can be pointed at and locked.
  bool layer_maps() const { return maps() && one_layer; }
  /// Whether it shows the maps of all layers, as thumbnails.
  bool thumbnails() const { return maps() && !one_layer; }
  /// Whether it is about a model as a whole, not about cells of a block.
  bool of_model() const { return predicts || whole; }
  bool has_option(const char* option) const;
};

/// All that is particular to a view, but for what draws it (ViewFigure and ViewPanel).
struct ViewKindRow : ViewNames, ViewTraits {};

/// In the order of ViewKind and of the keys: view_rows.cpp.
extern const std::array<ViewKindRow, view_count> view_kinds;

inline const ViewKindRow& view_kind(ViewKind kind) {
  return view_kinds[place_of(kind)];
}

/// The view in which a model opens that writes a text, or is given a picture.
ViewKind first_view(bool writes, bool has_picture);

/// The caption of a group, English, to be translated.
constexpr const char* view_group_name(ViewGroup group) {
  constexpr const char* names[] = {TR("Look"), TR("Measure"), TR("Explain")};
  return of_kind(names, group);
}
inline constexpr ViewGroup view_groups[] = {ViewGroup::look, ViewGroup::measure, ViewGroup::explain};

std::span<const EnumName<ViewKind>> enum_names(ViewKind);

}  // namespace headscope
