#include "core/system/child_process.h"

namespace headscope {

// Not there yet: callers do without.
std::string first_line_of_program(const std::string&, int) {
  return "";
}

}  // namespace headscope
