#include "core/inputs/cost.h"
#include "core/model/seeded/seeded_layer.h"
#include "core/model/seeded/torch_random.h"
#include "tests/support/inputs.h"
#include "tests/support/reference.h"

namespace headscope::tests {

// tests/data/make_reference_layers.py draws the same in PyTorch.
class Draws : public testing::Test {
 protected:
  void expect_same_bits(const std::string& name, const float* drawn) {
    const std::vector<float>& expected = arrays_.at(name).values;
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(drawn[i], expected[i]) << name << "[" << i << "]";
  }
  std::vector<float> out_ = std::vector<float>(1000);
  const Arrays arrays_ = load("draws.npz");
};

TEST_F(Draws, are_the_bits_of_py_torch_one_after_the_other) {
  TorchRandom random(42);
  random.uniform(out_.data(), 100, -0.3, 0.7);
  expect_same_bits("uniform", out_.data());
  for (Index size : {7, 8, 15, 16, 17, 100, 1000, 3, 4}) {
    random.normal(out_.data(), size, 0.5, 2.0);
    expect_same_bits(fmt::format("normal_{}", size), out_.data());
  }
  random.bernoulli(out_.data(), 200, 0.7, static_cast<float>(1 / 0.7));
  expect_same_bits("dropout", out_.data());
  random.normal(out_.data(), 5, 0, 1);
  expect_same_bits("randn_after", out_.data());
}

TEST_F(Draws, take_the_low32_bits_of_the_seed) {
  TorchRandom random((std::uint64_t{1} << 40) + 5);
  random.uniform(out_.data(), 10, 0, 1);
  expect_same_bits("uniform_large_seed", out_.data());
}

TEST(TorchRandom, draws_the_notebooks_weights) {
  const Arrays notebook = load("notebook.npz");
  TorchRandom random(42);
  const LayerWeights layer = draw_layer(Inputs{}, random);
  const std::vector<float>& row = notebook.at("w_q_first_row").values;
  for (std::size_t i = 0; i < 512; ++i) ASSERT_EQ(layer.q.weight.data()[i], row[i]);
  const std::vector<float>& bias = notebook.at("b_o").values;
  for (std::size_t i = 0; i < 512; ++i) ASSERT_EQ(layer.o.bias.data()[i], bias[i]);
}

TEST(LayerWeights, counts_the_notebooks_parameters) {
  EXPECT_EQ(parameter_count(Inputs{}), 1'050'624);
  EXPECT_EQ(multiply_count(Inputs{}, 10, 10), 4 * 10 * 512 * 512 + 2 * 10 * 10 * 512);
}

TEST(LayerWeights, counts_shared_parameters_once) {
  Inputs inputs = inputs_of(R"("d_model": 16, "heads": 4, "kv_heads": 2, "layers": 3, "feed_forward": true)");
  const int attention = 2 * (16 * 16 + 16) + 2 * (8 * 16 + 8);
  const int feed_forward = 64 * 16 + 64 + 16 * 64 + 16;
  const int norms = 2 * 2 * 16;
  EXPECT_EQ(parameter_count(inputs), 3 * (attention + feed_forward + norms));
  inputs.share_layers = true;
  EXPECT_EQ(parameter_count(inputs), attention + feed_forward + norms);
  inputs.layers = 1;
  EXPECT_EQ(parameter_count(inputs), attention + feed_forward + norms);
  inputs.feed_forward = false;
  EXPECT_EQ(parameter_count(inputs), attention) << "ends with its attention";
  inputs = inputs_of(R"("d_model": 16, "heads": 4, "kv_heads": 2, "layers": 3, "feed_forward": true)");
  const int products = 2 * 5 * 16 * 16 + 2 * 7 * 16 * 8 + 2 * 5 * 7 * 16 + 8 * 5 * 16 * 16;
  EXPECT_EQ(multiply_count(inputs, 5, 7), 3 * products);
}

TEST(LayerWeights, of_identity_give_each_head_its_own_columns) {
  const Inputs inputs = inputs_of(R"("d_model": 8, "heads": 4, "kv_heads": 2, "weights": "identity")");
  TorchRandom random(1), untouched(1);
  const LayerWeights layer = draw_layer(inputs, random);
  for (Index row = 0; row < 8; ++row)
    for (Index column = 0; column < 8; ++column)
      EXPECT_EQ(layer.q.weight.at(row)[column], row == column ? 1.0F : 0.0F);
  // Two groups of two heads: keys and values read the columns of heads 0 and 2.
  const Index reads[] = {0, 1, 4, 5};
  for (Index row = 0; row < 4; ++row)
    for (Index column = 0; column < 8; ++column)
      EXPECT_EQ(layer.k.weight.at(row)[column], column == reads[row] ? 1.0F : 0.0F);
  float drawn = 0, expected = 0;
  random.uniform(&drawn, 1, 0, 1);
  untouched.uniform(&expected, 1, 0, 1);
  EXPECT_EQ(drawn, expected) << "identity weights draw nothing";
}

}  // namespace headscope::tests
