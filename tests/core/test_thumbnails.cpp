#include "core/base/stopped.h"
#include "core/scene/range.h"
#include "core/scene/thumbnails.h"
#include "core/scene/view.h"
#include "tests/support/traces.h"

namespace headscope::tests {

std::pair<float, float> ends(const ColorRange& range) {
  return {range.low, range.high};
}

/// Weights from 0.1 on that encode layer and head, with one extreme cell in each layer that is blocked.
std::shared_ptr<const BlockTrace> layered() {
  const auto weight = [](int layer, int head, Index i, Index j) {
    if (j > i) return layer == 0 ? 0.99F : 0.01F;  // above the diagonal, where the causal mask blocks
    return 0.1F * static_cast<float>(layer + 1) + 0.02F * static_cast<float>(head) +
           0.001F * static_cast<float>(i + j);
  };
  const auto tokens = numbered_tokens(3);
  return first_block(trace_of(tokens, tokens, 2, 3, mask_parts({"causal"}), weight));
}

TEST(Thumbnails, share_the_ends_of_all_layers_or_have_those_of_their_head) {
  const auto block = layered();
  View view;
  view.range.kind = Range::shared;
  const auto shared = make_thumbnails(block, view.filter, view.range, 512);
  ASSERT_EQ(shared->layers.size(), 3U);
  for (const auto& layer : shared->layers)
    for (const ColorRange& range : layer.ranges) {
      EXPECT_FLOAT_EQ(range.low, 0.1F + 0.001F)
          << "of the first layer's second row: one key alone does not count";
      EXPECT_FLOAT_EQ(range.high, 0.3F + 0.02F + 0.004F) << "of the last";
    }
  view.range.kind = Range::head;
  const auto own = make_thumbnails(block, view.filter, view.range, 512);
  for (int l = 0; l < 3; ++l)
    for (int h = 0; h < 2; ++h) {
      const auto [low, high] =
          ends(own->layers[static_cast<std::size_t>(l)].ranges[static_cast<std::size_t>(h)]);
      const float minimum = 0.1F * static_cast<float>(l + 1) + 0.02F * static_cast<float>(h);
      EXPECT_FLOAT_EQ(low, minimum + 0.001F);
      EXPECT_FLOAT_EQ(high, minimum + 0.004F);
    }
  view.range.kind = Range::unit;
  const auto unit = make_thumbnails(block, view.filter, view.range, 512);
  for (const auto& layer : unit->layers)
    for (const ColorRange& range : layer.ranges) EXPECT_EQ(ends(range), std::pair(0.0F, 1.0F));
}

TEST(Thumbnails, share_ends_wherever_they_are) {
  const std::vector<float> minimum{0.3F, 0.1F, 0.2F}, maximum{0.7F, 0.9F, 0.8F};
  const auto weight = [&](int layer, int head, Index, Index j) {
    const auto& ends = j == 0 ? minimum : maximum;
    return ends[static_cast<std::size_t>((layer + head) % 3)];
  };
  View view;
  view.range.kind = Range::shared;
  const auto tokens = numbered_tokens(2);
  for (const auto& shared :
       {make_thumbnails(first_block(trace_of(tokens, tokens, 1, 3, {}, weight)), view.filter, view.range, 8),
        make_thumbnails(first_block(trace_of(tokens, tokens, 3, 1, {}, weight)), view.filter, view.range, 8)})
    for (const auto& layer : shared->layers)
      for (const ColorRange& range : layer.ranges) EXPECT_EQ(ends(range), std::pair(0.1F, 0.9F));
}

TEST(Thumbnails, do_not_count_what_the_filter_leaves_out) {
  View view;
  view.range.kind = Range::shared;
  view.filter.hidden_queries = {2};
  view.filter.renormalize = false;
  const auto shared = make_thumbnails(layered(), view.filter, view.range, 512);
  EXPECT_EQ(shared->layers[0].n_q, 2);
  EXPECT_EQ(shared->layers[0].n_k, 3);
  EXPECT_FLOAT_EQ(shared->layers[0].ranges[0].high, 0.3F + 0.02F + 0.002F);
}

TEST(Thumbnails, pool_by_the_largest_shown_weight) {
  const auto weight = [](int, int head, Index i, Index j) {
    return static_cast<float>((i * 7 + j * 3 + head * 5) % 40) / 40;
  };
  const auto rows = numbered_tokens(7), columns = numbered_tokens(5, "k");
  const auto block = first_block(trace_of(rows, columns, 2, 1, {}, weight));
  const auto small = make_thumbnails(block, {}, {}, 3);
  const Thumbnails::Layer& layer = small->layers.at(0);
  ASSERT_TRUE(layer.n_q == 3 && layer.n_k == 3);
  const int q_begin[] = {0, 2, 4, 7}, k_begin[] = {0, 1, 3, 5};
  for (int h = 0; h < 2; ++h)
    for (int q = 0; q < 3; ++q)
      for (int k = 0; k < 3; ++k) {
        float largest = 0;
        for (int i = q_begin[q]; i < q_begin[q + 1]; ++i)
          for (int j = k_begin[k]; j < k_begin[k + 1]; ++j) largest = std::max(largest, weight(0, h, i, j));
        EXPECT_EQ(layer.weights.at(h)[q * 3 + k], largest) << h << q << k;
      }
}

TEST(Thumbnails, a_cell_is_blocked_where_all_it_represents_is) {
  const auto block = layered();
  const auto small = make_thumbnails(block, {}, {}, 2);  // cells 0 and 1 to 2
  const std::uint8_t* state = small->layers[0].state(1);
  ASSERT_NE(state, nullptr);
  EXPECT_THAT(std::vector<int>(state, state + 4), ElementsAre(0, 1, 0, 0));
  EXPECT_FLOAT_EQ(small->layers[0].weights.at(0)[3], 0.1F + 0.004F) << "not the blocked 0.99 beside it";
}

TEST(Thumbnails, end_where_stopped) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(make_thumbnails(layered(), {}, {}, 8, stop.get_token()), Stopped);
}

}  // namespace headscope::tests
