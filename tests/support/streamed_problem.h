// A head's map with every kind of rule, in one streamed pass and as a whole.
#pragma once
#include <cmath>
#include <limits>
#include <memory>

#include "core/attention/streamed_pass.h"
#include "core/attention/streamed_rows.h"
#include "core/base/matrix.h"
#include "core/model/seeded/torch_random.h"
#include "tests/support/testing.h"
#include "tests/support/traces.h"

namespace headscope::tests {

struct StreamedCase {
  const char* name;
  std::vector<std::string> mask = {};
  float fill = -std::numeric_limits<float>::infinity();
  float inverse_temperature = 1;
  double dropout = 0;
  bool bias = false;
  bool causal = false;
  Index window = 0;
  double gain = 1;
  float cap = 0;
  bool positions = false;
  bool own_keys = false, repeats = false;
  bool distances = false;
};

// Q, K and V of two heads that share keys and values, their rule, and the same by rows of the whole map.
class StreamedProblem {
 public:
  StreamedProblem(const StreamedCase& each, Index n_q, Index n_k, Index d)
      : q_({heads, n_q, d}), k_({1, n_k, d}), v_({1, n_k, d}), factors_({heads * n_q, n_k}) {
    TorchRandom random(11);
    random.normal(q_.data(), q_.size(), 0, each.gain);
    random.normal(k_.data(), k_.size(), 0, each.gain);
    random.normal(v_.data(), v_.size(), 0, 1);
    random.bernoulli(factors_.data(), factors_.size(), 1 - each.dropout,
                     static_cast<float>(1 / (1 - each.dropout)));
    rule.scale = 1 / std::sqrt(static_cast<float>(d));
    rule.inverse_temperature = each.inverse_temperature;
    rule.fill = each.fill;
    rule.causal = each.causal;
    rule.window = each.window;
    rule.cap = each.cap;
    if (each.bias) {
      rule.bias = Tensor({heads, n_q + n_k});
      random.normal(rule.bias.data(), rule.bias.size(), 0, 1);
      rule.bias_zero = n_q;
    }
    if (each.positions) {
      constexpr Index vectors = 7;
      auto terms = std::make_shared<PositionTerms>();
      terms->of_queries = Tensor({heads, n_q, vectors});
      terms->of_keys = Tensor({heads, n_k, vectors});
      random.normal(terms->of_queries.data(), terms->of_queries.size(), 0, 1);
      random.normal(terms->of_keys.data(), terms->of_keys.size(), 0, 1);
      terms->zero = n_q - 1;
      for (Index i = 0; i < n_q + n_k; ++i) terms->places.push_back(std::min(i / 90, vectors - 1));
      rule.positions = std::move(terms);
    }
    if (each.distances) {
      auto terms = std::make_shared<PositionTerms>();
      terms->zero = n_q - 1;
      terms->vectors = Tensor({heads, n_q + n_k - 1, d});
      terms->queries = Tensor({heads, n_q, d});
      terms->of_segments = Tensor({heads, n_q, 2});
      random.normal(terms->vectors.data(), terms->vectors.size(), 0, 1 / static_cast<double>(d));
      random.normal(terms->queries.data(), terms->queries.size(), 0, 1);
      random.normal(terms->of_segments.data(), terms->of_segments.size(), 0, 1);
      for (Index i = 0; i < std::max(n_q, n_k); ++i) terms->segments.push_back(i / 90 % 3);
      rule.positions = std::move(terms);
    }
    if (each.own_keys) {
      auto own = std::make_shared<OwnKeys>(OwnKeys{{0, 200, 201}, Tensor({1, n_k, d}), Tensor({1, n_k, d})});
      random.normal(own->k.data(), own->k.size(), 0, each.gain);
      rule.own_keys = std::move(own);
    }
    if (each.repeats) rule.repeated = {100, n_q - 100, 60, 4};
    if (!each.mask.empty())
      rule.mask = std::make_shared<const Mask>(
          build_mask(mask_parts(each.mask), numbered_tokens(n_q), numbered_tokens(n_k), heads));
    if (each.dropout > 0)
      rule.dropout = [this](Index of, Index begin, Index end, float* to) {
        std::copy_n(factors_.at(of * q_.dim(1) + begin), (end - begin) * k_.dim(1), to);
      };
  }

  Index n_q() const { return q_.dim(1); }
  Index n_k() const { return k_.dim(1); }

  /// The numbers computed from each row.
  std::vector<RowNumbers> row_numbers(const RowQuestion& question, int thread_count = 2,
                                      Index* cells = nullptr) {
    ThreadPool threads(thread_count);
    BufferPool memory;
    std::vector<RowNumbers> rows(static_cast<std::size_t>(n_q()));
    const std::int64_t computed = stream_rows(HeadRows(q_), HeadRows(k_), rule, head, question,
                                              {best_kernels(), threads, memory}, rows);
    if (cells != nullptr) *cells = computed;
    return rows;
  }
  StreamedMap streamed(int thread_count = 2) {
    ThreadPool threads(thread_count);
    BufferPool memory;
    const HeadRows v(v_);
    request.values = with_context ? &v : nullptr;
    return stream_map(HeadRows(q_), HeadRows(k_), rule, head, request, {best_kernels(), threads, memory});
  }
  /// Weights [n_q, n_k] after dropout.
  Matrix weights() {
    const Index n_q = q_.dim(1), n_k = k_.dim(1);
    BufferPool memory;
    Matrix map(n_q, n_k);
    attention_rows(HeadRows(q_), HeadRows(k_), rule, head, 0, n_q, map.data(), nullptr, best_kernels(),
                   memory);
    return map;
  }
  /// Those that maps show: blocked ones are hidden, except where every key is blocked.
  Matrix shown() {
    Matrix map = weights();
    KeySpans scratch;
    for (Index i = 0; i < map.rows() && rule.mask; ++i) {
      const auto row = rule.mask->row(head, i, scratch);
      for (Index j = 0; j < map.cols() && !row.empty(); ++j)
        if (!contains(row, j)) map(i, j) = 0;
    }
    return map;
  }
  Matrix values() const { return as_matrix(v_, 0); }

  static constexpr Index heads = 2, head = 1;
  AttentionRule rule;
  StreamedRequest request;
  bool with_context = true;

 private:
  Tensor q_, k_, v_, factors_;
};

inline const std::vector<StreamedCase> streamed_cases{
    {.name = "plain"},
    {.name = "causal", .mask = {"causal"}},
    {.name = "longformer", .mask = {"longformer:20,global=0,600"}},
    {.name = "bigbird", .mask = {"bigbird:3,global=1,random=2,seed=3"}},
    {.name = "dilated", .mask = {"dilated:40,3"}},
    {.name = "painted for a head", .mask = {"painted:head=1,5:0-699,6:1-699;head=0,9:0-699"}},
    {.name = "finite fill", .mask = {"window:9", "painted:5:0-699"}, .fill = -1e9F},
    {.name = "fill among the scores", .mask = {"window:9"}, .fill = -1.5F},
    {.name = "sharp", .mask = {"causal"}, .inverse_temperature = 20},
    {.name = "flat", .inverse_temperature = 0.01F},
    {.name = "dropout", .mask = {"causal"}, .dropout = 0.4},
    {.name = "dropout where every key is blocked",
     .mask = {"painted:5:0-699"},
     .fill = -1e9F,
     .dropout = 0.4},
    {.name = "relative bias", .bias = true},
    {.name = "a model's own window", .causal = true, .window = 33},
    {.name = "a model's own window to both sides", .window = 33},
    {.name = "vectors of positions", .positions = true},
    {.name = "a vector of each distance", .mask = {"longformer:20,global=0,200"}, .distances = true},
    {.name = "a vector of each distance, flat", .inverse_temperature = 0.1F, .distances = true},
    {.name = "keys of their own", .mask = {"longformer:20,global=0,200,201"}, .own_keys = true},
    {.name = "keys of their own with all", .own_keys = true},
    {.name = "keys that count several times", .mask = {"longformer:20,global=0,9"}, .repeats = true},
    {.name = "keys that count several times, flat", .inverse_temperature = 0.1F, .repeats = true},
    {.name = "large scores", .gain = 12},
    {.name = "capped scores", .causal = true, .gain = 3, .cap = 5},
};

}  // namespace headscope::tests
