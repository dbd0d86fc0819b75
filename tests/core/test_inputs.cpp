#include "core/inputs/cost.h"
#include "core/inputs/inputs.h"
#include "core/model/seeded/token_vectors.h"
#include "tests/support/testing.h"

namespace headscope::tests {

std::string refusal(const std::function<void(Inputs&)>& change) {
  Inputs inputs;
  change(inputs);
  return complaint([&] { validate(inputs); });
}

TEST(Validate, accepts_the_notebook_and_the_limits) {
  EXPECT_NO_THROW(validate(Inputs{}));
  Inputs inputs;
  inputs.d_model = Limits::max_d_model;
  inputs.heads = Limits::max_heads;
  inputs.kv_heads = Limits::max_heads;
  inputs.layers = Limits::max_layers;
  inputs.dropout = 1;
  EXPECT_NO_THROW(validate(inputs));
  inputs.d_model = inputs.heads = inputs.kv_heads = 1;
  EXPECT_NO_THROW(validate(inputs));
}

TEST(Validate, names_the_field_what_it_is_and_what_is_allowed) {
  for (int d_model : {0, -8, 4097, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()})
    EXPECT_THAT(refusal([&](Inputs& i) { i.d_model = d_model; }),
                AllOf(HasSubstr("d_model"), HasSubstr(std::to_string(d_model)), HasSubstr("4096")));
  for (int heads : {0, -1, 65})
    EXPECT_THAT(refusal([&](Inputs& i) { i.heads = heads; }),
                AllOf(HasSubstr("heads"), HasSubstr(std::to_string(heads)), HasSubstr("64")));
  EXPECT_THAT(refusal([](Inputs& i) { i.heads = 7; }),
              AllOf(HasSubstr("d_model 512"), HasSubstr("not divisible"), HasSubstr("heads 7")));
  EXPECT_THAT(refusal([](Inputs& i) { i.kv_heads = 3; }),
              AllOf(HasSubstr("heads 8"), HasSubstr("kv_heads 3")));
  EXPECT_THAT(refusal([](Inputs& i) { i.kv_heads = 16; }), AllOf(HasSubstr("kv_heads"), HasSubstr("16")));
  for (int layers : {0, 13})
    EXPECT_THAT(refusal([&](Inputs& i) { i.layers = layers; }), AllOf(HasSubstr("layers"), HasSubstr("12")));
}

TEST(Validate, leaves_the_number_of_parameters_to_the_run) {
  Inputs inputs;
  inputs.d_model = Limits::max_d_model;
  inputs.layers = Limits::max_layers;
  inputs.feed_forward = true;
  EXPECT_NO_THROW(validate(inputs)) << "it can be reached in the window, so its session must be read";
  EXPECT_THAT(complaint([&] { check_parameter_count(inputs); }), HasSubstr("expected at most 1073741824"));
  inputs.model = "translator";
  EXPECT_NO_THROW(check_parameter_count(inputs));
}

TEST(Validate, refuses_what_is_no_usable_number) {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (double value : {0.0, -1.0, 1e-7, nan, infinity, -infinity})
    EXPECT_THAT(refusal([&](Inputs& i) { i.temperature = value; }), HasSubstr("temperature"));
  for (double value : {-0.1, 1.1, nan, infinity})
    EXPECT_THAT(refusal([&](Inputs& i) { i.dropout = value; }), HasSubstr("dropout"));
  for (double value : {1e5, -1e5, nan, -infinity}) {
    EXPECT_THAT(refusal([&](Inputs& i) { i.gain_q = value; }), HasSubstr("gain_q"));
    EXPECT_THAT(refusal([&](Inputs& i) { i.gain_k = value; }), HasSubstr("gain_k"));
  }
  for (double value : {-0.01, 101.0, nan})
    EXPECT_THAT(refusal([&](Inputs& i) { i.sigma = value; }), HasSubstr("sigma"));
}

TEST(Validate, checks_typed_matrices_only_where_they_are_used) {
  const auto typed = [](Inputs& i) {
    i.d_model = 4;
    i.heads = 2;
    i.kv_heads = 1;
    i.weights = WeightKind::manual;
    i.typed.w_q.resize(16);
    i.typed.w_k.resize(8);
    i.typed.w_v.resize(8);
    i.typed.w_o.resize(16);
  };
  EXPECT_EQ(refusal(typed), "no complaint");
  EXPECT_THAT(refusal([&](Inputs& i) { typed(i), i.typed.w_k.push_back(0); }),
              AllOf(HasSubstr("typed.w_k"), HasSubstr("9"), HasSubstr("2 × 4")));
  EXPECT_THAT(refusal([&](Inputs& i) { typed(i), i.typed.w_o[3] = std::nan(""); }), HasSubstr("typed.w_o"));
  EXPECT_THAT(refusal([](Inputs& i) { i.weights = WeightKind::manual; }),
              AllOf(HasSubstr("512"), HasSubstr("16")));
  EXPECT_EQ(refusal([](Inputs& i) { i.typed.w_q = {1}; }), "no complaint");
}

TEST(Validate, gives_multihead_attention_a_key_for_each_head) {
  const auto of = [](int kv_heads) {
    return [kv_heads](Inputs& i) { i.weights = WeightKind::mha, i.kv_heads = kv_heads; };
  };
  EXPECT_EQ(refusal(of(0)), "no complaint");
  EXPECT_EQ(refusal(of(8)), "no complaint");
  EXPECT_THAT(refusal(of(2)), AllOf(HasSubstr("kv_heads is 2"), HasSubstr("MultiheadAttention")));
}

std::vector<float> embedding(std::string_view text, std::uint64_t seed, Index d_model = 1000) {
  std::vector<float> vector(static_cast<std::size_t>(d_model));
  embed_token(text, seed, vector.data(), d_model);
  return vector;
}

TEST(Embedding, depends_on_seed_and_text_alone) {
  EXPECT_EQ(embedding("cat", 1), embedding("cat", 1));
  EXPECT_NE(embedding("cat", 1), embedding("cat", 2));
  EXPECT_NE(embedding("cat", 1), embedding("cats", 1));
  EXPECT_NE(embedding("猫", 1), embedding("狗", 1));
}

TEST(Embedding, is_standard_normal) {
  const std::vector<float> vector = embedding("cat", 1, 100'000);
  double mean = 0, square = 0;
  for (float v : vector) mean += v, square += static_cast<double>(v) * v;
  // Standard deviations of the two: 1 / sqrt(n) = 0.003 and sqrt(2 / n) = 0.0045; four of each.
  EXPECT_NEAR(mean / 1e5, 0, 0.013);
  EXPECT_NEAR(square / 1e5, 1, 0.018);
}

TEST(Embedding, leaves_other_tokens_vectors_when_one_word_changes) {
  Inputs inputs;
  inputs.vectors = VectorKind::embedding;
  inputs.d_model = 24;
  TorchRandom random(1);
  const Token the{"the", 0, 3, 0}, cat{"cat", 4, 7, 0}, dog{"dog", 4, 7, 0};
  const Token before[] = {the, cat, the}, after[] = {the, dog, the};
  const TokenVectors a = draw_token_vectors(inputs, before, before, random);
  const TokenVectors b = draw_token_vectors(inputs, after, after, random);
  EXPECT_TRUE(std::equal(a.x.at(0), a.x.at(1), b.x.at(0)));
  EXPECT_TRUE(std::equal(a.x.at(2), a.x.at(2) + 24, b.x.at(0)));
  EXPECT_FALSE(std::equal(a.x.at(1), a.x.at(2), b.x.at(1)));
}

TEST(TypedX, is_the_input_as_it_is_given) {
  Inputs inputs;
  inputs.vectors = VectorKind::typed;
  inputs.d_model = 2;
  inputs.heads = 1;
  inputs.typed.x = {1, -2, 3, 0.5};
  TorchRandom random(1);
  const Token tokens[] = {{"a", 0, 1, 0}, {"b", 2, 3, 0}};
  const Tensor x = draw_token_vectors(inputs, tokens, tokens, random).x;
  EXPECT_THAT(std::vector<float>(x.data(), x.data() + x.size()), ElementsAre(1, -2, 3, 0.5));
  const std::span<const Token> one(tokens, 1);
  EXPECT_EQ(complaint([&] { draw_token_vectors(inputs, one, one, random); }),
            "typed.x has 4 numbers; expected 1 × 2");
  inputs.key_sentence = "c";
  EXPECT_EQ(complaint([&] { draw_token_vectors(inputs, tokens, one, random); }),
            "typed.key_x has 0 numbers; expected 1 × 2");
  fit_typed_x(inputs, 3, 1);
  EXPECT_THAT(inputs.typed.x, ElementsAre(1, -2, 3, 0.5, 1, 0));
  EXPECT_THAT(inputs.typed.key_x, ElementsAre(1, 0));
  inputs.typed.x[0] = 1e7;
  EXPECT_THAT(complaint([&] { validate(inputs); }), HasSubstr("typed.x is 10000000"));
}

TEST(Positions, are_the_papers) {
  std::vector<float> x(3 * 6, 1.0F);
  add_sinusoidal_positions({x.data(), 3, 6});
  // 1 + sin and cos of 2 / 10000^(2i / 6) for i = 0, 1, 2 at position 2.
  const double expected[] = {1.9092974, 0.5838532, 1.0926985, 1.9956942, 1.0043089, 1.9999907};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(x[12 + i], expected[i], 2e-7);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(x[i], i % 2 == 0 ? 1 : 2);  // sin 0, cos 0
}

}  // namespace headscope::tests
