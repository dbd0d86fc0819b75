#include <algorithm>
#include <numeric>
#include <optional>
#include <random>

#include "core/attention/mask.h"
#include "core/base/error.h"
#include "core/base/translate.h"
#include "core/inputs/inputs.h"
#include "core/inputs/mask_kinds.h"
#include "core/io/decode.h"

namespace headscope {
namespace {

using Tokens = std::span<const Token>;

// [n_q, n_k] bytes, row by row, all 0 at first.
struct Cells {
  Cells(Tokens query_tokens, Tokens key_tokens)
      : queries(query_tokens),
        keys(key_tokens),
        n_q(std::ssize(queries)),
        n_k(std::ssize(keys)),
        bytes(queries.size() * keys.size()) {}
  std::uint8_t* row(Index query) { return bytes.data() + query * n_k; }
  const std::uint8_t* row(Index query) const { return bytes.data() + query * n_k; }
  // Keys [begin, end) of a row, as far as there are such.
  void fill(Index query, Index begin, Index end, std::uint8_t value) {
    begin = std::max<Index>(begin, 0);
    end = std::min(end, n_k);
    if (begin < end) std::fill(row(query) + begin, row(query) + end, value);
  }

  Tokens queries, keys;
  Index n_q, n_k;
  std::vector<std::uint8_t> bytes;
};

void check_tokens(const MaskPart& part, Index tokens) {
  for (int token : part.tokens)
    if (token < 0 || token >= tokens)
      throw input_error(
          counted("the mask \"{}\" names token {}; there is only {} token, numbered from 0",
                  "the mask \"{}\" names token {}; there are only {} tokens, numbered from 0", tokens),
          to_string(part), token, tokens);
}

// ---- patterns: 1 allows

void allow_window(Cells& allowed, const MaskPart& part) {
  const Index w = part.window;
  for (Index i = 0; i < allowed.n_q; ++i) allowed.fill(i, i - w, i + w + 1, 1);
}

// Index has 64 bits, w and d 31.
Index reach_of(const MaskPart& part) {
  return Index{part.window} * part.dilation;
}

void allow_dilated(Cells& allowed, const MaskPart& part) {
  const Index d = part.dilation, reach = reach_of(part);
  for (Index i = 0; i < allowed.n_q; ++i) {
    const Index first = i - std::min(reach, i / d * d);
    for (Index j = first; j < allowed.n_k && j <= i + reach; j += d) allowed.row(i)[j] = 1;
  }
}

void allow_global(Cells& allowed, const MaskPart& part) {
  check_tokens(part, std::max(allowed.n_q, allowed.n_k));
  for (int token : part.tokens) {
    if (token < allowed.n_q) allowed.fill(token, 0, allowed.n_k, 1);
    if (token < allowed.n_k)
      for (Index i = 0; i < allowed.n_q; ++i) allowed.row(i)[token] = 1;
  }
}

// A number of [0, bound), each as likely. The standard's distributions differ between libraries; this gives
// the same mask everywhere.
std::uint64_t draw_below(std::mt19937_64& generator, std::uint64_t bound) {
  const std::uint64_t uneven = (std::uint64_t{0} - bound) % bound;  // 2^64 mod bound
  std::uint64_t draw = generator();
  while (draw < uneven) draw = generator();
  return draw % bound;
}

// r keys a query, without repetition, by the start of a Fisher-Yates shuffle. A shuffle may begin at any
// permutation, so the one of the row before serves.
void allow_random(Cells& allowed, const MaskPart& part) {
  const Index r = part.random_keys;
  if (r >= allowed.n_k) return std::fill(allowed.bytes.begin(), allowed.bytes.end(), std::uint8_t{1});
  std::mt19937_64 generator(part.seed);
  std::vector<Index> keys(static_cast<std::size_t>(allowed.n_k));
  std::iota(keys.begin(), keys.end(), Index{0});
  for (Index i = 0; i < allowed.n_q; ++i) {
    for (std::size_t drawn = 0; drawn < static_cast<std::size_t>(r); ++drawn) {
      std::swap(keys[drawn], keys[drawn + draw_below(generator, keys.size() - drawn)]);
      allowed.row(i)[keys[drawn]] = 1;
    }
  }
}

void allow_longformer(Cells& allowed, const MaskPart& part) {
  allow_window(allowed, part);
  allow_global(allowed, part);
}

void allow_bigbird(Cells& allowed, const MaskPart& part) {
  allow_random(allowed, part);
  allow_longformer(allowed, part);
}

// ---- constraints: 1 blocks

void block_causal(Cells& blocked, const MaskPart&) {
  for (Index i = 0; i < blocked.n_q; ++i) blocked.fill(i, i + 1, blocked.n_k, 1);
}

void block_padding(Cells& blocked, const MaskPart& part) {
  check_tokens(part, blocked.n_k);
  for (Index i = 0; i < blocked.n_q; ++i)
    for (int key : part.tokens) blocked.row(i)[key] = 1;
}

void block_segments(Cells& blocked, const MaskPart&) {
  for (Index i = 0; i < blocked.n_q; ++i) {
    const int sentence = blocked.queries[static_cast<std::size_t>(i)].sentence;
    for (Index j = 0; j < blocked.n_k; ++j)
      if (blocked.keys[static_cast<std::size_t>(j)].sentence != sentence) blocked.row(i)[j] = 1;
  }
}

void block_file(Cells& blocked, const MaskPart& part) {
  if (part.path.empty())
    throw input_error("the mask \"{}\" names no file; expected {}", "file:", "file:MASK.npy");
  // Room for what may be given by mistake (a mask a head, wide numbers), so that its shape or type is told.
  constexpr std::size_t most_heads = 64, widest = 8, header = std::size_t{1} << 20;
  const NamedArray array = read_npy(part.path, blocked.bytes.size() * most_heads * widest + header);
  if (array.dtype != "bool")
    throw input_error("the mask file {} holds {}; expected bool, where true blocks", part.path, array.dtype);
  if (array.shape != std::vector<Index>{blocked.n_q, blocked.n_k}) {
    throw input_error("the mask file {} has shape {}; expected [{}, {}] (queries × keys)", part.path,
                      shape_text(array.shape), blocked.n_q, blocked.n_k);
  }
  for (std::size_t i = 0; i < blocked.bytes.size(); ++i)
    blocked.bytes[i] = static_cast<std::uint8_t>(blocked.bytes[i] | (array.values[i] != 0));
}

void check_painted(const MaskPart& part, const Cells& cells, int heads) {
  for (const PaintedRun& run : part.painted) {
    if (run.query < 0 || run.query >= cells.n_q || run.key_begin < 0 || run.key_end > cells.n_k)
      throw input_error("the painted mask has cell {}:{}; expected a query below {} and a key below {}",
                        run.query, run.key_end - 1, cells.n_q, cells.n_k);
    if (run.head < -1 || run.head >= heads)
      throw input_error(counted("the painted mask names head {}; there is {} head, numbered from 0",
                                "the painted mask names head {}; there are {} heads, numbered from 0", heads),
                        run.head, heads);
  }
}

void block_painted_in(Cells& blocked, const MaskPart& part, int head) {
  for (const PaintedRun& run : part.painted)
    if (run.head == head) blocked.fill(run.query, run.key_begin, run.key_end, 1);
}

void block_painted(Cells& blocked, const MaskPart& part) {
  block_painted_in(blocked, part, -1);
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

// ---- what building a part takes, in nanoseconds or so

// Whole stretches of rows are set at once.
Index cost_of_stretches(const MaskPart&, Index n_q, Index n_k) {
  return n_q * n_k / 8;
}

Index cost_of_cells(const MaskPart&, Index n_q, Index n_k) {
  return n_q * n_k;
}

Index cost_of_tokens(const MaskPart& part, Index n_q, Index n_k) {
  return 8 * n_q * std::min(std::ssize(part.tokens), std::max(n_q, n_k));
}

Index cost_of_file(const MaskPart&, Index n_q, Index n_k) {
  return 8 * n_q * n_k;
}

Index cost_of_painting(const MaskPart& part, Index n_q, Index n_k) {
  constexpr Index passes_over_runs = Limits::max_heads + 4;
  return passes_over_runs * std::ssize(part.painted) + n_q * n_k / 8;
}

Index cost_of_draws(const MaskPart& part, Index n_q, Index n_k) {
  return part.random_keys < n_k ? 10 * n_q * part.random_keys : n_q * n_k / 8;
}

Index cost_of_longformer(const MaskPart& part, Index n_q, Index n_k) {
  return cost_of_stretches(part, n_q, n_k) + cost_of_tokens(part, n_q, n_k);
}

Index cost_of_bigbird(const MaskPart& part, Index n_q, Index n_k) {
  return cost_of_draws(part, n_q, n_k) + cost_of_longformer(part, n_q, n_k);
}

// What a kind does, beside its row in core/inputs/mask_kinds.cpp.
struct MaskBuilder {
  MaskKind kind;
  void (*fill)(Cells& cells, const MaskPart& part);  // sets what a pattern allows or a constraint blocks
  Index (*cost)(const MaskPart& part, Index n_q, Index n_k);
  std::optional<Oversize> (*oversize)(const MaskPart& part, Index n_q, Index n_k) = nullptr;
};

constexpr MaskBuilder builders[] = {
    {MaskKind::causal, block_causal, cost_of_stretches},
    {MaskKind::padding, block_padding, cost_of_tokens},
    {MaskKind::segments, block_segments, cost_of_cells},
    {MaskKind::file, block_file, cost_of_file},
    {MaskKind::painted, block_painted, cost_of_painting},
    {MaskKind::window, allow_window, cost_of_stretches, large_window},
    {MaskKind::dilated, allow_dilated, cost_of_cells, large_reach},
    {MaskKind::global, allow_global, cost_of_tokens},
    {MaskKind::random, allow_random, cost_of_draws, many_keys},
    {MaskKind::longformer, allow_longformer, cost_of_longformer, large_window},
    {MaskKind::bigbird, allow_bigbird, cost_of_bigbird, large_bigbird},
};

const MaskBuilder& builder(const MaskPart& part) {
  return *std::ranges::find(builders, part.kind, &MaskBuilder::kind);
}

// A list of global tokens that is still empty says nothing yet; taken at its word it would block everything.
bool counts_as_pattern(const MaskPart& part) {
  return part.on && is_pattern(part.kind) && !(part.kind == MaskKind::global && part.tokens.empty());
}

Cells blocked_by_patterns(std::span<const MaskPart> parts, Tokens queries, Tokens keys) {
  Cells cells(queries, keys);
  if (std::none_of(parts.begin(), parts.end(), counts_as_pattern)) return cells;
  for (const MaskPart& part : parts)
    if (counts_as_pattern(part)) builder(part).fill(cells, part);
  for (std::uint8_t& cell : cells.bytes) cell ^= 1U;
  return cells;
}

// So many parts, or parts so large, that building them would hold up whoever asked for it.
void check_cost(std::span<const MaskPart> parts, Index n_q, Index n_k) {
  constexpr Index most = Index{1} << 29;
  Index cost = 0;
  for (const MaskPart& part : parts)
    if (part.on) cost += builder(part).cost(part, n_q, n_k);
  if (cost > most)
    throw input_error(
        counted("the part of the mask is too much to build for {1} × {2} tokens; use a smaller one",
                "the {} parts of the mask are too much to build for {} × {} tokens; use fewer of them",
                parts.size()),
        parts.size(), n_q, n_k);
}

void set_own_masks(Mask& mask, std::span<const MaskPart> parts, const Cells& common, int heads, bool keep) {
  for (int head = 0; head < heads; ++head) {
    const auto paints_this = [&](const PaintedRun& run) { return run.head == head; };
    std::optional<Cells> own;
    for (const MaskPart& part : parts) {
      if (!part.on || std::ranges::none_of(part.painted, paints_this)) continue;
      if (!own) own = common;
      block_painted_in(*own, part, head);
    }
    if (own) mask.set_own(head, std::move(own->bytes), keep);
  }
}

Mask make_mask(std::span<const MaskPart> parts, Tokens queries, Tokens keys, int heads, bool keep) {
  const Index n_q = std::ssize(queries), n_k = std::ssize(keys);
  Mask mask(n_q, n_k);
  const bool any = std::any_of(parts.begin(), parts.end(), [](const MaskPart& part) { return part.on; });
  if (!any || n_q == 0 || n_k == 0) return mask;
  check_cost(parts, n_q, n_k);
  Cells blocked = blocked_by_patterns(parts, queries, keys);
  for (const MaskPart& part : parts) {
    if (!part.on || is_pattern(part.kind)) continue;
    check_painted(part, blocked, heads);
    builder(part).fill(blocked, part);
  }
  set_own_masks(mask, parts, blocked, heads, keep);
  mask.set_common(std::move(blocked.bytes), keep);
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
