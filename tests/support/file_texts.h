#pragma once
#include "core/io/compress.h"
#include "tests/support/testing.h"

namespace headscope::tests {

/// The bytes of a file and of everything in it that is compressed with zlib: whatever can be found in it.
inline std::string all_bytes(const std::string& path) {
  const std::string file = read_file(path);
  std::string all = file;
  for (std::size_t i = 0; i + 2 < file.size(); ++i) {
    // A zlib header contains its method, and is a multiple of 31 (RFC 1950).
    const auto first = static_cast<unsigned char>(file[i]), second = static_cast<unsigned char>(file[i + 1]);
    if ((first & 15U) != 8 || (first * 256U + second) % 31 != 0) continue;
    Budget budget("test", 1'000'000'000);
    std::size_t consumed = 0;
    if (const auto text = decompressed(std::string_view(file).substr(i), budget, consumed)) all += *text;
  }
  return all;
}

/// Whether a file contains a session, or the sentence other than word by word as labels.
inline bool keeps(const std::string& path, const std::string& sentence) {
  const std::string all = all_bytes(path);
  for (const std::string& part :
       {sentence, to_base64(sentence), std::string("headscope-session"), std::string("headscope:session"),
        std::string("\"sentence\""), std::string("\"session\""), std::string("\\\"sentence\\\"")})
    if (all.find(part) != std::string::npos) return true;
  return false;
}

}  // namespace headscope::tests
