#pragma once
#include <functional>
#include <ostream>
#include <span>
#include <string>

#include "core/source/write/trace_arrays.h"

namespace headscope {

struct WrittenFile;
/// A file format that arrays are written to.
struct ArrayWriter {
  const char* ending;
  void (*write)(const WrittenFile& file);
};
std::span<const ArrayWriter> array_writers();

/// Writes the arrays of a trace by the path's extension, as in array_writers(). Names, shapes and types are
/// in core/io/ARRAYS.md. `session` is JSON stored as metadata; empty: none. Throws Error: input for another
/// extension, as trace_arrays() and for numbers that could not be read, unable as write_file; an existing
/// file at `path` is then unchanged.
void write_arrays(const std::string& path, const Trace& trace, const ArraySelection& selection,
                  const std::string& session);

/// Other arrays, which must outlive the call; `table` writes the lines of a .csv, `metadata` is JSON.
void write_arrays(const std::string& path, const TraceArrays& arrays,
                  const std::function<void(std::ostream&)>& table, const std::string& metadata);

}  // namespace headscope
