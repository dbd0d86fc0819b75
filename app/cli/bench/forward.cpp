#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/bench/bench.h"
#include "app/cli/messages.h"
#include "app/cli/output.h"
#include "core/figure/figure.h"
#include "core/model/effects/measure_model.h"
#include "core/session/session_figure.h"
#include "core/source/engine/engine.h"
#include "core/source/seeded/measure.h"
#include "core/system/child_process.h"
#include "core/system/process.h"

namespace headscope {
namespace {

struct ForwardResult {
  ForwardSize size;
  double milliseconds = 0;
  double without_maps_milliseconds = 0;  // for a run that does not need them
  double gflops = 0;
  double eigen_milliseconds = 0;  // the equation in Eigen, on one thread
  double reading_gb_per_s = 0;    // for as much memory as the weights take

  double weights_gb_per_s() const { return 4.0 * static_cast<double>(weights()) / milliseconds / 1e6; }
  Index weights() const { return 4 * Index{size.d_model} * size.d_model; }
  double ratio() const { return eigen_milliseconds / milliseconds; }
};

struct Results {
  double peak_gflops = 0;
  int threads = 0;
  const char* instruction_set = "";
  std::vector<ForwardResult> forward;
  double figure_milliseconds = 0;
  std::optional<double> first_frame_milliseconds;
  std::optional<ModelTimes> model;
};

/// Starts this program's window and returns the milliseconds from its start to its first frame; no value if
/// there is no display or no window appears within ten seconds.
std::optional<double> measure_first_frame() {
  constexpr int patience_ms = 10'000;
  if (!has_display()) return std::nullopt;
  const std::string text = first_line_of_program("--time-first-frame", patience_ms);
  char* end = nullptr;
  const double milliseconds = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || milliseconds <= 0) return std::nullopt;
  return milliseconds;
}

double time_figure(int threads) {
  const Session session;
  const Scene scene = scene_of(session, Engine(threads).run(session.inputs));
  return median_milliseconds(200, [&] { figure_png(scene, to_json(session, false), FigureOptions{}); });
}

Results measure(const CommandRequest& request, Progress& progress) {
  const int requested_threads = request.threads;
  ThreadPool threads(requested_threads);
  BufferPool memory;
  const ComputeContext context{best_kernels(), threads, memory};
  Results results;
  if (request.model)
    results.model = time_model(*request.model, [&](const std::string& folder) {
      return measure_model(folder, context, request.profile);
    });
  results.threads = threads.size();
  results.instruction_set = context.kernels.name;
  results.peak_gflops = measure_peak_gflops(context);
  for (const ForwardSize& size : forward_sizes) {
    const PreparedForward forward(size, context);
    const double ms = median_milliseconds(400, [&] { forward.run(); });
    const double without_ms = median_milliseconds(400, [&] { forward.run_without_maps(); });
    const double eigen_ms = median_milliseconds(
        200, [&] { forward.run_equation(); }, 3);
    results.forward.push_back({size, ms, without_ms, forward_operations(size) / ms / 1e6, eigen_ms});
    ForwardResult& result = results.forward.back();
    result.reading_gb_per_s = measure_reading(result.weights(), context);
    // The clock frequency varies: take the best peak measured during the same minutes.
    results.peak_gflops = std::max(results.peak_gflops, measure_peak_gflops(context));
    progress.show(static_cast<double>(results.forward.size()) / std::size(forward_sizes));
  }
  results.figure_milliseconds = time_figure(requested_threads);
  results.first_frame_milliseconds = measure_first_frame();
  return results;
}

// The names of ComputeStep's values, and the times outside them.
struct StepName {
  const char* key;
  const char* text;
};
constexpr std::array<StepName, std::tuple_size_v<StepTimes>> step_names{
    {{"packing", TR("packing weights")},
     {"products", TR("products")},
     {"reading", TR("reading weights for one row")},
     {"attention", TR("attention")},
     {"activations", TR("activations")},
     {"sums", TR("norms and sums")},
     {"rest", TR("waiting and the rest")}}};

BenchJson profile_json(const ModelProfile& profile) {
  const auto steps = [](const StepTimes& times) {
    BenchJson json = BenchJson::object();
    for (std::size_t i = 0; i < times.size(); ++i) json[step_names[i].key] = rounded(times[i]);
    return json;
  };
  return {{"prefill_128", steps(profile.prefill_128)},
          {"prefill_1024", steps(profile.prefill_1024)},
          {"next_token", steps(profile.next_token)},
          {"next_token_mb", rounded(profile.next_token_bytes / 1e6)},
          {"memory_gb_per_s", rounded(profile.memory_gb_per_s)}};
}

// Shares of the threads' time, in percent.
void print_profile(const ModelProfile& profile, double next_token_ms, const Translator& tr) {
  const std::array<const StepTimes*, 3> columns{&profile.prefill_128, &profile.prefill_1024,
                                                &profile.next_token};
  fmt::print("\n{:<30} {:>12} {:>12} {:>12}\n", tr("share of the threads' time"),
             tr.plural("{} token", "{} tokens", 128, 128), tr.plural("{} token", "{} tokens", 1024, 1024),
             tr("next token"));
  for (std::size_t i = 0; i < step_names.size(); ++i) {
    fmt::print("{:<30}", tr(step_names[i].text));
    for (const StepTimes* times : columns) {
      const double all = std::accumulate(times->begin(), times->end(), 0.0);
      if (all > 0)
        fmt::print(" {:>11.1f}%", 100 * (*times)[i] / all);
      else  // it has no positions for that many tokens
        fmt::print(" {:>12}", "–");
    }
    fmt::print("\n");
  }
  fmt::print("{:<30} {:.1f} GB/s\n", tr("memory, read by all threads"), profile.memory_gb_per_s);
  if (next_token_ms <= 0) return;
  const double speed = profile.next_token_bytes / next_token_ms / 1e6;
  fmt::print("{:<30} {:.1f} GB/s, {:.0f}%\n", tr("weights, by the next token"), speed,
             100 * speed / profile.memory_gb_per_s);
}

void print_json(const Results& results) {
  BenchJson attention = BenchJson::array();
  for (const ForwardResult& row : results.forward)
    attention.push_back({{"n", row.size.n},
                         {"d_model", row.size.d_model},
                         {"heads", row.size.heads},
                         {"ms", rounded(row.milliseconds)},
                         {"without_maps_ms", rounded(row.without_maps_milliseconds)},
                         {"gflops", rounded(row.gflops)},
                         {"share_of_peak", rounded(row.gflops / results.peak_gflops)},
                         {"weights_gb_per_s", rounded(row.weights_gb_per_s())},
                         {"share_of_reading", rounded(row.weights_gb_per_s() / row.reading_gb_per_s)},
                         {"eigen_ms", rounded(row.eigen_milliseconds)},
                         {"eigen_ratio", rounded(row.ratio())}});
  BenchJson json{{"peak_gflops", rounded(results.peak_gflops)},       {"threads", results.threads},
                 {"instruction_set", results.instruction_set},        {"attention", attention},
                 {"figure_ms", rounded(results.figure_milliseconds)}, {"first_frame_ms", nullptr}};
  if (results.first_frame_milliseconds) json["first_frame_ms"] = rounded(*results.first_frame_milliseconds);
  if (results.model)
    json["model"] = {{"prefill_128_ms", rounded(results.model->prefill_128_ms)},
                     {"prefill_1024_ms", rounded(results.model->prefill_1024_ms)},
                     {"next_token_ms", rounded(results.model->next_token_ms)},
                     {"load_ms", rounded(results.model->load_ms)},
                     {"threads", results.threads}};
  if (results.model && results.model->profile)
    json["model"]["profile"] = profile_json(*results.model->profile);
  dump_json(json);
}

void print_table(const Results& results, const Translator& tr) {
  print_machine(results.threads, results.instruction_set, results.peak_gflops, tr);
  fmt::print("\n{:>6} {:>8} {:>6} {:>11} {:>11} {:>9} {:>8} {:>8} {:>11} {:>10} {:>8}\n", "n", "d_model",
             tr("heads"), tr("kernels ms"), tr("no maps ms"), "GFLOP/s", tr("of peak"), "GB/s",
             tr("of reading"), "Eigen ms", tr("ratio"));
  for (const ForwardResult& row : results.forward)
    fmt::print(
        "{:>6} {:>8} {:>6} {:>11.3f} {:>11.3f} {:>9.1f} {:>7.0f}% {:>8.1f} {:>10.0f}% {:>10.3f} {:>8.1f}\n",
        row.size.n, row.size.d_model, row.size.heads, row.milliseconds, row.without_maps_milliseconds,
        row.gflops, 100 * row.gflops / results.peak_gflops, row.weights_gb_per_s(),
        100 * row.weights_gb_per_s() / row.reading_gb_per_s, row.eigen_milliseconds, row.ratio());
  fmt::print("\n{}\n", tr("GB/s: of the weights, each read once; of reading: of the speed at which the "
                          "threads only read as much memory"));
  fmt::print("{}\n\n",
             tr("Eigen: the plain equation, always on one thread ({}); --threads 1 compares like with like",
                Eigen::SimdInstructionSetsInUse()));
  fmt::print("{:<22}  {:.1f} ms\n", tr("figure (16 × 8 in PNG)"), results.figure_milliseconds);
  fmt::print("{:<22}  {}\n", tr("first frame"),
             results.first_frame_milliseconds ? fmt::format("{:.0f} ms", *results.first_frame_milliseconds)
                                              : tr("no display"));
  if (!results.model) return;
  const std::pair<std::string, double> rows[] = {
      {tr("model opened"), results.model->load_ms},
      {tr.plural("{} token", "{} tokens", 128, 128), results.model->prefill_128_ms},
      {tr.plural("{} token", "{} tokens", 1024, 1024), results.model->prefill_1024_ms},
      {tr("next token"), results.model->next_token_ms}};
  for (const auto& [name, milliseconds] : rows)
    if (milliseconds > 0) fmt::print("{:<22}  {:.1f} ms\n", name, milliseconds);
  if (results.model->profile) print_profile(*results.model->profile, results.model->next_token_ms, tr);
}

}  // namespace

void run_forward_bench(const CommandRequest& request, const Translator& tr) {
  const Results results = [&] {
    Progress progress(tr, TR("Measuring"));
    return measure(request, progress);
  }();
  request.json ? print_json(results) : print_table(results, tr);
}

}  // namespace headscope
