#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/attention/dense.h"
#include "core/base/forecast.h"
#include "core/source/trace.h"

namespace headscope {

struct RunOptions {
  /// The layer and heads about to be shown: their maps are kept. Never changes a number, since a trace
  /// computes what it has not kept on demand.
  std::optional<int> layer;  ///< from 0; not engaged: all
  std::vector<int> heads;    ///< ascending; empty: all
  /// Omits the last layer's context and output, which only arrays need, from the trace. Rejects the same
  /// inputs as without.
  bool maps_alone = false;
  /// The last layer's context and output are only needed for this query; those of others are incomplete.
  std::optional<Index> only_query;
  /// Computes no layer: the trace has tokens, masks, and vectors unless they are drawn by PyTorch's
  /// generator.
  bool no_layers = false;
  /// If maps take more bytes than this, none are kept.
  std::size_t map_budget = std::size_t{1} << 29;
  /// Maximum tokens of the sentences, checked before anything is computed.
  Index max_tokens = Limits::max_tokens;
  /// Whether to compute BlockTrace::stack_output.
  bool stack_output = false;
  /// An earlier trace, whose valid parts are reused. Bit-identical to a run without it, except for a trained
  /// model's continued text: see Trace::continued.
  std::shared_ptr<const Trace> previous;
  /// Whether the run is to be compared with another one: both are computed in the same way, from the first
  /// token on.
  bool compared = false;
  /// Called once with the run's forecast, before the layers are computed.
  ReportForecast forecast;
  /// Called with the finished share of the layers' work, as far as known, by one thread at a time.
  std::function<void(double share)> progress;
  /// Ignores references of a mask or a typed X to missing tokens, heads or cells instead of failing, so that
  /// editing a sentence does not lose them.
  bool fit_masks = false;
};

/// Throws Error (input) for a text of more than RunOptions::max_tokens.
void check_shown_length(Index tokens, Index maximum);
/// The same for a trace with such a block.
void check_shown_length(const Trace& trace, Index maximum);

class Capture;
struct ModelNotes;

/// Those of global tokens are of their own (Longformer).
enum class ProjectionKind { q, k, v, o, q_global, k_global, v_global };

/// Properties of an open source; what it does not have is empty.
struct SourceAbout {
  std::string family;                       ///< of a trained model, its display name
  bool gated_heads = false;                 ///< what heads give is multiplied by a gate of the query
  bool normed_values = false;               ///< values are normed, so that W_V alone is not what a head moves
  int streams = 1;                          ///< that layers read and change, which mix (AltUp)
  bool pools_rows = false;                  ///< its layers have other rows than its output (Funnel)
  bool divides_scores = true;               ///< by √d_k, so that `scale` changes something; T5's are not
  Index block_size = 0, dense_tokens = 0;   ///< of block-sparse attention, of longer texts (BigBird); 0: none
  const ModelNotes* model_notes = nullptr;  ///< by the author of a trained model
  std::int64_t parameters = 0;  ///< of a trained model, shared ones counted once; others: core/inputs/cost.h
  /// A second sentence forms a pair with the first in one block of attention; otherwise it is used for
  /// cross-attention, or not read at all.
  bool reads_pairs = false;
  bool reads_target = false;   ///< a decoder reads a target beside the sentence
  bool reads_picture = false;  ///< a picture; and sentences, a line each, that are held against it:
  bool reads_sentences_of_picture = false;
  /// Of the log-mel spectrogram that its encoder hears in place of a text; 0: it reads a text.
  Index sound_frames = 0, sound_bands = 0;
  bool hears() const { return sound_frames > 0; }
  std::string known_picture;           ///< that its author gave as an example
  std::vector<std::string> languages;  ///< names of those that a translator of many has
  const Capture* capture = nullptr;    ///< the file whose attention it shows
};

/// Where traces come from: layers drawn from a seed, a folder with a trained model, a captured run. Code
/// above does not distinguish them. Immutable to its users; thread-safe.
class Source : public std::enable_shared_from_this<Source> {
 public:
  virtual ~Source() = default;
  const SourceAbout& about() const { return about_; }
  /// Runs text and interventions of the inputs, whose source this is. Splits the text into tokens, once, and
  /// builds the masks for each block. Throws Error (input) as build_mask() does, for too many tokens, and for
  /// numbers that leave float32's range. nullptr if stopped. An empty sentence gives blocks without tokens
  /// and maps.
  virtual std::shared_ptr<const Trace> run(const Inputs& inputs, const RunOptions& options,
                                           const ComputeContext& context,
                                           const std::stop_token& stop) const = 0;

  /// A projection of a layer: W_Q and b_Q [heads d_k, d_model], W_K and W_V [kv_heads d_k, d_model], without
  /// gains, W_O [d_model, heads d_k]; an empty bias if it has none; nothing if the source has none.
  virtual std::optional<Linear> projection(BlockKind block, int layer, ProjectionKind kind) const;
  std::optional<Linear> output_projection(BlockKind block, int layer) const {
    return projection(block, layer, ProjectionKind::o);
  }

  /// The stages of a cell's arithmetic in a block, in order, by their names in
  /// core/analysis/arithmetic_stages.cpp. Those of the equation, unless the source has others, such as rotary
  /// positions, or a layer has no softmax.
  virtual std::vector<std::string> stages(BlockKind block, int layer) const;

  /// Identifies the weights of a trained model; empty for others.
  virtual std::string fingerprint() const { return {}; }
  /// A query of a layer sees keys less than so far away, by the source itself: up to its own if the block is
  /// causal, otherwise to either side; 0: all.
  virtual Index window(BlockKind /*block*/, int /*layer*/) const { return 0; }
  /// Of a trained model: multiplications in the layers of a run over `tokens` and `target` tokens; 0 for
  /// others.
  virtual std::int64_t multiplications(Index /*tokens*/, Index /*target*/) const { return 0; }
  /// What the decoder of a trace of this source reads after its start token, as text; empty if there is none.
  virtual std::string decoder_text(const Trace& /*trace*/) const { return {}; }
  /// Notes for the user who opens a sequence of it.
  virtual std::vector<Error> notes(int /*sequence*/) const { return {}; }
  /// A text that a trained model knows: its author's example, otherwise words of its vocabulary. Empty for
  /// others, and for a vocabulary without words.
  virtual std::string known_text() const { return {}; }

 protected:
  SourceAbout about_;
};

/// The blocks that a run of the inputs will have. Those of a trained model are only known from a trace: none
/// if `known`, which may be nullptr, is not of that model.
std::vector<BlockShape> shape_of(const Inputs& inputs, const Trace* known);
/// The same for a seeded layer.
BlockShape shape_of(const SeededLayer& layer, const Text& text);
/// Throws Error (input) for a part in a block or layer that does not exist.
void check_mask_places(std::span<const MaskPart> parts, std::span<const BlockShape> shapes);

}  // namespace headscope
