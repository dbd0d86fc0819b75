#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/similarity.h"
#include "core/analysis/statistics.h"
#include "core/model/config/model_notes.h"
#include "core/scene/labels.h"
#include "core/source/trace.h"

namespace headscope {

/// A number of the table as shown: "1.250", "0.123", and where that would be zeros "0.00049", "5.6e-05".
std::string statistic_text(double value);

/// A value of HeadSort::by.
struct HeadSortName {
  const char* by;
  const char* title;                   ///< English, to be translated, as `help`
  const char* help = "";               ///< may be empty
  const HeadColumn* column = nullptr;  ///< if it is the order of one
};
/// All of them, the columns of circuits last.
std::span<const HeadSortName> head_sort_names();
/// nullptr if there is no such order.
const HeadSortName* find_head_sort(std::string_view by);

/// A note on the numbers, English, to be translated; nullptr: none.
const char* statistics_note(const BlockTrace& block, std::optional<int> layer = {});

/// A row of the table.
struct HeadRow {
  int layer = 0, head = 0;                     ///< from 0
  const HeadStatistics* statistics = nullptr;  ///< nullptr if they are not known
  const CircuitNumbers* circuits = nullptr;    ///< of all heads; nullptr if they are not known
  bool knows(const HeadColumn& column) const {
    return column.of_circuits == nullptr ? statistics != nullptr : circuits != nullptr;
  }
  /// Nothing, too, if it is not known.
  std::optional<double> value(const HeadColumn& column) const;
};
/// The columns that rows have: those of circuits if they are known.
std::span<const HeadColumn> columns_of(const std::vector<HeadRow>& rows);
/// The heads of all layers in the order of HeadSort: heads without the number, name or place in the tree
/// come last, ties are in order of layer and number. `statistics`, `similarity` and `circuits` are only
/// needed for their orders; nullptr: not known.
std::vector<HeadRow> sorted_rows(const BlockTrace& block, const BlockStatistics* statistics,
                                 const HeadSort& sort, const std::vector<HeadLabel>& labels,
                                 const HeadSimilarity* similarity, const CircuitNumbers* circuits = nullptr);
/// The value of a full bar of the column.
double full_bar(const HeadColumn& column, const std::vector<HeadRow>& rows);
/// Of one layer, in the same order.
std::vector<int> sorted_heads(const BlockTrace& block, int layer, const BlockStatistics* statistics,
                              const HeadSort& sort, const std::vector<HeadLabel>& labels,
                              const HeadSimilarity* similarity, const CircuitNumbers* circuits = nullptr);
/// Whether the order is by a column of circuits, or by one of statistics.
bool sorts_by_circuits(const HeadSort& sort);
bool sorts_by_statistics(const HeadSort& sort);

/// What the table has in addition to the numbers.
struct HeadNotes {
  std::vector<HeadLabel> labels = {};  ///< a column `name` if there is any name
  const HeadTree* tree = nullptr;      ///< adds a column `group`, from 0; empty if a head was not compared
  std::vector<float> weights = {};     ///< of the rows on one cell, a column `weight`; empty: none
  /// Notes of the model's makers on the heads of the rows' block: a column `relation` if there are any.
  std::vector<RelationOfHead> relations = {};
};
/// What is known about the heads of a trace's block; empty: nothing.
std::vector<RelationOfHead> relations_of(const Trace& trace, BlockKind block);
/// The table that `headscope heads` writes: a row per head, `layer` and `head` from 0, the notes, then every
/// column of columns_of().
std::string heads_csv(const std::vector<HeadRow>& rows, const HeadNotes& notes = {});
/// The same to be read: aligned, numbers as in the window, names last.
std::string heads_text(const std::vector<HeadRow>& rows, const HeadNotes& notes = {});
std::string heads_json(const std::vector<HeadRow>& rows, const HeadNotes& notes = {});

/// A file format of the table.
struct HeadTableFormat {
  const char* ending;
  std::string (*text)(const std::vector<HeadRow>& rows, const HeadNotes& notes);
};
std::span<const HeadTableFormat> head_table_formats();

}  // namespace headscope
