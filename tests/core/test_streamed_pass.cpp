#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "core/attention/streamed_pass.h"
#include "core/base/matrix.h"
#include "core/model/torch_random.h"
#include "tests/support/testing.h"
#include "tests/support/traces.h"

namespace headscope::tests {
namespace {

struct StreamedCase {
  const char* name;
  std::vector<std::string> mask;
  float fill = -std::numeric_limits<float>::infinity();
  float inverse_temperature = 1;
  double dropout = 0;
  bool bias = false;
  bool causal = false;
  Index window = 0;
  double gain = 1;
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
    if (each.bias) {
      rule.bias = Tensor({heads, n_q + n_k});
      random.normal(rule.bias.data(), rule.bias.size(), 0, 1);
      rule.bias_zero = n_q;
    }
    if (!each.mask.empty())
      rule.mask = std::make_shared<const Mask>(
          build_mask(mask_parts(each.mask), numbered_tokens(n_q), numbered_tokens(n_k), heads));
    if (each.dropout > 0)
      request.dropout = [this](Index begin, Index end, float* to) {
        std::copy_n(factors_.at(head * q_.dim(1) + begin), (end - begin) * k_.dim(1), to);
      };
    request.context = true;
  }

  StreamedMap streamed(int thread_count = 2) {
    ThreadPool threads(thread_count);
    BufferPool memory;
    const HeadRows q(q_), k(k_), v(v_);
    return stream_map(q, k, &v, rule, head, request, {best_kernels(), threads, memory});
  }
  /// Weights [n_q, n_k] after dropout.
  Matrix weights() {
    const Index n_q = q_.dim(1), n_k = k_.dim(1);
    BufferPool memory;
    Matrix map(n_q, n_k);
    attention_rows(HeadRows(q_), HeadRows(k_), rule, head, 0, n_q, map.data(), nullptr, best_kernels(),
                   memory);
    if (request.dropout)
      for (Index i = 0; i < n_q; ++i)
        map.row(i).array() *= RowView(factors_.at(head * n_q + i), n_k).transpose();
    return map;
  }
  /// Those of them that maps show: of what is blocked nothing, but where every key is.
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

 private:
  Tensor q_, k_, v_, factors_;
};

float largest_of_groups(const Matrix& map, Index query_group, Index key_group, Index i, Index j) {
  const Index rows = std::min(query_group, map.rows() - i * query_group);
  const Index columns = std::min(key_group, map.cols() - j * key_group);
  return map.block(i * query_group, j * key_group, rows, columns).maxCoeff();
}

float mean_of_groups(const Matrix& map, Index query_group, Index key_group, Index i, Index j) {
  const Index rows = std::min(query_group, map.rows() - i * query_group);
  const Index columns = std::min(key_group, map.cols() - j * key_group);
  return map.block(i * query_group, j * key_group, rows, columns).mean();
}

const std::vector<StreamedCase> streamed_cases{
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
    {.name = "large scores", .gain = 12},
};

}  // namespace

TEST(StreamedPass, is_the_whole_map_within_roundings_of_float32) {
  for (const StreamedCase& each : streamed_cases) {
    StreamedProblem problem(each, 500, 700, 20);
    const Matrix map = problem.weights(), shown = problem.shown();
    const Matrix context = map * problem.values();
    for (const auto& [query_group, key_group] :
         std::vector<std::pair<Index, Index>>{{1, 1}, {7, 3}, {32, 32}, {100, 90}, {500, 700}}) {
      problem.request.query_group = query_group;
      problem.request.key_group = key_group;
      const StreamedMap streamed = problem.streamed();
      const float far = 2e-6F * std::max(1.0F, map.maxCoeff());
      for (Index i = 0; i < streamed.overview.dim(0); ++i)
        for (Index j = 0; j < streamed.overview.dim(1); ++j)
          ASSERT_NEAR(streamed.overview.at(i)[j], largest_of_groups(shown, query_group, key_group, i, j), far)
              << each.name << " " << query_group << " " << i << " " << j;
      EXPECT_LT((as_matrix(streamed.context) - context).cwiseAbs().maxCoeff(), 1e-5F) << each.name;
      problem.request.mean = true;
      const Tensor means = problem.streamed().overview;
      problem.request.mean = false;
      for (Index i = 0; i < means.dim(0); ++i)
        for (Index j = 0; j < means.dim(1); ++j)
          ASSERT_NEAR(means.at(i)[j], mean_of_groups(shown, query_group, key_group, i, j), far)
              << each.name << " " << query_group << " " << i << " " << j;
    }
  }
}

TEST(StreamedPass, has_the_same_bits_for_any_number_of_threads) {
  StreamedProblem problem({.name = "", .mask = {"longformer:50,global=3"}}, 700, 700, 64);
  problem.request.query_group = problem.request.key_group = 8;
  const StreamedMap one = problem.streamed(1), three = problem.streamed(3);
  EXPECT_TRUE(
      std::equal(one.overview.data(), one.overview.data() + one.overview.size(), three.overview.data()));
  EXPECT_TRUE(std::equal(one.context.data(), one.context.data() + one.context.size(), three.context.data()));
  EXPECT_EQ(one.sum, three.sum);
  problem.request.query_group = 300;  // which several threads share
  problem.request.mean = true;
  const Tensor mean = problem.streamed(1).overview, means = problem.streamed(3).overview;
  EXPECT_TRUE(std::equal(mean.data(), mean.data() + mean.size(), means.data()));
}

TEST(StreamedPass, what_is_blocked_is_not_computed) {
  StreamedProblem whole({.name = ""}, 2000, 2000, 16);
  StreamedProblem window({.name = "", .mask = {"window:10"}}, 2000, 2000, 16);
  EXPECT_EQ(whole.streamed().cells, 2000 * 2000);
  EXPECT_LT(window.streamed().cells, 2000 * 2000 / 5);
}

TEST(StreamedPass, a_sample_of_queries_is_a_part_of_the_overview) {
  StreamedProblem problem({.name = "", .mask = {"causal"}}, 600, 600, 16);
  problem.request.query_group = problem.request.key_group = 6;
  const StreamedMap whole = problem.streamed();
  problem.request.every = 6;
  Index told = 0, all = 0;
  problem.request.progress = [&](Index done, Index of) { told = done, all = of; };
  const StreamedMap sample = problem.streamed();
  EXPECT_EQ(sample.every, 6);
  EXPECT_EQ(told, 100);
  EXPECT_EQ(all, 100);
  problem.request.every = 1;
  problem.request.query_group = 1;
  const StreamedMap rows = problem.streamed();
  for (Index i = 0; i < 100; ++i)
    for (Index j = 0; j < 100; ++j) {
      ASSERT_EQ(sample.overview.at(i)[j], rows.overview.at(6 * i)[j]);
      ASSERT_LE(sample.overview.at(i)[j], whole.overview.at(i)[j]);
    }
}

TEST(StreamedPass, stops_when_it_is_asked_to) {
  StreamedProblem problem({.name = ""}, 640, 640, 16);
  problem.request.query_group = problem.request.key_group = 64;
  std::stop_source stop;
  Index told = 0;
  problem.request.progress = [&](Index done, Index) {
    told = done;
    stop.request_stop();
  };
  ThreadPool threads(1);
  BufferPool memory;
  Tensor rows({1, 640, 16});
  std::fill_n(rows.data(), rows.size(), 1.0F);
  stream_map(HeadRows(rows), HeadRows(rows), nullptr, {}, 0, problem.request,
             {best_kernels(), threads, memory}, stop.get_token());
  EXPECT_GT(told, 0);
  EXPECT_LT(told, 640);
}

}  // namespace headscope::tests
