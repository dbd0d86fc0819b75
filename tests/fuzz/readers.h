#pragma once
#include <span>
#include <string_view>

namespace headscope::fuzz {

/// The reader of a kind of untrusted file. Whatever the bytes are, it ends in time and with little memory,
/// with a result or an Error; anything else is a bug.
struct FuzzedReader {
  const char* name;  ///< of its corpus in tests/data/fuzz, and of its fuzzer
  void (*read)(std::string_view bytes);
};
std::span<const FuzzedReader> fuzzed_readers();

/// Reads `bytes` with the reader of this name; false if there is none.
bool feed(std::string_view name, std::string_view bytes);

}  // namespace headscope::fuzz
