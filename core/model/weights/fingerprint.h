#pragma once
#include <string>

#include "core/io/safetensors_reader.h"

namespace headscope {

/// Distinguishes changed weights from those that a session was saved with: 16 hexadecimal digits of a 64-bit
/// FNV-1a hash over each tensor's name, type and shape and 64 samples of 16 bytes spread evenly over it,
/// including its first and last.
std::string fingerprint_of(const WeightFiles& files);

}  // namespace headscope
