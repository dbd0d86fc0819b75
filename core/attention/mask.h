#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/attention/row_spans.h"
#include "core/base/extent.h"
#include "core/base/tensor.h"
#include "core/inputs/mask_part.h"
#include "core/text/words.h"

namespace headscope {

/// Which cells are blocked; the same for all heads unless painted for one. Stored as the spans of keys that
/// each query may see, and up to `max_bytes` cells also as bytes [n_q, n_k], where 1 blocks.
class Mask {
 public:
  static constexpr Index max_bytes = Index{1} << 24;

  Mask() = default;
  Mask(Index n_q, Index n_k) : n_q_(n_q), n_k_(n_k) {}

  /// Whether head() has bytes: code that handles larger masks must work row by row.
  bool has_bytes() const { return cells() <= max_bytes; }
  /// The blocked cells of a head, or nullptr if nothing is blocked. Requires has_bytes().
  const std::uint8_t* head(int h) const;
  /// The same without the rows of empty_queries().
  const std::uint8_t* outside_empty_rows(int h) const;

  /// Whether a head has blocked cells.
  bool any(int h) const { return map(h) != nullptr; }
  /// The keys that a query may see; the span may point into `scratch`.
  std::span<const KeySpan> row(int h, Index query, KeySpans& scratch) const;
  /// The same as [n_k] bytes, 1 blocks, or nullptr if nothing is blocked for the head.
  const std::uint8_t* blocked_row(int h, Index query, std::vector<std::uint8_t>& scratch) const;
  bool blocked(int h, Index query, Index key) const;
  bool any() const { return common_.blocked > 0 || !own_.empty(); }
  /// Whether two heads have the same blocked cells.
  bool same(int one, int other) const;
  /// Queries that have no key to attend to in head h.
  const std::vector<Index>& empty_queries(int h) const;
  /// Share of the cells of all `heads` heads that are not blocked; 1 without cells.
  double density(int heads) const;
  /// Blocked cells of all `heads` heads: the scores out of heads n_q n_k that an implementation which skips
  /// them saves.
  std::int64_t blocked_cells(int heads) const;
  Index n_q() const { return n_q_; }
  Index n_k() const { return n_k_; }

  /// Sets what each query may see; without `keep` it is only counted.
  void set_common(RowSpans allowed, bool keep = true);
  /// Sets the whole mask of one head, including what is blocked for all.
  void set_own(int h, RowSpans allowed, bool keep = true);
  /// The same from [n_q, n_k] bytes of 0 and 1, where 1 blocks.
  void set_common(std::span<const std::uint8_t> blocked) { set_common(RowSpans::of_bytes(blocked, n_k_, 0)); }
  void set_own(int h, std::span<const std::uint8_t> blocked) {
    set_own(h, RowSpans::of_bytes(blocked, n_k_, 0));
  }
  /// Restricts all heads to these.
  void allow_only(const RowSpans& allowed);

 private:
  using Bytes = std::shared_ptr<const std::vector<std::uint8_t>>;
  struct Map {
    std::shared_ptr<const RowSpans> allowed;  // absent if the bytes take less memory
    Bytes cells;                              // if has_bytes()
    Bytes outside_empty_rows;                 // only if there are such rows
    std::int64_t blocked = 0;                 // counted once: the density is queried every frame
    std::vector<Index> empty_queries;
  };
  /// Of one head; more than an Index can count where that has 32 bits.
  std::int64_t cells() const { return std::int64_t{n_q_} * n_k_; }
  Map make_map(RowSpans allowed, bool keep) const;
  RowSpans allowed_by(const Map& map) const;
  const Map* map(int h) const;
  std::span<const KeySpan> row(const Map& map, Index query, KeySpans& scratch) const;

  Index n_q_ = 0, n_k_ = 0;
  Map common_;
  std::map<int, Map> own_;  // head -> its whole mask, common included
};

/// Extent of a row of weights [n_k] masked with `blocked` (may be nullptr) and `fill`: blocked cells are
/// excluded, unless all are blocked and the fill is finite, when each has a weight.
Extent weight_extent(const float* row, const std::uint8_t* blocked, Index n_k, float fill);

/// Combines the active parts: what the patterns together allow, minus what any constraint blocks; MASKS.md
/// defines each. Throws Error (input) for tokens out of range, a painted cell or head out of range, a file of
/// another type or shape, with what was found and expected, and for more parts than can be built in about
/// half a second. A window larger than the sentence is not an error: it allows everything. Without queries or
/// keys the mask is empty and nothing is checked.
Mask build_mask(std::span<const MaskPart> parts, std::span<const Token> queries, std::span<const Token> keys,
                int heads);
/// The same without storing cells, which heads with their own painted cells would multiply: only the number
/// of blocked cells and the queries left without a key.
Mask count_mask(std::span<const MaskPart> parts, std::span<const Token> queries, std::span<const Token> keys,
                int heads);

/// The mask of pooled cells, over blocks of adjacent tokens: blocked if all of its cells are. A block goes
/// from its number in the list to the next one; the last number is where the last block ends.
Mask pooled_mask(const Mask& mask, int heads, std::span<const Index> query_pools,
                 std::span<const Index> key_pools);

/// A pattern larger than the sentence is allowed, but reported.
struct Oversize {
  Counted note;  ///< to be translated and filled with the part's text and `tokens`
  Index tokens;  ///< the number of tokens it exceeds
};
/// For a window (also that of longformer and bigbird) whose w is the number of tokens or more, a dilated one
/// that reaches as far, and for more random keys than there are; nothing for other parts and inactive ones.
std::optional<Oversize> oversize(const MaskPart& part, Index n_q, Index n_k);

/// Removes from the parts what no longer fits n_q queries, n_k keys and `heads` heads, so that editing a
/// sentence never invalidates a valid mask. A file is left unchanged: only build_mask knows its shape.
void fit_mask_parts(std::vector<MaskPart>& parts, Index n_q, Index n_k, int heads);

}  // namespace headscope
