#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/model/effects/circuit_numbers.h"
#include "core/source/trace.h"
#include "core/text/token_matches.h"

namespace headscope {

/// What one head's map looks like as numbers. A row is a query's weights over the keys as the arrays hold
/// them; rows of zeros (all keys blocked with −∞, or all dropped out) are left out of every mean. A share is
/// the mean weight on that one key over the rows that have such a key. Under dropout, and where heads have a
/// sink, each row is taken as w / Σ w. A mean or a maximum over no rows is empty.
struct HeadStatistics {
  /// Mean over rows of -Σ w ln w / ln n_k: 0 one key, 1 uniform; 0 where n_k = 1.
  std::optional<double> entropy;
  std::optional<double> mean_distance;  ///< mean over rows of Σ w |query - key|, in tokens
  std::optional<double> largest;        ///< largest weight, at (largest_query, largest_key)
  Index largest_query = 0, largest_key = 0;
  std::optional<double> diagonal;  ///< share on key = query
  std::optional<double> previous;  ///< share on key = query - 1
  std::optional<double> next;      ///< share on key = query + 1
  std::optional<double> first;     ///< share on key = 0 (the sink: Xiao et al. 2023, "Attention Sinks")
  /// Weight on other positions that hold the query's token, over rows that have one (duplicate token heads:
  /// Wang et al. 2022, "Interpretability in the Wild"); in cross-attention on every key that holds it; where
  /// the model itself sees no later tokens, only earlier ones count.
  std::optional<double> same_token;
  /// Weight on the keys right after earlier occurrences of the query's token, over rows that have one (Olsson
  /// et al. 2022, "In-context learning and induction heads"); in cross-attention after every occurrence among
  /// the keys.
  std::optional<double> induction;
  std::optional<double> sparsity;  ///< share of cells below 1 / n_k (uniform), blocked cells included
  std::optional<double> no_token;  ///< mean over rows of what the sink takes, 1 - Σ w; empty without one
};

/// Whether statistics of the block take each row as w / Σ w.
bool renormalizes_rows(const BlockTrace& block);

/// Receives the share that is done; may be empty.
using StatisticsProgress = std::function<void(double share)>;

/// Of one head of a layer; not complete if stopped.
HeadStatistics head_statistics(const BlockTrace& block, int layer, int head, const TokenMatches& matches,
                               const std::stop_token& stop = {}, const StatisticsProgress& progress = {});

/// Of the heads of a block, by layer; empty for layers that were not requested.
struct BlockStatistics {
  std::vector<std::vector<HeadStatistics>> layers;
  const HeadStatistics* find(int layer, int head) const;
};
/// Of one layer, or of all if `layer` is not engaged. Uses all processors; nullptr if stopped.
std::shared_ptr<const BlockStatistics> block_statistics(const BlockTrace& block, std::optional<int> layer,
                                                        const std::stop_token& stop = {},
                                                        const StatisticsProgress& progress = {});

/// One column of the table of heads, of what a head attends to or of what its matrices do.
struct HeadColumn {
  const char* name;     ///< in CSV and JSON: "entropy", "mean_distance", …
  const char* title;    ///< English, to be translated
  const char* formula;  ///< English, to be translated: the definition with its formula, a few lines
  double high;          ///< the value of a full bar; 0: the largest of the table
  /// Nothing if it is a mean over no rows (no token repeats, every key blocked). nullptr: of circuits.
  std::optional<double> (*value)(const HeadStatistics&);
  OfHeads CircuitNumbers::*of_circuits = nullptr;
  bool of_sinks = false;  ///< only heads with a sink have it
};
/// Those of HeadStatistics; before them that of sinks, after them those of CircuitNumbers.
std::span<const HeadColumn> head_columns(bool with_circuits = false, bool with_sinks = false);
/// Those that the heads of a block have.
std::span<const HeadColumn> head_columns(const BlockTrace& block);
bool has_column(const BlockTrace& block, const HeadColumn& column);
/// The column of that name, or nullptr.
const HeadColumn* find_head_column(std::string_view name);

/// The row sums of all maps of a layer: 1 each, except for dropout and rows without any key.
struct RowSums {
  Index rows = 0;                   ///< of all heads, those without keys included
  Index empty = 0;                  ///< rows of zeros whose keys are all blocked
  double minimum = 1, maximum = 1;  ///< of the others
  double deviation() const {
    return minimum < 2 - maximum ? 1 - minimum : maximum - 1;
  }  ///< the larger one, from 1
};
/// nullptr if stopped.
std::shared_ptr<const RowSums> row_sums(const BlockTrace& block, int layer, std::stop_token stop = {});

/// A head and its weight on one cell, layer and head from 0.
struct HeadAtCell {
  int layer = 0, head = 0;
  float weight = 0;
  bool operator==(const HeadAtCell&) const = default;
};

/// The heads of all layers that attend most from this query to this key: the largest weight first, ties by
/// layer and head. nullptr if stopped.
std::shared_ptr<const std::vector<HeadAtCell>> heads_at_cell(const BlockTrace& block, Index query, Index key,
                                                             const std::stop_token& stop = {});

}  // namespace headscope
