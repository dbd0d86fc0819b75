#include "core/source/write/array_export.h"

#include <ostream>

#include "core/source/write/write_arrays.h"

namespace headscope {

void ArrayExport::write(const std::string& path) const {
  write_arrays(
      path, arrays, [&](std::ostream& out) { out << table; }, metadata);
}

}  // namespace headscope
