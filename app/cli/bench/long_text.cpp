#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/bench/bench.h"
#include "app/cli/messages.h"
#include "app/cli/output.h"
#include "core/source/seeded/measure.h"

namespace headscope {
namespace {

std::string milliseconds_text(double ms) {
  return ms < 1000 ? fmt::format("{:.1f} ms", ms) : fmt::format("{:.2f} s", ms / 1000);
}

std::string bytes_text(double bytes) {
  return bytes < 1e9 ? fmt::format("{:.0f} MB", bytes / 1e6) : fmt::format("{:.1f} GB", bytes / 1e9);
}

void print_long_json(const LongTimes& times) {
  BenchJson json{
      {"tokens", times.tokens},
      {"d_k", times.d_k},
      {"threads", times.threads},
      {"instruction_set", times.instruction_set},
      {"peak_gflops", times.peak_gflops},
      {"products_ms", times.products_ms()},
      {"overview", {{"ms", times.overview_ms}, {"ratio", times.overview_ms / times.products_ms()}}},
      {"context", {{"ms", times.context_ms}, {"ratio", times.context_ms / times.products_ms()}}},
      {"statistics", {{"ms", times.statistics_ms}, {"ratio", times.statistics_ms / times.products_ms()}}},
      {"windowed",
       {{"mask", long_mask},
        {"ms", times.windowed_ms},
        {"share", times.windowed_ms / times.overview_ms},
        {"cells", times.windowed_cells}}},
      {"full", nullptr},
      {"map_bytes", times.map_bytes()},
      {"resident_bytes", times.resident_bytes}};
  if (times.full_ms) json["full"] = {{"ms", *times.full_ms}};
  dump_json(json);
}

void print_long_table(const LongTimes& times, const Translator& tr) {
  const auto row = [](const std::string& name, double ms, const std::string& rest) {
    fmt::print("{:<34} {:>10}  {}\n", name, milliseconds_text(ms), rest);
  };
  const auto ratio = [&](double ms) { return fmt::format("{:.2f} × Q Kᵀ", ms / times.products_ms()); };
  print_machine(times.threads, times.instruction_set, times.peak_gflops, tr);
  fmt::print("{}\n\n", tr("one head, n = {}, d_k = {}", times.tokens, times.d_k));
  row(tr("Q Kᵀ at the peak"), times.products_ms(), "");
  row(tr("overview"), times.overview_ms, ratio(times.overview_ms));
  row(tr("overview and context"), times.context_ms, ratio(times.context_ms));
  row(tr("statistics of the head"), times.statistics_ms, ratio(times.statistics_ms));
  row(tr("overview, {}", long_mask), times.windowed_ms,
      tr("{}% of the time, {}% of the scores",
         fmt::format("{:.1f}", 100 * times.windowed_ms / times.overview_ms),
         fmt::format("{:.1f}", 100 * times.windowed_cells)));
  if (times.full_ms) row(tr("whole map"), *times.full_ms, "");
  fmt::print("\n{}\n",
             tr("memory: {} in all; the whole map alone would take {}",
                bytes_text(static_cast<double>(times.resident_bytes)), bytes_text(times.map_bytes())));
}

}  // namespace

void run_long_bench(int tokens, int threads, bool json, const Translator& tr) {
  const LongTimes times = [&] {
    const Progress progress(tr, TR("Measuring"));
    return measure_long(tokens, threads);
  }();
  json ? print_long_json(times) : print_long_table(times, tr);
}

}  // namespace headscope
