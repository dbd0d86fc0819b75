#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/source/trace.h"

namespace headscope {

/// What of a trace is written.
struct ArraySelection {
  ArraySelection(int only_layer = -1) : layer(only_layer) {}
  int layer;                       ///< of every block; -1: all
  std::optional<BlockKind> block;  ///< not engaged: all
  std::set<std::string> names;     ///< empty: all
  /// Rows of the maps; not engaged: all.
  struct Rows {
    Index begin = 0, end = 0;
  };
  std::optional<Rows> queries;
  // What a table has beside the numbers.
  std::map<std::pair<int, int>, std::string>
      head_names;  ///< that somebody gave heads, by layer and head from 0
  std::string sentence, source;
  std::stop_token stop;  ///< asked to: who writes them throws Stopped, and there is no file
  /// Of the maps of a block. Error (input) where `queries` ends behind them.
  Rows rows_of(const BlockTrace& maps_of) const;
};

/// An array that is written: its bytes, little endian in C order, lie in the trace in several parts (one a
/// layer).
struct TraceArray {
  enum class Type { i64, f32, text };  ///< text: JSON as uint8
  std::string name;
  Type type = Type::f32;
  std::vector<Index> shape;
  std::vector<std::string_view> parts;

  std::size_t bytes() const;
};

/// The arrays of a trace, which must outlive them; the other members own the bytes of what does not lie in
/// the trace.
struct TraceArrays {
  std::deque<std::string> texts;
  std::deque<std::vector<std::int64_t>> numbers;
  std::vector<Tensor> tensors;
  std::vector<TraceArray> arrays;
};

/// In the order of core/io/ARRAYS.md. Throws Error (input) for a layer, a block, rows or a name that are not
/// there.
TraceArrays trace_arrays(const Trace& trace, const ArraySelection& selection);

/// The layers that are written: [begin, end).
struct LayerRange {
  int begin = 0, end = 0;
  int count() const { return end - begin; }
};
LayerRange layer_range(const BlockShape& shape, int layer);

/// The tokens' texts as a JSON list.
std::string tokens_json(const std::vector<Token>& tokens);

}  // namespace headscope
