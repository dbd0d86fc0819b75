#include "app/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/messages.h"
#include "app/cli/notes.h"
#include "app/cli/output.h"
#include "app/cli/run_inputs.h"
#include "core/analysis/shown_circuits.h"
#include "core/analysis/statistics.h"
#include "core/base/error.h"
#include "core/io/formats.h"
#include "core/scene/head_table.h"
#include "core/scene/shown_block.h"
#include "core/scene/source_title.h"
#include "core/session/session_figure.h"
#include "core/source/engine/engine.h"
#include "core/source/maps/pooled_maps.h"
#include "core/source/maps/rollout.h"
#include "core/source/maps/work_forecast.h"
#include "core/source/seeded/pytorch_text.h"
#include "core/source/write/write_arrays.h"

namespace headscope {
namespace {

/// How many arrays of maps [heads, n_q, n_k] a command holds at once.
constexpr std::size_t one_layer = 1;

bool wants_outputs(const CommandRequest& request) {
  return request.arrays.empty() || std::ranges::any_of(request.arrays, [](const std::string& name) {
           return name.ends_with("context") || name.ends_with("output");
         });
}

/// The number of a layer's map arrays that are requested.
std::size_t maps_wanted(const CommandRequest& request) {
  if (request.arrays.empty()) return request.session.view.cells == CellValue::weight ? 2 : 3;
  return std::ranges::count_if(request.arrays, [](const std::string& name) {
    return std::ranges::any_of(cell_values(),
                               [&](const CellValueRow& row) { return name.ends_with(row.array); });
  });
}

bool has_scores(const BlockTrace& block) {
  std::vector<float> row(block.n_k());
  return block.layer_count() > 0 && block.n_q() > 0 && block.maps->score_rows(0, 0, 0, 1, row.data());
}

/// Of the maps wanted those that a block has: captures often have no scores.
std::size_t maps_written(const CommandRequest& request, const BlockTrace& block) {
  const bool all = request.arrays.empty();
  return maps_wanted(request) - (all && !has_scores(block) ? 1 : 0);
}

/// Of the blocks that have one. Throws Error (input) if none has.
void add_rollouts(const CommandRequest& request, const std::shared_ptr<const Trace>& trace,
                  ArraySelection& selection) {
  RolloutOptions options = request.session.view.rollout;
  if (options.of == Rollout::off) options.of = Rollout::weights;
  const char* missing = nullptr;
  for (const BlockTrace& block : trace->blocks) {
    if (selection.block && block.shape.kind != *selection.block) continue;
    if (const char* why = missing_for_rollout(*trace, block, options.of))
      missing = why;
    else
      selection.rollouts[block.shape.kind] = with_rollout(trace, block_of(trace, block.shape.kind), options);
  }
  if (selection.rollouts.empty() && missing != nullptr) throw input_error(missing).at("rollout");
}

/// Refuses full maps of a long text before they are computed, and says what can be written instead.
void check_long_arrays(const CommandRequest& request) {
  const Inputs& inputs = request.session.inputs;
  const InputTokens tokens = tokens_of(inputs);
  const Index n_q = std::ssize(tokens.queries), n_k = std::ssize(tokens.keys);
  const Index rows = request.queries ? std::min(request.queries->end, n_q) - request.queries->begin : n_q;
  const std::size_t layers = request.layer_given ? 1 : inputs.layers;
  try {
    check_memory(inputs.heads, std::max<Index>(rows, 0), n_k, maps_wanted(request) * layers);
  } catch (const Error&) {
    const double needed = 4e-9 * inputs.heads * static_cast<double>(rows) * static_cast<double>(n_k) *
                          static_cast<double>(maps_wanted(request) * layers);
    throw unable_error(
        "the maps need {} GB of memory; write some of their rows with --queries A:B, one layer with --layer, "
        "or other arrays with --arrays, as in --arrays x,q,k,v",
        fmt::format("{:.1f}", needed));
  }
}

}  // namespace

void run_tensors(const CommandRequest& request, const Translator& tr) {
  const Output output(request.output, "arrays", endings(array_writers()));
  const Session& session = request.session;
  const int seeded_layers = request.layer_given ? 1 : session.inputs.layers;
  RunOptions options;
  options.stack_output = true;
  if (has_long_text(session.inputs)) {
    check_long_arrays(request);
    options.maps_alone = !wants_outputs(request);
    options.stack_output = !options.maps_alone;
  }
  const Ran ran = run(request, session.inputs, 2 * static_cast<std::size_t>(seeded_layers), tr, options);
  expect_tokens(*ran.trace);
  const View& view = session.view;
  check_cells(request, *ran.trace, view, request.block_given ? std::optional(view.block) : std::nullopt);
  const auto trace = trace_with_cells(ran.trace, cell_question(view, *ran.trace));
  ArraySelection selection(request.layer_given ? session.view.layer : -1);
  if (request.block_given) selection.block = session.view.block;
  selection.names = request.arrays;
  selection.queries = request.queries;
  for (const HeadLabel& label : session.labels) selection.head_names[{label.layer, label.head}] = label.name;
  selection.source = source_title(Translator(), *ran.trace);
  if (request.keep_session) selection.sentence = sentence_of(*ran.trace);
  if (wants_rollout(request)) add_rollouts(request, ran.trace, selection);
  double bytes = 0;
  for (const BlockTrace& block : trace->blocks) {
    const Index rows = request.queries ? request.queries->end - request.queries->begin : block.n_q();
    const int layers = request.layer_given ? 1 : block.layer_count();
    const std::size_t maps = maps_written(request, block);
    check_memory(block.heads(), rows, block.n_k(), maps * layers);
    bytes += static_cast<double>(sizeof(float) * maps) * layers * block.heads() * static_cast<double>(rows) *
             static_cast<double>(block.n_k());
  }
  Session kept;
  kept.inputs = ran.trace->inputs;
  output.write([&](const std::string& path) {
    const Progress progress(tr, TR("Writing the arrays"));
    progress.report(
        forecast_of_arrays(bytes, ending(request.output) == ".csv" || ending(request.output) == ".json"));
    write_arrays(path, *trace, selection,
                 request.keep_session ? to_json(with_relative_paths(kept, request.output), false) : "");
  });
  print_notes(ran.notes);
}

void run_pytorch(const CommandRequest& request, const Translator& tr) {
  RunOptions options;
  options.no_layers = true;
  const Ran ran = run(request, request.session.inputs, 0, tr, options);
  fmt::print("{}", pytorch_text(*ran.trace, tr));
  print_notes(ran.notes);
}

namespace {

// Sorts by the weight from the requested query to the requested key, largest first.
void sort_by_cell(const CommandRequest& request, const BlockTrace& block, std::vector<HeadRow>& rows,
                  HeadNotes& notes) {
  check_cell(request, block);
  std::vector<HeadRow> sorted;
  const auto heads = heads_at_cell(block, *request.query, *request.key);
  for (const HeadAtCell& head : *heads) {
    const auto row = std::ranges::find_if(
        rows, [&](const HeadRow& each) { return each.layer == head.layer && each.head == head.head; });
    if (row == rows.end()) continue;
    sorted.push_back(*row);
    notes.weights.push_back(head.weight);
  }
  rows = std::move(sorted);
}

}  // namespace

void run_heads(const CommandRequest& request, const Translator& tr) {
  std::optional<Output> output;
  if (request.is_given("-o,--output")) output.emplace(request.output, "heads", endings(head_table_formats()));
  const Session& session = request.session;
  const bool grouped = session.view.table.groups > 1;
  RunOptions options;
  options.maps_alone = has_long_text(session.inputs);
  const Ran ran = run(request, session.inputs, one_layer, tr, options);
  expect_tokens(*ran.trace);
  View view = session.view;
  const std::string fitted = fit_view(request, *ran.trace, view, tr);
  const int layer = request.layer_given ? view.layer : -1;
  const auto in_view = block_of(ran.trace, view.block);
  const BlockTrace& block = *in_view;
  const auto statistics = [&] {
    Progress progress(tr, TR("Reading the maps"));
    progress.report(forecast_of_statistics(block, block.heads() * (layer < 0 ? block.layer_count() : 1)));
    return block_statistics(block, layer < 0 ? std::nullopt : std::optional(layer), {},
                            [&](double share) { progress.show(share); });
  }();
  const auto circuits = [&] {
    Progress progress(tr, TR("Reading what the heads can do"));
    return circuit_numbers(block, view.circuits.center_logits, {},
                           [&](double share) { progress.show(share); });
  }();
  std::vector<HeadRow> rows = sorted_rows(block, statistics.get(), {}, {}, nullptr, circuits.get());
  std::erase_if(rows, [](const HeadRow& row) { return row.statistics == nullptr; });
  HeadTree tree;
  if (grouped) {
    const Progress progress(tr, TR("Comparing heads"));
    progress.report(forecast_of_similarity(block));
    tree = head_tree(*head_similarity(block), session.view.table.groups);
  }
  const char* note = statistics_note(block, layer < 0 ? std::nullopt : std::optional(layer));
  HeadNotes notes{session.labels, grouped ? &tree : nullptr, {}, relations_of(*ran.trace, block.shape.kind)};
  if (request.query && request.key) sort_by_cell(request, block, rows, notes);
  check_read(*ran.trace);
  if (output)
    output->write([&](const std::string& path) {
      write_file(path,
                 with_origin(path, find_format(head_table_formats(), path)->text(rows, notes), *ran.trace));
    });
  else
    print_text(heads_text(rows, notes));
  print_notes(joined(fitted, joined(ran.notes, note == nullptr ? "" : tr(note), tr), tr));
}

}  // namespace headscope
