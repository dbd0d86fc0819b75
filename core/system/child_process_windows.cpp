#include "core/system/child_process.h"

namespace headscope {

// Neither is there yet: callers do without.
std::string first_line_of_program(const std::string&, int) {
  return "";
}
BusyProcess::BusyProcess() = default;
BusyProcess::~BusyProcess() = default;

}  // namespace headscope
