#include "core/system/error_stream.h"

namespace headscope {

std::FILE* error_stream() {
  return stderr;
}

// A program with a window has no standard error there; in a console all is shown.
void silence_libraries() {}

}  // namespace headscope
