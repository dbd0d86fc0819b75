#pragma once
#include <optional>

namespace headscope {

/// Starts this program's window and returns the milliseconds from its start to its first frame; no value if
/// there is no display or no window appears within ten seconds.
std::optional<double> measure_first_frame();

}  // namespace headscope
