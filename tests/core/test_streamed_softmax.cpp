#include "core/analysis/cell_arithmetic.h"
#include "core/analysis/streamed_softmax.h"
#include "core/source/engine/engine.h"
#include "tests/support/inputs.h"
#include "tests/support/traces.h"

namespace headscope::tests {

/// Rows of every kind: with sharp and flat weights, blocked keys at either end and in the middle, a first
/// block without any key, a row without any, and dropout.
const std::vector<std::string> score_rows{
    "",
    R"("mask": "causal", "temperature": 0.01)",
    R"("mask": "padding:0,1,2,3", "scale": false, "gain_q": 40)",
    R"("mask": "padding:0,1,2,3,4,5,6,7,8,9,10")",
    R"("mask": "padding:0,1,2,3,4,5,6,7,8,9,10", "mask_fill": "-1e9")",
    R"("mask": "window:1", "mask_fill": "-1e9", "temperature": 5)",
    R"("key_sentence": "one two three", "kv_heads": 2)",
    R"("layers": 2, "kv_heads": 1, "dropout": 0.4)",
};

TEST(StreamedSoftmax, ends_at_the_softmax_of_the_whole_row_with_blocks_of_any_size) {
  for (const std::string& fields : score_rows)
    for (const Index size : {1, 2, 3, 4, 7, 11, 64}) {
      SCOPED_TRACE(fmt::format("{} blocks of {}", fields, size));
      const auto trace = Engine(1).run(sized(11, 16, 4, fields));
      const BlockTrace& block = trace->blocks.front();
      const int layer = block.layer_count() - 1;
      for (const int head : {0, 3})
        for (const int query : {0, 1, 10}) {
          const CellArithmetic cell = cell_arithmetic(*trace, block, {layer, head, query, 0});
          const StreamedRow row = streamed_softmax(block, layer, head, query, size);
          EXPECT_TRUE(row.agrees()) << row.weight_difference << " " << row.context_difference;
          EXPECT_LE((row.weights - cell.weights).cwiseAbs().maxCoeff(), 1e-14);
          EXPECT_LE((row.context - cell.weighted_values.colwise().sum()).cwiseAbs().maxCoeff(), 1e-13);
          EXPECT_LE((row.context.cast<float>() - cell.context).cwiseAbs().maxCoeff(), 1e-5);
          ASSERT_EQ(std::ssize(row.blocks), block_count(block.n_k(), size));
          EXPECT_EQ(row.blocks.back().maximum, cell.row_max);
          EXPECT_NEAR(row.blocks.back().sum, cell.row_sum, 1e-13 * cell.row_sum);
        }
    }
}

TEST(StreamedSoftmax, carries_on_only_maximum_sum_and_context) {
  const auto trace = Engine(1).run(sized(11, 16, 4, R"("mask": "padding:0,1,2,3")"));
  const StreamedRow row = streamed_softmax(trace->blocks.front(), 0, 1, 4, 3);
  // The first block has no visible key: no weight yet, and no NaN.
  EXPECT_EQ(row.blocks[0].maximum, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(row.blocks[0].sum, 0);
  EXPECT_EQ(row.blocks[0].context, Eigen::RowVectorXd::Zero(4));
  for (std::size_t i = 1; i < row.blocks.size(); ++i) {
    const StreamedBlock &before = row.blocks[i - 1], &now = row.blocks[i];
    EXPECT_EQ(now.begin, before.end);
    EXPECT_EQ(now.maximum, std::max(before.maximum, now.block_max));
    EXPECT_DOUBLE_EQ(now.sum, now.rescale * before.sum + now.block_sum);
  }
  EXPECT_EQ(row.blocks.back().end, 11);
}

TEST(StreamedSoftmax, says_when_numbers_part) {
  const auto trace = Engine(1).run(sized(11, 16, 4));
  StreamedRow row = streamed_softmax(trace->blocks.front(), 0, 1, 4, 3);
  row.weight_difference = 1e-6;
  EXPECT_FALSE(row.agrees());
}

TEST(StreamedSoftmax, has_some_blocks_to_look_at) {
  const auto blocks = [](Index n) { return block_count(n, sensible_block(n)); };
  EXPECT_EQ(blocks(1), 1);
  EXPECT_EQ(blocks(10), 5);
  EXPECT_EQ(blocks(100), 4);
  EXPECT_EQ(sensible_block(4096), 128);
}

}  // namespace headscope::tests
