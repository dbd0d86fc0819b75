#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/error.h"
#include "core/base/tensor.h"
#include "core/inputs/names.h"

namespace headscope {

class ModelRun;
struct Causes;
struct ComputeContext;

/// What is measured: the logit of `answer` at a position of the text (the target), or its difference to that
/// of `against`.
struct CauseQuestion {
  Index position = 0, answer = 0;
  std::optional<Index> against;
};

/// What is changed in a run.
enum class CauseChange {
  zero,          ///< knock out: a head gives zero
  mean,          ///< it gives the mean of its context over the positions of this text
  other,         ///< it gives what it gives for the other text
  output,        ///< patch: what a head gives is taken from the other run
  pattern,       ///< its weights, with the values of this run
  value,         ///< its values, with the weights of this run
  stream,        ///< the input of a layer at one position
  attention,     ///< what attention adds to the stream
  feed_forward,  ///< what the feed-forward network adds to it
};
std::span<const EnumName<CauseChange>> enum_names(CauseChange);
/// Whether it takes something over from the other run to measure how much of the answer comes back.
bool is_patch(CauseChange change);
/// Whether there is one of it for each head.
bool is_of_heads(CauseChange change);
/// Whether it needs a run of another text.
bool needs_other(CauseChange change);

/// Where a change is made.
enum class CausePlaces {
  all,       ///< at all positions at once
  position,  ///< at each position; of values, that of the key
  edge,      ///< of one head: the term of each query and key in its context
  key,       ///< of one head: those of each key, for all queries
  path,      ///< as `all`, and between the heads that matter most: see find_paths()
};
std::span<const EnumName<CausePlaces>> enum_names(CausePlaces);
/// Whether that is possible: edges, keys and paths are knocked out, and a stream is always taken by position.
bool has_places(CauseChange change, CausePlaces places);

struct CauseRequest {
  CauseQuestion question;
  CauseChange change = CauseChange::zero;
  CausePlaces places = CausePlaces::all;
  std::optional<HeadPlace> head;  ///< for edges and keys; otherwise the only head whose value is needed
  /// Of a patch: false takes parts of the clean run over into the corrupted one (denoising), true the other
  /// way round (noising).
  bool noise = false;
  std::function<void(double multiply_adds)> forecast;  ///< called before the changes; may be empty
  std::function<void(double share)> progress;
  /// Called with what is known: the maps without values, then whenever there are more; may be empty.
  std::function<void(const Causes& so_far)> found;
  std::stop_token stop;
};

/// One measurement for each change, of one kind of attention.
struct CauseMap {
  BlockKind kind = BlockKind::self;
  /// [layers, heads] ([1, 1] of a single head), with CausePlaces::position [layers, heads, n]; of stream,
  /// attention and feed-forward [layers] or [layers, n]; of one head's edges [n_q, n_k], of its keys [n_k].
  std::vector<Index> shape;
  /// Of a knock-out the measure minus that of the unchanged run; of a patch the share recovered, (patched −
  /// B) / (A − B), where A is the clean run and B the corrupted one (activation patching, as TransformerLens
  /// has it).
  std::vector<double> values;
  std::vector<double> probabilities;  ///< of the answer, with each change
  /// Of the changes; as long as they are being made there are fewer values.
  Index count() const { return std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>()); }
  bool whole() const { return std::ssize(values) == count(); }
};

struct Causes {
  double clean = 0;                 ///< the measure in A
  std::optional<double> corrupted;  ///< in B
  double probability = 0;           ///< of the answer in A
  std::vector<CauseMap> maps;
  bool whole() const { return std::ranges::all_of(maps, &CauseMap::whole); }
};

/// For a model that predicts no tokens.
Error no_output_for_tokens();
/// Throws Error (input) for a position or a token that does not exist, and for a model without an output for
/// tokens.
void check_question(const ModelRun& run, const CauseQuestion& question);

/// Changes a run in one place after another; only the layers above each change are computed again, several
/// changes at once. `a` is the run in question, or the clean one; `b` the other text's, nullptr if none is
/// needed. Throws Error (input) for a position, a token or a head that does not exist, for texts of different
/// lengths, and for a patch between runs whose measures do not differ. nullptr if stopped.
std::shared_ptr<const Causes> find_causes(const ModelRun& a, const ModelRun* b, const CauseRequest& request,
                                          const ComputeContext& context);

}  // namespace headscope
