#include "core/attention/kernels/kernels.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "core/base/error.h"
#include "core/system/process.h"

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

namespace {

// The index in `words` of the environment variable's value; 0 if it is not set.
std::size_t choice(const char* variable, std::span<const std::string_view> words) {
  const std::string set = environment(variable);
  const std::string_view word = set.empty() ? words.front() : set;
  const auto found = std::ranges::find(words, word);
  if (found == words.end())
    throw input_error("{} is \"{}\"; expected one of: {}", variable, word,
                      fmt::format("{}", fmt::join(words, ", ")));
  return found - words.begin();
}

}  // namespace

const Kernels& best_kernels() {
  static constexpr std::string_view words[] = {"avx512", "avx2", "baseline"};
  static constexpr InstructionSet sets[] = {InstructionSet::avx512, InstructionSet::avx2,
                                            InstructionSet::baseline};
  for (const InstructionSet set : std::span(sets).subspan(choice("HEADSCOPE_ISA", words)))
    if (const Kernels* found = find_kernels(set)) return *found;
  return kernels_baseline;
}

ComputeEngine requested_engine() {
  static constexpr std::string_view words[] = {"kernels", "eigen"};
  return choice("HEADSCOPE_ENGINE", words) == 0 ? ComputeEngine::kernels : ComputeEngine::eigen;
}

}  // namespace headscope
