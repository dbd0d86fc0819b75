#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "core/attention/mask_part.h"
#include "core/tensor.h"
#include "core/text/words.h"

namespace headscope {

/// Which cells are blocked: [n_q, n_k] bytes row by row, 1 blocks; the same for all heads unless painted for one.
class Mask {
 public:
  Mask() = default;
  Mask(Index n_q, Index n_k) : n_q_(n_q), n_k_(n_k) {}

  /// The blocked cells of a head, or nullptr where nothing is blocked.
  const std::uint8_t* head(int h) const;
  bool blocked(int h, Index query, Index key) const;
  bool any() const { return common_ != nullptr || !own_.empty(); }
  /// Queries that have no key to attend to in head h.
  std::vector<Index> empty_queries(int h) const;
  /// Share of the cells of all `heads` heads that are not blocked.
  double density(int heads) const;
  Index n_q() const { return n_q_; }
  Index n_k() const { return n_k_; }

  void set_common(std::vector<std::uint8_t> blocked);
  void set_own(int h, std::vector<std::uint8_t> blocked);

 private:
  Index n_q_ = 0, n_k_ = 0;
  std::shared_ptr<const std::vector<std::uint8_t>> common_;
  std::map<int, std::shared_ptr<const std::vector<std::uint8_t>>> own_;  // head -> its whole mask, common included
};

/// Combines the parts that are on. Throws Error (input) for tokens out of range, a painted cell or head out of
/// range, or a file of the wrong shape, with what was found and expected. A window larger than the sentence is no
/// error: it allows everything.
Mask build_mask(std::span<const MaskPart> parts, std::span<const Token> queries, std::span<const Token> keys, int heads);

/// Takes out of the parts what no longer fits n_q queries, n_k keys and `heads` heads, so that editing a sentence
/// never turns a mask that was right into an error.
void fit_mask_parts(std::vector<MaskPart>& parts, Index n_q, Index n_k, int heads);

}  // namespace headscope
