#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <utility>

#include "core/attention/mask.h"
#include "core/base/error.h"
#include "core/base/translate.h"
#include "core/inputs/inputs.h"
#include "core/inputs/mask_kinds.h"
#include "core/io/npy.h"

namespace headscope {
namespace {

using Tokens = std::span<const Token>;

struct MaskSize {
  Tokens queries, keys;
  int heads = 1;
  Index n_q = std::ssize(queries), n_k = std::ssize(keys);
};

// Adds the spans of one query: what a pattern allows, what a constraint blocks. Called for queries in order,
// from 0.
using AddRow = std::function<void(Index query, KeySpans& to)>;

// Keys [begin, end), clipped to [0, n_k).
void add_stretch(KeySpans& to, Index begin, Index end, Index n_k) {
  begin = std::max<Index>(begin, 0);
  end = std::min(end, n_k);
  if (begin < end) to.push_back({static_cast<int>(begin), static_cast<int>(end)});
}

void add_spans(KeySpans& to, const KeySpans& spans) {
  to.insert(to.end(), spans.begin(), spans.end());
}

// Single keys below n_k.
KeySpans spans_of_keys(const std::vector<int>& keys, Index n_k) {
  KeySpans spans;
  for (const int key : keys)
    if (key < n_k) spans.push_back({key, key + 1});
  merge_spans(spans);
  return spans;
}

void check_tokens(const MaskPart& part, Index tokens) {
  for (int token : part.tokens)
    if (token < 0 || token >= tokens)
      throw input_error(
          counted("the mask \"{}\" names token {}; there is only {} token, numbered from 0",
                  "the mask \"{}\" names token {}; there are only {} tokens, numbered from 0", tokens),
          to_string(part), token, tokens);
}

// ---- patterns: what they allow

AddRow allow_window(const MaskSize& size, const MaskPart& part) {
  return [w = Index{part.window}, n_k = size.n_k](Index i, KeySpans& to) {
    add_stretch(to, i - w, i + w + 1, n_k);
  };
}

// Index has 64 bits, w and d 31.
Index reach_of(const MaskPart& part) {
  return Index{part.window} * part.dilation;
}

AddRow allow_dilated(const MaskSize& size, const MaskPart& part) {
  return [d = Index{part.dilation}, reach = reach_of(part), n_k = size.n_k](Index i, KeySpans& to) {
    const Index first = i - std::min(reach, i / d * d);
    for (Index j = first; j < n_k && j <= i + reach; j += d) add_stretch(to, j, j + 1, n_k);
  };
}

AddRow allow_global(const MaskSize& size, const MaskPart& part) {
  check_tokens(part, std::max(size.n_q, size.n_k));
  return [tokens = part.tokens, columns = spans_of_keys(part.tokens, size.n_k), n_k = size.n_k](
             Index i, KeySpans& to) {
    if (std::ranges::find(tokens, i) != tokens.end())
      add_stretch(to, 0, n_k, n_k);
    else
      add_spans(to, columns);
  };
}

// A uniform number in [0, bound). The standard's distributions differ between libraries; this gives the same
// mask everywhere.
std::uint64_t draw_below(std::mt19937_64& generator, std::uint64_t bound) {
  const std::uint64_t uneven = (std::uint64_t{0} - bound) % bound;  // 2^64 mod bound
  std::uint64_t draw = generator();
  while (draw < uneven) draw = generator();
  return draw % bound;
}

// r keys per query without repetition, from a partial Fisher-Yates shuffle. A shuffle may start from any
// permutation, so the previous row's is reused.
class RandomKeys {
 public:
  RandomKeys(Index n_k, const MaskPart& part)
      : drawn_(part.random_keys), generator_(part.seed), keys_(n_k), chosen_(n_k) {
    std::iota(keys_.begin(), keys_.end(), 0);
  }
  void operator()(Index, KeySpans& to) {
    for (std::size_t i = 0; i < drawn_; ++i) {
      std::swap(keys_[i], keys_[i + static_cast<std::size_t>(draw_below(generator_, keys_.size() - i))]);
      chosen_[keys_[i]] = 1;
    }
    add_spans_of(chosen_, 1, to);
    for (std::size_t i = 0; i < drawn_; ++i) chosen_[keys_[i]] = 0;
  }

 private:
  std::size_t drawn_;
  std::mt19937_64 generator_;
  std::vector<int> keys_;
  std::vector<std::uint8_t> chosen_;
};

AddRow allow_random(const MaskSize& size, const MaskPart& part) {
  const Index n_k = size.n_k;
  if (part.random_keys >= n_k) return [n_k](Index, KeySpans& to) { add_stretch(to, 0, n_k, n_k); };
  return RandomKeys(n_k, part);
}

AddRow both_rows(AddRow one, AddRow other) {
  return [one = std::move(one), other = std::move(other)](Index i, KeySpans& to) {
    one(i, to);
    other(i, to);
  };
}

AddRow allow_longformer(const MaskSize& size, const MaskPart& part) {
  return both_rows(allow_window(size, part), allow_global(size, part));
}

AddRow allow_bigbird(const MaskSize& size, const MaskPart& part) {
  return both_rows(allow_random(size, part), allow_longformer(size, part));
}

// ---- constraints: what they block

AddRow block_causal(const MaskSize& size, const MaskPart&) {
  return [n_k = size.n_k](Index i, KeySpans& to) { add_stretch(to, i + 1, n_k, n_k); };
}

AddRow block_padding(const MaskSize& size, const MaskPart& part) {
  check_tokens(part, size.n_k);
  return [columns = spans_of_keys(part.tokens, size.n_k)](Index, KeySpans& to) { add_spans(to, columns); };
}

AddRow block_segments(const MaskSize& size, const MaskPart&) {
  std::map<int, KeySpans> sentences;
  for (int j = 0; j < size.n_k; ++j) {
    KeySpans& own = sentences[size.keys[j].sentence];
    if (own.empty() || own.back().end != j) own.push_back({j, j});
    ++own.back().end;
  }
  const KeySpans all{{0, static_cast<int>(size.n_k)}};
  std::map<int, KeySpans> others;
  for (const auto& [sentence, own] : sentences) subtract_spans(all, own, others[sentence]);
  return [queries = size.queries, all, others = std::move(others)](Index i, KeySpans& to) {
    const auto found = others.find(queries[i].sentence);
    add_spans(to, found == others.end() ? all : found->second);
  };
}

AddRow block_file(const MaskSize& size, const MaskPart& part) {
  if (part.path.empty())
    throw input_error("the mask \"{}\" names no file; expected {}", "file:", "file:MASK.npy");
  // Allows for likely mistakes (a mask per head, wide numbers), so that the error reports shape or type.
  constexpr std::size_t widest = 8, header = std::size_t{1} << 20;
  const std::uint64_t cells = size.n_q * static_cast<std::uint64_t>(size.n_k);
  const std::uint64_t max_bytes = cells * std::max(1, size.heads) * widest + header;
  const NamedArray array =
      read_npy(part.path, static_cast<std::size_t>(std::min<std::uint64_t>(max_bytes, SIZE_MAX)));
  if (array.dtype != "bool")
    throw input_error("the mask file {} holds {}; expected bool, where true blocks", part.path, array.dtype);
  if (array.shape != std::vector<Index>{size.n_q, size.n_k}) {
    throw input_error("the mask file {} has shape {}; expected [{}, {}] (queries × keys)", part.path,
                      shape_text(array.shape), size.n_q, size.n_k);
  }
  std::vector<std::uint8_t> bytes(cells);
  std::ranges::transform(array.values, bytes.begin(), [](auto value) { return value != 0 ? 1 : 0; });
  return [bytes = std::move(bytes), keys = static_cast<std::size_t>(size.n_k)](Index i, KeySpans& to) {
    add_spans_of(std::span(bytes).subspan(i * keys, keys), 1, to);
  };
}

void check_painted(const MaskPart& part, const MaskSize& size) {
  for (const PaintedRun& run : part.painted) {
    if (run.query < 0 || run.query >= size.n_q || run.key_begin < 0 || run.key_end > size.n_k)
      throw input_error("the painted mask has cell {}:{}; expected a query below {} and a key below {}",
                        run.query, run.key_end - 1, size.n_q, size.n_k);
    if (run.head < -1 || run.head >= size.heads)
      throw input_error(
          counted("the painted mask names head {}; there is {} head, numbered from 0",
                  "the painted mask names head {}; there are {} heads, numbered from 0", size.heads),
          run.head, size.heads);
  }
}

AddRow block_painted_in(const MaskSize& size, const MaskPart& part, int head) {
  std::map<int, KeySpans> rows;
  const auto first = std::ranges::lower_bound(part.painted, head, {}, &PaintedRun::head);
  const auto end = std::ranges::upper_bound(first, part.painted.end(), head, {}, &PaintedRun::head);
  for (auto run = first; run != end; ++run)
    add_stretch(rows[run->query], run->key_begin, run->key_end, size.n_k);
  return [rows = std::move(rows)](Index i, KeySpans& to) {
    if (const auto found = rows.find(static_cast<int>(i)); found != rows.end()) add_spans(to, found->second);
  };
}

AddRow block_painted(const MaskSize& size, const MaskPart& part) {
  return block_painted_in(size, part, -1);
}

// ---- parts larger than the sentence

std::optional<Oversize> large_window(const MaskPart& part, Index n_q, Index n_k) {
  const Index tokens = std::max(n_q, n_k);
  if (part.window < tokens) return {};
  return Oversize{
      counted("the mask \"{}\" is larger than the sentence of {} token: it allows every key",
              "the mask \"{}\" is larger than the sentence of {} tokens: it allows every key", tokens),
      tokens};
}

std::optional<Oversize> large_reach(const MaskPart& part, Index n_q, Index n_k) {
  const Index tokens = std::max(n_q, n_k);
  if (reach_of(part) < tokens) return {};
  return Oversize{
      counted("the mask \"{}\" is larger than the sentence of {} token: the part beyond it has no effect",
              "the mask \"{}\" is larger than the sentence of {} tokens: the part beyond it has no effect",
              tokens),
      tokens};
}

std::optional<Oversize> many_keys(const MaskPart& part, Index, Index n_k) {
  if (part.random_keys <= n_k) return {};
  return Oversize{
      counted("the mask \"{}\" asks for more keys than the one there is: it allows every key",
              "the mask \"{}\" asks for more keys than the {} there are: it allows every key", n_k),
      n_k};
}

std::optional<Oversize> large_bigbird(const MaskPart& part, Index n_q, Index n_k) {
  const auto window = large_window(part, n_q, n_k);
  return window ? window : many_keys(part, n_q, n_k);
}

// ---- cost of building a part, roughly in nanoseconds

// One span per row.
std::int64_t cost_of_stretches(const MaskPart&, Index n_q, Index) {
  return 16 * std::int64_t{n_q};
}

std::int64_t cost_of_dilated(const MaskPart& part, Index n_q, Index n_k) {
  return 8 * std::int64_t{n_q} * std::min<Index>(2 * Index{part.window} + 1, n_k / part.dilation + 1);
}

std::int64_t cost_of_tokens(const MaskPart& part, Index n_q, Index n_k) {
  return 8 * std::int64_t{n_q} * (1 + std::min(std::ssize(part.tokens), std::max(n_q, n_k)));
}

std::int64_t cost_of_file(const MaskPart&, Index n_q, Index n_k) {
  return 8 * std::int64_t{n_q} * n_k;
}

std::int64_t cost_of_painting(const MaskPart& part, Index n_q, Index) {
  return 64 * std::int64_t{std::ssize(part.painted)} + 16 * std::int64_t{n_q};
}

std::int64_t cost_of_draws(const MaskPart& part, Index n_q, Index n_k) {
  return part.random_keys < n_k ? std::int64_t{n_q} * (10 * part.random_keys + n_k / 16)
                                : 16 * std::int64_t{n_q};
}

std::int64_t cost_of_longformer(const MaskPart& part, Index n_q, Index n_k) {
  return cost_of_stretches(part, n_q, n_k) + cost_of_tokens(part, n_q, n_k);
}

std::int64_t cost_of_bigbird(const MaskPart& part, Index n_q, Index n_k) {
  return cost_of_draws(part, n_q, n_k) + cost_of_longformer(part, n_q, n_k);
}

// The implementation of a kind; its row is in core/inputs/mask_kinds.cpp.
struct MaskBuilder {
  MaskKind kind;
  AddRow (*rows)(const MaskSize& size, const MaskPart& part);  // what a pattern allows or a constraint blocks
  std::int64_t (*cost)(const MaskPart& part, Index n_q, Index n_k);
  std::optional<Oversize> (*oversize)(const MaskPart& part, Index n_q, Index n_k) = nullptr;
};

constexpr MaskBuilder builders[] = {
    {MaskKind::causal, block_causal, cost_of_stretches},
    {MaskKind::padding, block_padding, cost_of_tokens},
    {MaskKind::segments, block_segments, cost_of_stretches},
    {MaskKind::file, block_file, cost_of_file},
    {MaskKind::painted, block_painted, cost_of_painting},
    {MaskKind::window, allow_window, cost_of_stretches, large_window},
    {MaskKind::dilated, allow_dilated, cost_of_dilated, large_reach},
    {MaskKind::global, allow_global, cost_of_tokens},
    {MaskKind::random, allow_random, cost_of_draws, many_keys},
    {MaskKind::longformer, allow_longformer, cost_of_longformer, large_window},
    {MaskKind::bigbird, allow_bigbird, cost_of_bigbird, large_bigbird},
};

const MaskBuilder& builder(const MaskPart& part) {
  return *std::ranges::find(builders, part.kind, &MaskBuilder::kind);
}

// A list of global tokens that is still empty is ignored; literally it would block everything.
bool counts_as_pattern(const MaskPart& part) {
  return part.on && is_pattern(part.kind) && !(part.kind == MaskKind::global && part.tokens.empty());
}

// Rejects parts so many or so large that building them would take too long.
void check_cost(std::span<const MaskPart> parts, Index n_q, Index n_k) {
  constexpr std::int64_t maximum = std::int64_t{1} << 29;
  std::int64_t cost = 0;
  for (const MaskPart& part : parts)
    if (part.on) cost += builder(part).cost(part, n_q, n_k);
  if (cost > maximum)
    throw input_error(
        counted("{} part of the mask is too much to build for {} × {} tokens; use a smaller one",
                "the {} parts of the mask are too much to build for {} × {} tokens; use fewer of them",
                parts.size()),
        parts.size(), n_q, n_k);
}

// The rows of all active parts, in order.
class PartRows {
 public:
  PartRows(std::span<const MaskPart> parts, const MaskSize& size) : n_k_(static_cast<int>(size.n_k)) {
    for (const MaskPart& part : parts)
      if (counts_as_pattern(part)) patterns_.push_back(builder(part).rows(size, part));
    for (const MaskPart& part : parts) {
      if (!part.on || is_pattern(part.kind)) continue;
      check_painted(part, size);
      constraints_.push_back(builder(part).rows(size, part));
    }
  }
  // What the patterns together allow, minus what any constraint blocks.
  const KeySpans& row(Index query) {
    seen_.assign(patterns_.empty() ? 1 : 0, {0, n_k_});
    for (const AddRow& add : patterns_) add(query, seen_);
    merge_spans(seen_);
    blocked_.clear();
    for (const AddRow& add : constraints_) add(query, blocked_);
    merge_spans(blocked_);
    subtract_spans(seen_, blocked_, allowed_);
    return allowed_;
  }

 private:
  int n_k_;
  std::vector<AddRow> patterns_, constraints_;
  KeySpans seen_, blocked_, allowed_;
};

// Rejects masks with so many edges that spans would take too much memory.
void check_edges(Index spans, Index n_q, Index n_k) {
  constexpr Index maximum = Index{1} << 26;
  if (spans > maximum)
    throw input_error("the mask has too many edges for {} × {} tokens; use a simpler one", n_q, n_k);
}

// The common mask minus the cells painted for one head.
RowSpans less_painted(const RowSpans& common, const std::vector<AddRow>& painted) {
  RowSpans own(common.n_k());
  KeySpans blocked, left;
  for (Index query = 0; query < common.n_q(); ++query) {
    blocked.clear();
    for (const AddRow& add : painted) add(query, blocked);
    merge_spans(blocked);
    subtract_spans(common.row(query), blocked, left);
    own.add_row(left);
  }
  return own;
}

// The active parts that paint single heads, by head.
std::map<int, std::vector<const MaskPart*>> painters(std::span<const MaskPart> parts) {
  std::map<int, std::vector<const MaskPart*>> of_heads;
  for (const MaskPart& part : parts) {
    if (!part.on) continue;
    for (const PaintedRun& run : part.painted) {
      if (run.head < 0) continue;
      std::vector<const MaskPart*>& known = of_heads[run.head];
      if (known.empty() || known.back() != &part) known.push_back(&part);
    }
  }
  return of_heads;
}

void set_own_masks(Mask& mask, std::span<const MaskPart> parts, const MaskSize& size, const RowSpans& common,
                   bool keep) {
  Index spans = common.spans();
  for (const auto& [head, painting] : painters(parts)) {
    std::vector<AddRow> painted;
    for (const MaskPart* part : painting) painted.push_back(block_painted_in(size, *part, head));
    RowSpans own = less_painted(common, painted);
    if (!mask.has_bytes()) check_edges(spans += own.spans(), size.n_q, size.n_k);
    mask.set_own(head, std::move(own), keep);
  }
}

Mask make_mask(std::span<const MaskPart> parts, Tokens queries, Tokens keys, int heads, bool keep) {
  const MaskSize size{queries, keys, heads};
  Mask mask(size.n_q, size.n_k);
  const bool any = std::any_of(parts.begin(), parts.end(), [](const MaskPart& part) { return part.on; });
  if (!any || size.n_q == 0 || size.n_k == 0) return mask;
  check_cost(parts, size.n_q, size.n_k);
  PartRows rows(parts, size);
  RowSpans common(size.n_k);
  for (Index query = 0; query < size.n_q; ++query) {
    common.add_row(rows.row(query));
    if (!mask.has_bytes()) check_edges(common.spans(), size.n_q, size.n_k);
  }
  set_own_masks(mask, parts, size, common, keep);
  mask.set_common(std::move(common), keep);
  return mask;
}

}  // namespace

Mask build_mask(std::span<const MaskPart> parts, std::span<const Token> queries, std::span<const Token> keys,
                int heads) {
  return make_mask(parts, queries, keys, heads, true);
}

Mask count_mask(std::span<const MaskPart> parts, std::span<const Token> queries, std::span<const Token> keys,
                int heads) {
  return make_mask(parts, queries, keys, heads, false);
}

std::optional<Oversize> oversize(const MaskPart& part, Index n_q, Index n_k) {
  const auto find = builder(part).oversize;
  if (!part.on || find == nullptr || std::max(n_q, n_k) == 0) return {};
  return find(part, n_q, n_k);
}

void fit_mask_parts(std::vector<MaskPart>& parts, Index n_q, Index n_k, int heads) {
  for (MaskPart& part : parts) {
    const MaskParameter* list = mask_kind(part.kind).token_list();
    const Index tokens = list != nullptr && list->of_keys ? n_k : std::max(n_q, n_k);
    std::erase_if(part.tokens, [&](int token) { return token >= tokens; });
    for (PaintedRun& run : part.painted) run.key_end = static_cast<int>(std::min<Index>(run.key_end, n_k));
    std::erase_if(part.painted, [&](const PaintedRun& run) {
      return run.query >= n_q || run.key_begin >= run.key_end || run.head >= heads;
    });
  }
}

}  // namespace headscope
