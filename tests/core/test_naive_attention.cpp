#include "core/base/matrix.h"
#include "core/model/seeded_layer.h"
#include "core/source/engine.h"
#include "tests/support/reference.h"

namespace headscope::tests {

// A second implementation of one layer: the equation head by head in double precision, with nothing in common
// with the engine but the parameters and X.
struct Naive {
  std::vector<MatrixD> scores, weights;  // [heads] of [n_q, n_k]
  MatrixD context, output;               // [n_q, d_model]
};

MatrixD as_double(const Tensor& tensor) {
  return as_matrix(tensor).cast<double>();
}

MatrixD apply(const MatrixD& x, const Linear& linear, double gain) {
  const auto bias =
      Eigen::Map<const Eigen::RowVectorXf>(linear.bias.data(), linear.bias.size()).cast<double>();
  return (x * (gain * as_double(linear.weight)).transpose()).rowwise() + bias;
}

void masked_softmax_row(MatrixD& scores, const Trace& trace, int head) {
  for (Index i = 0; i < scores.rows(); ++i) {
    double sum = 0, largest = -INFINITY;
    for (Index j = 0; j < scores.cols(); ++j) {
      scores(i, j) /= trace.inputs.temperature;
      if (trace.mask.blocked(head, i, j))
        scores(i, j) = trace.inputs.mask_fill == MaskFill::minus_1e9 ? -1e9 : -INFINITY;
      largest = std::max(largest, scores(i, j));
    }
    for (Index j = 0; j < scores.cols(); ++j)
      sum += scores(i, j) = largest == -INFINITY ? 0 : std::exp(scores(i, j) - largest);
    if (sum > 0) scores.row(i) /= sum;
  }
}

Naive attend_naively(const Trace& trace) {
  const Inputs& inputs = trace.inputs;
  TorchRandom random(inputs.seed);
  const LayerWeights layer = draw_layer(inputs, random);
  const MatrixD x = as_double(trace.x), key_x = as_double(trace.key_x);
  const MatrixD q = apply(x, layer.q, inputs.gain_q), k = apply(key_x, layer.k, inputs.gain_k);
  const MatrixD v = apply(key_x, layer.v, 1);
  const Index d_k = trace.d_k();
  Naive naive;
  naive.context = MatrixD(x.rows(), x.cols());
  for (int h = 0; h < inputs.heads; ++h) {
    const Index group = h / (inputs.heads / inputs.key_value_heads());
    MatrixD scores = q.middleCols(h * d_k, d_k) * k.middleCols(group * d_k, d_k).transpose();
    if (inputs.scale) scores /= std::sqrt(static_cast<double>(d_k));
    naive.scores.push_back(scores);
    masked_softmax_row(scores, trace, h);
    naive.context.middleCols(h * d_k, d_k) = scores * v.middleCols(group * d_k, d_k);
    naive.weights.push_back(scores);
  }
  naive.output = apply(naive.context, layer.o, 1);
  return naive;
}

MaskPart random_mask(std::mt19937& random, int n_q, int n_k) {
  MaskPart part;
  part.kind =
      std::array{MaskKind::causal, MaskKind::window, MaskKind::random, MaskKind::painted}[random() % 4];
  part.window = static_cast<int>(random() % 5);
  part.random_keys = 1 + static_cast<int>(random() % 3);
  for (int i = 0; i < n_q; i += 2)  // from somewhere to the end of a row, now and then all of it
    part.painted.push_back(
        {random() % 2 == 0 ? -1 : 0, i, static_cast<int>(random()) % 2 == 0 ? 0 : n_k / 2, n_k});
  std::sort(part.painted.begin(), part.painted.end());
  return part;
}

Inputs random_inputs(std::mt19937& random) {
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  Inputs inputs;
  inputs.seed = random();
  inputs.heads = std::array{1, 2, 3, 4, 6, 12}[static_cast<std::size_t>(below(6))];
  inputs.d_model = inputs.heads * (1 + below(90));
  inputs.kv_heads = std::array{0, 1, inputs.heads}[static_cast<std::size_t>(below(3))];
  const int n_q = 1 + below(below(3) == 0 ? 150 : 20), n_k = 1 + below(below(3) == 0 ? 300 : 20);
  inputs.sentence = sentence_of(n_q);
  if (below(2) == 0) inputs.key_sentence = sentence_of(n_k);
  if (below(2) == 0) inputs.mask = {random_mask(random, n_q, inputs.cross() ? n_k : n_q)};
  if (below(2) == 0) inputs.mask_fill = MaskFill::minus_1e9;
  if (below(2) == 0) inputs.temperature = 0.1 + below(40) / 10.0;
  if (below(3) == 0) inputs.scale = false;
  if (below(3) == 0) inputs.gain_q = 3, inputs.gain_k = -2;
  if (below(3) == 0) inputs.vectors = VectorKind::embedding, inputs.positions = Positions::sinusoidal;
  inputs.weights = std::array{WeightKind::linear, WeightKind::xavier, WeightKind::identity,
                              WeightKind::similarity}[static_cast<std::size_t>(below(4))];
  return inputs;
}

// Rounding a score of size s by 2^-24 s moves its weight by as much again, so bounds grow with the scores; a
// product of k terms rounds at most k times and in practice about sqrt(k) times.
void expect_near_naive(const Trace& trace) {
  const Naive naive = attend_naively(trace);
  const LayerTrace& layer = trace.layers.at(0);
  double largest_score = 1;
  for (const MatrixD& scores : naive.scores)
    largest_score = std::max(largest_score, scores.cwiseAbs().maxCoeff());
  const double ulps = 6e-8 * std::sqrt(static_cast<double>(trace.inputs.d_model));
  const double score_bound = 2 * ulps * largest_score;
  const double weight_bound = 2e-7 + 2 * score_bound / std::min(1.0, trace.inputs.temperature);
  for (int h = 0; h < trace.inputs.heads; ++h) {
    const auto head = static_cast<std::size_t>(h);
    const Index cells = trace.n_q() * trace.n_k();
    EXPECT_LE(largest_difference(layer.scores.at(h), cells, naive.scores[head].data()), score_bound);
    EXPECT_LE(largest_difference(layer.weights.at(h), cells, naive.weights[head].data()), weight_bound);
  }
  const double largest = std::max(1.0, naive.output.cwiseAbs().maxCoeff());
  const double output_bound = 20 * (weight_bound + ulps) * largest;
  EXPECT_LE(largest_difference(layer.context.data(), layer.context.size(), naive.context.data()),
            output_bound);
  EXPECT_LE(largest_difference(layer.output.data(), layer.output.size(), naive.output.data()), output_bound);
}

class NaiveAttention : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { setenv("HEADSCOPE_ISA", GetParam(), 1); }
  void TearDown() override { unsetenv("HEADSCOPE_ISA"); }
};

TEST_P(NaiveAttention, agrees_on_random_inputs) {
  std::mt19937 random(20);
  Engine engine(2);
  for (int i = 0; i < 60; ++i) {
    const Inputs inputs = random_inputs(random);
    const auto trace = engine.run(inputs);
    SCOPED_TRACE(testing::Message() << i << ": " << trace->n_q() << " x " << trace->n_k() << ", d_model "
                                    << inputs.d_model << ", heads " << inputs.heads << ", kv_heads "
                                    << inputs.kv_heads << ", T " << inputs.temperature);
    expect_near_naive(*trace);
    if (HasFailure()) break;
  }
}

TEST_P(NaiveAttention, has_weights_within_a_millionth_on_the_notebooks_kind_of_layer) {
  Inputs inputs;
  inputs.sentence = sentence_of(130);
  const auto trace = Engine().run(inputs);
  const Naive naive = attend_naively(*trace);
  for (int h = 0; h < inputs.heads; ++h)
    EXPECT_LE(largest_difference(trace->layers[0].weights.at(h), 130 * 130,
                                 naive.weights[static_cast<std::size_t>(h)].data()),
              1e-6);
  EXPECT_LE(largest_difference(trace->layers[0].output.data(), 130 * 512, naive.output.data()), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, NaiveAttention, testing::Values("baseline", "avx2", "avx512"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace headscope::tests
