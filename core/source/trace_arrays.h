#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/source/trace.h"

namespace headscope {

/// An array that is written: its bytes, little endian in C order, lie in the trace in several parts (one a
/// layer).
struct TraceArray {
  const char* name;
  bool text = false;  ///< JSON as uint8; else float32
  std::vector<Index> shape;
  std::vector<std::string_view> parts;

  std::size_t bytes() const;
};

/// The arrays of a block of a trace, which must outlive them; `texts` owns the bytes of tokens, `maps` those
/// of scores and weights.
struct TraceArrays {
  std::vector<std::string> texts;
  std::vector<Tensor> maps;
  std::vector<TraceArray> arrays;
};

/// In the order of core/io/ARRAYS.md. `layer` -1: all.
TraceArrays trace_arrays(const Trace& trace, int layer);

/// The layers that are written: [begin, end).
struct LayerRange {
  int begin = 0, end = 0;
  int count() const { return end - begin; }
};
LayerRange layer_range(const BlockShape& shape, int layer);

/// The tokens' texts as a JSON list.
std::string tokens_json(const std::vector<Token>& tokens);

}  // namespace headscope
