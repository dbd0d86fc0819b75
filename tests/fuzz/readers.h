#pragma once
#include <span>
#include <string_view>

namespace headscope::fuzz {

/// What reads a kind of file from anywhere. Whatever the bytes are, it ends in time and within little memory,
/// with what was read or an Error; all else is a mistake.
struct FuzzedReader {
  const char* name;  ///< of its corpus in tests/data/fuzz, and of its fuzzer
  void (*read)(std::string_view bytes);
};
std::span<const FuzzedReader> fuzzed_readers();

/// Reads `bytes` with the reader of this name; false where there is none.
bool feed(std::string_view name, std::string_view bytes);

}  // namespace headscope::fuzz
