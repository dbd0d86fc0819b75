#include "app/state/app.h"
#include "core/source/pooled_maps.h"
#include "tests/support/testing.h"

namespace headscope::tests {
namespace {

std::string words_of(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += i % 7 == 0 ? "cat " : "the ";
  return text;
}

class LongTexts : public testing::Test {
 protected:
  LongTexts() {
    app.inputs.d_model = 16;
    app.inputs.heads = 2;
  }
  void frame() {
    begin_frame(app, {});
    end_frame(app);
    app.runner.wait();
  }
  App app;
};

}  // namespace

TEST_F(LongTexts, are_shown_by_groups_first_of_a_sample_then_of_every_row) {
  app.inputs.sentence = words_of(Limits::max_window_tokens + 4);
  frame();
  const auto first = app.block();
  ASSERT_TRUE(first->grouped());
  EXPECT_TRUE(first->sampled);
  EXPECT_EQ(first->single, block_of(app.trace(), BlockKind::self));
  EXPECT_LE(first->n_q(), 1024);
  frame();
  EXPECT_TRUE(app.long_blocks.busy());
  app.long_blocks.wait();
  frame();
  const auto complete = app.block();
  EXPECT_FALSE(complete->sampled);
  EXPECT_FALSE(app.long_blocks.busy());
  EXPECT_EQ(app.block(), complete) << "stays the same";
  const Tensor sampled = first->maps->resident(0, 0), whole = complete->maps->resident(0, 0);
  ASSERT_FALSE(sampled.empty());
  ASSERT_FALSE(whole.empty());
  int larger = 0;
  for (Index i = 0; i < whole.size(); ++i) {
    EXPECT_LE(sampled.data()[i], whole.data()[i] * 1.0001F) << "a sample misses, and never adds";
    larger += whole.data()[i] > sampled.data()[i];
  }
  EXPECT_GT(larger, 0);
}

TEST_F(LongTexts, another_text_ends_what_is_being_read) {
  app.inputs.sentence = words_of(Limits::max_window_tokens + 4);
  frame();
  const auto before = app.block();
  frame();
  app.inputs.sentence = "a short one";
  frame();
  frame();
  EXPECT_FALSE(app.block()->grouped());
  app.inputs.sentence = words_of(Limits::max_window_tokens + 40);
  frame();
  EXPECT_NE(app.block(), before);
  app.inputs.sentence = words_of(Limits::max_window_tokens + 80);
  frame();
  frame();
  abandon_groups(*before);
  std::stop_source stopped;
  stopped.request_stop();
  const int heads[] = {0};
  EXPECT_FALSE(read_ahead(*with_groups(before->single), 0, heads, {}, stopped.get_token()));
}

TEST_F(LongTexts, numbers_of_a_head_are_those_of_its_whole_map) {
  app.inputs.sentence = words_of(Limits::max_window_tokens + 4);
  frame();
  const auto block = app.block();
  app.view_cache.head_statistics(block, 0, 0);
  app.view_cache.wait();
  const auto shown = app.view_cache.head_statistics(block, 0, 0);
  ASSERT_NE(shown, nullptr);
  const auto all = block_statistics(*block->single, 0);
  EXPECT_EQ(shown->entropy, all->find(0, 0)->entropy);
}

TEST_F(LongTexts, are_searched_token_by_token) {
  app.inputs.sentence = words_of(Limits::max_window_tokens + 4);
  frame();
  const auto block = app.block();
  ASSERT_TRUE(block->grouped());
  TokenSearch search;
  search.open = true;
  search.text = "#5000";
  search.update(block);
  EXPECT_THAT(search.places(), testing::IsEmpty());
  search.text = "#4100";
  search.update(block);
  ASSERT_EQ(search.places().size(), 1U);
  EXPECT_EQ(search.places()[0].tokens.first, 4099 / block->query_group);
}

TEST_F(LongTexts, nothing_of_one_is_held_when_a_short_text_is_shown) {
  app.inputs.sentence = words_of(Limits::max_window_tokens + 4);
  app.compare = app.inputs;
  app.compare->seed += 1;
  app.state.view.kind = ViewKind::compare;
  for (int i = 0; i < 3; ++i) frame();
  app.other_runner.wait();
  frame();
  app.long_blocks.wait();
  frame();
  app.view_cache.shown_of_b(app.other_block(), app.state.view);
  app.view_cache.head_statistics(app.block(), 0, 0);
  app.view_cache.wait();
  frame();
  const std::weak_ptr<const Trace> a = app.trace(), b = app.other_trace();
  ASSERT_FALSE(a.expired() || b.expired() || b.lock()->inputs != *app.compare);
  app.set_session({});
  for (int i = 0; i < 5; ++i) frame();
  EXPECT_TRUE(a.expired());
  EXPECT_TRUE(b.expired());
  EXPECT_EQ(app.other_block()->n_q(), 0);
}

}  // namespace headscope::tests
