#pragma once
#include <cstddef>

namespace headscope {

/// Bytes that this machine can still give to a process; the largest number where it does not say.
std::size_t available_memory();

}  // namespace headscope
