#pragma once
#include <cstdint>
#include <string_view>

namespace headscope {

/// FNV-1a, 64 bits, of a text that goes on after others whose hash is `before`.
constexpr std::uint64_t fnv_1a(std::string_view text, std::uint64_t before = 0xcbf29ce484222325) {
  for (const char c : text) before = (before ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return before;
}

}  // namespace headscope
