#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/base/tensor.h"

namespace headscope {

struct BlockTrace;
struct ModelNotes;

/// What an encoder–decoder has generated from its source.
struct Translation {
  std::string text;
  std::vector<double> probabilities;  ///< of each token when it was chosen
  /// If interventions change the text: the output without interventions, and which tokens are not in that.
  std::optional<std::string> as_learnt;
  std::vector<bool> changed;  ///< of each token; empty: none
  /// For a model with notes: words unknown to it, and whether the translation is unreliable.
  std::vector<std::string> unknown;
  bool outside = false;
};

/// Which tokens of `now` are not in the longest common subsequence with `before`.
std::vector<bool> changed_tokens(const std::vector<Index>& before, const std::vector<Index>& now);

/// Which weights define the source tokens that a target token attends to.
struct CrossLook {
  int layer = 0;
  std::optional<int> head;  ///< not engaged: the mean over heads
  bool operator==(const CrossLook&) const = default;
};
/// The best aligning head according to the model's notes, otherwise the mean of the last layer. `notes` may
/// be nullptr.
CrossLook alignment_look(const BlockTrace& cross, const ModelNotes* notes);
/// Those weights [n_q, n_k] of a block with tokens. The row of a token describes the next token that it
/// predicts.
Tensor cross_weights(const BlockTrace& cross, const CrossLook& look);
/// For queries [begin, end) only, [end - begin, n_k].
Tensor cross_weights(const BlockTrace& cross, const CrossLook& look, Index begin, Index end);

/// The source token that a target token is aligned to, by its largest weight.
struct AlignedTo {
  Index source = 0;
  double weight = 0;
};
/// The alignment of `count` tokens predicted by the queries from `first` on. No other query is read: the last
/// generated token may not have been run yet.
std::vector<AlignedTo> alignment(const BlockTrace& cross, const CrossLook& look, Index first, Index count);

}  // namespace headscope
