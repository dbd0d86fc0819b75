#pragma once
#include <memory>
#include <optional>
#include <string>

#include "app/cli/request.h"
#include "core/base/translate.h"
#include "core/scene/scene.h"
#include "core/source/source.h"

namespace headscope {

class Engine;

/// Refuses a layer, a head or a block asked for that is not there; what a session brought along is led back
/// to one that is, and returned as a complaint that is a note.
std::optional<Error> fit_view(const CommandRequest& request, const BlockShape& shape, View& view);
/// The same with the shape of the trace's block in view; the note as text, or "".
std::string fit_view(const CommandRequest& request, const Trace& trace, View& view, const Translator& tr);
/// Throws Error (input) for what of the maps could not be read, or is no weight, since they were run: before
/// what was made of them is believed.
void check_read(const Trace& trace);
/// Throws Error (input) where a trained model was given no tokens: of a seeded layer there are empty arrays.
void expect_tokens(const Trace& trace);
/// Throws Error (unable) where `map_arrays` arrays of the maps of a block do not fit into the memory.
void check_memory(Index heads, Index n_q, Index n_k, std::size_t map_arrays);

struct Ran {
  std::shared_ptr<const Trace> trace;
  std::string notes;  ///< on its masks
};

/// Runs inputs of a command that holds `map_arrays` arrays of maps [heads, n_q, n_k] at once. Throws Error:
/// input as validate() and Source::run() do, unable before anything is computed where the memory is not
/// there.
Ran run(Engine& engine, const CommandRequest& request, const Inputs& inputs, std::size_t map_arrays,
        const Translator& tr, const RunOptions& options = {});
/// The same with an engine of its own.
Ran run(const CommandRequest& request, const Inputs& inputs, std::size_t map_arrays, const Translator& tr,
        const RunOptions& options = {});

/// Throws Error (input) where the block does not have the query or the key that was asked for.
void check_cell(const CommandRequest& request, const BlockTrace& block);
/// What the session shows, with the cell locked that --query and --key ask for; of one of them alone, the
/// strongest weight of that query, or the last query. Throws as check_cell().
Scene asked_scene(const CommandRequest& request, const Session& session,
                  const std::shared_ptr<const Trace>& trace, const std::shared_ptr<const Trace>& other);

}  // namespace headscope
