#pragma once
#include <span>
#include <string>

#include "core/source/write/trace_arrays.h"

namespace headscope {

struct WrittenFile;
/// A kind of file that arrays are written as.
struct ArrayWriter {
  const char* ending;
  void (*write)(const WrittenFile& file);
};
std::span<const ArrayWriter> array_writers();

/// Writes the arrays of a trace by the path's ending, as in array_writers(). Names, shapes and types are in
/// core/io/ARRAYS.md. `session` is the JSON that goes along as metadata; empty: none does. Throws Error:
/// input for another ending, as trace_arrays() and for numbers that could not be read, unable as write_file;
/// then what stood at `path` stays.
void write_arrays(const std::string& path, const Trace& trace, const ArraySelection& selection,
                  const std::string& session);

}  // namespace headscope
