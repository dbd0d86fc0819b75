#pragma once
#include <array>
#include <cstdint>

namespace headscope {

// Rows of the codebooks of ggml's quantizations of one to three bits, the first number in the lowest bits.

/// Eight numbers of two bits: 0, 1, 2 for 8, 25, 43.
extern const std::array<std::uint16_t, 256> iq2_xxs_codebook;
extern const std::array<std::uint16_t, 512> iq2_xs_codebook;
extern const std::array<std::uint16_t, 1024> iq2_s_codebook;
/// Four numbers of four bits: 0 to 7 for 4, 12, 20, 28, 36, 44, 52, 62.
extern const std::array<std::uint16_t, 256> iq3_xxs_codebook;
/// The same, for 1, 3, 5 … 15.
extern const std::array<std::uint16_t, 512> iq3_s_codebook;
/// Eight numbers of two bits: 0, 1, 2 for −1, 0, 1.
extern const std::array<std::uint16_t, 2048> iq1_s_codebook;

}  // namespace headscope
