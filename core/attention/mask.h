#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/extent.h"
#include "core/base/tensor.h"
#include "core/inputs/mask_part.h"
#include "core/text/words.h"

namespace headscope {

/// Which cells are blocked: [n_q, n_k] bytes row by row, 1 blocks; the same for all heads unless painted for
/// one.
class Mask {
 public:
  Mask() = default;
  Mask(Index n_q, Index n_k) : n_q_(n_q), n_k_(n_k) {}

  /// The blocked cells of a head, or nullptr where nothing is blocked.
  const std::uint8_t* head(int h) const;
  /// The same without the rows of empty_queries().
  const std::uint8_t* outside_empty_rows(int h) const;
  bool blocked(int h, Index query, Index key) const;
  bool any() const { return common_.blocked > 0 || !own_.empty(); }
  /// Queries that have no key to attend to in head h.
  const std::vector<Index>& empty_queries(int h) const;
  /// Share of the cells of all `heads` heads that are not blocked; 1 where there are none.
  double density(int heads) const;
  /// Blocked cells of all `heads` heads: the scores that an implementation which skips them saves of heads
  /// n_q n_k.
  Index blocked_cells(int heads) const;
  Index n_q() const { return n_q_; }
  Index n_k() const { return n_k_; }

  /// [n_q, n_k] bytes of 0 and 1; without `keep` they are counted and not kept.
  void set_common(std::vector<std::uint8_t> blocked, bool keep = true);
  /// A head's whole mask, what is blocked for all included.
  void set_own(int h, std::vector<std::uint8_t> blocked, bool keep = true);
  /// Blocks these cells [n_q, n_k], too, in every head.
  void block_also(const std::vector<std::uint8_t>& blocked);

 private:
  struct Map {
    std::shared_ptr<const std::vector<std::uint8_t>> cells;
    std::shared_ptr<const std::vector<std::uint8_t>> outside_empty_rows;  // only where there are such rows
    Index blocked = 0;  // counted once: the density is shown on every frame
    std::vector<Index> empty_queries;
  };
  Map make_map(std::vector<std::uint8_t> blocked, bool keep) const;
  const Map* map(int h) const;

  Index n_q_ = 0, n_k_ = 0;
  Map common_;
  std::map<int, Map> own_;  // head -> its whole mask, common included
};

/// Extent of a row of weights [n_k] that `fill` made of the cells `blocked`, which may be nullptr: blocked
/// ones are left out, but where all are and the fill is finite, each has a weight.
Extent weight_extent(const float* row, const std::uint8_t* blocked, Index n_k, float fill);

/// Combines the parts that are on: what the patterns together allow, less what any constraint blocks;
/// MASKS.md defines each. Throws Error (input) for tokens out of range, a painted cell or head out of range,
/// a file of another type or shape, with what was found and expected, and for more parts than can be built in
/// half a second or so. A window larger than the sentence is
/// no error: it allows everything. No queries or no keys: an empty mask, nothing is checked.
Mask build_mask(std::span<const MaskPart> parts, std::span<const Token> queries, std::span<const Token> keys,
                int heads);
/// The same without its cells, of which heads with paintings of their own have n_q n_k each: how many are
/// blocked and which queries are left without a key.
Mask count_mask(std::span<const MaskPart> parts, std::span<const Token> queries, std::span<const Token> keys,
                int heads);

/// A pattern larger than the sentence is allowed, and told.
struct Oversize {
  Counted note;  ///< to be translated and filled with the part's text and `tokens`
  Index tokens;  ///< that it is larger than
};
/// For a window (also that of longformer and bigbird) whose w is the number of tokens or more, a dilated one
/// that reaches as far, and more random keys than there are; nothing for other parts and those that are off.
std::optional<Oversize> oversize(const MaskPart& part, Index n_q, Index n_k);

/// Takes out of the parts what no longer fits n_q queries, n_k keys and `heads` heads, so that editing a
/// sentence never turns a mask that was right into an error. A file stays as it is: only build_mask can tell
/// its shape.
void fit_mask_parts(std::vector<MaskPart>& parts, Index n_q, Index n_k, int heads);

}  // namespace headscope
