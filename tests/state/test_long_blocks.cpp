#include "app/state/actions/copy_actions.h"
#include "app/state/app.h"
#include "app/state/document/bookmarks.h"
#include "app/state/text/copy_text.h"
#include "app/state/view/caption.h"
#include "app/state/view/navigation.h"
#include "core/analysis/long_part.h"
#include "core/scene/range.h"
#include "core/source/maps/pooled_maps.h"
#include "tests/support/settle.h"
#include "tests/support/testing.h"
#include "tests/support/traces.h"

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
    app.runners.a.wait();
  }
  void wait_until_idle() {
    run_until_idle(app, [this] { frame(); });
  }
  App app;
};

}  // namespace

TEST_F(LongTexts, are_shown_by_groups_first_of_a_sample_then_of_every_row) {
  app.inputs.sentence = words_of(Limits::max_window_tokens + 4);
  frame();
  const auto first = app.block();
  ASSERT_TRUE(first->pooled());
  EXPECT_TRUE(first->sampled);
  EXPECT_EQ(first->single, block_of(app.trace(), BlockKind::self));
  EXPECT_LE(first->n_q(), 1024);
  frame();
  EXPECT_TRUE(app.long_blocks.busy());
  wait_until_idle();
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
  EXPECT_FALSE(app.block()->pooled());
  app.inputs.sentence = words_of(Limits::max_window_tokens + 40);
  frame();
  EXPECT_NE(app.block(), before);
  app.inputs.sentence = words_of(Limits::max_window_tokens + 80);
  frame();
  frame();
  before->maps->abandon();
  std::stop_source stopped;
  stopped.request_stop();
  const int heads[] = {0};
  EXPECT_FALSE(read_ahead(*with_pooling(before->single), 0, heads, {}, stopped.get_token()));
}

TEST_F(LongTexts, one_head_is_zoomed_into_down_to_single_tokens) {
  app.inputs.sentence = words_of(65000);
  app.inputs.heads = 1;
  app.inputs.mask = mask_parts({"window:40"});
  app.state.view.kind = ViewKind::head;
  const auto settled = [&] {
    wait_until_idle();
    return app.shown();
  };
  const auto whole = settled();
  ASSERT_TRUE(whole->part.has_value());
  EXPECT_EQ(app.block()->n_q(), 65000) << "cells are of tokens";
  EXPECT_EQ(whole->part->query_pool, 64);
  EXPECT_FALSE(whole->part->sampled);
  EXPECT_EQ(whole->n_q(), 1016);
  // Successively finer, and each cell the largest of those that it represents.
  for (const double factor : {3.0, 20.0, 500.0}) {
    app.state.view.zoom = {30000, 30000, factor};
    const auto part = settled();
    ASSERT_TRUE(part->part.has_value());
    const Index pool = part->part->query_pool;
    EXPECT_EQ(pool, factor < 4 ? 32 : factor < 30 ? 4 : 1);
    EXPECT_TRUE(part->part->contains(part_of(app.state.view.zoom, 65000, 65000)));
    EXPECT_FALSE(part->part->sampled);
    const int row = part->row(30100), column = part->column(30090);
    ASSERT_GE(row, 0);
    ASSERT_GE(column, 0);
    const TokenCell cell = token_cell(*part, 0, row, column);
    EXPECT_EQ(cell.query / pool, 30100 / pool);
    EXPECT_EQ(cell.key / pool, 30090 / pool);
    EXPECT_NEAR(part->weights(0)[row * part->n_k() + column],
                app.block()->maps->weight(0, 0, cell.query, cell.key), 1e-7F);
    EXPECT_EQ(part->state(0)[row * part->n_k() + part->column(factor < 100 ? 31500 : 30170)], cell_masked);
  }
  EXPECT_FALSE(is_busy(app));
}

TEST_F(LongTexts, maps_stay_until_a_sample_of_the_next_ones_has_been_read) {
  app.inputs.sentence = words_of(20000);
  for (const ViewKind kind : {ViewKind::grid, ViewKind::head}) {
    app.state.view.kind = kind;
    app.state.view.zoom = {9000, 9000, 20};
    wait_until_idle();
    const auto before = app.shown();
    ASSERT_NE(before->weights(0), nullptr);
    app.inputs.temperature *= 2;
    end_frame(app);
    app.runners.a.wait();
    const Frame next = begin_frame(app, {});
    EXPECT_TRUE(next.stale);
    ASSERT_NE(next.shown->weights(0), nullptr) << "never blank";
    EXPECT_EQ(next.shown->block, before->block);
    wait_until_idle();
    const auto after = app.shown();
    EXPECT_NE(after->block, before->block);
    ASSERT_NE(after->weights(0), nullptr);
    EXPECT_FALSE(begin_frame(app, {}).stale);
  }
  // The maps of the previous text must not be shown for this one.
  app.inputs.sentence = words_of(19000);
  end_frame(app);
  app.runners.a.wait();
  EXPECT_EQ(begin_frame(app, {}).shown->weights(0), nullptr);
}

TEST_F(LongTexts, a_part_is_the_same_however_it_was_come_to) {
  app.inputs.sentence = words_of(20000);
  app.inputs.heads = 1;
  app.state.view.kind = ViewKind::head;
  std::shared_ptr<const FilteredLayer> part;
  for (const Zoom& zoom :
       {Zoom{5000, 5000, 4}, Zoom{5100, 5100, 20}, Zoom{5400, 5400, 20}, Zoom{5300, 5300, 8}}) {
    app.state.view.zoom = zoom;
    wait_until_idle();
    part = app.shown();
    ASSERT_TRUE(part->part.has_value());
    const auto pools = app.pooled_block(app.block());
    EXPECT_EQ(*part->part, part_that_shows(part_of(zoom, 20000, 20000), *pools)) << zoom.query;
  }
}

TEST_F(LongTexts, colours_leave_out_queries_that_have_few_keys_and_say_so) {
  app.inputs.sentence = words_of(20000);
  app.inputs.heads = 1;
  app.inputs.temperature = 20;  // so that no single cell stands out
  const auto range = [&](const char* mask, ViewKind kind, const Zoom& zoom = {}) {
    app.inputs.mask = mask_parts({mask});
    app.state.view.kind = kind;
    app.state.view.zoom = zoom;
    wait_until_idle();
    return color_ranges(*app.shown(), {Range::head})[0];
  };
  for (const ViewKind kind : {ViewKind::grid, ViewKind::head}) {
    const ColorRange causal = range("causal", kind);
    EXPECT_EQ(causal.low, 0);
    EXPECT_LT(causal.high, 0.02F) << "a query of the second quarter has 5,000 keys";
    EXPECT_TRUE(causal.above);
    const ColorRange ignored = color_ranges(*app.shown(), {Range::head, {}, true})[0];
    EXPECT_EQ(ignored.low, 0);
    EXPECT_LE(ignored.high, causal.high) << "the same queries are left out without the first token";
    EXPECT_EQ(color_ranges(*app.shown(), {Range::unit})[0].high, 1);
    EXPECT_FALSE(color_ranges(*app.shown(), {Range::unit})[0].above);
    const ColorRange logarithmic = color_ranges(*app.shown(), {Range::logarithm})[0];
    EXPECT_EQ(logarithmic.high, causal.high);
    EXPECT_GT(logarithmic.low, 1e-4F * logarithmic.high);
    EXPECT_FALSE(range("window:40", kind).above) << "all have as many";
  }
  const ColorRange first = range("causal", ViewKind::head, {0, 0, 100});
  EXPECT_LT(first.high, 0.2F);
  EXPECT_TRUE(first.above);
  EXPECT_FALSE(range("causal", ViewKind::head, {19000, 100, 100}).above);
}

TEST_F(LongTexts, a_caption_reports_weights_that_would_all_be_next_to_nothing) {
  app.inputs.sentence = words_of(20000);
  app.inputs.heads = 1;
  app.inputs.temperature = 20;  // so that all weights are about 1/20000
  app.compare = app.inputs;
  app.compare->temperature = 10;
  app.state.view.kind = ViewKind::head;
  while (app.block()->n_q() != 20000) {
    frame();
    app.runners.a.wait();
  }
  app.state.lock = Cell{0, 15000, 3000};
  for (const ViewKind kind : {ViewKind::head, ViewKind::lines, ViewKind::compare}) {
    app.state.view.kind = kind;
    std::shared_ptr<const Comparison> comparison;
    for (int i = 0; i < 8; ++i) {
      frame();
      app.runners.b.wait();
      app.long_blocks.wait();
      app.long_maps.wait();
      if (kind == ViewKind::compare) {
        comparison = app.view_cache.comparison(app.block(), app.block(Side::b), app.state.view);
        app.view_cache.wait();
      }
    }
    ASSERT_EQ(comparison != nullptr, kind == ViewKind::compare);
    const auto caption = caption_of(app.tr, app.state, *app.shown(), app.labels, comparison.get());
    ASSERT_TRUE(caption);
    ASSERT_EQ(caption->numbers.size(), comparison ? 3U : 1U);
    for (const auto& [name, number] : caption->numbers)
      EXPECT_THAT(number, testing::ContainsRegex("[0-9]e−[456]")) << name;
    if (!comparison) continue;
    const auto hundredths = [&](std::size_t i) {
      const std::string& number = caption->numbers[i].second;
      const bool negative = number.starts_with("−");
      const double size = std::stod(negative ? number.substr(std::strlen("−")) : number);
      return std::lround(100 * (negative ? -size : size));
    };
    EXPECT_EQ(hundredths(1) - hundredths(0), hundredths(2)) << "what is printed is what was subtracted";
  }
}

TEST_F(LongTexts, colours_shared_by_all_heads_are_of_all_of_them_in_a_part_too) {
  app.inputs.sentence = words_of(20000);
  app.inputs.temperature = 20;  // so that no single cell stands out
  app.state.view.kind = ViewKind::head;
  app.state.view.range.kind = Range::shared;
  for (const Zoom& zoom : {Zoom{9000, 9000, 100}, Zoom{3000, 12000, 8}}) {
    app.state.view.zoom = zoom;
    for (const int head : {0, 1}) {
      app.state.view.head = head;
      wait_until_idle();
      const auto shown = app.shown();
      const auto each = part_layer(app.block(), 0, all_heads(2), *shown->part);
      const std::vector<ColorRange> own = color_ranges(*each, {Range::head});
      EXPECT_NE(own[0].high, own[1].high);
      const auto now = static_cast<std::size_t>(head);
      EXPECT_EQ(color_ranges(*shown, {Range::shared})[now].high, std::max(own[0].high, own[1].high));
      EXPECT_EQ(color_ranges(*shown, {Range::head})[now].high, own[now].high);
      EXPECT_EQ(app.shown(), shown) << "the same as long as nothing better is there";
    }
  }
}

TEST_F(LongTexts, a_comparison_that_is_not_in_view_holds_nothing_back_and_compares_no_tokens) {
  app.inputs.sentence = words_of(20000);
  const auto settle = [&](ViewKind kind) {
    app.state.view.kind = kind;
    wait_until_idle();
  };
  settle(ViewKind::compare);
  ASSERT_TRUE(app.compare);
  EXPECT_FALSE(app.block()->sampled);
  settle(ViewKind::head);
  // The view changes in the middle of a frame.
  Frame now = begin_frame(app, {});
  app.state.view.kind = ViewKind::compare;
  EXPECT_FALSE(now.other.block->pooled());
  EXPECT_EQ(app.view_cache.comparison(now.block, now.other.block, app.state.view), nullptr);
  EXPECT_TRUE(app.block(Side::b)->pooled());
  end_frame(app);
  settle(ViewKind::head);
  app.inputs.temperature *= 2;
  settle(ViewKind::head);
  settle(ViewKind::grid);
  EXPECT_FALSE(app.block()->sampled);
  EXPECT_FALSE(is_busy(app));
  settle(ViewKind::compare);
  EXPECT_FALSE(app.block()->sampled);
  EXPECT_FALSE(app.block(Side::b)->sampled);
}

TEST_F(LongTexts, what_is_copied_of_a_part_says_where_it_is) {
  app.inputs.sentence = words_of(20000);
  app.inputs.heads = 1;
  app.state.view.kind = ViewKind::head;
  app.state.view.zoom = {1000, 12000, 400};
  wait_until_idle();
  const FilteredLayer& shown = *app.shown();
  ASSERT_TRUE(shown.part && !shown.part->pooled());
  const std::string copied = head_text(shown, 0);
  const auto& tokens = shown.block->tokens;
  const auto numbered = [&](int token) {
    return fmt::format("{} ({})", tokens[static_cast<std::size_t>(token)].text, token + 1);
  };
  EXPECT_TRUE(copied.starts_with("\t" + numbered(shown.keys[0]) + "\t" + numbered(shown.keys[1])));
  EXPECT_NE(copied.find("\n" + numbered(shown.queries[1]) + "\t"), std::string::npos);
  const Cell cell{0, shown.queries[2], shown.keys[3]};
  EXPECT_EQ(cell_text(shown, 0, cell.query, cell.key),
            fmt::format("{}\t{}\t{:.9g}", numbered(cell.query), numbered(cell.key),
                        shown.weights(0)[2 * shown.n_k() + 3]));
  // The action copies what is in view: 50 x 50 of the larger part that was computed.
  std::string text;
  app.desktop.put_text = [&](const std::string& put) { text = put; };
  copy_head(app, 0, 0);
  EXPECT_TRUE(text.starts_with("\t" + numbered(12000) + "\t" + numbered(12001)));
  EXPECT_EQ(std::ranges::count(text, '\n'), 51);
  EXPECT_EQ(std::ranges::count(text, '\t'), 51 * 50);
}

TEST_F(LongTexts, single_cells_that_differ_do_not_darken_the_others) {
  app.inputs.sentence = words_of(20000);
  app.inputs.heads = 1;
  for (const double temperature : {0.05, 20.0}) {
    app.inputs.temperature = temperature;
    app.state.view.kind = ViewKind::grid;
    wait_until_idle();
    const auto shown = app.shown();
    const ColorRange range = color_ranges(*shown, {Range::head})[0];
    const Extent all = extent(shown->weights(0), nullptr, shown->maps[0].size());
    EXPECT_EQ(range.above, range.high < all.high);
    Index beyond = 0;
    for (Index i = 0; i < shown->maps[0].size(); ++i) beyond += shown->weights(0)[i] > range.high;
    EXPECT_LE(beyond, shown->maps[0].size() / 4096);
    if (temperature > 1) {
      EXPECT_FALSE(range.above) << "none is more than twice as large as the others";
    }
  }
}

TEST_F(LongTexts, a_locked_cell_is_the_same_in_groups_and_in_tokens) {
  app.inputs.sentence = words_of(10 * Limits::max_window_tokens);
  app.state.view.kind = ViewKind::head;
  frame();
  frame();
  app.state.lock = Cell{1, 20001, 777};
  app.state.view.kind = ViewKind::grid;
  frame();
  const auto pools = app.block();
  ASSERT_TRUE(pools->pooled());
  const Cell group{1, 20001 / static_cast<int>(pools->query_pool), 777 / static_cast<int>(pools->key_pool)};
  EXPECT_EQ(app.state.lock_in(*pools), group);
  lock_in(app.state, *pools, 0, group);
  EXPECT_EQ(app.state.lock, (Cell{1, 20001, 777})) << "it is within that group";
  add_bookmark(app);
  lock_in(app.state, *pools, 0, {1, 3, 2});
  app.state.view.kind = ViewKind::head;
  frame();
  // The cell with the largest weight of a pooled cell.
  ASSERT_TRUE(app.state.lock.has_value());
  const int pool = static_cast<int>(pools->query_pool);
  EXPECT_EQ(app.state.lock->query / pool, 3);
  EXPECT_EQ(app.state.lock->key / pool, 2);
  Tensor rows({pool, app.block()->n_k()});
  app.block()->maps->rows(0, 1, 3 * pool, 4 * pool, rows.data());
  const float locked = rows.at(app.state.lock->query - 3 * pool)[app.state.lock->key];
  for (Index i = 0; i < pool; ++i)
    for (Index j = 2 * pool; j < 3 * pool; ++j) EXPECT_LE(rows.at(i)[j], locked * 1.00001F);
  go_to_bookmark(app, 0);
  EXPECT_EQ(app.state.lock, (Cell{1, 20001, 777}));
}

TEST_F(LongTexts, cells_are_means_where_that_is_wanted) {
  app.inputs.sentence = words_of(Limits::max_window_tokens + 904);
  wait_until_idle();
  const auto largest = app.block();
  app.state.view.means = true;
  wait_until_idle();
  const auto mean = app.block();
  ASSERT_TRUE(mean->means && !largest->means && !mean->sampled);
  const Tensor a = largest->maps->resident(0, 0), b = mean->maps->resident(0, 0);
  double sum = 0;
  for (Index i = 0; i < a.size(); ++i) {
    EXPECT_LE(b.data()[i], a.data()[i]);
    sum += static_cast<double>(b.data()[i]);
  }
  // Rows of single weights sum to 1.
  EXPECT_NEAR(sum * 25 / 5000, 1, 1e-4);
  EXPECT_EQ(mean->query_pool, 5);
}

TEST_F(LongTexts, what_a_mask_blocks_is_not_among_the_products) {
  app.inputs.sentence = words_of(20000);
  const auto cells = [&] {
    wait_until_idle();
    const auto cost = begin_frame(app, {}).reading_cost;
    return cost ? static_cast<double>(cost->cells) / (2.0 * 20000 * 20000) : -1;
  };
  EXPECT_NEAR(cells(), 1, 0.02);
  app.inputs.mask = mask_parts({"causal"});
  EXPECT_NEAR(cells(), 0.5, 0.02);
  app.inputs.mask = mask_parts({"window:20"});
  EXPECT_LT(cells(), 0.03);
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
  ASSERT_TRUE(block->pooled());
  TokenSearch search;
  search.open = true;
  search.text = "#5000";
  search.update(block);
  EXPECT_THAT(search.places(), testing::IsEmpty());
  search.text = "#4100";
  search.update(block);
  ASSERT_EQ(search.places().size(), 1U);
  EXPECT_EQ(search.places()[0].tokens.first, 4099 / block->query_pool);
}

TEST_F(LongTexts, nothing_of_one_is_held_when_a_short_text_is_shown) {
  app.inputs.sentence = words_of(Limits::max_window_tokens + 4);
  app.compare = app.inputs;
  app.compare->seed += 1;
  app.state.view.kind = ViewKind::compare;
  wait_until_idle();
  app.view_cache.shown_of_b(app.block(Side::b), app.state.view);
  app.view_cache.head_statistics(app.block(), 0, 0);
  wait_until_idle();
  const std::weak_ptr<const Trace> a = app.trace(), b = app.trace(Side::b);
  ASSERT_FALSE(a.expired() || b.expired() || b.lock()->inputs != *app.compare);
  app.set_session({});
  for (int i = 0; i < 5; ++i) frame();
  EXPECT_TRUE(a.expired());
  EXPECT_TRUE(b.expired());
  EXPECT_EQ(app.block(Side::b)->n_q(), 0);
}

}  // namespace headscope::tests
