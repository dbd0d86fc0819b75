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

/// Which cells are blocked; the same for all heads unless painted for one. It is kept as the spans of keys
/// that each query may see, and up to `most_bytes` cells also as bytes of [n_q, n_k], row by row, 1 blocks.
class Mask {
 public:
  static constexpr Index most_bytes = Index{1} << 24;

  Mask() = default;
  Mask(Index n_q, Index n_k) : n_q_(n_q), n_k_(n_k) {}

  /// Whether head() has bytes: whoever may meet larger masks asks by rows.
  bool has_bytes() const { return n_q_ * n_k_ <= most_bytes; }
  /// The blocked cells of a head, or nullptr where nothing is blocked. Only where has_bytes().
  const std::uint8_t* head(int h) const;
  /// The same without the rows of empty_queries().
  const std::uint8_t* outside_empty_rows(int h) const;

  /// Whether a head has blocked cells.
  bool any(int h) const { return map(h) != nullptr; }
  /// The keys that a query may see; `scratch` may hold them, until it changes.
  std::span<const KeySpan> row(int h, Index query, KeySpans& scratch) const;
  /// The same as [n_k] bytes, 1 blocks, or nullptr where the head has nothing blocked.
  const std::uint8_t* blocked_row(int h, Index query, std::vector<std::uint8_t>& scratch) const;
  bool blocked(int h, Index query, Index key) const;
  bool any() const { return common_.blocked > 0 || !own_.empty(); }
  /// Whether two heads have the same cells blocked.
  bool same(int one, int other) const;
  /// Queries that have no key to attend to in head h.
  const std::vector<Index>& empty_queries(int h) const;
  /// Share of the cells of all `heads` heads that are not blocked; 1 where there are none.
  double density(int heads) const;
  /// Blocked cells of all `heads` heads: the scores that an implementation which skips them saves of heads
  /// n_q n_k.
  Index blocked_cells(int heads) const;
  Index n_q() const { return n_q_; }
  Index n_k() const { return n_k_; }

  /// What each query may see; without `keep` it is counted and not kept.
  void set_common(RowSpans allowed, bool keep = true);
  /// Of one head: its whole mask, what is blocked for all included.
  void set_own(int h, RowSpans allowed, bool keep = true);
  /// The same from [n_q, n_k] bytes of 0 and 1, where 1 blocks.
  void set_common(std::span<const std::uint8_t> blocked) { set_common(RowSpans::of_bytes(blocked, n_k_, 0)); }
  void set_own(int h, std::span<const std::uint8_t> blocked) {
    set_own(h, RowSpans::of_bytes(blocked, n_k_, 0));
  }
  /// Lets no head see more than these.
  void allow_only(const RowSpans& allowed);

 private:
  using Bytes = std::shared_ptr<const std::vector<std::uint8_t>>;
  struct Map {
    std::shared_ptr<const RowSpans> allowed;  // unless its bytes take less memory
    Bytes cells;                              // where has_bytes()
    Bytes outside_empty_rows;                 // only where there are such rows
    Index blocked = 0;                        // counted once: the density is shown on every frame
    std::vector<Index> empty_queries;
  };
  Map make_map(RowSpans allowed, bool keep) const;
  RowSpans allowed_by(const Map& map) const;
  const Map* map(int h) const;
  std::span<const KeySpan> row(const Map& map, Index query, KeySpans& scratch) const;

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
/// The same without its cells, of which heads with paintings of their own have as many again: how many are
/// blocked and which queries are left without a key.
Mask count_mask(std::span<const MaskPart> parts, std::span<const Token> queries, std::span<const Token> keys,
                int heads);

/// The mask of groups of neighbouring tokens in place of tokens: blocked where each of their cells is. A
/// group goes from its number in the list to the next one; the last number is where the last group ends.
Mask mask_of_groups(const Mask& mask, int heads, std::span<const Index> query_groups,
                    std::span<const Index> key_groups);

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
