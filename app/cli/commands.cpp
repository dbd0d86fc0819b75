#include "app/cli/commands.h"

#include <cstdint>
#include <memory>

#include "app/cli/machine_memory.h"
#include "app/cli/notes.h"
#include "app/cli/output.h"
#include "core/base/error.h"
#include "core/io/formats.h"
#include "core/scene/head_table.h"
#include "core/source/engine.h"
#include "core/source/write_arrays.h"

namespace headscope {
namespace {

/// Refuses what would drive the machine out of memory, before anything is computed.
void check_memory(const Inputs& inputs, std::size_t map_budget) {
  const InputTokens tokens = tokens_of(inputs);
  const std::size_t cells = tokens.queries.size() * tokens.keys.size();
  const std::size_t layer = 2 * sizeof(float) * cells * static_cast<std::size_t>(inputs.heads);
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

struct Ran {
  std::shared_ptr<const Trace> trace;
  std::string notes;
};

Ran run(const CommandRequest& request, const Inputs& inputs, std::size_t map_budget, const Translator& tr) {
  validate(inputs);
  check_memory(inputs, map_budget);
  Ran ran;
  try {
    ran.trace = Engine().run(inputs, {request.session.view.layer, map_budget});
  } catch (const Error&) {
    check_session_masks(request, inputs);  // if it is they, with the file that they come from
    throw;
  }
  ran.notes = mask_notes(inputs, ran.trace->tokens, ran.trace->mask, tr);
  return ran;
}

// The complaint says which of the two sides it is about.
Ran run_other(const CommandRequest& request, std::size_t map_budget, const Translator& tr) try {
  Ran ran = run(request, *request.session.compare, map_budget, tr);
  if (!ran.notes.empty()) ran.notes = "B: " + ran.notes;
  return ran;
} catch (const Error& error) {
  throw error.at("B");
}

}  // namespace

void run_export(const CommandRequest& request, const Translator& tr) {
  const Output output(request.output, "figure", endings(figure_formats()));
  constexpr std::size_t map_budget = std::size_t{1} << 30;
  const Session& session = request.session;
  const Ran ran = run(request, session.inputs, map_budget, tr);
  Ran other;
  if (session.view.kind == ViewKind::compare && session.compare) other = run_other(request, map_budget, tr);
  FigureOptions options = request.figure;
  options.language = tr.language();
  output.write(
      [&](const std::string& path) { export_figure(path, *ran.trace, session, options, other.trace.get()); });
  print_notes(joined(ran.notes, other.notes));
}

void run_tensors(const CommandRequest& request, const Translator& tr) {
  const Output output(request.output, "arrays", endings(array_writers()));
  const Session& session = request.session;
  const Ran ran = run(request, session.inputs, request.layer_given ? 0 : SIZE_MAX, tr);
  const int layer = request.layer_given ? session.view.layer : -1;
  output.write([&](const std::string& path) {
    write_arrays(path, *ran.trace, layer, session_json(ran.trace->inputs));
  });
  print_notes(ran.notes);
}

void run_heads(const CommandRequest& request, const Translator& tr) {
  const Output output(request.output, "heads", endings(head_table_formats()));
  const Session& session = request.session;
  const bool grouped = session.view.groups > 1;
  // Numbers need no maps once they are computed; groups compare all of them.
  const Ran ran = run(request, session.inputs, grouped ? SIZE_MAX : 0, tr);
  const int layer = request.layer_given ? session.view.layer : -1;
  HeadTree tree;
  if (grouped) tree = head_tree(*head_similarity(*ran.trace), session.view.groups);
  const HeadNotes notes{session.labels, grouped ? &tree : nullptr};
  output.write([&](const std::string& path) {
    write_file(path, find_format(head_table_formats(), path)->text(*ran.trace, layer, notes));
  });
  print_notes(ran.notes);
}

}  // namespace headscope
