#include <algorithm>
#include <array>
#include <random>

#include "core/attention/equation.h"
#include "core/attention/mask.h"
#include "core/attention/row_spans.h"
#include "core/attention/visible_spans.h"
#include "core/source/seeded/seeded_maps.h"
#include "tests/support/testing.h"
#include "tests/support/traces.h"

namespace headscope::tests {

namespace {

using Cells = std::vector<std::uint8_t>;

// What core/inputs/MASKS.md specifies for a part, cell by cell: 1 where a pattern allows or a constraint
// blocks.
bool says(const MaskPart& part, const std::vector<Token>& queries, const std::vector<Token>& keys, int i,
          int j, int head) {
  const auto listed = [&](int token) { return std::ranges::count(part.tokens, token) > 0; };
  const bool window = std::abs(i - j) <= part.window, global = listed(i) || listed(j);
  switch (part.kind) {
    case MaskKind::causal:
      return j > i;
    case MaskKind::padding:
      return listed(j);
    case MaskKind::segments:
      return queries[static_cast<std::size_t>(i)].sentence != keys[static_cast<std::size_t>(j)].sentence;
    case MaskKind::painted:
      return std::ranges::any_of(part.painted, [&](const PaintedRun& run) {
        return (run.head == -1 || run.head == head) && run.query == i && j >= run.key_begin &&
               j < run.key_end;
      });
    case MaskKind::window:
      return window;
    case MaskKind::dilated:
      return std::abs(i - j) <= part.window * part.dilation && (i - j) % part.dilation == 0;
    case MaskKind::global:
      return global;
    case MaskKind::longformer:
      return window || global;
    default:
      return false;  // random ones are compared with their text form in test_mask
  }
}

Cells blocked_by(const std::vector<MaskPart>& parts, const std::vector<Token>& queries,
                 const std::vector<Token>& keys, int head) {
  Cells cells;
  for (int i = 0; i < std::ssize(queries); ++i)
    for (int j = 0; j < std::ssize(keys); ++j) {
      bool any = false, allowed = false, blocked = false;
      for (const MaskPart& part : parts) {
        if (!part.on || (part.kind == MaskKind::global && part.tokens.empty())) continue;
        const bool said = says(part, queries, keys, i, j, head);
        if (is_pattern(part.kind)) any = true, allowed = allowed || said;
        if (!is_pattern(part.kind)) blocked = blocked || said;
      }
      cells.push_back(blocked || (any && !allowed) ? 1 : 0);
    }
  return cells;
}

class RandomMasks {
 public:
  explicit RandomMasks(unsigned seed) : random_(seed) {}
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  std::vector<Token> tokens(int n) {
    std::vector<Token> tokens = numbered_tokens(n);
    int sentence = 0;
    for (Token& token : tokens) token.sentence = sentence += below(8) == 0 ? 1 : 0;
    return tokens;
  }
  std::vector<int> some(int n) {
    std::set<int> chosen;
    for (int i = below(4); i > 0; --i) chosen.insert(below(n));
    return {chosen.begin(), chosen.end()};
  }
  MaskPart part(int n_q, int n_k, int heads) {
    constexpr std::array kinds{MaskKind::causal, MaskKind::padding, MaskKind::segments, MaskKind::painted,
                               MaskKind::window, MaskKind::dilated, MaskKind::global,   MaskKind::longformer};
    MaskPart part = make_mask_part(kinds[static_cast<std::size_t>(below(std::ssize(kinds)))]);
    part.on = below(8) > 0;
    part.window = below(12);
    part.dilation = 1 + below(4);
    part.tokens = some(part.kind == MaskKind::padding ? n_k : std::max(n_q, n_k));
    for (int i = below(12); i > 0 && part.kind == MaskKind::painted; --i) {
      const int begin = below(n_k);
      part.painted.push_back({below(heads + 1) - 1, below(n_q), begin, begin + 1 + below(n_k - begin)});
    }
    merge_painted(part.painted);
    return part;
  }

 private:
  std::mt19937 random_;
};

}  // namespace

TEST(RowSpans, merge_and_subtract) {
  KeySpans spans{{5, 7}, {0, 2}, {2, 3}, {6, 9}, {4, 4}};
  merge_spans(spans);
  EXPECT_THAT(spans, ElementsAre(KeySpan{0, 3}, KeySpan{5, 9}));
  KeySpans left;
  subtract_spans(spans, KeySpans{{1, 2}, {3, 6}, {8, 20}}, left);
  EXPECT_THAT(left, ElementsAre(KeySpan{0, 1}, KeySpan{2, 3}, KeySpan{6, 8}));
  for (int key = 0; key < 10; ++key)
    EXPECT_EQ(contains(left, key), key == 0 || key == 2 || key == 6 || key == 7);
}

TEST(RowSpans, a_mask_of_any_parts_is_what_each_says_cell_by_cell) {
  RandomMasks random(3);
  for (int round = 0; round < 400; ++round) {
    const int n_q = 1 + random.below(40), n_k = random.below(2) == 0 ? n_q : 1 + random.below(40), heads = 3;
    const std::vector<Token> queries = random.tokens(n_q), keys = random.tokens(n_k);
    std::vector<MaskPart> parts;
    for (int i = random.below(4); i >= 0; --i) parts.push_back(random.part(n_q, n_k, heads));
    const Mask mask = build_mask(parts, queries, keys, heads),
               counted = count_mask(parts, queries, keys, heads);
    Index all = 0;
    for (int head = 0; head < heads; ++head) {
      const Cells expected = blocked_by(parts, queries, keys, head);
      std::vector<Index> empty;
      Cells by_rows, scratch;
      KeySpans span_scratch;
      for (int i = 0; i < n_q; ++i) {
        const auto row = mask.row(head, i, span_scratch);
        if (row.empty()) empty.push_back(i);
        const std::uint8_t* bytes = mask.blocked_row(head, i, scratch);
        for (int j = 0; j < n_k; ++j) {
          const std::uint8_t cell = expected[static_cast<std::size_t>(i * n_k + j)];
          ASSERT_EQ(mask.blocked(head, i, j), cell == 1) << head << " " << i << " " << j;
          ASSERT_EQ(contains(row, j), cell == 0);
          ASSERT_EQ(bytes == nullptr ? 0 : bytes[j], cell);
          all += cell;
        }
      }
      EXPECT_EQ(mask.empty_queries(head), empty);
      EXPECT_EQ(counted.empty_queries(head), empty);
      EXPECT_EQ(mask.head(head) != nullptr, std::ranges::count(expected, 1) > 0);
      if (mask.head(head) == nullptr) continue;
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), mask.head(head)));
    }
    EXPECT_EQ(mask.blocked_cells(heads), all);
    EXPECT_EQ(counted.blocked_cells(heads), all);
  }
}

TEST(RowSpans, a_large_mask_takes_memory_by_its_edges_and_is_counted_in_64_bits) {
  const std::vector<Token> tokens = numbered_tokens(65536);
  const Mask causal = build_mask(mask_parts({"causal"}), tokens, tokens, 2);
  EXPECT_FALSE(causal.has_bytes());
  EXPECT_EQ(causal.blocked_cells(2), Index{65536} * 65535);
  std::vector<MaskPart> parts = mask_parts({"longformer:256,global=0"});
  parts.push_back(make_mask_part(MaskKind::painted));
  parts.back().painted = {{1, 7, 0, 65536}};
  const Mask far = build_mask(parts, tokens, tokens, 2);
  EXPECT_THAT(far.empty_queries(0), IsEmpty());
  EXPECT_THAT(far.empty_queries(1), ElementsAre(7));
  KeySpans scratch;
  EXPECT_THAT(far.row(0, 1000, scratch), ElementsAre(KeySpan{0, 1}, KeySpan{744, 1257}));
  std::vector<std::uint8_t> bytes;
  const std::uint8_t* row = far.blocked_row(0, 1000, bytes);
  EXPECT_EQ(std::count(row, row + 65536, 0), 514);
  EXPECT_TRUE(far.blocked(0, 1000, 743));
  EXPECT_FALSE(far.blocked(0, 1000, 744));
  EXPECT_FALSE(far.same(0, 1));
  parts = mask_parts({"dilated:1,2"});
  parts.front().window = 65535;
  EXPECT_THAT(complaint([&] { build_mask(parts, tokens, tokens, 1); }), HasSubstr("65536 × 65536"));
}

TEST(RowSpans, what_is_blocked_is_left_out_of_maps_and_context_without_a_change_of_a_bit) {
  constexpr Index n = 300, d_k = 24;
  constexpr int heads = 2;
  const std::vector<Token> tokens = numbered_tokens(n);
  TorchRandom random(5);
  ThreadPool threads(2);
  BufferPool memory;
  const ComputeContext context{best_kernels(), threads, memory};
  const auto linear = [&] {
    Linear one{Tensor({d_k * heads, d_k * heads}), Tensor({d_k * heads})};
    random.normal(one.weight.data(), one.weight.size(), 0, 0.3);
    random.normal(one.bias.data(), one.bias.size(), 0, 0.3);
    return one;
  };
  const PackedLayer layer =
      pack_layer({linear(), linear(), linear(), linear(), std::nullopt, std::nullopt}, context);
  Tensor x({n, d_k * heads});
  random.normal(x.data(), x.size(), 0, 1);
  for (const auto& parts :
       std::vector<std::vector<std::string>>{{"window:20"},
                                             {"longformer:5,global=150"},
                                             {"window:2", "padding:0,1,2,3,4,5"},
                                             {"causal", "window:70", "painted:head=1,100:0-299"},
                                             {"random:1,seed=4"}}) {
    const Mask mask = build_mask(mask_parts(parts), tokens, tokens, heads);
    for (const float fill : {-std::numeric_limits<float>::infinity(), -1e9F, -2.0F}) {
      AttentionRequest request;
      request.x = request.key_x = x;
      request.heads = request.kv_heads = heads;
      request.fill = fill;
      request.mask = std::make_shared<const Mask>(mask);
      const LayerTrace whole = attend(layer, request, context);  // keeping the scores computes all of them
      request.keep_scores = false;
      const LayerTrace parts_alone = attend(layer, request, context);
      const auto same = [](const Tensor& a, const Tensor& b) {
        return a.shape() == b.shape() && std::equal(a.data(), a.data() + a.size(), b.data());
      };
      EXPECT_TRUE(same(whole.weights, parts_alone.weights)) << parts.front() << " " << fill;
      EXPECT_TRUE(same(whole.context, parts_alone.context)) << parts.front() << " " << fill;
      const SeededMaps maps({1, heads, n, n}, {{{whole.q, whole.k, whole.v, request}, {}, {}, {}}}, context);
      Tensor rows({n, n});
      for (int head = 0; head < heads; ++head) {
        maps.rows(0, head, 0, n, rows.data());
        EXPECT_TRUE(same(whole.weights.part(head), rows)) << parts.front() << " " << fill;
      }
    }
  }
}

}  // namespace headscope::tests
