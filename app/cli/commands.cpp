#include "app/cli/commands.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <set>

#include "app/cli/machine_memory.h"
#include "app/cli/output.h"
#include "core/analysis/population.h"
#include "core/attention/engine.h"
#include "core/error.h"
#include "core/io/arrays.h"
#include "core/io/file.h"

namespace headscope {
namespace {

// Rows of zeros look like a fault unless one is told why they are there.
void tell_empty_queries(const Trace& trace, const Translator& tr) {
  if (trace.inputs.mask_fill != MaskFill::minus_infinity || !trace.mask.any()) return;
  std::set<Index> queries;
  for (int h = 0; h < trace.inputs.heads; ++h)
    for (Index query : trace.mask.empty_queries(h)) queries.insert(query);
  if (queries.empty()) return;
  const Index first = *queries.begin();
  const std::string& token = trace.tokens[static_cast<std::size_t>(first)].text;
  const std::string message =
      queries.size() == 1
          ? tr.format("query {} \"{}\" has no key to attend to: all keys are blocked, its weights are 0",
                      first, token)
          : tr.format(
                "{} queries have no key to attend to, the first is {} \"{}\": all keys are blocked, their "
                "weights "
                "are 0",
                queries.size(), first, token);
  std::fprintf(stderr, "headscope: %s\n", message.c_str());
}

/// Refuses what would drive the machine out of memory, before anything is computed.
void check_memory(const Inputs& inputs, std::size_t map_budget) {
  const std::size_t n_q = words(inputs.sentence).size();
  const std::size_t n_k = inputs.cross() ? words(*inputs.key_sentence).size() : n_q;
  const std::size_t layer = 2 * sizeof(float) * n_q * n_k * static_cast<std::size_t>(inputs.heads);
  const std::size_t all = layer * static_cast<std::size_t>(inputs.layers);
  const std::size_t needed = all <= map_budget ? all : layer;
  const std::size_t available = available_memory();
  constexpr double gigabyte = 1e9;
  if (needed / 10 > available / 11)
    throw unable_error(
        "the maps need {} GB of memory and {} GB are free; fewer tokens, heads or layers need less, and "
        "--layer "
        "keeps one layer",
        fmt::format("{:.1f}", static_cast<double>(needed) / gigabyte),
        fmt::format("{:.1f}", static_cast<double>(available) / gigabyte));
}

std::shared_ptr<const Trace> run(const CommandRequest& request, const Translator& tr,
                                 std::size_t map_budget) {
  const Inputs& inputs = request.session.inputs;
  validate(inputs);
  check_memory(inputs, map_budget);
  Engine engine;
  auto trace = engine.run(inputs, {request.session.view.layer, map_budget});
  tell_empty_queries(*trace, tr);
  return trace;
}

}  // namespace

void run_export(const CommandRequest& request, const Translator& tr) {
  const Output output(request.output, "figure", {".png", ".svg", ".pdf"});
  const auto trace = run(request, tr, std::size_t{1} << 30);
  FigureOptions options = request.figure;
  options.language = tr.language();
  const Session& session = request.session;
  std::shared_ptr<const Trace> other;
  if (session.view.kind == ViewKind::compare && session.compare)
    other = Engine().run(*session.compare, {session.view.layer, std::size_t{1} << 30});
  output.write([&](const std::string& path) { export_figure(path, *trace, session, options, other.get()); });
}

void run_tensors(const CommandRequest& request, const Translator& tr) {
  const Output output(request.output, "arrays", {".npz", ".safetensors", ".csv", ".json"});
  const auto trace = run(request, tr, request.layer_given ? 0 : SIZE_MAX);
  const int layer = request.layer_given ? request.session.view.layer : -1;
  output.write([&](const std::string& path) { write_arrays(path, *trace, layer); });
}

void run_heads(const CommandRequest& request, const Translator& tr) {
  const Output output(request.output, "heads", {".csv", ".json"});
  const auto trace = run(request, tr, 0);
  output.write([&](const std::string& path) {
    write_file(path, ending(path) == ".csv" ? heads_csv(*trace) : heads_json(*trace));
  });
}

}  // namespace headscope
