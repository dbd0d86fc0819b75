#include "core/inputs/fields.h"
#include "core/model/rows/norm.h"
#include "core/scene/labels.h"
#include "core/source/engine/engine.h"
#include "tests/support/inputs.h"
#include "tests/support/reference.h"
#include "tests/support/traces.h"

namespace headscope::tests {

Inputs with(Inputs inputs, MaskKind kind) {
  inputs.mask.push_back({.kind = kind});
  return inputs;
}

bool same_bits(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(float)) == 0;
}

const BlockTrace& block(const Trace& trace) {
  return trace.blocks.front();
}
const LayerTrace& layer(const Trace& trace, int index) {
  return block(trace).layers.at(static_cast<std::size_t>(index));
}

void expect_same_bits(const Trace& a, const Trace& b) {
  ASSERT_EQ(block(a).layer_count(), block(b).layer_count());
  for (int i = 0; i < block(a).layer_count(); ++i) {
    for (const auto part : {&LayerTrace::x, &LayerTrace::q, &LayerTrace::k, &LayerTrace::v,
                            &LayerTrace::context, &LayerTrace::output})
      EXPECT_TRUE(same_bits(layer(a, i).*part, layer(b, i).*part));
    EXPECT_TRUE(same_bits(weights(a, i), weights(b, i)));
    EXPECT_TRUE(same_bits(scores(a, i), scores(b, i)));
  }
}

double row_sum(const Trace& trace, int head, Index query) {
  const Index n_k = block(trace).n_k();
  const MapRows rows(*block(trace).maps, 0, head, query, query + 1);
  return std::accumulate(rows.row(query), rows.row(query) + n_k, 0.0);
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
  for (int h = 0; h < 4; ++h)
    for (Index i = 0; i < 50; ++i) {
      EXPECT_NEAR(row_sum(*trace, h, i), 1, 1e-6);
      for (Index j = 0; j < 50; ++j)
        if (j > i || j < i - 1) {
          ASSERT_EQ(block(*trace).maps->weight(0, h, i, j), 0);
        }
    }
}

TEST(Engine, puts_a_mask_into_one_layer_of_a_stack) {
  Inputs inputs = sized(6, 32, 4, R"("layers": 3)");
  inputs.mask = {parse_mask_part("self:1/causal"), parse_mask_part("self:2/padding:0")};
  const auto trace = Engine(2).run(inputs);
  const BlockTrace& masked = block(*trace);
  for (int at = 0; at < 3; ++at) {
    EXPECT_EQ(masked.maps->weight(at, 1, 2, 4) == 0, at == 1);
    EXPECT_EQ(masked.maps->weight(at, 1, 2, 0) == 0, at == 2);
    EXPECT_EQ(masked.mask_of(at).blocked(1, 2, 4), at == 1);
  }
  // The first layer equals that without a mask, the second that of a causal stack.
  Inputs plain = inputs;
  plain.mask.clear();
  const auto without = Engine(1).run(plain);
  EXPECT_TRUE(same_bits(layer(*trace, 0).output, layer(*without, 0).output));
  EXPECT_FALSE(same_bits(layer(*trace, 1).output, layer(*without, 1).output));
  inputs.mask = {parse_mask_part("self/causal")};
  expect_same_bits(*Engine(1).run(inputs), *Engine(1).run(with(plain, MaskKind::causal)));
  const auto reported = [&](const char* spec) {
    inputs.mask = {parse_mask_part(spec)};
    return complaint([&] { Engine(1).run(inputs); });
  };
  EXPECT_EQ(reported("self:3/causal"), "mask \"self:3/causal\": layer is 3; expected 0 to 2");
  EXPECT_EQ(reported("cross/causal"), "mask \"cross/causal\": there is no cross attention; expected self");
  RunOptions fitting;
  fitting.fit_masks = true;
  EXPECT_FALSE(block(*Engine(1).run(inputs, fitting)).masked());
}

TEST(Engine, scores_are_those_before_the_mask) {
  const auto open = Engine().run(sized(20, 64, 4));
  const auto causal = Engine().run(with(sized(20, 64, 4), MaskKind::causal));
  EXPECT_TRUE(same_bits(scores(*open, 0), scores(*causal, 0)));
  EXPECT_EQ(block(*causal).maps->score(0, 0, 3, 4), scores(*open, 0).data()[3 * 20 + 4]);
}

TEST(Engine, permuting_tokens_permutes_rows_and_columns_without_positions) {
  Inputs inputs = sized(4, 48, 4);
  inputs.vectors = VectorKind::embedding;
  inputs.sentence = "one two three four";
  const auto before = Engine().run(inputs);
  inputs.sentence = "three one four two";
  const auto after = Engine().run(inputs);
  const Index from[] = {2, 0, 3, 1};
  for (int h = 0; h < 4; ++h)
    for (Index i = 0; i < 4; ++i)
      for (Index j = 0; j < 4; ++j)
        EXPECT_NEAR(block(*after).maps->weight(0, h, i, j),
                    block(*before).maps->weight(0, h, from[i], from[j]),
                    1e-6);  // the row is summed in another order
  inputs.positions = Positions::sinusoidal;
  const auto placed = Engine().run(inputs);
  EXPECT_GT(largest_difference(weights(*placed, 0).data(), 64, weights(*after, 0).data()), 1e-3);
}

TEST(Engine, causal_rows_do_not_change_when_later_tokens_do) {
  Inputs inputs = with(sized(3, 48, 4), MaskKind::causal);
  inputs.vectors = VectorKind::embedding;
  inputs.layers = 2;
  inputs.sentence = "a b c d";
  const auto before = Engine().run(inputs);
  inputs.sentence = "a b x y";
  const auto after = Engine().run(inputs);
  for (const int l : {0, 1})
    for (Index h = 0; h < 4; ++h)
      for (Index j = 0; j < 8; ++j) EXPECT_EQ(weights(*after, l).at(h)[j], weights(*before, l).at(h)[j]);
}

TEST(Engine, dropout_keeps_the_mean_and_drops_everything_at_one) {
  Inputs inputs = sized(64, 32, 2);
  inputs.dropout = 0.25;
  auto trace = Engine().run(inputs);
  double sum = 0;
  for (Index i = 0; i < 64; ++i) sum += row_sum(*trace, 0, i);
  // A row's sum has a standard deviation of about sqrt(p / (1 - p) Σ w²) <= 0.1; the mean of 64 of them
  // 0.013.
  EXPECT_NEAR(sum / 64, 1, 0.05);
  inputs.dropout = 1;
  trace = Engine().run(inputs);
  const Tensor dropped = weights(*trace, 0);
  for (Index i = 0; i < dropped.size(); ++i) ASSERT_EQ(dropped.data()[i], 0);
}

TEST(Engine, sharp_softmax_leaves_no_denormals) {
  Inputs inputs = sized(100, 64, 4);
  inputs.temperature = 0.02;
  const auto trace = Engine().run(inputs);
  const Tensor sharp = weights(*trace, 0);
  for (Index i = 0; i < sharp.size(); ++i) {
    const float w = sharp.data()[i];
    ASSERT_TRUE(w == 0 || std::fpclassify(w) == FP_NORMAL) << w;
  }
}

TEST(Engine, an_empty_sentence_is_a_trace_without_tokens) {
  Inputs inputs;
  inputs.sentence = "  ";
  const auto trace = Engine().run(inputs);
  EXPECT_EQ(block(*trace).n_q(), 0);
  EXPECT_EQ(block(*trace).layer_count(), 0);
  inputs = Inputs{};
  inputs.key_sentence = "";
  EXPECT_EQ(block(*Engine().run(inputs)).layer_count(), 0);
}

TEST(Engine, refuses_more_tokens_than_its_limit_naming_both) {
  EXPECT_THAT(complaint([] { Engine().run(sized(Limits::max_tokens + 1, 8, 1)); }),
              AllOf(HasSubstr("65537"), HasSubstr("65536")));
}

TEST(Engine, computes_the_maps_it_has_not_kept_with_the_same_bits) {
  Inputs inputs = with(sized(130, 96, 6), MaskKind::causal);
  inputs.layers = 3;
  inputs.kv_heads = 2;
  inputs.feed_forward = true;
  for (const double dropout : {0.0, 0.3}) {
    inputs.dropout = dropout;
    const auto all = Engine().run(inputs);
    EXPECT_FALSE(block(*all).maps->resident(0, 3).empty());
    const auto none = Engine().run(inputs, {.layer = {},
                                            .heads = {},
                                            .only_query = {},
                                            .map_budget = 1000,
                                            .previous = {},
                                            .forecast = {},
                                            .progress = {}});
    EXPECT_TRUE(block(*none).maps->resident(0, 3).empty());
    expect_same_bits(*all, *none);
    const auto some = Engine().run(
        inputs,
        {.layer = 1, .heads = {1, 4}, .only_query = {}, .previous = {}, .forecast = {}, .progress = {}});
    for (const int head : {0, 1, 4})
      EXPECT_EQ(block(*some).maps->resident(1, head).empty(), head == 0) << head;
    EXPECT_TRUE(block(*some).maps->resident(0, 1).empty());
    expect_same_bits(*all, *some);
    for (const int head : {1, 2}) {
      EXPECT_EQ(block(*some).extent(1, head).low, block(*none).extent(1, head).low);
      EXPECT_EQ(block(*some).extent(1, head).high, block(*none).extent(1, head).high);
    }
  }
}

TEST(Engine, maps_alone_have_the_same_bits_and_nothing_next_to_them) {
  Inputs inputs = with(sized(130, 96, 6), MaskKind::causal);
  inputs.kv_heads = 2;
  const std::vector<int> some{1, 4}, none;
  for (const int layers : {1, 3})
    for (const double dropout : {0.0, 0.3})
      for (const std::vector<int>& heads : {none, some})
        for (const int shown : {0, layers - 1}) {
          inputs.layers = layers;
          inputs.dropout = dropout;
          const auto all = Engine().run(inputs);
          const auto maps = Engine().run(inputs, {.layer = shown,
                                                  .heads = heads,
                                                  .maps_alone = true,
                                                  .only_query = {},
                                                  .previous = {},
                                                  .forecast = {},
                                                  .progress = {}});
          EXPECT_TRUE(layer(*maps, layers - 1).context.empty());
          EXPECT_TRUE(layer(*maps, layers - 1).output.empty());
          for (int i = 0; i < layers; ++i) {
            EXPECT_TRUE(same_bits(weights(*maps, i), weights(*all, i)));
            EXPECT_TRUE(same_bits(scores(*maps, i), scores(*all, i)));
            for (const int head : {0, 1}) {
              EXPECT_EQ(block(*maps).extent(i, head).low, block(*all).extent(i, head).low);
              EXPECT_EQ(block(*maps).extent(i, head).high, block(*all).extent(i, head).high);
            }
          }
        }
}

// For every field, after a run with another value: reuse must not change the result.
TEST(Engine, gives_the_same_bits_cached_and_fresh_whatever_field_changes) {
  Inputs start = sized(12, 32, 4);
  start.key_sentence = "the cat sat";
  start.weights = WeightKind::normal;
  start.sigma = 0.3;
  start.layers = 2;
  start.feed_forward = true;
  start.vectors = VectorKind::embedding;
  start.dropout = 0.2;
  const std::map<std::string, std::function<void(Inputs&)>> changes{
      {"sentence", [](Inputs& i) { i.sentence = "a b a c d e f g h i j k"; }},
      {"key_sentence", [](Inputs& i) { i.key_sentence.reset(); }},
      {"d_model", [](Inputs& i) { i.d_model = 64; }},
      {"heads", [](Inputs& i) { i.heads = 8; }},
      {"seed", [](Inputs& i) { i.seed = 7; }},
      {"inputs", [](Inputs& i) { i.vectors = VectorKind::randn; }},
      {"positions", [](Inputs& i) { i.positions = Positions::sinusoidal; }},
      {"model", [](Inputs& i) { i.model = "folder"; }},
      {"capture", [](Inputs& i) { i.capture = "capture.npz"; }},  // see test_capture.cpp
      {"sequence", [](Inputs& i) { i.sequence = 1; }},
      {"source_language", [](Inputs& i) { i.source_language = "en"; }},
      {"target_language", [](Inputs& i) { i.target_language = "en"; }},
      {"picture", [](Inputs& i) { i.picture = "picture.png"; }},
      {"features", [](Inputs& i) { i.features = "features.npy"; }},
      {"target", [](Inputs& i) { i.target = "an old dog"; }},
      {"heads_off",
       [](Inputs& i) {
         i.ablated_heads = {{BlockKind::self, 0, 1}};
       }},
      {"heads_off_by", [](Inputs& i) { i.ablation = Ablation::mean; }},
      {"splits", [](Inputs& i) { i.splits = {1}; }},
      {"joins", [](Inputs& i) { i.joins = {2}; }},
      {"key_splits", [](Inputs& i) { i.key_splits = {1}; }},
      {"key_joins", [](Inputs& i) { i.key_joins = {2}; }},
      {"mask", [](Inputs& i) { i.mask = {parse_mask_part("window:1")}; }},
      {"mask_fill", [](Inputs& i) { i.mask_fill = MaskFill::minus_1e9; }},
      {"temperature", [](Inputs& i) { i.temperature = 0.3; }},
      {"scale", [](Inputs& i) { i.scale = false; }},
      {"dropout", [](Inputs& i) { i.dropout = 0.4; }},
      {"dropout_seed", [](Inputs& i) { i.dropout_seed = 9; }},
      {"gain_q", [](Inputs& i) { i.gain_q = 2; }},
      {"gain_k", [](Inputs& i) { i.gain_k = -1; }},
      {"weights", [](Inputs& i) { i.weights = WeightKind::similarity; }},
      {"sigma", [](Inputs& i) { i.sigma = 0.1; }},
      {"typed",
       [](Inputs& i) {
         i.typed.w_q = {1, 2};
       }},
      {"kv_heads", [](Inputs& i) { i.kv_heads = 2; }},
      {"layers", [](Inputs& i) { i.layers = 3; }},
      {"share_layers", [](Inputs& i) { i.share_layers = true; }},
      {"residual", [](Inputs& i) { i.residual = false; }},
      {"layer_norm", [](Inputs& i) { i.layer_norm = false; }},
      {"feed_forward", [](Inputs& i) { i.feed_forward = false; }}};
  EXPECT_EQ(changes.size(), input_fields().size());
  for (const InputField& field : input_fields()) {
    SCOPED_TRACE(field.name);
    Inputs changed = start;
    changes.at(field.name)(changed);
    EXPECT_NE(changed, start);
    if (!changed.seeded()) continue;  // covered by test_model_source.cpp
    Engine used(2);
    std::shared_ptr<const Trace> before;
    for (const Inputs& inputs : {start, changed, start}) {
      RunOptions options;
      options.previous = before;
      before = used.run(inputs, options);
      expect_same_bits(*before, *Engine(2).run(inputs));
    }
  }
}

TEST(Engine, reads_typed_matrices_in_the_order_that_they_are_written_in) {
  Inputs inputs = sized(3, 4, 2);
  inputs.kv_heads = 1;
  inputs.weights = WeightKind::manual;
  inputs.vectors = VectorKind::typed;
  const auto counted = [](int count) {
    std::vector<double> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), -0.25 * count);
    return numbers;
  };
  inputs.typed = {counted(16), counted(8), counted(8), counted(16), MatrixOrder::out_in, counted(12), {}};
  for (double& value : inputs.typed.w_q) value /= 8;
  Inputs transposed = inputs;
  transposed.typed.order = MatrixOrder::in_out;
  for (auto matrix : {&TypedMatrices::w_q, &TypedMatrices::w_k, &TypedMatrices::w_v, &TypedMatrices::w_o}) {
    const std::vector<double>& from = inputs.typed.*matrix;
    const std::size_t rows = from.size() / 4;
    for (std::size_t i = 0; i < from.size(); ++i) (transposed.typed.*matrix)[i % 4 * rows + i / 4] = from[i];
  }
  EXPECT_NE(transposed.typed.w_k, inputs.typed.w_k);
  expect_same_bits(*Engine(1).run(inputs), *Engine(1).run(transposed));
}

TEST(Engine, replaces_the_context_of_ablated_heads_and_nothing_before_it) {
  Inputs inputs = sized(7, 32, 4, R"("layers": 2, "mask": "causal")");
  const auto whole = Engine().run(inputs);
  for (const Ablation by : {Ablation::zero, Ablation::mean}) {
    inputs.ablated_heads = {{BlockKind::self, 0, 1}, {BlockKind::self, 0, 2}};
    inputs.ablation = by;
    const auto off = Engine().run(inputs);
    EXPECT_TRUE(same_bits(weights(*off, 0), weights(*whole, 0)));
    EXPECT_FALSE(same_bits(weights(*off, 1), weights(*whole, 1)));
    Matrix expected = as_matrix(std::as_const(layer(*whole, 0).context));
    for (const Index first : {8, 16}) {  // d_k is 8
      auto columns = expected.middleCols(first, 8);
      const Eigen::RowVectorXf mean = columns.colwise().mean();
      columns.rowwise() = by == Ablation::zero ? Eigen::RowVectorXf::Zero(8).eval() : mean;
    }
    EXPECT_LE((as_matrix(layer(*off, 0).context) - expected).cwiseAbs().maxCoeff(), 1e-6F);
    const auto o = off->source->projection(BlockKind::self, 0, ProjectionKind::o);
    const Matrix output = (expected * as_matrix(o->weight).transpose()).rowwise() +
                          RowView(o->bias.data(), 32).matrix().transpose();
    EXPECT_LE((as_matrix(layer(*off, 0).output) - output).cwiseAbs().maxCoeff(), 1e-5F);
    RunOptions one;
    one.only_query = 3;
    const auto alone = Engine().run(inputs, one);
    EXPECT_TRUE((row_of(layer(*alone, 1).output, 3) == row_of(layer(*off, 1).output, 3)).all());
  }
}

TEST(Engine, ablated_heads_have_to_exist_or_are_left_out) {
  Inputs inputs = sized(5, 32, 4);
  const auto off = [&](BlockKind block, int at, int head) {
    inputs.ablated_heads = {{block, at, head}};
    return complaint([&] { Engine().run(inputs); });
  };
  EXPECT_EQ(off(BlockKind::self, 0, 4), "heads_off: head is 4; expected 0 to 3");
  EXPECT_EQ(off(BlockKind::self, 1, 0), "heads_off: layer is 1; expected 0");
  EXPECT_EQ(off(BlockKind::decoder, 0, 0), "heads_off: this model has no decoder attention");
  RunOptions fitting;
  fitting.fit_masks = true;
  EXPECT_TRUE(block(*Engine().run(inputs, fitting)).interventions.ablated_heads.empty());
  inputs.key_sentence = "a b";
  inputs.ablated_heads = {{BlockKind::self, 0, 1}};
  EXPECT_TRUE(is_ablated(block(*Engine().run(inputs)), 0, 1)) << "it has one block, whatever its kind";
}

TEST(Engine, uses_a_typed_x_again_only_while_it_holds) {
  Inputs inputs = sized(3, 4, 2);
  inputs.vectors = VectorKind::typed;
  inputs.typed.x.assign(12, 0.5);
  Engine engine(1);
  RunOptions options;
  options.previous = engine.run(inputs);
  inputs.typed.x[5] = 2;
  expect_same_bits(*engine.run(inputs, options), *Engine(1).run(inputs));
  options.fit_masks = true;
  inputs.sentence += " more";
  EXPECT_EQ(engine.run(inputs, options)->x.dim(0), 4);
}

TEST(Engine, uses_the_projections_of_the_trace_before_where_they_hold) {
  Inputs inputs = sized(40, 64, 4);
  Engine engine;
  RunOptions options;
  options.previous = engine.run(inputs);
  inputs.temperature = 0.5;
  const auto colder = engine.run(inputs, options);
  EXPECT_EQ(layer(*colder, 0).q.data(), layer(*options.previous, 0).q.data());
  inputs.gain_q = 2;
  EXPECT_NE(layer(*engine.run(inputs, options), 0).q.data(), layer(*options.previous, 0).q.data());
}

TEST(Engine, stops_on_request) {
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

TEST(Engine, refuses_the_same_stacks_for_maps_alone) {
  Inputs inputs = sized(5, 16, 2);
  inputs.layers = 12;
  inputs.layer_norm = false;
  inputs.weights = WeightKind::normal;
  int sure = 0, unsure = 0;
  // Approaches the end of the range, where only the numbers themselves decide.
  double good = 1, refused = Limits::max_sigma;
  for (int i = 0; i < 20; ++i) {
    inputs.sigma = std::sqrt(good * refused);
    const std::string reported = complaint([&] { Engine().run(inputs); });
    std::shared_ptr<const Trace> maps;
    const RunOptions options{.layer = {},
                             .heads = {},
                             .maps_alone = true,
                             .only_query = {},
                             .previous = {},
                             .forecast = {},
                             .progress = {}};
    EXPECT_EQ(complaint([&] { maps = Engine().run(inputs, options); }), reported) << inputs.sigma;
    (maps ? good : refused) = inputs.sigma;
    if (maps) ++(layer(*maps, 11).output.empty() ? sure : unsure);
  }
  EXPECT_GT(sure, 0);
  EXPECT_GT(unsure, 0);
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
  EXPECT_NEAR(row_sum(*trace, 3, 299), 1, 1e-6);
}

TEST(LayerNorm, gives_each_row_mean_zero_and_variance_one) {
  Tensor x({2, 4});
  const float values[] = {1, 2, 3, 4, 5, 5, 5, 5};
  std::copy_n(values, 8, x.data());
  Norm norm;
  norm.weight = Tensor({4});
  std::fill_n(norm.weight.data(), 4, 1.0F);
  for (Index row = 0; row < 2; ++row) apply_norm(norm, x.at(row), best_kernels());
  // (x - 2.5) / sqrt(1.25 + 1e-5); a constant row has no variance to divide by, and stays zero.
  const double expected[] = {-1.3416354, -0.4472118, 0.4472118, 1.3416354, 0, 0, 0, 0};
  EXPECT_LE(largest_difference(x.data(), 8, expected), 1e-6);
}

}  // namespace headscope::tests
