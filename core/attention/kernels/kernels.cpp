#include "core/attention/kernels/kernels.h"

#include <cstdlib>
#include <string_view>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace headscope {

extern const Kernels kernels_baseline;
#if defined(HEADSCOPE_X86_KERNELS)
extern const Kernels kernels_avx2;
extern const Kernels kernels_avx512;
#endif

const Kernels* find_kernels(InstructionSet set) {
#if defined(HEADSCOPE_X86_KERNELS)
  if (set == InstructionSet::avx512)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") ? &kernels_avx512
                                                                                   : nullptr;
  if (set == InstructionSet::avx2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &kernels_avx2 : nullptr;
#endif
  return set == InstructionSet::baseline ? &kernels_baseline : nullptr;
}

const Kernels& best_kernels() {
  const char* asked = std::getenv("HEADSCOPE_ISA");
  const std::string_view limit = asked == nullptr ? "" : asked;
  if (limit != "avx2" && limit != "baseline")
    if (const Kernels* found = find_kernels(InstructionSet::avx512)) return *found;
  if (limit != "baseline")
    if (const Kernels* found = find_kernels(InstructionSet::avx2)) return *found;
  return kernels_baseline;
}

#if defined(__x86_64__)
namespace {
constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040;  // bits of MXCSR
}
FlushDenormals::FlushDenormals() : saved_(_mm_getcsr()) {
  _mm_setcsr(saved_ | flush_to_zero | denormals_are_zero);
}
FlushDenormals::~FlushDenormals() {
  _mm_setcsr(saved_);
}
#else
FlushDenormals::FlushDenormals() : saved_(0) {}
FlushDenormals::~FlushDenormals() {
  static_cast<void>(saved_);
}
#endif

}  // namespace headscope
