#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/messages.h"
#include "app/cli/output.h"
#include "core/base/error.h"
#include "core/figure/figure.h"
#include "core/model/built_in_models.h"
#include "core/model/measure_model.h"
#include "core/model/random_model.h"
#include "core/session/session_figure.h"
#include "core/source/engine.h"
#include "core/source/maps/measure.h"
#include "core/system/machine_memory.h"

extern char** environ;

namespace headscope {
namespace {

using BenchJson = nlohmann::ordered_json;

void print_machine(int threads, const char* instruction_set, double peak_gflops, const Translator& tr) {
  fmt::print("{}\n", tr.plural("{} thread, {}, peak {} GFLOP/s (fused multiply-adds)",
                               "{} threads, {}, peak {} GFLOP/s (fused multiply-adds)", threads, threads,
                               instruction_set, fmt::format("{:.0f}", peak_gflops)));
}

// The window's first frame.

bool has_display() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return true;
  return false;
}

// Starts the program with its output redirected to `output`; -1 on failure.
pid_t start_window(int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::string program = "/proc/self/exe", flag = "--time-first-frame";
  char* const arguments[] = {program.data(), flag.data(), nullptr};
  pid_t child = -1;
  if (posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ) != 0) child = -1;
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

std::string read_line(int input) {
  constexpr int patience_ms = 10'000;
  std::string text;
  std::array<char, 64> buffer;
  pollfd waiting{input, POLLIN, 0};
  while (text.find('\n') == std::string::npos && poll(&waiting, 1, patience_ms) > 0) {
    const ssize_t count = ::read(input, buffer.data(), buffer.size());
    if (count <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return text;
}

/// Starts this program's window and returns the milliseconds from its start to its first frame; no value if
/// there is no display or no window appears within ten seconds.
std::optional<double> measure_first_frame() {
  int ends[2];
  if (!has_display() || pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  const pid_t child = start_window(ends[1]);
  close(ends[1]);
  const std::string text = child > 0 ? read_line(ends[0]) : "";
  close(ends[0]);
  if (child > 0) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  char* end = nullptr;
  const double milliseconds = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || milliseconds <= 0) return std::nullopt;
  return milliseconds;
}

// The forward pass, the figure and a trained model.

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

/// Calls measure(FOLDER), for "" with random weights.
template <typename Measure>
auto time_model(const std::string& folder, const Measure& measure) {
  expect_installed(folder);
  if (!folder.empty()) return measure(folder_of_model(folder));
  const TemporaryFolder own;
  write_random_model(own.path());
  return measure(own.path());
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

// One pass over the map of a long text.

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

/// Times one pass over a head's map of a text of `tokens` tokens (core/source/maps/measure.h), and prints a
/// table or
/// {"tokens", "d_k", "threads", "instruction_set", "peak_gflops", "products_ms", "overview": {"ms", "ratio"},
/// "context": {"ms", "ratio"}, "windowed": {"mask", "ms", "share", "cells"}, "full": {"ms"} or null,
/// "map_bytes", "resident_bytes"}.
/// A ratio is relative to the time of the products at the machine's peak, a share to the time of the same
/// pass without the mask.
void run_long_bench(int tokens, int threads, bool json, const Translator& tr) {
  const LongTimes times = [&] {
    const Progress progress(tr, TR("Measuring"));
    return measure_long(tokens, threads);
  }();
  json ? print_long_json(times) : print_long_table(times, tr);
}

// Beside another process.

/// Another process, in its own session and with the lowest priority, that keeps one core busy as long as this
/// object exists.
class Neighbour {
 public:
  Neighbour() {
    cpu_set_t cores;
    const bool known = sched_getaffinity(0, sizeof cores, &cores) == 0;
    process_ = fork();
    if (process_ < 0) throw unable_error("a second process could not be started");
    if (process_ > 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();
    constexpr int lowest = 19;
    setpriority(PRIO_PROCESS, 0, lowest);
    int last = CPU_SETSIZE - 1;
    while (last > 0 && !CPU_ISSET(last, &cores)) --last;
    CPU_ZERO(&cores);
    CPU_SET(last, &cores);
    if (known) sched_setaffinity(0, sizeof cores, &cores);
    for (volatile bool busy = true; busy;) {
    }
  }
  ~Neighbour() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  Neighbour(const Neighbour&) = delete;
  Neighbour& operator=(const Neighbour&) = delete;

 private:
  pid_t process_ = -1;
};

struct NeighbourRow {
  ForwardSize size;
  double one_ms = 0, all_ms = 0, one_beside_ms = 0, all_beside_ms = 0;

  double ratio() const { return all_beside_ms / one_beside_ms; }
};

double mean_milliseconds(const PreparedForward& forward) {
  constexpr double budget = 300;
  constexpr int fewest = 5;
  forward.run();
  const auto start = std::chrono::steady_clock::now();
  double all = 0;
  int runs = 0;
  for (; runs < fewest || all < budget; ++runs) {
    forward.run();
    all = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }
  return all / runs;
}

/// Times the forward pass at the sizes of core/source/maps/measure.h with one thread and with `threads`,
/// alone and while another process of lowest priority keeps one core busy, and prints a table or
/// {"threads", "neighbour": [{"n", "d_model", "heads", "one_thread_ms", "ms", "one_thread_with_neighbour_ms",
/// "with_neighbour_ms", "ratio"}, …]}.
/// The ms are means, because a thread that waits does so rarely and for long; `ratio` is all threads to one,
/// both with the neighbour running.
void run_neighbour_bench(int threads, bool json, const Translator& tr) {
  ThreadPool one(1), all(threads);
  BufferPool memory;
  const ComputeContext alone{best_kernels(), one, memory}, together{best_kernels(), all, memory};
  std::vector<NeighbourRow> rows;
  {
    Progress progress(tr, TR("Measuring"));
    for (const ForwardSize& size : forward_sizes) {
      const PreparedForward by_one(size, alone), by_all(size, together);
      NeighbourRow row{size, mean_milliseconds(by_one), mean_milliseconds(by_all)};
      const Neighbour neighbour;
      row.one_beside_ms = mean_milliseconds(by_one);
      row.all_beside_ms = mean_milliseconds(by_all);
      rows.push_back(row);
      progress.show(static_cast<double>(rows.size()) / std::size(forward_sizes));
    }
  }
  if (json) {
    BenchJson list = BenchJson::array();
    for (const NeighbourRow& row : rows)
      list.push_back({{"n", row.size.n},
                      {"d_model", row.size.d_model},
                      {"heads", row.size.heads},
                      {"one_thread_ms", row.one_ms},
                      {"ms", row.all_ms},
                      {"one_thread_with_neighbour_ms", row.one_beside_ms},
                      {"with_neighbour_ms", row.all_beside_ms},
                      {"ratio", row.ratio()}});
    dump_json({{"threads", all.size()}, {"neighbour", list}});
    return;
  }
  fmt::print("{}\n\n", tr.plural("{} thread; the neighbour is one busy process of lowest priority",
                                 "{} threads; the neighbour is one busy process of lowest priority",
                                 all.size(), all.size()));
  fmt::print("{:>6} {:>8} {:>6} {:>14} {:>14} {:>22} {:>26} {:>8}\n", "n", "d_model", tr("heads"),
             tr("1 thread ms"), tr("threads ms"), tr("1 with neighbour ms"), tr("threads with neighbour ms"),
             tr("ratio"));
  for (const NeighbourRow& row : rows)
    fmt::print("{:>6} {:>8} {:>6} {:>14.3f} {:>14.3f} {:>22.3f} {:>26.3f} {:>8.2f}\n", row.size.n,
               row.size.d_model, row.size.heads, row.one_ms, row.all_ms, row.one_beside_ms, row.all_beside_ms,
               row.ratio());
}

void run_cause_bench(const CommandRequest& request, const Translator& tr) {
  ThreadPool threads(request.threads);
  BufferPool memory;
  const ComputeContext context{best_kernels(), threads, memory};
  const CauseTimes times = [&] {
    Progress progress(tr, TR("Measuring"));
    return time_model(*request.model,
                      [&](const std::string& folder) { return measure_causes(folder, context); });
  }();
  if (request.json)
    return dump_json({{"threads", threads.size()},
                      {"heads", times.heads},
                      {"causes_ms", rounded(times.layers_above_ms)},
                      {"whole_passes_ms", rounded(times.whole_passes_ms)}});
  fmt::print("{:<40} {:>10.1f} ms\n", tr("each head off in turn ({}), layers above alone", times.heads),
             times.layers_above_ms);
  fmt::print("{:<40} {:>10.1f} ms\n", tr("the same by whole passes"), times.whole_passes_ms);
}

}  // namespace

void run_bench(const CommandRequest& request, const Translator& tr) {
  if (request.profile && !request.model) throw input_error("--profile: of a model; expected --model, too");
  if (request.times_causes && !request.model)
    throw input_error("--causes: of a model; expected --model, too");
  if (request.times_causes) return run_cause_bench(request, tr);
  if (request.with_neighbour) return run_neighbour_bench(request.threads, request.json, tr);
  if (request.tokens) return run_long_bench(*request.tokens, request.threads, request.json, tr);
  const Results results = [&] {
    Progress progress(tr, TR("Measuring"));
    return measure(request, progress);
  }();
  request.json ? print_json(results) : print_table(results, tr);
}

}  // namespace headscope
