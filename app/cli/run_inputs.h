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

/// Throws for a requested layer or head beyond those.
void expect_head(const CommandRequest& request, const View& view, Index layers, Index heads);
/// Throws for a requested layer, head or block that does not exist; values from a session are changed to
/// existing ones, and the note about that is returned.
std::optional<Error> fit_view(const CommandRequest& request, const BlockShape& shape, View& view);
/// The same with the shape of the trace's block in view; the note as text, or "".
std::string fit_view(const CommandRequest& request, const Trace& trace, View& view, const Translator& tr);
/// Throws Error (input) if the cells of none of these blocks can show what --cells asks for, or if --token or
/// --against names no token. What a session asks for and a source does not have is left out.
void check_cells(const CommandRequest& request, const Trace& trace, const View& view,
                 std::optional<BlockKind> only);
/// Throws Error (input) if maps that were read since the run could not be read or hold numbers that are not
/// weights; to be called before results from them are used.
void check_read(const Trace& trace);

/// Throws Error (input) if a trained model was given no tokens: a seeded layer gives empty arrays.
void expect_tokens(const Trace& trace);
/// Throws Error (unable) if `map_arrays` arrays of a block's maps do not fit into memory.
void check_memory(Index heads, Index n_q, Index n_k, std::size_t map_arrays);

struct Ran {
  std::shared_ptr<const Trace> trace;
  std::string notes;  ///< about its masks
};

/// Runs the inputs of a command that holds `map_arrays` arrays of maps [heads, n_q, n_k] at once. Throws
/// Error: input as validate() and Source::run(), unable before anything is computed if there is not enough
/// memory.
Ran run(Engine& engine, const CommandRequest& request, const Inputs& inputs, std::size_t map_arrays,
        const Translator& tr, const RunOptions& options = {});
/// The same with its own engine.
Ran run(const CommandRequest& request, const Inputs& inputs, std::size_t map_arrays, const Translator& tr,
        const RunOptions& options = {});

/// Throws Error (input) if the block does not have the requested query or key.
void check_cell(const CommandRequest& request, const BlockTrace& block);
/// The session's scene with the cell of --query and --key locked; if one of them is missing, the largest
/// weight of the query, or the last query. Throws as check_cell().
Scene requested_scene(const CommandRequest& request, const Session& session,
                      const std::shared_ptr<const Trace>& trace, const std::shared_ptr<const Trace>& other,
                      const Translator& tr);

}  // namespace headscope
