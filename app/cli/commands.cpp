#include "app/cli/commands.h"

#include <cstdint>
#include <memory>

#include "app/cli/machine_memory.h"
#include "app/cli/notes.h"
#include "app/cli/output.h"
#include "core/analysis/population.h"
#include "core/attention/engine.h"
#include "core/error.h"
#include "core/io/arrays.h"
#include "core/io/file.h"

namespace headscope {
namespace {

std::string notes_of(const Trace& trace, const Translator& tr) {
  return mask_notes(trace.inputs, trace.tokens, trace.mask, tr);
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

std::shared_ptr<const Trace> run(const Inputs& inputs, int layer, std::size_t map_budget) {
  validate(inputs);
  check_memory(inputs, map_budget);
  return Engine().run(inputs, {layer, map_budget});
}

// The complaint says which of the two sides it is about.
std::shared_ptr<const Trace> run_other(const Inputs& inputs, int layer, std::size_t map_budget) try {
  return run(inputs, layer, map_budget);
} catch (const Error& error) {
  throw error.at("B");
}

}  // namespace

void run_export(const CommandRequest& request, const Translator& tr) {
  const Output output(request.output, "figure", {".png", ".svg", ".pdf"});
  constexpr std::size_t map_budget = std::size_t{1} << 30;
  const Session& session = request.session;
  const auto trace = run(session.inputs, session.view.layer, map_budget);
  std::string notes = notes_of(*trace, tr);
  std::shared_ptr<const Trace> other;
  if (session.view.kind == ViewKind::compare && session.compare) {
    other = run_other(*session.compare, session.view.layer, map_budget);
    if (const std::string more = notes_of(*other, tr); !more.empty())
      notes += (notes.empty() ? "B: " : "; B: ") + more;
  }
  FigureOptions options = request.figure;
  options.language = tr.language();
  output.write([&](const std::string& path) { export_figure(path, *trace, session, options, other.get()); });
  print_notes(notes);
}

void run_tensors(const CommandRequest& request, const Translator& tr) {
  const Output output(request.output, "arrays", {".npz", ".safetensors", ".csv", ".json"});
  const Session& session = request.session;
  const auto trace = run(session.inputs, session.view.layer, request.layer_given ? 0 : SIZE_MAX);
  const int layer = request.layer_given ? session.view.layer : -1;
  output.write([&](const std::string& path) { write_arrays(path, *trace, layer); });
  print_notes(notes_of(*trace, tr));
}

void run_heads(const CommandRequest& request, const Translator& tr) {
  const Output output(request.output, "heads", {".csv", ".json"});
  const Session& session = request.session;
  const bool grouped = session.view.groups > 1;
  // Numbers need no maps once they are computed; groups compare all of them.
  const auto trace = run(session.inputs, session.view.layer, grouped ? SIZE_MAX : 0);
  const int layer = request.layer_given ? session.view.layer : -1;
  HeadTree tree;
  if (grouped) tree = head_tree(*head_similarity(*trace), session.view.groups);
  const HeadNotes notes{session.labels, grouped ? &tree : nullptr};
  output.write([&](const std::string& path) {
    write_file(path,
               ending(path) == ".csv" ? heads_csv(*trace, layer, notes) : heads_json(*trace, layer, notes));
  });
  print_notes(notes_of(*trace, tr));
}

}  // namespace headscope
