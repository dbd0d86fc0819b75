#include <algorithm>
#include <memory>

#include "tests/support/streamed_problem.h"

namespace headscope::tests {
namespace {

float largest_of_pools(const Matrix& map, Index query_pool, Index key_pool, Index i, Index j) {
  const Index rows = std::min(query_pool, map.rows() - i * query_pool);
  const Index columns = std::min(key_pool, map.cols() - j * key_pool);
  return map.block(i * query_pool, j * key_pool, rows, columns).maxCoeff();
}

float mean_of_pools(const Matrix& map, Index query_pool, Index key_pool, Index i, Index j) {
  const Index rows = std::min(query_pool, map.rows() - i * query_pool);
  const Index columns = std::min(key_pool, map.cols() - j * key_pool);
  return map.block(i * query_pool, j * key_pool, rows, columns).mean();
}

}  // namespace

TEST(StreamedPass, is_the_whole_map_within_roundings_of_float32) {
  for (const StreamedCase& each : streamed_cases) {
    StreamedProblem problem(each, 500, 700, 20);
    const Matrix map = problem.weights(), shown = problem.shown();
    const Matrix context = map * problem.values();
    for (const auto& [query_pool, key_pool] :
         std::vector<std::pair<Index, Index>>{{1, 1}, {7, 3}, {32, 32}, {100, 90}, {500, 700}}) {
      problem.request.queries = query_pool;
      problem.request.keys = key_pool;
      const StreamedMap streamed = problem.streamed();
      const float far = 2e-6F * std::max(1.0F, map.maxCoeff());
      for (Index i = 0; i < streamed.overview.dim(0); ++i)
        for (Index j = 0; j < streamed.overview.dim(1); ++j)
          ASSERT_NEAR(streamed.overview.at(i)[j], largest_of_pools(shown, query_pool, key_pool, i, j), far)
              << each.name << " " << query_pool << " " << i << " " << j;
      EXPECT_LT((as_matrix(streamed.context) - context).cwiseAbs().maxCoeff(), 1e-5F) << each.name;
      problem.request.mean = true;
      const Tensor means = problem.streamed().overview;
      problem.request.mean = false;
      for (Index i = 0; i < means.dim(0); ++i)
        for (Index j = 0; j < means.dim(1); ++j)
          ASSERT_NEAR(means.at(i)[j], mean_of_pools(shown, query_pool, key_pool, i, j), far)
              << each.name << " " << query_pool << " " << i << " " << j;
    }
  }
}

TEST(StreamedPass, has_the_same_bits_for_any_number_of_threads) {
  StreamedProblem problem({.name = "", .mask = {"longformer:50,global=3"}}, 700, 700, 64);
  problem.request.queries = problem.request.keys = 8;
  const StreamedMap one = problem.streamed(1), three = problem.streamed(3);
  EXPECT_TRUE(
      std::equal(one.overview.data(), one.overview.data() + one.overview.size(), three.overview.data()));
  EXPECT_TRUE(std::equal(one.context.data(), one.context.data() + one.context.size(), three.context.data()));
  EXPECT_EQ(one.sum, three.sum);
  problem.request.queries = 300;  // which several threads share
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

TEST(StreamedPass, what_is_known_is_not_computed_again) {
  StreamedCase each;
  each.name = "plain";
  StreamedProblem problem(each, 700, 3000, 16);
  problem.with_context = false;
  const StreamedMap whole = problem.streamed();
  EXPECT_EQ(whole.cells, 700 * 3000);
  problem.request.known = &whole;
  problem.request.queries = problem.request.keys = 1;
  problem.request.query_begin = 100;
  problem.request.query_end = 200;
  problem.request.key_begin = 1000;
  problem.request.key_end = 1100;
  const StreamedMap part = problem.streamed();
  EXPECT_LT(part.cells, 100 * 250);
  problem.request.known = nullptr;
  const StreamedMap alone = problem.streamed();
  EXPECT_EQ(alone.cells, 100 * 3000);
  ASSERT_EQ(part.overview.shape(), (std::vector<Index>{100, 100}));
  EXPECT_TRUE(
      std::equal(part.overview.data(), part.overview.data() + part.overview.size(), alone.overview.data()));
}

TEST(StreamedPass, a_sample_of_queries_is_a_part_of_the_overview) {
  StreamedProblem problem({.name = "", .mask = {"causal"}}, 600, 600, 16);
  problem.request.queries = problem.request.keys = 6;
  const StreamedMap whole = problem.streamed();
  problem.request.every = 6;
  Index reported = 0, all = 0;
  problem.request.progress = [&](Index done, Index of) { reported = done, all = of; };
  const StreamedMap sample = problem.streamed();
  EXPECT_EQ(sample.every, 6);
  EXPECT_EQ(reported, 100);
  EXPECT_EQ(all, 100);
  problem.request.every = 1;
  problem.request.queries = 1;
  const StreamedMap rows = problem.streamed();
  for (Index i = 0; i < 100; ++i)
    for (Index j = 0; j < 100; ++j) {
      ASSERT_EQ(sample.overview.at(i)[j], rows.overview.at(6 * i)[j]);
      ASSERT_LE(sample.overview.at(i)[j], whole.overview.at(i)[j]);
    }
}

TEST(StreamedPass, stops_on_request) {
  StreamedProblem problem({.name = ""}, 640, 640, 16);
  problem.request.queries = problem.request.keys = 64;
  std::stop_source stop;
  Index reported = 0;
  problem.request.progress = [&](Index done, Index) {
    reported = done;
    stop.request_stop();
  };
  ThreadPool threads(1);
  BufferPool memory;
  Tensor rows({1, 640, 16});
  std::fill_n(rows.data(), rows.size(), 1.0F);
  problem.request.stop = stop.get_token();
  stream_map(HeadRows(rows), HeadRows(rows), {}, 0, problem.request, {best_kernels(), threads, memory});
  EXPECT_GT(reported, 0);
  EXPECT_LT(reported, 640);
}

}  // namespace headscope::tests
