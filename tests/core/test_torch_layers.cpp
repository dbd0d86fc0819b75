#include "core/source/engine/engine.h"
#include "tests/support/inputs.h"
#include "tests/support/reference.h"
#include "tests/support/traces.h"

namespace headscope::tests {

// For float32's 24-bit rounding and sums of d_model terms of about 1: the bounds that the project guarantees.
constexpr double weight_bound = 1e-6, output_bound = 1e-5;

TEST(Notebook, is_reproduced) {
  const Arrays expected = load("notebook.npz");
  const auto trace = Engine().run(Inputs{});
  ASSERT_EQ(trace->blocks.front().n_q(), 10);
  // The notebook has a batch of two; the first is shown.
  EXPECT_EQ(largest_difference(trace->x, expected.at("x")), 0);
  EXPECT_LE(largest_difference(weights(*trace, 0), expected.at("attention")), weight_bound);
  EXPECT_LE(largest_difference(trace->blocks.front().layers[0].output, expected.at("output")), output_bound);
}

/// d_model and heads of a layer over n distinct words, with n_k others as keys if that is not 0.
struct Case {
  const char* name;
  Index n, n_k;
  int d_model, heads;
  const char* fields;
  Inputs inputs() const {
    Inputs result = sized(n, d_model, heads, fields);
    if (n_k > 0) result.key_sentence = sentence_of(n_k);
    return result;
  }
};

class ReferenceCase : public testing::TestWithParam<Case> {};

TEST_P(ReferenceCase, is_reproduced_in_both_precisions) {
  static const Arrays expected = load("cases.npz");
  const std::string name = GetParam().name;
  const auto trace = Engine().run(GetParam().inputs());
  const LayerTrace& layer = trace->blocks.front().layers.at(0);
  const Tensor attention = weights(*trace, 0);
  if (name == "blocked_row_inf") {
    // PyTorch gives NaN for a query without a visible key; here its weights are zero and its output is the
    // bias.
    for (Index h = 0; h < 2; ++h) {
      const float* rows = expected.at(name + ".attention").values.data() + h * 16;
      for (Index key = 0; key < 4; ++key) EXPECT_EQ(attention.at(h)[key], 0);
      EXPECT_LE(largest_difference(attention.at(h) + 4, 12, rows + 4), weight_bound);
    }
    const float* output = expected.at(name + ".output").values.data();
    EXPECT_LE(largest_difference(layer.output.at(1), 24, output + 8), output_bound);
    for (Index i = 0; i < layer.output.size(); ++i) EXPECT_TRUE(std::isfinite(layer.output.data()[i]));
    return;
  }
  for (const char* precision : {"", "_f64"}) {
    EXPECT_LE(largest_difference(attention, expected.at(name + ".attention" + precision)), weight_bound);
    EXPECT_LE(largest_difference(layer.output, expected.at(name + ".output" + precision)), output_bound);
  }
}

const Case reference_cases[] = {
    {"causal", 12, 0, 64, 4, R"("seed": 7, "mask": "causal")"},
    {"padding2", 9, 0, 96, 6, R"("seed": 8, "mask": "padding:7,8")"},
    {"cross", 5, 7, 32, 2, R"("seed": 9)"},
    {"single_head", 6, 0, 16, 1, R"("seed": 10)"},
    {"blocked_row_inf", 4, 0, 8, 2, R"("seed": 11, "mask": "painted:0:0-3")"},
    {"blocked_row_1e9", 4, 0, 8, 2, R"("seed": 11, "mask": "painted:0:0-3", "mask_fill": "-1e9")"},
};
const auto name_of = [](const auto& info) { return std::string(info.param.name); };
INSTANTIATE_TEST_SUITE_P(Cases, ReferenceCase, testing::ValuesIn(reference_cases), name_of);

class LayerCase : public testing::TestWithParam<Case> {};

TEST_P(LayerCase, is_reproduced_in_every_layer) {
  static const Arrays expected = load("layers.npz");
  const std::string name = GetParam().name;
  const auto trace = Engine().run(GetParam().inputs());
  ASSERT_EQ(trace->blocks.front().layer_count(), expected.at(name + ".x").shape[0]);
  for (std::size_t i = 0; i < trace->blocks.front().layers.size(); ++i) {
    const LayerTrace& layer = trace->blocks.front().layers[i];
    EXPECT_LE(largest_difference(layer.x, expected.at(name + ".x"), i), output_bound) << "layer " << i;
    EXPECT_LE(largest_difference(weights(*trace, static_cast<int>(i)), expected.at(name + ".attention"), i),
              3 * weight_bound);
    EXPECT_LE(largest_difference(layer.output, expected.at(name + ".output"), i), output_bound);
  }
}

const Case layer_cases[] = {
    {"grouped", 7, 0, 32, 4, R"("seed": 1, "kv_heads": 2)"},
    {"multi_query", 5, 9, 24, 3, R"("seed": 2, "kv_heads": 1)"},
    {"dropout", 6, 0, 16, 2, R"("seed": 3, "dropout": 0.3, "dropout_seed": 11)"},
    {"dropout_stack", 5, 0, 16, 2, R"("seed": 3, "dropout": 0.5, "dropout_seed": 12, "layers": 3)"},
    {"stack", 6, 0, 24, 2, R"("seed": 4, "layers": 3)"},
    {"stack_feed_forward", 5, 0, 16, 4, R"("seed": 5, "layers": 2, "feed_forward": true)"},
    {"stack_shared", 5, 0, 16, 4, R"("seed": 6, "layers": 3, "feed_forward": true, "share_layers": true)"},
    {"stack_bare", 5, 0, 16, 4, R"("seed": 7, "layers": 3, "residual": false, "layer_norm": false)"},
    {"stack_cross", 4, 6, 16, 2, R"("seed": 8, "layers": 2)"},
    {"xavier", 5, 0, 20, 2,
     R"("seed": 9, "layers": 2, "feed_forward": true, "weights": "xavier", "sigma": 0.3)"},
    {"normal", 5, 0, 20, 2, R"("seed": 10, "weights": "normal", "sigma": 0.3)"},
    {"similarity", 5, 0, 20, 2, R"("seed": 11, "weights": "similarity", "sigma": 0.3)"},
    {"mha", 5, 0, 20, 2, R"("seed": 13, "weights": "mha")"},
    {"mha_wide", 4, 0, 64, 8, R"("seed": 42, "weights": "mha")"},
    {"mha_cross", 4, 6, 24, 3, R"("seed": 14, "weights": "mha")"},
    {"knobs", 6, 0, 36, 3,
     R"("seed": 12, "scale": false, "temperature": 2.5, "gain_q": 1.5, "gain_k": -0.75)"},
};
INSTANTIATE_TEST_SUITE_P(Cases, LayerCase, testing::ValuesIn(layer_cases), name_of);

}  // namespace headscope::tests
