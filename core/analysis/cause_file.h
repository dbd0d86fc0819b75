#pragma once
#include <string>

#include "core/model/causes.h"
#include "core/model/head_paths.h"
#include "core/source/write/trace_arrays.h"

namespace headscope {

/// What a file of causes has: arrays, the same as a table, and the question as JSON.
struct CauseFile {
  TraceArrays arrays;
  std::string table, metadata;
  /// As write_arrays().
  void write(const std::string& path) const;
};
/// Of `a`, and of the run that was patched with or taken from. With `paths` they are written and not the
/// maps. Arrays and columns are described in docs/causes.md.
CauseFile cause_file(const CauseRequest& asked, const Causes& causes, const HeadPaths* paths, const Trace& a,
                     const Trace* b, bool keep_sentences);

}  // namespace headscope
