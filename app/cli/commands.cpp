#include "app/cli/commands.h"

#include <cstdint>
#include <memory>

#include "app/cli/machine_memory.h"
#include "app/cli/notes.h"
#include "app/cli/output.h"
#include "core/base/error.h"
#include "core/io/formats.h"
#include "core/scene/head_table.h"
#include "core/session/session_figure.h"
#include "core/source/engine.h"
#include "core/source/write_arrays.h"

namespace headscope {
namespace {

/// How many arrays of maps [heads, n_q, n_k] a command holds at once.
constexpr std::size_t one_layer = 1;

/// Refuses what would drive the machine out of memory, before anything is computed.
void check_memory(const Inputs& inputs, std::size_t map_arrays) {
  const std::size_t available = available_memory();
  const auto bytes_of = [&](std::size_t queries, std::size_t keys) {
    const auto heads = static_cast<std::size_t>(shape_of(inputs).front().heads);
    return map_arrays * sizeof(float) * queries * keys * heads;
  };
  // No text has more tokens than bytes; the run splits it, and says where there are too many.
  const std::string& keys = inputs.cross() ? *inputs.key_sentence : inputs.sentence;
  if (bytes_of(inputs.sentence.size(), keys.size()) <= available / 2) return;
  const InputTokens tokens = tokens_of(inputs);
  const std::size_t needed = bytes_of(tokens.queries.size(), tokens.keys.size());
  constexpr double gigabyte = 1e9;
  if (needed / 10 > available / 11)
    throw unable_error(
        "the maps need {} GB of memory, {} GB are free; use fewer tokens, heads or layers, or keep one layer "
        "with --layer",
        fmt::format("{:.1f}", static_cast<double>(needed) / gigabyte),
        fmt::format("{:.1f}", static_cast<double>(available) / gigabyte));
}

struct Ran {
  std::shared_ptr<const Trace> trace;
  std::string notes;
};

Ran run(const CommandRequest& request, const Inputs& inputs, std::size_t map_arrays, const Translator& tr,
        const RunOptions& options = {}) {
  validate(inputs);
  check_memory(inputs, map_arrays);
  Ran ran;
  try {
    ran.trace = Engine().run(inputs, options);
  } catch (const Error&) {
    check_session_masks(request, inputs);  // if it is they, with the file that they come from
    throw;
  }
  ran.notes = mask_notes(inputs, ran.trace->blocks.front().tokens, ran.trace->blocks.front().mask, tr);
  return ran;
}

// The complaint says which of the two sides it is about.
Ran run_other(const CommandRequest& request, std::size_t map_arrays, const Translator& tr) try {
  Ran ran = run(request, *request.session.compare, map_arrays, tr);
  if (!ran.notes.empty()) ran.notes = tr.format("{}: {}", "B", ran.notes);
  return ran;
} catch (const Error& error) {
  throw error.at("B");
}

}  // namespace

void run_export(const CommandRequest& request, const Translator& tr) {
  const Output output(request.output, "figure", endings(figure_formats()));
  const Session& session = request.session;
  const Ran ran = run(request, session.inputs, one_layer, tr);
  Ran other;
  if (session.view.kind == ViewKind::compare && session.compare) other = run_other(request, one_layer, tr);
  FigureOptions options = request.figure;
  options.language = tr.language();
  output.write([&](const std::string& path) {
    export_figure(path, scene_of(session, ran.trace, other.trace),
                  request.keep_session ? to_json(session, false) : "", options);
  });
  print_notes(joined(ran.notes, other.notes, tr));
}

void run_tensors(const CommandRequest& request, const Translator& tr) {
  const Output output(request.output, "arrays", endings(array_writers()));
  const Session& session = request.session;
  const int layers = request.layer_given ? 1 : shape_of(session.inputs).front().layers;
  RunOptions options;
  options.stack_output = true;
  const Ran ran = run(request, session.inputs, 2 * static_cast<std::size_t>(layers), tr, options);
  const int layer = request.layer_given ? session.view.layer : -1;
  output.write([&](const std::string& path) {
    write_arrays(path, *ran.trace, layer, request.keep_session ? session_json(ran.trace->inputs) : "");
  });
  print_notes(ran.notes);
}

void run_heads(const CommandRequest& request, const Translator& tr) {
  const Output output(request.output, "heads", endings(head_table_formats()));
  const Session& session = request.session;
  const bool grouped = session.view.groups > 1;
  const Ran ran = run(request, session.inputs, one_layer, tr);
  const int layer = request.layer_given ? session.view.layer : -1;
  const BlockTrace& block = ran.trace->blocks.front();
  const auto statistics = block_statistics(block, layer < 0 ? std::nullopt : std::optional(layer));
  std::vector<HeadRow> rows = sorted_rows(block, statistics.get(), {}, {}, nullptr);
  std::erase_if(rows, [](const HeadRow& row) { return row.statistics == nullptr; });
  HeadTree tree;
  if (grouped) tree = head_tree(*head_similarity(block), session.view.groups);
  const char* note = statistics_note(block);
  const HeadNotes notes{session.labels, grouped ? &tree : nullptr};
  output.write([&](const std::string& path) {
    write_file(path, find_format(head_table_formats(), path)->text(rows, notes));
  });
  print_notes(joined(ran.notes, note == nullptr ? "" : tr(note), tr));
}

}  // namespace headscope
