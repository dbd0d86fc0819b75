#pragma once
#include <cstdint>

namespace headscope {

// The 256 numbers of a block whose numbers are rows of a codebook, as float32. The arithmetic is ggml's, in
// its order.

void widen_iq2_xxs(const std::uint8_t* block, float* to);
void widen_iq2_xs(const std::uint8_t* block, float* to);
void widen_iq2_s(const std::uint8_t* block, float* to);
void widen_iq3_xxs(const std::uint8_t* block, float* to);
void widen_iq3_s(const std::uint8_t* block, float* to);
void widen_iq1_s(const std::uint8_t* block, float* to);
void widen_iq1_m(const std::uint8_t* block, float* to);

}  // namespace headscope
