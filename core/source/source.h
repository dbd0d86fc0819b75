#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/attention/forward.h"
#include "core/base/forecast.h"
#include "core/source/trace.h"

namespace headscope {

struct RunOptions {
  /// The layer and the heads that somebody is about to look at: their maps are kept in passing. Never changes
  /// a number, since a trace computes what it has not kept when it is asked for it.
  std::optional<int> layer;  ///< from 0; not engaged: all
  std::vector<int> heads;    ///< ascending; empty: all
  /// The last layer's context and output, which no map needs, are left out of the trace; only arrays have
  /// them. Refuses the same inputs as without.
  bool maps_alone = false;
  /// The last layer's context and output are wanted of this query alone; those of others are not complete.
  std::optional<Index> only_query;
  /// No layer is computed: the trace has tokens, masks, and vectors unless they are PyTorch's own draws.
  bool no_layers = false;
  /// Beyond so many bytes no maps are kept.
  std::size_t map_budget = std::size_t{1} << 29;
  /// Of the sentences; more are refused before anything is computed.
  Index most_tokens = Limits::max_tokens;
  /// Whether BlockTrace::stack_output is wanted.
  bool stack_output = false;
  /// A trace of before: what still holds of it is used again. The bits are those of a run without it, but for
  /// the text of a trained model that goes on: see Trace::continued.
  std::shared_ptr<const Trace> previous;
  /// Whether the run is to be compared with another one: both are computed in the same way, from the first
  /// token on.
  bool compared = false;
  /// Told once, before the layers are computed, what the run takes.
  TellForecast forecast;
  /// Told the share of the layers' work that is done, as far as that is known, by one thread at a time.
  std::function<void(double share)> progress;
  /// What a mask or a typed X says of tokens, heads or cells that are not there is left out instead of being
  /// an error: a sentence that is being edited must not lose it.
  bool fit_masks = false;
};

/// Throws Error (input) for a text of more than RunOptions::most_tokens.
void check_shown_length(Index tokens, Index most);
/// Likewise for a trace with such a block.
void check_shown_length(const Trace& trace, Index most);

struct ModelNotes;

enum class ProjectionKind { q, k, v, o };

/// Where traces come from: layers drawn from a seed, a folder with a trained model, a captured run. Nothing
/// above asks which. Immutable to those who use it; any thread may run it.
class Source : public std::enable_shared_from_this<Source> {
 public:
  virtual ~Source() = default;
  /// Runs text and what-if of the inputs, whose source this is. Splits the text into tokens, once, and builds
  /// the masks for each block. Throws Error (input) as build_mask() does, for too many tokens, and for
  /// numbers that leave float32's range. nullptr if stopped. An empty sentence gives blocks without tokens
  /// and maps.
  virtual std::shared_ptr<const Trace> run(const Inputs& inputs, const RunOptions& options,
                                           const ComputeContext& context,
                                           const std::stop_token& stop) const = 0;

  /// A projection of a layer that was run: W_Q and b_Q [heads d_k, d_model], W_K and W_V [kv_heads d_k,
  /// d_model], without gains, W_O [d_model, heads d_k]; an empty bias where it has none; nothing where the
  /// source knows none.
  virtual std::optional<Linear> projection(BlockKind block, int layer, ProjectionKind kind) const;
  std::optional<Linear> output_projection(BlockKind block, int layer) const {
    return projection(block, layer, ProjectionKind::o);
  }

  /// The stages of a cell's arithmetic in a block, in their order, by their names in
  /// core/analysis/arithmetic_stages.cpp. Those of the equation, unless the source has others: one with
  /// rotary positions names theirs too.
  virtual std::vector<std::string> stages(BlockKind block) const;

  /// Of a trained model, as people call it; empty for others.
  virtual std::string family() const { return {}; }
  /// Of a trained model, by which changed weights are told; empty for others.
  virtual std::string fingerprint() const { return {}; }
  /// Whether scores are divided by √d_k, so that `scale` changes something; T5's are not.
  virtual bool divides_scores() const { return true; }
  /// How many keys up to its own a query of a layer sees at most, by the source itself; 0: all.
  virtual Index window(BlockKind /*block*/, int /*layer*/) const { return 0; }
  /// What the maker of a trained model tells of it; nullptr: nothing.
  virtual const ModelNotes* model_notes() const { return nullptr; }
  /// Of a trained model, those shared counted once; 0 for others, which core/inputs/cost.h counts.
  virtual std::int64_t parameters() const { return 0; }
  /// Of a trained model: products in the layers of a run over so many tokens, and of a target; 0 for others.
  virtual std::int64_t multiplications(Index /*tokens*/, Index /*target*/) const { return 0; }
  /// Whether a second sentence makes a pair with the first, of one block of attention; else it makes
  /// cross-attention, or is not read at all.
  virtual bool reads_pairs() const { return false; }
};

/// The blocks that a run of the inputs will have. Only a trace of a trained model tells those of it: with a
/// model that `known`, which may be nullptr, is not of, there are none.
std::vector<BlockShape> shape_of(const Inputs& inputs, const Trace* known);
/// Of a seeded layer.
BlockShape shape_of(const SeededLayer& layer, const Text& text);

}  // namespace headscope
