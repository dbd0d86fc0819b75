#include "app/cli/bench/bench.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "core/base/error.h"

namespace headscope {

void print_machine(int threads, const char* instruction_set, double peak_gflops, const Translator& tr) {
  fmt::print("{}\n", tr.plural("{} thread, {}, peak {} GFLOP/s (fused multiply-adds)",
                               "{} threads, {}, peak {} GFLOP/s (fused multiply-adds)", threads, threads,
                               instruction_set, fmt::format("{:.0f}", peak_gflops)));
}

double rounded(double value) {
  if (value == 0) return 0;
  const double scale = std::pow(10.0, 3 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

void run_bench(const CommandRequest& request, const Translator& tr) {
  if (request.profile && !request.model) throw input_error("--profile: of a model; expected --model, too");
  if (request.times_causes && !request.model)
    throw input_error("--causes: of a model; expected --model, too");
  if (request.times_causes) return run_cause_bench(request, tr);
  if (request.tokens) return run_long_bench(*request.tokens, request.threads, request.json, tr);
  run_forward_bench(request, tr);
}

}  // namespace headscope
