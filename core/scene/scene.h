#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/filtered_layer.h"
#include "core/analysis/similarity.h"
#include "core/analysis/steps_look.h"
#include "core/base/translate.h"
#include "core/scene/labels.h"
#include "core/scene/mark.h"
#include "core/scene/view.h"
#include "core/source/trace.h"

namespace headscope {

/// One cell of one head, all from 0.
struct Cell {
  int head = 0, query = 0, key = 0;
  bool operator==(const Cell&) const = default;
};

/// The locked cell, which decides what some views show.
struct Locked {
  Cell cell;
  bool of_key = false;  ///< in the lines view only its key is shown, not its query
  bool operator==(const Locked&) const = default;
};

/// The order of a layer's heads.
struct HeadOrder {
  std::vector<int> heads;                ///< all of the layer, in the order of HeadSort; empty: by number
  std::shared_ptr<const HeadTree> tree;  ///< the titles of the grid name its groups; nullptr: none
};
/// As `view` says; empty if it does not show heads in order. Reads the maps if they are ordered by numbers or
/// by similarity.
HeadOrder head_order(const BlockTrace& block, const View& view, const std::vector<HeadLabel>& labels);
/// Whether the titles of the grid name groups: then the order needs its tree.
inline bool names_groups(const View& view) {
  return view.sort.by == "similarity" && view.table.groups > 1;
}

/// What is shown, on screen and in a figure alike: only make_scene() creates it, and both read it instead of
/// working it out separately.
struct Scene {
  std::shared_ptr<const BlockTrace> block;
  std::shared_ptr<const BlockTrace> other;  ///< B of the comparison; nullptr if there is none
  View view;                                ///< with a layer of the block
  std::vector<HeadLabel> labels;
  std::vector<int> order;   ///< all heads of the layer, in the order of HeadSort
  std::vector<int> heads;   ///< those that are not hidden; never empty
  std::optional<int> head;  ///< the one that the head view and the comparison show
  std::optional<Locked> locked;
  std::shared_ptr<const HeadTree> tree;
  std::shared_ptr<const Trace> trace;              ///< the block's trace; nullptr if not given
  std::shared_ptr<const Trace> other_trace;        ///< same for B
  StepsLook steps;                                 ///< of the steps of the arithmetic
  bool marks_locked = false;                       ///< figures of maps frame the locked cell
  std::vector<Mark> marks = {};                    ///< in the maps, for window and figures
  std::shared_ptr<const BlockTrace> pooled = {};   ///< of one head of a long text: the pooled block
  std::shared_ptr<const FilteredLayer> part = {};  ///< same, shown_of_long(), if that has been read
  /// The table of heads and their similarity next to each other, or below; otherwise as they fit best.
  std::optional<bool> table_beside = {};
  std::stop_token stop = {};  ///< when requested, drawing the scene throws Stopped

  /// The heads whose maps a view of one layer draws, in order.
  std::vector<int> drawn_heads() const { return head ? std::vector{*head} : heads; }
  bool empty() const { return block->n_q() == 0 || block->n_k() == 0; }
};

Scene make_scene(std::shared_ptr<const BlockTrace> block, std::shared_ptr<const BlockTrace> other,
                 const View& view, const std::vector<HeadLabel>& labels, const HeadOrder& order,
                 const std::optional<Locked>& locked = {});

/// The heads whose maps the scene needs, ascending: those that it draws, or all if colours are shared with
/// the others. None if a view has no map of its own (layers, head table).
std::vector<int> heads_in_view(const Scene& scene);

/// The scene of maps that are too large to be drawn cell by cell, as figures draw it: of one head what its
/// zoom shows, otherwise with pooled tokens. Other scenes are returned as they are.
Scene pooled_scene(Scene scene);

/// What a figure of one head of a long text shows of a pooled_scene(): the part that its zoom shows, or the
/// overview if that shows it as well; and the colours of all heads_in_view(), whose maps are read for it.
std::shared_ptr<const FilteredLayer> shown_of_long(const Scene& scene,
                                                   const std::function<void(double share)>& progress = {});

/// The strongest weight of a query, the last one if none is given. The block must have tokens.
Cell strongest_cell(const BlockTrace& block, int layer, int head, std::optional<int> query = {});

/// The part of a map of n_q x n_k cells that is shown.
CellPart shown_part(const Scene& scene, Index n_q, Index n_k);
/// Which queries and keys of the block those are, for a text most of whose tokens have no label; "" if it is
/// all of them.
std::string zoom_note(const Translator& tr, const Scene& scene);

/// A row or a column of the shown layer, -1: none.
struct TokenPlace {
  int row = -1, column = -1;
  bool any() const { return row >= 0 || column >= 0; }
};
/// The only token whose lines the lines view shows: that of the locked cell, unless the filter leaves it out.
TokenPlace token_alone(const Scene& scene, const FilteredLayer& shown);

/// "Head 3", with the user's name for it.
std::string head_title(const Translator& tr, const std::vector<HeadLabel>& labels, int layer, int head);
/// In the grid, with its group if heads are ordered by similarity.
std::string grid_title(const Translator& tr, const Scene& scene, int layer, int head);
/// The same, and that it is ablated if it is.
std::string head_title(const Translator& tr, const Scene& scene, int layer, int head);
/// What the model's makers say about a head, for its title: "pronoun → antecedent 1.00, guided"; empty:
/// nothing.
std::string relation_badge(const Translator& tr, const Scene& scene, int layer, int head);
/// The same in several wordings, the longest first.
std::vector<std::string> relation_badges(const Translator& tr, const Scene& scene, int layer, int head);
/// Whether a head was trained towards a relation.
bool is_guided(const Scene& scene, int layer, int head);
/// "3", or "2.3" if there are layers, with the user's name for it: for where there are many side by side.
std::string short_head_title(const Scene& scene, int layer, int head);

/// The text over rows of a map without any allowed key.
std::string empty_row_text(const Translator& tr, bool fills_with_infinity);
/// What the reader of a figure must know about a filter: some numbers are missing, or are not those of the
/// softmax.
std::string filter_note(const Translator& tr, const Filter& filter, bool renormalized);

}  // namespace headscope
