#include "core/analysis/filtered_layer.h"
#include "core/analysis/softmax_row.h"
#include "core/analysis/statistics.h"
#include "core/base/matrix.h"
#include "core/source/engine/engine.h"
#include "core/source/maps/no_token.h"
#include "core/source/maps/word_maps.h"
#include "tests/support/model_inputs.h"

namespace headscope::tests {
namespace {

class NoToken : public InFolder {
 protected:
  std::shared_ptr<const Trace> trace = Engine(2).run(inputs_for(folder.path, model_case("gpt_oss")));
  const BlockTrace& block = trace->blocks.front();
  std::shared_ptr<const BlockTrace> in_view = with_no_token({trace, &block});
  Index n = block.n_k();
};

TEST_F(NoToken, is_a_key_behind_the_others_with_which_rows_sum_to_1) {
  ASSERT_TRUE(block.shape.no_token);
  ASSERT_EQ(in_view->n_k(), n + 1);
  EXPECT_EQ(in_view->key_tokens.back().text, "no token");
  EXPECT_EQ(in_view->maps->size().n_k, n + 1);
  for (int layer = 0; layer < block.layer_count(); ++layer)
    for (int head = 0; head < block.heads(); ++head)
      for (int query = 0; query < block.n_q(); ++query) {
        const Tensor row = in_view->maps->row(layer, head, query), own = block.maps->row(layer, head, query);
        EXPECT_NEAR(RowView(row.data(), n + 1).cast<double>().sum(), 1, 1e-6);
        EXPECT_LT(RowView(own.data(), n).sum(), 1);
        EXPECT_GT(row.data()[n], 0);
        EXPECT_FALSE(in_view->weightless(layer, head, query, n));
        for (Index key = 0; key < n; ++key) {
          EXPECT_EQ(row.data()[key], own.data()[key]);
          EXPECT_EQ(in_view->weightless(layer, head, query, key), block.weightless(layer, head, query, key));
        }
        // Alone, and as one of the row's keys.
        for (const BlockTrace* of : {&block, in_view.get()}) {
          const SoftmaxRow exact = softmax_row(*of, layer, head, query);
          for (Index key = 0; key < of->n_k(); ++key) EXPECT_NEAR(exact.weights[key], row.data()[key], 1e-6);
        }
      }
}

TEST_F(NoToken, is_shown_as_keys_are) {
  const auto shown = filter_layer(in_view, 1, {});
  EXPECT_EQ(shown->n_k(), n + 1);
  Filter filter;
  filter.hidden_keys = {static_cast<int>(n)};
  const auto left_out = filter_layer(in_view, 1, filter);
  ASSERT_EQ(left_out->n_k(), n);
  EXPECT_NEAR(RowView(left_out->weights(2) + n, n).cast<double>().sum(), 1, 1e-6) << "renormalized";
  EXPECT_EQ(with_words(in_view), in_view) << "each piece is a word";
}

TEST_F(NoToken, is_no_part_of_statistics) {
  const auto all = block_statistics(block, {}), with_it = block_statistics(*in_view, {});
  for (int layer = 0; layer < block.layer_count(); ++layer)
    for (int head = 0; head < block.heads(); ++head) {
      const HeadStatistics &a = *all->find(layer, head), &b = *with_it->find(layer, head);
      EXPECT_EQ(a.entropy, b.entropy);
      EXPECT_EQ(a.first, b.first);
      EXPECT_GT(*a.largest, 0.99) << "of the first query, whose only key is its own";
    }
}

TEST_F(NoToken, is_only_where_heads_have_a_sink) {
  const auto other = Engine(2).run(inputs_for(folder.path, model_case("gpt2")));
  const std::shared_ptr<const BlockTrace> alone(other, &other->blocks.front());
  EXPECT_EQ(with_no_token(alone), alone);
}

}  // namespace
}  // namespace headscope::tests
