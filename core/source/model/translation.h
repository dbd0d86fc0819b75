#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/base/tensor.h"

namespace headscope {

struct BlockTrace;
struct ModelNotes;

/// What an encoder–decoder has written of its text by itself.
struct Translation {
  std::string text;
  std::vector<double> probabilities;  ///< of each token, as it was chosen
  /// Where a what-if makes another text of it: what the model writes as it was learnt, and which tokens are
  /// not in that.
  std::optional<std::string> as_learnt;
  std::vector<bool> changed;  ///< of each token; empty: none
  /// Of a model that tells what it knows: words that it does not know, and whether it should not be believed.
  std::vector<std::string> unknown;
  bool outside = false;
};

/// Which tokens of `now` are not in the longest common subsequence with `before`.
std::vector<bool> changed_tokens(const std::vector<Index>& before, const std::vector<Index>& now);

/// Which weights say what a target's token looks at in the source.
struct CrossLook {
  int layer = 0;
  std::optional<int> head;  ///< not engaged: the mean over heads
  bool operator==(const CrossLook&) const = default;
};
/// The head that aligns best as its maker says, else the mean of the last layer. `notes` may be nullptr.
CrossLook alignment_look(const BlockTrace& cross, const ModelNotes* notes);
/// Those weights [n_q, n_k] of a block with tokens. The row of a token is that of the one which it makes the
/// model expect next.
Tensor cross_weights(const BlockTrace& cross, const CrossLook& look);
/// Of queries [begin, end) alone, [end - begin, n_k].
Tensor cross_weights(const BlockTrace& cross, const CrossLook& look, Index begin, Index end);

/// The source's token that a token of the target was made from, by its strongest weight.
struct AlignedTo {
  Index source = 0;
  double weight = 0;
};
/// Of the tokens that the queries from `first` on make the model expect, `count` of them. No other query is
/// read: a token that was written last may not have been run yet.
std::vector<AlignedTo> alignment(const BlockTrace& cross, const CrossLook& look, Index first, Index count);

}  // namespace headscope
