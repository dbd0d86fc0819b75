#pragma once
#include <span>
#include <string>

#include "core/source/trace.h"

namespace headscope {

struct ArrayFile;
/// A kind of file that arrays are written as.
struct ArrayWriter {
  const char* ending;
  void (*write)(const ArrayFile& file);
};
std::span<const ArrayWriter> array_writers();

/// Writes the arrays of a trace by the path's ending, as in array_writers(). Names, shapes and types are in
/// core/io/ARRAYS.md. `layer` -1: all layers; else only that one (from 0), the axis stays. `session`
/// is the JSON that goes along as metadata; empty: none does. Throws Error: input for another ending, unable
/// as write_file.
void write_arrays(const std::string& path, const Trace& trace, int layer, const std::string& session);

}  // namespace headscope
