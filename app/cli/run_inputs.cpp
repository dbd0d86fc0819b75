#include "app/cli/run_inputs.h"

#include "app/cli/machine_memory.h"
#include "app/cli/notes.h"
#include "core/base/no_such.h"
#include "core/source/engine.h"

namespace headscope {
namespace {

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

}  // namespace

Ran run(const CommandRequest& request, const Inputs& inputs, std::size_t map_arrays, const Translator& tr,
        const RunOptions& options) {
  Engine engine;
  return run(engine, request, inputs, map_arrays, tr, options);
}

Ran run(Engine& engine, const CommandRequest& request, const Inputs& inputs, std::size_t map_arrays,
        const Translator& tr, const RunOptions& options) {
  validate(inputs);
  check_memory(inputs, map_arrays);
  Ran ran;
  try {
    ran.trace = engine.run(inputs, options);
  } catch (const Error& error) {
    check_session_masks(request, inputs);  // if it is they, with the file that they come from
    if (comes_from_file(request)) throw error.at(request.file);
    throw;
  }
  ran.notes = mask_notes(inputs, ran.trace->blocks.front().tokens, ran.trace->blocks.front().mask, tr);
  return ran;
}

void check_cell(const CommandRequest& request, const BlockTrace& block) {
  if (block.layer_count() == 0) throw input_error("the sentence has no tokens; expected at least one");
  if (request.query && *request.query >= block.n_q()) throw no_such("--query", *request.query, block.n_q());
  if (request.key && *request.key >= block.n_k()) throw no_such("--key", *request.key, block.n_k());
}

}  // namespace headscope
