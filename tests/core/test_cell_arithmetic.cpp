#include "core/analysis/cell_arithmetic.h"
#include "core/scene/labels.h"
#include "core/source/engine/engine.h"
#include "tests/support/inputs.h"
#include "tests/support/traces.h"

namespace headscope::tests {

/// Inputs that vary everything that a cell's computation depends on.
const std::vector<std::string> ways{
    "",
    R"("mask": "causal", "temperature": 0.3)",
    R"("mask": "causal", "mask_fill": "-1e9", "temperature": 3, "scale": false)",
    R"("mask": "causal", "mask_fill": "-1e9", "temperature": 0.000001, "gain_q": 100, "gain_k": 30)",
    R"("key_sentence": "one two three", "kv_heads": 2, "gain_q": 3)",
    R"("layers": 2)",
    R"("layers": 2, "residual": false, "mask": "causal")",
    R"("layers": 2, "layer_norm": false)",
    R"("layers": 2, "heads_off": "0.0,1.3")",
    R"("layers": 2, "heads_off": "0.3,1.0", "heads_off_by": "mean", "mask": "causal")",
    R"("layers": 3, "feed_forward": true, "kv_heads": 1, "dropout": 0.4)",
    R"("mask": "padding:0,1,2,3,4,5", "dropout": 0.2)",
    R"("mask": "padding:0,1,2,3,4,5", "mask_fill": "-1e9")",
};

double near(double value) {
  return 2e-6 * std::max(1.0, std::abs(value));
}

template <typename A, typename B>
void expect_near(const A& a, const B& b, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (Index i = 0; i < a.size(); ++i)
    EXPECT_NEAR(static_cast<double>(a[i]), static_cast<double>(b[i]), 4 * near(static_cast<double>(b[i])))
        << what << " " << i;
}

TEST(CellArithmetic, adds_up_to_what_the_run_has_on_every_way) {
  for (const std::string& fields : ways) {
    SCOPED_TRACE(fields);
    Inputs inputs = sized(6, 32, 4, fields);
    RunOptions options;
    options.stack_output = true;
    const auto trace = Engine(1).run(inputs, options);
    const BlockTrace& block = trace->blocks.front();
    for (int l = 0; l < block.layer_count(); ++l)
      for (int h : {0, 3})
        for (int i : {0, 2, 5})
          for (int j : {0, static_cast<int>(block.n_k()) - 1}) {
            SCOPED_TRACE(fmt::format("layer {} head {} query {} key {}", l, h, i, j));
            const CellArithmetic cell = cell_arithmetic(*trace, block, {l, h, i, j});
            EXPECT_NEAR(cell.dot, cell.products.sum(), 1e-12);
            EXPECT_NEAR(cell.score, cell.dot * cell.scale, near(cell.score));
            EXPECT_EQ(static_cast<float>(cell.score), block.maps->score(l, h, i, j));
            if (!block.mask.blocked(h, i, j)) {
              EXPECT_DOUBLE_EQ(cell.tempered[j], cell.score / inputs.temperature);
            }
            EXPECT_NEAR(cell.exponentials.sum(), cell.row_sum, 1e-12);
            Eigen::RowVectorXd weights = cell.weights;
            if (cell.dropout.size() > 0) weights = weights.cwiseProduct(cell.dropout.cast<double>());
            Eigen::RowVectorXf row(block.n_k());
            block.maps->rows(l, h, i, i + 1, row.data());
            expect_near(weights, row, "weights");
            expect_near(Eigen::RowVectorXd(cell.weighted_values.colwise().sum()), cell.context, "context");
            EXPECT_EQ(cell.way.head_off, is_ablated(block, l, h));
            expect_near(Eigen::RowVectorXd(cell.w_o_terms.colwise().sum() + cell.b_o.cast<double>()),
                        cell.output, "output");
            ASSERT_EQ(cell.add_and_norm.has_value(), block.layer_count() > 1);
            if (cell.add_and_norm && !inputs.feed_forward)
              expect_near(cell.add_and_norm->result(), cell.add_and_norm->next, "what the next layer reads");
          }
  }
}

TEST(CellArithmetic, of_a_layer_that_was_run_for_its_maps_has_the_same_output) {
  for (const char* by : {"zero", "mean"}) {
    SCOPED_TRACE(by);
    const Inputs inputs = sized(6, 32, 4, fmt::format(R"("heads_off": "0.1,0.2", "heads_off_by": "{}")", by));
    RunOptions options;
    options.maps_alone = true;
    const auto maps = Engine(1).run(inputs, options), whole = Engine(1).run(inputs);
    ASSERT_TRUE(maps->blocks.front().layers.front().context.empty());
    for (const int head : {0, 1}) {
      const CellArithmetic cell = cell_arithmetic(*maps, maps->blocks.front(), {0, head, 2, 3}),
                           expected = cell_arithmetic(*whole, whole->blocks.front(), {0, head, 2, 3});
      expect_near(cell.concat, expected.concat, "concatenated contexts");
      expect_near(cell.output, expected.output, "output");
      EXPECT_EQ(cell.way.head_off, head == 1);
    }
  }
}

TEST(CellArithmetic, of_a_row_with_no_key_has_no_maximum_and_no_weights) {
  const Inputs inputs = sized(3, 8, 2, R"("mask": "padding:0,1,2")");
  const auto trace = Engine(1).run(inputs);
  const CellArithmetic cell = cell_arithmetic(*trace, trace->blocks.front(), {0, 1, 2, 0});
  EXPECT_EQ(cell.row_max, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(cell.row_sum, 0);
  EXPECT_EQ(cell.weights, Eigen::RowVectorXd::Zero(3));
  EXPECT_EQ(cell.context, Eigen::RowVectorXf::Zero(4));
}

TEST(CellArithmetic, refuses_a_cell_that_is_not_there) {
  const auto trace = Engine(1).run(sized(3, 8, 2));
  const auto reported = [&](const CellPlace& place) {
    return complaint([&] { cell_arithmetic(*trace, trace->blocks.front(), place); });
  };
  EXPECT_EQ(reported({1, 0, 0, 0}), "layer is 1; expected 0");
  EXPECT_EQ(reported({0, 2, 0, 0}), "head is 2; expected 0 to 1");
  EXPECT_EQ(reported({0, 0, 3, 0}), "query is 3; expected 0 to 2");
  EXPECT_EQ(reported({0, 0, 0, -1}), "key is -1; expected 0 to 2");
  const auto empty = Engine(1).run(sized(0, 8, 2));
  EXPECT_EQ(complaint([&] { cell_arithmetic(*empty, empty->blocks.front(), {}); }),
            "the sentence has no tokens; expected at least one");
}

TEST(CellArithmetic, finds_the_textbooks_query_that_it_got_wrong) {
  // Two tokens, two heads of two columns; W_Q typed as the textbook writes it, x W.
  const nlohmann::json example = worked_example();
  const auto trace = Engine(1).run(inputs_of_worked_example(example));
  for (int h = 0; h < 2; ++h)
    for (int i = 0; i < 2; ++i) {
      const CellArithmetic cell = cell_arithmetic(*trace, trace->blocks.front(), {0, h, i, 0});
      for (int c = 0; c < 2; ++c)
        EXPECT_NEAR(
            static_cast<double>(cell.q[c]),
            example[fmt::format("q_head{}", h + 1)][static_cast<std::size_t>(i)][static_cast<std::size_t>(c)]
                .get<double>(),
            1e-6);
    }
}

}  // namespace headscope::tests
