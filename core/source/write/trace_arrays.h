#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/source/trace.h"

namespace headscope {

/// Which parts of a trace are written.
struct ArraySelection {
  ArraySelection(int only_layer = -1) : layer(only_layer) {}
  int layer;                       ///< of every block; -1: all
  std::optional<BlockKind> block;  ///< not engaged: all
  std::set<std::string> names;     ///< empty: all
  /// By block: its with_rollout(), written as `rollout`.
  std::map<BlockKind, std::shared_ptr<const BlockTrace>> rollouts;
  /// Rows of the maps; not engaged: all.
  struct Rows {
    Index begin = 0, end = 0;
  };
  std::optional<Rows> queries;
  // Columns of a table besides the numbers.
  std::map<std::pair<int, int>, std::string>
      head_names;  ///< user-defined head names, by layer and head from 0
  std::string sentence, source;
  std::stop_token stop;  ///< if stopped, the writer throws Stopped, and there is no file
  /// The rows of a block's maps. Throws Error (input) if `queries` ends after them.
  Rows rows_of(const BlockTrace& maps_of) const;
};

/// An array to write: its bytes, little endian in C order, are in the trace in several parts (one per layer).
struct TraceArray {
  enum class Type { i64, f32, text };  ///< text: JSON as uint8
  std::string name;
  Type type = Type::f32;
  std::vector<Index> shape;
  std::vector<std::string_view> parts;

  std::size_t bytes() const;
};

/// The arrays of a trace, which must outlive them; the other members own bytes that are not in the trace.
struct TraceArrays {
  std::deque<std::string> texts;
  std::deque<std::vector<std::int64_t>> numbers;
  std::vector<Tensor> tensors;
  std::vector<TraceArray> arrays;

  /// Numbers computed from a trace, as float32 and int64.
  void add(std::string name, std::vector<Index> shape, const std::vector<double>& values);
  void add(std::string name, std::vector<std::int64_t> values);
};

/// In the order of core/io/ARRAYS.md. Throws Error (input) for a layer, a block, rows or a name that do not
/// exist.
TraceArrays trace_arrays(const Trace& trace, const ArraySelection& selection);

/// The layers to write: [begin, end).
struct LayerRange {
  int begin = 0, end = 0;
  int count() const { return end - begin; }
};
LayerRange layer_range(const BlockShape& shape, int layer);

/// The tokens' texts as a JSON list.
std::string tokens_json(const std::vector<Token>& tokens);

}  // namespace headscope
