#include "core/attention/equation.h"
#include "core/model/seeded/seeded_layer.h"
#include "tests/support/reference.h"
#include "tests/support/testing.h"

namespace headscope::tests {

// A layer and the request to it.
struct Problem {
  LayerWeights layer;
  Mask mask;
  AttentionRequest request;  // its mask is `mask`
};

Tensor normal(std::vector<Index> shape, double deviation, TorchRandom& random) {
  Tensor tensor(std::move(shape));
  random.normal(tensor.data(), tensor.size(), 0, deviation);
  return tensor;
}

Linear random_linear(Index out, Index in, TorchRandom& random) {
  return {normal({out, in}, 1 / std::sqrt(static_cast<double>(in)), random), normal({out}, 1, random)};
}

// Every third cell and the whole first row blocked; one head has its own cells.
Mask random_mask(Index n_q, Index n_k, int heads, std::mt19937& random) {
  const auto cells = [&] {
    std::vector<std::uint8_t> blocked(static_cast<std::size_t>(n_q * n_k));
    for (std::uint8_t& cell : blocked) cell = random() % 3 == 0;
    std::fill_n(blocked.begin(), n_k, std::uint8_t{1});
    return blocked;
  };
  Mask mask(n_q, n_k);
  mask.set_common(cells());
  mask.set_own(static_cast<int>(random() % static_cast<unsigned>(heads)), cells());
  return mask;
}

Problem random_problem(std::mt19937& random) {
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  TorchRandom values(random());
  Problem problem;
  AttentionRequest& request = problem.request;
  request.heads = std::array{1, 2, 3, 4, 6, 12}[static_cast<std::size_t>(below(6))];
  do request.kv_heads = 1 + below(static_cast<unsigned>(request.heads));
  while (request.heads % request.kv_heads != 0);
  const Index d_k = 1 + below(90), d_model = d_k * request.heads, narrow = d_k * request.kv_heads;
  problem.layer = {random_linear(d_model, d_model, values),
                   random_linear(narrow, d_model, values),
                   random_linear(narrow, d_model, values),
                   random_linear(d_model, d_model, values),
                   std::nullopt,
                   std::nullopt};
  const Index n_q = 1 + below(below(3) == 0 ? 150 : 20), n_k = 1 + below(below(3) == 0 ? 300 : 20);
  request.x = normal({n_q, d_model}, 1, values);
  request.key_x = normal({n_k, d_model}, 1, values);
  if (below(2) == 0) problem.mask = random_mask(n_q, n_k, request.heads, random);
  request.fill = below(2) == 0 ? -1e9F : -std::numeric_limits<float>::infinity();
  if (below(2) == 0) request.inverse_temperature = 1 / (0.1F + static_cast<float>(below(40)) / 10);
  if (below(3) != 0) request.scale = 1 / std::sqrt(static_cast<float>(d_k));
  if (below(3) == 0) request.gain_q = 3, request.gain_k = -2;
  if (below(3) == 0)
    request.ablated = {{static_cast<int>(below(request.heads))},
                       below(2) == 0 ? Ablation::zero : Ablation::mean};
  if (below(3) == 0) {
    Tensor factors({request.heads * n_q, n_k});
    values.bernoulli(factors.data(), factors.size(), 0.75, 1 / 0.75F);
    request.dropout = [factors, n_q](Index head, Index begin, Index end, float* to) {
      std::copy_n(factors.at(head * n_q + begin), (end - begin) * factors.dim(1), to);
    };
  }
  return problem;
}

template <typename Expected>
double largest_difference_of(const Tensor& tensor, const Expected& expected) {
  return tensor.size() == expected.size() ? largest_difference(tensor.data(), tensor.size(), expected.data())
                                          : INFINITY;
}

// A product of k terms rounds at most k times and in practice about sqrt(k) times, each by 2^-24 of its size.
// Rounding a score of size s by 2^-24 s moves its weight by as much again, so bounds grow with the scores.
void expect_near(const LayerTrace& trace, const LayerMatrices<double>& expected,
                 const AttentionRequest& request) {
  const auto size = [](const MatrixOf<double>& matrix) {
    return std::max(1.0, matrix.cwiseAbs().maxCoeff());
  };
  const double ulps = 6e-8 * std::sqrt(static_cast<double>(request.x.dim(1)));
  const double score_bound = 2 * ulps * size(expected.scores);
  const double weight_bound =
      2e-7 + 2 * score_bound * std::max(1.0, static_cast<double>(request.inverse_temperature));
  const double output_bound = 20 * (weight_bound + ulps) * size(expected.output);
  EXPECT_LE(largest_difference_of(trace.q, expected.q), 2 * ulps * size(expected.q));
  EXPECT_LE(largest_difference_of(trace.k, expected.k), 2 * ulps * size(expected.k));
  EXPECT_LE(largest_difference_of(trace.v, expected.v), 2 * ulps * size(expected.v));
  EXPECT_LE(largest_difference_of(trace.scores, expected.scores), score_bound);
  EXPECT_LE(largest_difference_of(trace.weights, expected.weights), weight_bound);
  EXPECT_LE(largest_difference_of(trace.context, expected.context), output_bound);
  EXPECT_LE(largest_difference_of(trace.output, expected.output), output_bound);
  // What is blocked, dropped out, or in a row without a visible key, is exactly zero.
  for (Index i = 0; i < trace.weights.size(); ++i)
    ASSERT_TRUE(expected.weights.data()[i] != 0 || trace.weights.data()[i] == 0) << i;
}

// The equation in double precision against itself in float32 (nullopt), and against the kernels of an
// instruction set.
class Equation : public testing::TestWithParam<std::optional<InstructionSet>> {
 protected:
  void SetUp() override {
    if (GetParam() && find_kernels(*GetParam()) == nullptr)
      GTEST_SKIP() << "this machine has no such instruction set";
  }
  LayerTrace attend_as_requested(const LayerWeights& layer, const AttentionRequest& request) {
    if (!GetParam()) return attend_by_equation(layer, request);
    const ComputeContext context{*find_kernels(*GetParam()), threads_, memory_};
    return attend(pack_layer(layer, context), request, context);
  }

 private:
  ThreadPool threads_{2};
  BufferPool memory_;
};

TEST_P(Equation, holds_for_random_layers_and_requests) {
  std::mt19937 random(20);
  for (int i = 0; i < 60 && !HasFailure(); ++i) {
    Problem problem = random_problem(random);
    AttentionRequest& request = problem.request;
    request.mask = std::make_shared<const Mask>(problem.mask);
    SCOPED_TRACE(testing::Message() << i << ": " << request.x.dim(0) << " x " << request.key_x.dim(0)
                                    << ", d_model " << request.x.dim(1) << ", heads " << request.heads
                                    << ", kv_heads " << request.kv_heads << ", 1 / T "
                                    << request.inverse_temperature);
    expect_near(attend_as_requested(problem.layer, request),
                attention_equation<double>(problem.layer, request), request);
  }
}

TEST_P(Equation, holds_within_a_millionth_for_the_notebooks_kind_of_layer) {
  const Inputs inputs;
  TorchRandom random(inputs.seed);
  const LayerWeights layer = draw_layer(inputs, random);
  AttentionRequest request;
  request.x = request.key_x = normal({130, inputs.d_model}, 1, random);
  request.heads = request.kv_heads = inputs.heads;
  request.scale = 1 / std::sqrt(static_cast<float>(inputs.d_model / inputs.heads));
  const LayerTrace trace = attend_as_requested(layer, request);
  const LayerMatrices<double> expected = attention_equation<double>(layer, request);
  EXPECT_LE(largest_difference_of(trace.weights, expected.weights), 1e-6);
  EXPECT_LE(largest_difference_of(trace.output, expected.output), 1e-5);
}

std::string engine_name(const testing::TestParamInfo<std::optional<InstructionSet>>& info) {
  constexpr std::array names{"baseline", "avx2", "avx512"};
  return info.param ? names[static_cast<std::size_t>(*info.param)] : "eigen";
}
INSTANTIATE_TEST_SUITE_P(Engines, Equation,
                         testing::Values(std::nullopt, InstructionSet::baseline, InstructionSet::avx2,
                                         InstructionSet::avx512),
                         engine_name);

}  // namespace headscope::tests
