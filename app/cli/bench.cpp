#include "app/cli/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <vector>

#include "app/cli/first_frame.h"
#include "app/cli/long_bench.h"
#include "app/cli/neighbour_bench.h"
#include "app/cli/progress.h"
#include "core/figure/figure.h"
#include "core/io/partial_file.h"
#include "core/model/built_in_models.h"
#include "core/model/measure_model.h"
#include "core/model/random_model.h"
#include "core/session/session_figure.h"
#include "core/source/engine.h"
#include "core/source/maps/measure.h"

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

/// A private folder of this process, removed with this object.
class OwnFolder {
 public:
  OwnFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "headscope-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw unable_error("{}: a folder could not be made", name);
    path_ = name;
    unfinished_.emplace(path_);
  }
  ~OwnFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::optional<PartialFile> unfinished_;
};

ModelTimes time_model(const std::string& folder, const ComputeContext& context, bool profile) {
  expect_installed(folder);
  if (!folder.empty()) return measure_model(folder_of_model(folder), context, profile);
  const OwnFolder own;
  write_random_model(own.path());
  return measure_model(own.path(), context, profile);
}

// The median of as many runs as fit into `budget` milliseconds, at least `fewest`, after one warm-up run.
template <typename Body>
double median_milliseconds(double budget, const Body& body, std::size_t fewest = 7) {
  constexpr std::size_t maximum = 5000;
  body();
  std::vector<double> times;
  for (double total = 0; times.size() < fewest || (total < budget && times.size() < maximum);
       total += times.back()) {
    const auto start = std::chrono::steady_clock::now();
    body();
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

double time_figure(int threads) {
  const Session session;
  const Scene scene = scene_of(session, Engine(threads).run(session.inputs));
  return median_milliseconds(200, [&] { figure_png(scene, to_json(session, false), FigureOptions{}); });
}

Results measure(const BenchRequest& request, Progress& progress) {
  const int requested_threads = request.threads;
  ThreadPool threads(requested_threads);
  BufferPool memory;
  const ComputeContext context{best_kernels(), threads, memory};
  Results results;
  if (request.model) results.model = time_model(*request.model, context, request.profile);
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

// Four significant digits; the rest is noise.
double rounded(double value) {
  if (value == 0) return 0;
  const double scale = std::pow(10.0, 3 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
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

nlohmann::ordered_json profile_json(const ModelProfile& profile) {
  const auto steps = [](const StepTimes& times) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
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
  nlohmann::ordered_json attention = nlohmann::ordered_json::array();
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
  nlohmann::ordered_json json{
      {"peak_gflops", rounded(results.peak_gflops)},       {"threads", results.threads},
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
  fmt::print("{}\n", json.dump(2));
}

void print_table(const Results& results, const Translator& tr) {
  const auto rounded_to = [](double value, int digits) { return fmt::format("{:.{}f}", value, digits); };
  fmt::print("{}\n\n",
             tr.plural("{} thread, {}, peak {} GFLOP/s (fused multiply-adds)",
                       "{} threads, {}, peak {} GFLOP/s (fused multiply-adds)", results.threads,
                       results.threads, results.instruction_set, rounded_to(results.peak_gflops, 0)));
  fmt::print("{:>6} {:>8} {:>6} {:>11} {:>11} {:>9} {:>8} {:>8} {:>11} {:>10} {:>8}\n", "n", "d_model",
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
  fmt::print(
      "{}\n\n",
      tr.format("Eigen: the plain equation, always on one thread ({}); --threads 1 compares like with like",
                Eigen::SimdInstructionSetsInUse()));
  fmt::print("{:<22}  {:.1f} ms\n", tr("figure (16 × 8 in PNG)"), results.figure_milliseconds);
  fmt::print("{:<22}  {}\n", tr("first frame"),
             results.first_frame_milliseconds ? rounded_to(*results.first_frame_milliseconds, 0) + " ms"
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

void run_bench(const BenchRequest& request, const Translator& tr) {
  if (request.profile && !request.model) throw input_error("--profile: of a model; expected --model, too");
  if (request.with_neighbour) return run_neighbour_bench(request.threads, request.json, tr);
  if (request.tokens) return run_long_bench(*request.tokens, request.threads, request.json, tr);
  const Results results = [&] {
    Progress progress(tr, TR("Measuring"));
    return measure(request, progress);
  }();
  if (request.json)
    print_json(results);
  else
    print_table(results, tr);
}

}  // namespace headscope
