#include "core/model/weights/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace headscope {
namespace {

class Fnv {
 public:
  void add(std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes) hash_ = (hash_ ^ static_cast<std::uint8_t>(byte)) * 0x100000001B3U;
  }
  void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xCBF29CE484222325U;
};

void add_samples(Fnv& hash, std::span<const std::byte> bytes) {
  constexpr std::size_t samples = 64, size = 16;
  if (bytes.size() <= samples * size) return hash.add(bytes);
  for (std::size_t i = 0; i < samples; ++i)
    hash.add(bytes.subspan((bytes.size() - size) / (samples - 1) * i, size));
  hash.add(bytes.last(size));
}

}  // namespace

std::string fingerprint_of(const WeightFiles& files) {
  Fnv hash;
  for (const auto& [name, view] : files.tensors()) {
    hash.add(name + "\n" + view.type_name);
    for (const Index n : view.shape) hash.add(fmt::format(" {}", n));
    add_samples(hash, view.bytes);
  }
  return fmt::format("{:016x}", hash.value());
}

}  // namespace headscope
