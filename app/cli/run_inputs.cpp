#include "app/cli/run_inputs.h"

#include <algorithm>
#include <filesystem>

#include "app/cli/messages.h"
#include "app/cli/notes.h"
#include "app/cli/token_option.h"
#include "core/analysis/expectations.h"
#include "core/base/error.h"
#include "core/inputs/cost.h"
#include "core/inputs/names.h"
#include "core/io/file.h"
#include "core/session/session_figure.h"
#include "core/source/engine/engine.h"
#include "core/source/maps/cell_maps.h"
#include "core/source/maps/pooled_maps.h"
#include "core/source/maps/rollout.h"
#include "core/system/machine_memory.h"

namespace headscope {
namespace {

constexpr double gigabyte = 1e9;

std::string in_gigabytes(std::uint64_t bytes) {
  return fmt::format("{:.1f}", static_cast<double>(bytes) / gigabyte);
}

/// x, Q, K and V of each layer, its context and output, and the operands of the products: what is kept for a
/// text whose maps are not.
void check_vector_memory(const Inputs& inputs, const InputTokens& tokens) {
  constexpr std::size_t of_layer = 6, at_once = 4;
  const std::size_t n = std::max(tokens.queries.size(), tokens.keys.size());
  const std::uint64_t needed =
      std::uint64_t{n} * inputs.d_model * sizeof(float) * (of_layer * inputs.layers + at_once);
  const std::size_t available = available_memory();
  if (needed / 10 > available / 11)
    throw unable_error(
        "the vectors of this text need {} GB of memory, {} GB are free; use fewer tokens or layers, or a "
        "smaller d_model",
        in_gigabytes(needed), in_gigabytes(available));
}

/// Refuses inputs that would exhaust the machine's memory, before anything is computed.
void check_seeded_memory(const Inputs& inputs, std::size_t map_arrays) {
  if (!inputs.about().known_ahead) return;  // only the trace knows its number of heads; it holds no maps
  const std::uint64_t heads = inputs.heads;
  // No text has more tokens than bytes; the run tokenizes it, and reports too many tokens.
  const std::string& keys = inputs.cross() ? *inputs.key_sentence : inputs.sentence;
  if (heads * map_arrays * sizeof(float) * inputs.sentence.size() * keys.size() <= available_memory() / 2)
    return;
  const InputTokens tokens = tokens_of(inputs);
  if (is_long(tokens)) return check_vector_memory(inputs, tokens);
  check_memory(inputs.heads, std::ssize(tokens.queries), std::ssize(tokens.keys), map_arrays);
}

}  // namespace

void check_memory(Index heads, Index n_q, Index n_k, std::size_t map_arrays) {
  const std::size_t available = available_memory();
  const std::uint64_t needed = std::uint64_t{map_arrays} * sizeof(float) * heads * n_q * n_k;
  if (needed / 10 > available / 11)
    throw unable_error(
        "the maps need {} GB of memory, {} GB are free; use fewer tokens, heads or layers, or keep one layer "
        "with --layer",
        in_gigabytes(needed), in_gigabytes(available));
}

Error no_such_attention(BlockKind kind) {
  return input_error("--block is {}; there is no attention of this kind", to_name(kind));
}

void expect_head(const CommandRequest& request, const View& view, Index layers, Index heads) {
  // "--head 7.0" names both.
  const bool in_head = request.layer_given && !request.is_given("--layer");
  const auto expect = [&](const char* option, const char* name, int number, Index count) {
    if (number >= count)
      throw in_head ? out_of_range(name, number, count).at("--head") : out_of_range(option, number, count);
  };
  if (request.layer_given) expect("--layer", "layer", view.layer, layers);
  if (request.layer_given && heads == 0)
    throw input_error("layer {} has no heads; expected another one", view.layer)
        .at(in_head ? "--head" : "--layer");
  if (request.head_given) expect("--head", "head", *view.head, heads);
}

std::optional<Error> fit_view(const CommandRequest& request, const BlockShape& shape, View& view) {
  const int asked = request.layer_given ? std::min(view.layer, shape.layers - 1) : shape.layer_with_maps(0);
  expect_head(request, view, shape.layers, shape.heads_of(asked));
  if (request.block_given && view.block != shape.kind) throw no_such_attention(view.block);
  std::optional<Error> note;
  // Values that are not from a file were chosen here, before the number of layers and heads was known.
  if (!request.file.empty()) {
    if (view.layer >= shape.layers)
      note = out_of_range("view.layer", view.layer, shape.layers).at(request.file);
    if (view.head && *view.head >= shape.heads)
      note = out_of_range("view.head", *view.head, shape.heads).at(request.file);
  }
  const bool any_head = !view.head;
  fit_view(view, shape);
  if (view.row().zooms && !any_head && !view.head) view.head = 0;
  return note;
}

void check_cells(const CommandRequest& request, const Trace& trace, const View& view,
                 std::optional<BlockKind> only) {
  const char* missing = nullptr;
  if (request.is_given("--rollout") && only) {
    const auto block =
        std::ranges::find(trace.blocks, *only, [](const BlockTrace& one) { return one.shape.kind; });
    if (block == trace.blocks.end()) throw no_such_attention(*only);
    missing = missing_for_rollout(trace, *block, view.rollout.of);
    if (missing != nullptr) throw input_error(missing).at("--rollout");
  }
  if (!request.is_given("--cells")) return;
  for (const BlockTrace& block : trace.blocks) {
    if (only && block.shape.kind != *only) continue;
    missing = missing_for_cells(trace, block, view.cells);
    if (missing == nullptr) break;
  }
  if (missing != nullptr) throw input_error(missing).at(std::string("--cells ") + to_name(view.cells));
  const auto asked =
      std::ranges::find(trace.blocks, view.block, [](const BlockTrace& one) { return one.shape.kind; });
  if (request.layer_given && asked != trace.blocks.end() && !asked->shape.is_softmax(view.layer))
    throw input_error(
        "only heads of softmax attention have them, and layer {} has none; expected another one", view.layer)
        .at(std::string("--cells ") + to_name(view.cells));
  if (view.cells != CellValue::logit) return;
  const PredictionOptions& options = view.predictions;
  if (!options.token.empty()) one_token("--token", options.token, *trace.predictions);
  if (!options.against.empty()) one_token("--against", options.against, *trace.predictions);
}

std::string fit_view(const CommandRequest& request, const Trace& trace, View& view, const Translator& tr) {
  const auto found =
      std::ranges::find(trace.blocks, view.block, [](const BlockTrace& block) { return block.shape.kind; });
  const BlockTrace& block = found == trace.blocks.end() ? trace.blocks.front() : *found;
  const std::optional<Error> note = fit_view(request, block.shape, view);
  if (request.is_given("--position") && view.predictions.position && trace.predictions) {
    const Index n = predicting_block(trace).n_q();
    if (*view.predictions.position >= n) throw out_of_range("--position", *view.predictions.position, n);
  }
  return note ? tr(*note) : "";
}

Ran run(const CommandRequest& request, const Inputs& inputs, std::size_t map_arrays, const Translator& tr,
        const RunOptions& options) {
  Engine engine;
  return run(engine, request, inputs, map_arrays, tr, options);
}

namespace {

void expect_features(const Trace& trace) {
  const SourceAbout& about = trace.about();
  if (trace.inputs.features.empty())
    throw input_error(
        "--features is missing; this model hears, and reads a log-mel spectrogram: a .npy file of [{}, {}] "
        "numbers, frames and bands",
        about.sound_frames, about.sound_bands);
}

}  // namespace

Ran run(Engine& engine, const CommandRequest& request, const Inputs& inputs, std::size_t map_arrays,
        const Translator& tr, const RunOptions& options) {
  validate(inputs);
  check_parameter_count(inputs);
  check_seeded_memory(inputs, map_arrays);
  Ran ran;
  try {
    Progress progress(tr, TR("Computing attention"));
    RunOptions reported = options;
    if (!reported.forecast) reported.forecast = [&](const Forecast& forecast) { progress.report(forecast); };
    reported.progress = [&](double share) { progress.show(share); };
    ran.trace = engine.run(inputs, reported);
  } catch (const Error& error) {
    check_session_masks(request, inputs);  // if the masks are wrong, names the file that they come from
    if (comes_from_file(request)) throw error.at(request.file);
    throw;
  }
  const BlockTrace& first = ran.trace->blocks.front();
  ran.notes = mask_notes(inputs, first.heads(), first.tokens, first.mask, tr);
  if (!ran.trace->about().divides_scores)
    for (const char* option : {"--no-scale", "--scale"})
      if (request.is_given(option))
        ran.notes =
            joined(ran.notes, tr("{} has no effect: this model does not divide scores by √d_k", option), tr);
  if (ran.trace->about().hears()) {
    expect_features(*ran.trace);
    for (const char* option : {"--sentence", "--other-sentence", "--key-sentence"})
      if (request.is_given(option))
        ran.notes =
            joined(ran.notes, tr("{} has no effect: this model hears, and reads a spectrogram", option), tr);
  }
  const auto known = request.session.model_weights.find(inputs.model);
  if (known != request.session.model_weights.end() && ran.trace->source &&
      ran.trace->source->fingerprint() != known->second)
    ran.notes = joined(ran.notes, changed_weights_note(inputs.model, tr), tr);
  if (ran.trace->source)
    for (const Error& note : ran.trace->source->notes(inputs.sequence))
      ran.notes = joined(ran.notes, tr(note), tr);
  for (const BlockTrace& block : ran.trace->blocks)
    if (const auto warning = block.maps ? block.maps->warning() : std::nullopt)
      ran.notes = joined(ran.notes, tr(*warning), tr);
  return ran;
}

void check_read(const Trace& trace) {
  if (const auto error = error_of(trace)) throw Error(*error);
}

void expect_tokens(const Trace& trace) {
  if (trace.about().reads_picture && trace.inputs.picture.empty())
    throw input_error("--picture is missing; this model reads a picture");
  if (trace.inputs.about().predicts && trace.blocks.front().n_q() == 0)
    throw input_error("the sentence has no tokens; expected at least one");
}

void check_cell(const CommandRequest& request, const BlockTrace& block) {
  if (block.layer_count() == 0) throw input_error("the sentence has no tokens; expected at least one");
  if (request.query && *request.query >= block.n_q())
    throw out_of_range("--query", *request.query, block.n_q());
  if (request.key && *request.key >= block.n_k()) throw out_of_range("--key", *request.key, block.n_k());
}

Scene requested_scene(const CommandRequest& request, const Session& session,
                      const std::shared_ptr<const Trace>& trace, const std::shared_ptr<const Trace>& other,
                      const Translator& tr) {
  if (!request.query && !request.key) return scene_of(session, trace, other, {}, tr);
  const View& view = session.view;
  const auto block = block_of(trace, view.block);
  check_cell(request, *block);
  Cell cell = strongest_cell(*block, view.layer, view.head.value_or(0), request.query);
  if (request.key) cell.key = *request.key;
  Scene scene = scene_of(session, trace, other, Locked{cell, !request.query}, tr);
  scene.marks_locked = true;
  return scene;
}

}  // namespace headscope
