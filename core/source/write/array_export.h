#pragma once
#include <string>

#include "core/source/write/trace_arrays.h"

namespace headscope {

/// What a file of other numbers than attention has: arrays, the same as a table, and what they are about as
/// JSON.
struct ArrayExport {
  TraceArrays arrays;
  std::string table, metadata;
  /// As write_arrays().
  void write(const std::string& path) const;
};

}  // namespace headscope
