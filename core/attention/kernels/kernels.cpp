#include "core/attention/kernels/kernels.h"

#include <cstdlib>
#include <string_view>

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

}  // namespace headscope
