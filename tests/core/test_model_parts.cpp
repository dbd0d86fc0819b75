// The parts of a trained model's forward pass, at sizes beyond those of the stored models.
#include "core/attention/attend_heads.h"
#include "core/attention/dense.h"
#include "core/base/matrix.h"
#include "core/model/effects/measure_model.h"
#include "core/model/rows/row_store.h"
#include "core/model/steps/activation.h"
#include "core/model/steps/positions.h"
#include "tests/support/testing.h"
#include "tests/support/traces.h"

namespace headscope::tests {
namespace {

// In double precision, and without Eigen's blocked product, which does not compile without optimization.
template <typename A, typename B>
MatrixOf<double> product(const A& a, const B& b) {
  return a.template cast<double>().lazyProduct(b.template cast<double>());
}

class ModelParts : public testing::Test {
 protected:
  Tensor random(std::vector<Index> shape, float scale = 1) {
    Tensor tensor(std::move(shape));
    std::uniform_real_distribution<float> uniform(-scale, scale);
    for (Index i = 0; i < tensor.size(); ++i) tensor.data()[i] = uniform(generator_);
    return tensor;
  }

  std::mt19937 generator_{7};
  ThreadPool threads{2};
  BufferPool memory;
  ComputeContext context{best_kernels(), threads, memory};
};

TEST_F(ModelParts, a_weight_is_multiplied_whichever_way_it_is_stored) {
  struct Sizes {
    Index n, in, out, groups;
  };
  for (const auto& [n, in, out, groups] :
       {Sizes{1, 70, 90, 1}, Sizes{1, 300, 35, 5}, Sizes{3, 17, 33, 3}, Sizes{40, 64, 128, 2},
        Sizes{400, 24, 42, 7}, Sizes{6, 512, 40, 1}, Sizes{7, 1600, 37, 1}}) {
    const Tensor x = random({n, in}), rows = random({out, in}), bias = random({out});
    Tensor columns({in, out});
    as_matrix(columns) = as_matrix(rows).transpose();
    const MatrixOf<double> expected = 0.5 * product(as_matrix(x), as_matrix(rows).transpose());
    for (const bool input_rows : {false, true}) {
      const Tensor& stored = input_rows ? columns : rows;
      Dense dense{{reinterpret_cast<const std::byte*>(stored.data()), Dtype::f32, stored.dim(0),
                   stored.dim(1), stored.dim(1)},
                  input_rows,
                  in,
                  out,
                  bias};
      // Heads with gaps after their rows.
      const Index width = out / groups, room = n + 2;
      Tensor y({groups, room, width});
      const DenseProduct product{&dense, x.data(), n, in, y.data(), width, groups, room * width, 0.5F};
      multiply({&product, 1}, context);
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < out; ++j)
          ASSERT_NEAR(y.at(j / width)[i * width + j % width], expected(i, j) + bias.data()[j], 2e-5);
    }
  }
}

TEST_F(ModelParts, weights_side_by_side_are_read_as_one_matrix) {
  const Index in = 200, out = 24, parts = 3;
  const Tensor x = random({1, in}), stored = random({in, parts * out}), bias = random({out});
  std::vector<Dense> weights;
  for (Index part = 0; part < parts; ++part)
    weights.push_back(
        {{reinterpret_cast<const std::byte*>(stored.data() + part * out), Dtype::f32, in, out, parts * out},
         true,
         in,
         out,
         part == 1 ? bias : Tensor()});
  Tensor y({parts, out});
  std::vector<DenseProduct> products;
  for (Index part = 0; part < parts; ++part)
    products.push_back({&weights[static_cast<std::size_t>(part)], x.data(), 1, in, y.at(part), out / 2, 2,
                        out / 2, part == 2 ? 0.5F : 1.0F});
  multiply(products, context);
  const MatrixOf<double> expected = product(as_matrix(x), as_matrix(stored));
  for (Index part = 0; part < parts; ++part)
    for (Index j = 0; j < out; ++j)
      EXPECT_NEAR(y.at(part)[j],
                  expected(0, part * out + j) * (part == 2 ? 0.5 : 1.0) +
                      (part == 1 ? static_cast<double>(bias.data()[j]) : 0.0),
                  2e-5);
}

TEST_F(ModelParts, a_profile_has_the_steps_of_a_product) {
  ComputeProfile profile;
  context.profile = &profile;
  const Tensor weight = random({600, 300});
  const Dense dense{
      {reinterpret_cast<const std::byte*>(weight.data()), Dtype::f32, 600, 300, 300}, false, 300, 600, {}};
  multiply(dense, random({40, 300}), context);
  EXPECT_GT(profile[ComputeStep::packing], 0);
  EXPECT_GT(profile[ComputeStep::products], 0);
  EXPECT_EQ(profile[ComputeStep::reading], 0) << "of one row alone";
  EXPECT_EQ(profile.bytes_read, 0);
  multiply(dense, random({1, 300}), context);
  EXPECT_GT(profile[ComputeStep::reading], 0);
  EXPECT_EQ(profile.bytes_read, weight.size() * 4);
  EXPECT_EQ(profile[ComputeStep::attention], 0);
  EXPECT_GT(measure_reading(1000, context), 0);
}

constexpr float no_weight = -std::numeric_limits<float>::infinity();

struct RuleCase {
  const char* name;
  Index heads, kv_heads, n_q, n_k, d_k;
  bool causal;
  Index window, first_query;
  bool bias;
  const char* mask = "";  // "cells": scattered cells
  float fill = -1e9F;
  float cap = 0;
  bool positions = false;
  bool own_keys = false, repeats = false;
  bool sinks = false;
  bool distances = false;
};

class RuleCases : public ModelParts, public testing::WithParamInterface<RuleCase> {};

// softmax(mask(scale Q Kᵀ + bias) / T) V in double precision, as the rule's definition says.
MatrixOf<double> rule_weights(const Tensor& q, const Tensor& k, const AttentionRule& rule, Index head) {
  const Index kv = head * k.dim(0) / q.dim(0), n_q = q.dim(1), n_k = k.dim(1);
  MatrixOf<double> s =
      static_cast<double>(rule.scale) * product(as_matrix(q, head), as_matrix(k, kv).transpose());
  for (Index i = 0; i < n_q; ++i) {
    const Index query = rule.first_query + i;
    if (const OwnKeys* const own = rule.own_keys_of(query))
      s.row(i) = static_cast<double>(rule.scale) *
                 product(as_matrix(q, head).row(i), as_matrix(own->k, kv).transpose());
    for (Index j = 0; j < n_k; ++j) {
      const auto cap = static_cast<double>(rule.cap);
      if (cap > 0) s(i, j) = cap * std::tanh(s(i, j) / cap);
      if (const PositionTerms* const terms = rule.positions.get(); terms && !terms->vectors.empty()) {
        s(i, j) += product(as_matrix(terms->queries, head).row(i),
                           as_matrix(terms->vectors, head).row(j - query + terms->zero).transpose())(0, 0);
        s(i, j) += static_cast<double>(
            terms->of_segments.at(head)[2 * i + (terms->segments[query] == terms->segments[j] ? 0 : 1)]);
      } else if (terms)
        s(i, j) += static_cast<double>(rule.positions->of_query(head, i, query, j)) +
                   static_cast<double>(rule.positions->of_key(head, query, j));
      if (!rule.bias.empty()) s(i, j) += static_cast<double>(rule.bias.at(head)[j - query + rule.bias_zero]);
      const bool blocked = rule.mask != nullptr && rule.mask->blocked(static_cast<int>(head), query, j);
      const bool unseen =
          (rule.causal && j > query) || (rule.window > 0 && std::abs(j - query) >= rule.window);
      if (blocked) s(i, j) = static_cast<double>(rule.fill);
      if (unseen) s(i, j) = -INFINITY;
    }
    s.row(i) *= static_cast<double>(rule.inverse_temperature);
    const double sink = static_cast<double>(rule.sink(head)) * static_cast<double>(rule.inverse_temperature);
    const double largest = std::max(s.row(i).maxCoeff(), sink);
    s.row(i) = (s.row(i).array() - largest).exp();
    // As if the keys were there so often.
    const RepeatedKeys& repeated = rule.repeated;
    if (query >= repeated.first_query && query < repeated.end_query)
      s.row(i).head(repeated.keys) *= static_cast<double>(repeated.times);
    s.row(i) /= s.row(i).sum() + std::exp(sink - largest);
  }
  return s;
}

TEST_P(RuleCases, attention_is_the_equation) {
  const RuleCase& c = GetParam();
  const Tensor q = random({c.heads, c.n_q, c.d_k}, 2), k = random({c.kv_heads, c.n_k, c.d_k}, 2),
               v = random({c.kv_heads, c.n_k, c.d_k});
  AttentionRule rule;
  rule.scale = 0.4F;
  rule.inverse_temperature = 0.8F;
  rule.causal = c.causal;
  rule.window = c.window;
  rule.cap = c.cap;
  rule.first_query = c.first_query;
  if (c.bias) {
    rule.bias = random({c.heads, c.first_query + c.n_q + c.n_k - 1}, 2);
    rule.bias_zero = c.first_query + c.n_q - 1;
  }
  const Index n = c.first_query + c.n_q;
  if (c.positions) {
    auto terms = std::make_shared<PositionTerms>();
    terms->of_queries = random({c.heads, c.n_q, 9}, 1);
    terms->of_keys = random({c.heads, c.n_k, 9}, 1);
    terms->zero = n - 1;
    for (Index i = 0; i < n + c.n_k; ++i) terms->places.push_back(i % 9);
    rule.positions = std::move(terms);
  }
  if (c.distances) {
    auto terms = std::make_shared<PositionTerms>();
    terms->zero = n - 1;
    terms->vectors = random({c.heads, n - 1 + c.n_k - c.first_query, c.d_k}, 0.2F);
    terms->queries = random({c.heads, c.n_q, c.d_k}, 2);
    terms->of_segments = random({c.heads, c.n_q, 2}, 1);
    for (Index i = 0; i < std::max(n, c.n_k); ++i) terms->segments.push_back(i / 31 % 3);
    rule.positions = std::move(terms);
  }
  if (c.own_keys)
    rule.own_keys = std::make_shared<const OwnKeys>(
        OwnKeys{{0, 7, n - 1}, random({c.kv_heads, c.n_k, c.d_k}, 2), random({c.kv_heads, c.n_k, c.d_k})});
  if (c.repeats) rule.repeated = {2, n - 3, 20, 4};
  const std::string spec = c.mask;
  if (spec == "cells") {
    std::vector<std::uint8_t> blocked(static_cast<std::size_t>(n * c.n_k));
    for (std::size_t i = 0; i < blocked.size(); ++i) blocked[i] = i % 3 == 1 && i % 7 != 2;
    Mask mask(n, c.n_k);
    mask.set_common(blocked);
    rule.mask = std::make_shared<const Mask>(mask);
  } else if (!spec.empty()) {
    rule.mask = std::make_shared<const Mask>(
        build_mask(mask_parts(split(spec)), numbered_tokens(n), numbered_tokens(c.n_k), int(c.heads)));
  }
  rule.fill = c.fill;
  if (c.sinks) rule.sinks = random({c.heads}, 3);
  const Tensor found = attend_heads(HeadRows(q), HeadRows(k), HeadRows(v), rule, context);
  for (Index head = 0; head < c.heads; ++head) {
    const MatrixOf<double> weights = rule_weights(q, k, rule, head);
    MatrixOf<double> expected = product(weights, as_matrix(v, head * c.kv_heads / c.heads));
    for (Index i = 0; i < c.n_q; ++i)
      if (const OwnKeys* const own = rule.own_keys_of(c.first_query + i))
        expected.row(i) = product(weights.row(i), as_matrix(own->v, head * c.kv_heads / c.heads));
    EXPECT_LE(
        (as_matrix(found).middleCols(head * c.d_k, c.d_k).cast<double>() - expected).cwiseAbs().maxCoeff(),
        1e-5);
    // Maps are the same however they are requested, and what a query cannot see is 0.
    std::vector<float> no_token(static_cast<std::size_t>(c.n_q));
    Tensor whole({c.n_q, c.n_k}), part({c.n_q, c.n_k}), scores({c.n_q, c.n_k});
    attention_rows(HeadRows(q), HeadRows(k), rule, head, 0, c.n_q, whole.data(), nullptr, context.kernels,
                   memory, no_token.data());
    EXPECT_LE((as_matrix(whole).cast<double>() - weights).cwiseAbs().maxCoeff(), 1e-6);
    for (Index i = 0; i < c.n_q && c.sinks; ++i)
      EXPECT_NEAR(no_token[static_cast<std::size_t>(i)], 1 - weights.row(i).sum(), 1e-6);
    EXPECT_TRUE((as_matrix(whole).array() == 0 || weights.array() != 0).all());
    for (Index row = 0; row < c.n_q; row += 5)
      attention_rows(HeadRows(q), HeadRows(k), rule, head, row, std::min(c.n_q, row + 5), part.at(row),
                     scores.at(row), context.kernels, memory);
    EXPECT_TRUE(as_matrix(whole) == as_matrix(part));
    EXPECT_TRUE(as_matrix(scores).allFinite());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rules, RuleCases,
    testing::Values(
        RuleCase{"all_keys", 3, 3, 130, 75, 16, false, 0, 0, false},
        RuleCase{"causal", 4, 2, 131, 131, 20, true, 0, 0, false},
        RuleCase{"window", 4, 1, 150, 150, 64, true, 37, 0, false},
        RuleCase{"window_to_both_sides", 4, 2, 150, 150, 64, false, 37, 0, true},
        RuleCase{"window_of_one", 2, 2, 20, 20, 8, true, 1, 0, false},
        RuleCase{"bias", 2, 2, 60, 90, 33, false, 0, 0, true},
        RuleCase{"positions", 2, 2, 60, 90, 33, false, 0, 0, false, "", -1e9F, 0, true},
        RuleCase{"one_query_and_positions", 2, 2, 1, 90, 16, false, 0, 0, true, "", -1e9F, 0, true},
        RuleCase{"positions_and_mask", 2, 2, 300, 300, 16, false, 0, 0, false, "window:9", no_weight, 0,
                 true},
        RuleCase{"distances", 2, 2, 60, 290, 33, false, 0, 0, false, "", -1e9F, 0, false, false, false, false,
                 true},
        RuleCase{"one_query_and_distances", 2, 2, 1, 90, 16, true, 0, 59, true, "", -1e9F, 0, false, false,
                 false, false, true},
        RuleCase{"distances_and_mask", 2, 2, 300, 300, 16, false, 0, 0, false, "window:9", no_weight, 0,
                 false, false, false, false, true},
        RuleCase{"own_keys", 4, 2, 150, 150, 20, false, 0, 0, false, "longformer:9,global=0,7,149", no_weight,
                 0, false, true},
        RuleCase{"own_keys_with_all", 2, 2, 60, 90, 33, false, 0, 0, true, "", -1e9F, 2, false, true},
        RuleCase{"one_query_of_own_keys", 2, 1, 1, 90, 16, false, 0, 59, false, "", -1e9F, 0, false, true},
        RuleCase{"repeated_keys", 2, 2, 130, 130, 16, false, 0, 0, false, "longformer:9,global=0,7,129",
                 no_weight, 0, false, false, true},
        RuleCase{"one_query_of_repeated_keys", 2, 1, 1, 90, 16, false, 0, 40, false, "", -1e9F, 0, false,
                 false, true},
        RuleCase{"going_on", 4, 2, 50, 170, 20, true, 60, 120, true},
        RuleCase{"one_more", 4, 2, 1, 170, 20, true, 60, 169, true},
        RuleCase{"capped", 4, 2, 150, 150, 20, true, 37, 0, false, "", -1e9F, 2},
        RuleCase{"one_more_capped", 4, 2, 1, 170, 20, true, 0, 169, false, "", -1e9F, 2},
        RuleCase{"capped_and_masked", 2, 2, 100, 100, 16, true, 0, 0, true, "cells", -1e9F, 3},
        RuleCase{"masked", 2, 2, 100, 100, 16, true, 0, 0, false, "cells"},
        RuleCase{"one_more_masked", 2, 1, 1, 40, 16, true, 10, 39, true, "cells"},
        RuleCase{"far_keys_blocked", 2, 1, 400, 400, 33, true, 0, 0, true, "longformer:9,global=0"},
        RuleCase{"seen_both_ways", 2, 2, 200, 333, 16, false, 0, 0, false, "window:9 padding:100,200",
                 no_weight},
        RuleCase{"going_on_blocked", 2, 2, 50, 400, 16, true, 0, 350, false, "window:5", no_weight},
        RuleCase{"window_and_mask", 2, 2, 300, 300, 16, true, 150, 0, false, "dilated:60,2", no_weight},
        RuleCase{"some_queries_see_none", 2, 2, 200, 200, 16, true, 0, 0, false,
                 "painted:70:0-199,71:100-199,130:0-199"},
        RuleCase{"sink", 4, 2, 131, 131, 20, true, 0, 0, false, "", -1e9F, 0, false, true},
        RuleCase{"one_more_and_a_sink", 4, 2, 1, 170, 20, true, 60, 169, false, "", -1e9F, 0, false, true},
        RuleCase{"sink_and_parts", 2, 2, 300, 300, 16, true, 0, 0, false, "window:9", no_weight, 0, false,
                 true},
        RuleCase{"sink_of_blocked_rows", 2, 2, 200, 200, 16, true, 0, 0, false,
                 "painted:70:0-199,71:100-199,130:0-199", no_weight, 0, false, true},
        // Query 20 only sees later keys, which the model itself blocks.
        RuleCase{"none_by_the_rule", 2, 2, 300, 300, 16, true, 0, 0, false,
                 "window:5 painted:20:0-20,90:0-90"}),
    [](const auto& test) { return test.param.name; });

// Each head's q, k and v after those of the head before, as in GPT-NeoX.
TEST_F(ModelParts, pieces_of_a_weight_are_multiplied_as_one) {
  const Index heads = 5, d_k = 7, in = 40;
  const Tensor w = random({3 * heads * d_k, in}), b = random({3 * heads * d_k});
  Dense whole;
  whole.in = in;
  whole.out = heads * d_k;
  Tensor together({heads * d_k, in});
  whole.bias = Tensor({heads * d_k});
  std::vector<Dense> pieces;
  for (Index head = 0; head < heads; ++head) {
    const Index row = (3 * head + 1) * d_k;
    Dense piece;
    piece.weight = {reinterpret_cast<const std::byte*>(w.at(row)), Dtype::f32, d_k, in, in};
    piece.in = in;
    piece.out = d_k;
    piece.bias = Tensor({d_k});
    std::copy_n(b.data() + row, d_k, piece.bias.data());
    std::copy_n(b.data() + row, d_k, whole.bias.data() + head * d_k);
    std::copy_n(w.at(row), d_k * in, together.at(head * d_k));
    pieces.push_back(piece);
  }
  whole.weight = {reinterpret_cast<const std::byte*>(together.data()), Dtype::f32, heads * d_k, in, in};
  const Dense dense = joined(pieces);
  EXPECT_EQ(dense.out, heads * d_k);
  EXPECT_TRUE(as_matrix(rows_of(dense, 4, 20, context.kernels)) ==
              as_matrix(rows_of(whole, 4, 20, context.kernels)));
  for (const Index n : {1, 3, 60}) {
    const Tensor x = random({n, in});
    EXPECT_TRUE(as_matrix(multiply(dense, x, context)) == as_matrix(multiply(whole, x, context))) << n;
    Tensor by_head({heads, n, d_k}), expected({heads, n, d_k});
    const auto multiply_to = [&](const Dense& from, Tensor& to) {
      const DenseProduct product{&from, x.data(), n, in, to.data(), d_k, heads, n * d_k, 0.5F};
      multiply({&product, 1}, context);
    };
    multiply_to(dense, by_head);
    multiply_to(whole, expected);
    EXPECT_TRUE(as_matrix(by_head, 3) == as_matrix(expected, 3)) << n;
  }
}

TEST_F(ModelParts, neighbours_are_rotated_as_halves_are) {
  Rope rope, pairs;
  pairs.in_pairs = true;
  pairs.dimensions = 8;
  rope.dimensions = 8;
  const std::vector<double> frequencies = rotary_frequencies(rope, 10, 1);
  const Tensor row = random({1, 10});
  Tensor halves({1, 10}), neighbours({1, 10});
  for (Index i = 0; i < 4; ++i) {
    neighbours.data()[2 * i] = halves.data()[i] = row.data()[i];
    neighbours.data()[2 * i + 1] = halves.data()[i + 4] = row.data()[i + 4];
  }
  halves.data()[9] = neighbours.data()[9] = 1;
  rotate(rotary_table(rope, frequencies, 5, 6), 0, halves.data());
  rotate(rotary_table(pairs, frequencies, 5, 6), 0, neighbours.data());
  for (Index i = 0; i < 4; ++i) {
    EXPECT_EQ(neighbours.data()[2 * i], halves.data()[i]);
    EXPECT_EQ(neighbours.data()[2 * i + 1], halves.data()[i + 4]);
  }
  EXPECT_EQ(neighbours.data()[9], 1);
}

TEST_F(ModelParts, linear_biases_grow_with_the_distance) {
  Tensor slopes({2});
  slopes.data()[0] = 0.5F;
  slopes.data()[1] = 0.25F;
  const Tensor bias = linear_bias(slopes, 3, 4);
  ASSERT_EQ(bias.dim(1), 6);
  for (Index i = 0; i < 6; ++i) {
    EXPECT_EQ(bias.at(0)[i], static_cast<float>(i - 2) / 2);
    EXPECT_EQ(bias.at(1)[i], static_cast<float>(i - 2) / 4);
  }
}

TEST_F(ModelParts, rounded_linear_biases_are_those_of_falcon) {
  // What transformers' build_alibi_tensor gives for these slopes at some keys.
  Tensor slopes({2});
  slopes.data()[0] = std::exp2(-8.0F / 3);
  slopes.data()[1] = 0.5F;
  const Tensor bias = rounded_linear_bias(slopes, 0.25F, 520);
  ASSERT_EQ(bias.dim(1), 520);
  constexpr std::pair<Index, float> keys[] = {{0, 0.0F},      {1, 0.157226562F}, {3, 0.47265625F},
                                              {44, 6.90625F}, {200, 31.5F},      {257, 40.25F},
                                              {301, 47.25F},  {519, 82.0F}};
  for (const auto& [key, expected] : keys) EXPECT_EQ(bias.at(0)[key], expected / 4) << key;
  // From 256 on neighbouring places are one.
  EXPECT_EQ(bias.at(1)[257], bias.at(1)[256]);
  EXPECT_EQ(bias.at(1)[519], 520.0F / 8);
}

TEST_F(ModelParts, rotation_depends_on_the_distance_alone) {
  Rope rope;
  rope.theta = 1e6;
  const std::vector<double> frequencies = rotary_frequencies(rope, 64, 1);
  ASSERT_EQ(frequencies.size(), 32U);
  EXPECT_DOUBLE_EQ(frequencies[0], 1);
  EXPECT_NEAR(frequencies[16], 1e-3, 1e-15);
  const RotaryTable table = rotary_table(rope, frequencies, 100000, 100008);
  Tensor a = random({2, 64}), b({2, 64});
  std::copy_n(a.data(), a.size(), b.data());
  rotate(table, 0, a.at(0)), rotate(table, 3, a.at(1));
  rotate(table, 4, b.at(0)), rotate(table, 7, b.at(1));
  const auto dot_of = [](const Tensor& t) {
    return row_of(t, 0).cast<double>().matrix().dot(row_of(t, 1).cast<double>().matrix());
  };
  EXPECT_NEAR(dot_of(a), dot_of(b), 1e-5);
}

TEST_F(ModelParts, partial_rotation_leaves_the_other_dimensions) {
  Rope rope;
  rope.dimensions = 8;
  const RotaryTable table = rotary_table(rope, rotary_frequencies(rope, 20, 4), 3, 4);
  Tensor row = random({20}), before({20});
  std::copy_n(row.data(), 20, before.data());
  rotate(table, 0, row.data());
  for (Index i = 0; i < 20; ++i) EXPECT_EQ(row.data()[i] == before.data()[i], i >= 8);
}

TEST_F(ModelParts, rows_go_on_behind_those_of_a_run_before) {
  const auto fill = [](RowStore& rows, Index begin, float value) {
    for (Index part = 0; part < rows.parts(); ++part)
      for (Index row = begin; row < rows.rows(); ++row)
        *rows.at(part, row) = value + static_cast<float>(part);
  };
  RowStore first(2, 3, 1, memory, 4);
  fill(first, 0, 10);
  RowStore second = first.extended(3, 5, memory);
  fill(second, 3, 20);
  EXPECT_EQ(first.at(1), second.at(1));           // the same memory
  RowStore other = first.extended(3, 6, memory);  // whose position is taken
  fill(other, 3, 30);
  EXPECT_NE(first.at(0), other.at(0));
  RowStore longer = second.extended(5, 60, memory);  // which does not fit
  fill(longer, 5, 40);
  const RowStore shorter = longer.extended(4, 4, memory);
  const auto values = [&](const RowStore& rows) {
    const Tensor tensor = rows.tensor(memory);
    return std::vector<float>(tensor.data(), tensor.data() + tensor.size());
  };
  EXPECT_THAT(values(first), ElementsAre(10, 10, 10, 11, 11, 11));
  EXPECT_THAT(values(second), ElementsAre(10, 10, 10, 20, 20, 11, 11, 11, 21, 21));
  EXPECT_THAT(values(other), ElementsAre(10, 10, 10, 30, 30, 30, 11, 11, 11, 31, 31, 31));
  EXPECT_THAT(values(shorter), ElementsAre(10, 10, 10, 20, 11, 11, 11, 21));
  EXPECT_EQ(longer.rows(), 60);
  EXPECT_EQ(*longer.at(1, 59), 41);
}

TEST_F(ModelParts, activations_are_their_formulas) {
  struct Formula {
    Activation kind;
    double (*of)(double);
  };
  const Formula formulas[] = {
      {Activation::gelu, [](double x) { return x * 0.5 * (1 + std::erf(x / std::sqrt(2.0))); }},
      {Activation::gelu_tanh,
       [](double x) { return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); }},
      {Activation::quick_gelu, [](double x) { return x / (1 + std::exp(-1.702 * x)); }},
      {Activation::gelu_clipped,
       [](double x) { return std::clamp(x * 0.5 * (1 + std::erf(x / std::sqrt(2.0))), -10.0, 10.0); }},
      {Activation::relu, [](double x) { return std::max(x, 0.0); }},
      {Activation::relu_squared, [](double x) { return std::max(x, 0.0) * std::max(x, 0.0); }},
      {Activation::relu6, [](double x) { return std::clamp(x, 0.0, 6.0); }},
      {Activation::leaky_relu, [](double x) { return x < 0 ? 0.01 * x : x; }},
      {Activation::silu, [](double x) { return x / (1 + std::exp(-x)); }},
      {Activation::mish, [](double x) { return x * std::tanh(std::log1p(std::exp(x))); }},
      {Activation::tanh, [](double x) { return std::tanh(x); }},
      {Activation::sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }},
      {Activation::linear, [](double x) { return x; }},
      {Activation::laplace,
       [](double x) { return 0.5 * (1 + std::erf((x - 0.707107) / (0.282095 * std::sqrt(2.0)))); }}};
  std::vector<float> given;
  for (double x = -60; x <= 60; x += 0.037) given.push_back(static_cast<float>(x));
  for (const Formula& formula : formulas) {
    std::vector<float> values = given;
    apply_activation(formula.kind, values.data(), std::ssize(values), context.kernels);
    for (std::size_t i = 0; i < given.size(); ++i) {
      const double expected = formula.of(static_cast<double>(given[i]));
      ASSERT_NEAR(values[i], expected, 1e-6 * std::max(1.0, std::abs(expected)))
          << static_cast<int>(formula.kind) << " of " << given[i];
    }
  }
  Tensor gate = random({50, 300}), up = random({50, 300}), product({50, 300});
  std::copy_n(gate.data(), gate.size(), product.data());
  apply_activation(Activation::relu, product, up, context);
  EXPECT_TRUE(
      (as_matrix(product).array() == as_matrix(gate).array().max(0.0F) * as_matrix(up).array()).all());
}

}  // namespace
}  // namespace headscope::tests
