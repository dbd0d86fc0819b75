#include "core/attention/residual.h"
#include "core/source/engine.h"
#include "tests/support/inputs.h"
#include "tests/support/reference.h"

namespace headscope::tests {

Inputs with(Inputs inputs, MaskKind kind) {
  inputs.mask.push_back({.kind = kind});
  return inputs;
}

bool same_bits(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(float)) == 0;
}

void expect_same_bits(const Trace& a, const Trace& b) {
  ASSERT_EQ(a.layers.size(), b.layers.size());
  for (std::size_t i = 0; i < a.layers.size(); ++i) {
    for (const auto part : {&LayerTrace::x, &LayerTrace::q, &LayerTrace::scores, &LayerTrace::weights,
                            &LayerTrace::context, &LayerTrace::output})
      EXPECT_TRUE(same_bits(a.layers[i].*part, b.layers[i].*part));
  }
}

double row_sum(const LayerTrace& layer, Index head, Index query, Index n_k) {
  double sum = 0;
  for (Index j = 0; j < n_k; ++j) sum += static_cast<double>(layer.weights.at(head)[query * n_k + j]);
  return sum;
}

TEST(Engine, gives_the_same_bits_for_any_number_of_threads) {
  std::vector<Inputs> cases{sized(10, 512, 8), with(sized(67, 96, 3), MaskKind::causal), sized(300, 60, 4)};
  cases[2].layers = 3;
  cases[2].feed_forward = true;
  cases[2].dropout = 0.1;
  for (const Inputs& inputs : cases) {
    const auto one = Engine(1).run(inputs);
    for (int threads : {2, 3, 5}) expect_same_bits(*one, *Engine(threads).run(inputs));
  }
}

TEST(Engine, gives_the_same_bits_again_whatever_it_ran_before) {
  Engine used(2);
  const Inputs inputs = sized(40, 64, 4);
  for (int n : {7, 200, 40}) used.run(sized(n, 128, 8));
  Inputs sharper = inputs;
  sharper.temperature = 0.01;
  used.run(sharper);
  expect_same_bits(*used.run(inputs), *Engine(2).run(inputs));
}

TEST(Engine, rows_of_weights_sum_to_one_and_blocked_ones_are_zero) {
  const auto trace = Engine().run(with(with(sized(50, 64, 4), MaskKind::causal), MaskKind::window));
  for (Index h = 0; h < 4; ++h)
    for (Index i = 0; i < 50; ++i) {
      EXPECT_NEAR(row_sum(trace->layers[0], h, i, 50), 1, 1e-6);
      for (Index j = 0; j < 50; ++j)
        if (j > i || j < i - 1) {
          ASSERT_EQ(trace->layers[0].weights.at(h)[i * 50 + j], 0);
        }
    }
}

TEST(Engine, scores_are_those_before_the_mask) {
  const auto open = Engine().run(sized(20, 64, 4));
  const auto causal = Engine().run(with(sized(20, 64, 4), MaskKind::causal));
  EXPECT_TRUE(same_bits(open->layers[0].scores, causal->layers[0].scores));
  EXPECT_EQ(causal->masked_score(0, 0, 3, 4), -INFINITY);
  EXPECT_EQ(causal->masked_score(0, 0, 4, 3), causal->layers[0].scores.data()[4 * 20 + 3]);
}

TEST(Engine, permuting_tokens_permutes_rows_and_columns_without_positions) {
  Inputs inputs = sized(4, 48, 4);
  inputs.vectors = VectorKind::embedding;
  inputs.sentence = "one two three four";
  const auto before = Engine().run(inputs);
  inputs.sentence = "three one four two";
  const auto after = Engine().run(inputs);
  const Index from[] = {2, 0, 3, 1};
  for (Index h = 0; h < 4; ++h)
    for (Index i = 0; i < 4; ++i)
      for (Index j = 0; j < 4; ++j)
        EXPECT_NEAR(after->layers[0].weights.at(h)[i * 4 + j],
                    before->layers[0].weights.at(h)[from[i] * 4 + from[j]],
                    1e-6);  // the sum of a row is taken in another order
  inputs.positions = Positions::sinusoidal;
  const auto placed = Engine().run(inputs);
  EXPECT_GT(largest_difference(placed->layers[0].weights.data(), 64, after->layers[0].weights.data()), 1e-3);
}

TEST(Engine, causal_rows_do_not_change_when_later_tokens_do) {
  Inputs inputs = with(sized(3, 48, 4), MaskKind::causal);
  inputs.vectors = VectorKind::embedding;
  inputs.layers = 2;
  inputs.sentence = "a b c d";
  const auto before = Engine().run(inputs);
  inputs.sentence = "a b x y";
  const auto after = Engine().run(inputs);
  for (const std::size_t layer : {0U, 1U})
    for (Index h = 0; h < 4; ++h)
      for (Index j = 0; j < 8; ++j)
        EXPECT_EQ(after->layers[layer].weights.at(h)[j], before->layers[layer].weights.at(h)[j]);
}

TEST(Engine, dropout_keeps_the_mean_and_drops_everything_at_one) {
  Inputs inputs = sized(64, 32, 2);
  inputs.dropout = 0.25;
  auto trace = Engine().run(inputs);
  double sum = 0;
  for (Index i = 0; i < 64; ++i) sum += row_sum(trace->layers[0], 0, i, 64);
  // A row's sum has a standard deviation of about sqrt(p / (1 - p) Σ w²) <= 0.1; the mean of 64 of them
  // 0.013.
  EXPECT_NEAR(sum / 64, 1, 0.05);
  inputs.dropout = 1;
  trace = Engine().run(inputs);
  for (Index i = 0; i < trace->layers[0].weights.size(); ++i)
    ASSERT_EQ(trace->layers[0].weights.data()[i], 0);
}

TEST(Engine, sharp_softmax_leaves_no_denormals) {
  Inputs inputs = sized(100, 64, 4);
  inputs.temperature = 0.02;
  const auto trace = Engine().run(inputs);
  for (Index i = 0; i < trace->layers[0].weights.size(); ++i) {
    const float w = trace->layers[0].weights.data()[i];
    ASSERT_TRUE(w == 0 || std::fpclassify(w) == FP_NORMAL) << w;
  }
}

TEST(Engine, an_empty_sentence_is_a_trace_without_tokens) {
  Inputs inputs;
  inputs.sentence = "  ";
  const auto trace = Engine().run(inputs);
  EXPECT_EQ(trace->n_q(), 0);
  EXPECT_TRUE(trace->layers.empty());
  inputs = Inputs{};
  inputs.key_sentence = "";
  EXPECT_TRUE(Engine().run(inputs)->layers.empty());
}

TEST(Engine, refuses_more_tokens_than_its_limit_naming_both) {
  EXPECT_THAT(complaint([] { Engine().run(sized(Limits::max_tokens + 1, 8, 1)); }),
              AllOf(HasSubstr("4097"), HasSubstr("4096")));
}

TEST(Engine, keeps_the_maps_of_one_layer_beyond_the_budget) {
  Inputs inputs = sized(30, 32, 2);
  inputs.layers = 3;
  const auto all = Engine().run(inputs);
  for (const LayerTrace& layer : all->layers) EXPECT_TRUE(layer.has_maps());
  const auto one = Engine().run(inputs, {.layer = 1, .map_budget = 1000});
  EXPECT_FALSE(one->layers[0].has_maps());
  EXPECT_TRUE(one->layers[1].has_maps());
  EXPECT_FALSE(one->layers[2].has_maps());
  EXPECT_TRUE(same_bits(one->layers[1].weights, all->layers[1].weights));
  EXPECT_TRUE(same_bits(one->layers[2].output, all->layers[2].output));
  EXPECT_EQ(one->statistics[0][1].entropy, all->statistics[0][1].entropy);
}

TEST(Engine, stops_when_asked) {
  std::stop_source stop;
  stop.request_stop();
  Engine engine;
  EXPECT_EQ(engine.run(sized(200, 64, 4), {}, stop.get_token()), nullptr);
  EXPECT_NE(engine.run(sized(200, 64, 4)), nullptr);
}

TEST(Engine, says_so_where_a_stack_grows_beyond_float32) {
  Inputs inputs = sized(5, 64, 2);
  inputs.layers = 12;
  inputs.layer_norm = false;
  inputs.weights = WeightKind::normal;
  inputs.sigma = 100;
  EXPECT_THAT(complaint([&] { Engine().run(inputs); }), HasSubstr("float32"));
}

TEST(Engine, refuses_a_stack_that_would_fill_the_memory) {
  Inputs inputs = sized(5, Limits::max_d_model, 8);
  inputs.layers = 12;
  inputs.feed_forward = true;
  EXPECT_THAT(complaint([&] { Engine().run(inputs); }), HasSubstr("share_layers"));
}

TEST(Engine, tensors_outlive_it) {
  std::shared_ptr<const Trace> trace;
  {
    Engine engine;
    trace = engine.run(sized(300, 64, 4));
  }
  EXPECT_NEAR(row_sum(trace->layers[0], 3, 299, 300), 1, 1e-6);
}

TEST(LayerNorm, gives_each_row_mean_zero_and_variance_one) {
  Tensor x({2, 4});
  const float values[] = {1, 2, 3, 4, 5, 5, 5, 5};
  std::copy_n(values, 8, x.data());
  for (Index row = 0; row < 2; ++row) layer_norm(row_of(x, row));
  // (x - 2.5) / sqrt(1.25 + 1e-5); a constant row has no variance to divide by, and stays zero.
  const double expected[] = {-1.3416354, -0.4472118, 0.4472118, 1.3416354, 0, 0, 0, 0};
  EXPECT_LE(largest_difference(x.data(), 8, expected), 1e-6);
}

}  // namespace headscope::tests
