#include <algorithm>
#include <array>

#include "core/analysis/comparison.h"
#include "core/analysis/statistics.h"
#include "core/inputs/inputs.h"
#include "core/scene/comparison_look.h"
#include "core/source/engine/engine.h"
#include "core/source/maps/pooled_maps.h"
#include "core/source/seeded/seeded_maps.h"
#include "tests/support/inputs.h"
#include "tests/support/testing.h"
#include "tests/support/traces.h"

namespace headscope::tests {
namespace {

RunOptions without_maps() {
  RunOptions options;
  options.map_budget = 0;
  return options;
}

float largest_difference(const Tensor& a, const Tensor& b) {
  float largest = 0;
  for (Index i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a.data()[i] - b.data()[i]));
  return largest;
}

// The same maps, available only by rows.
class RowsAlone : public MapSource {
 public:
  explicit RowsAlone(std::shared_ptr<const MapSource> maps)
      : MapSource(maps->size()), maps_(std::move(maps)) {}
  void rows(int layer, int head, Index begin, Index end, float* out) const override {
    maps_->rows(layer, head, begin, end, out);
  }

 private:
  std::shared_ptr<const MapSource> maps_;
};

// Counts how often rows are requested.
class CountedRows : public RowsAlone {
 public:
  using RowsAlone::RowsAlone;
  void rows(int layer, int head, Index begin, Index end, float* out) const override {
    ++asked;
    RowsAlone::rows(layer, head, begin, end, out);
  }
  mutable int asked = 0;
};

TEST(LongTexts, a_text_too_long_for_any_run_is_long) {
  Inputs inputs;
  for (int i = 0; i < Limits::max_tokens; ++i) inputs.sentence += "a ";
  EXPECT_TRUE(has_long_text(inputs));
  inputs.sentence += "a";
  EXPECT_THROW(tokens_of(inputs), Error);
  EXPECT_TRUE(has_long_text(inputs));
}

}  // namespace

TEST(LongTexts, rows_that_are_looked_at_are_kept_and_all_ways_give_the_same_bits) {
  const auto trace = Engine(2).run(sized(700, 32, 2, R"("mask": ["causal"])"), without_maps());
  const CountedRows maps(trace->blocks.front().maps);
  std::vector<float> block(64 * 700);
  maps.rows(0, 1, 600, 664, block.data());
  for (int time = 0; time < 3; ++time)
    for (const Index key : {0, 5, 639, 699})
      EXPECT_EQ(maps.weight(0, 1, 640, key), block[static_cast<std::size_t>(40 * 700 + key)]) << key;
  EXPECT_EQ(maps.asked, 2);
  EXPECT_NE(maps.weight(0, 0, 640, 5), maps.weight(0, 1, 640, 5));
  EXPECT_NE(maps.weight(0, 1, 641, 5), maps.weight(0, 1, 640, 5));
  EXPECT_EQ(maps.asked, 4);
  for (Index query = 0; query < 20; ++query) maps.weight(0, 1, query, 0);
  EXPECT_EQ(maps.weight(0, 1, 640, 5), block[40 * 700 + 5]) << "no more than a few are";
  EXPECT_EQ(maps.asked, 25);
}

TEST(LongTexts, groups_of_a_map_are_the_same_in_one_pass_and_from_its_rows) {
  for (const char* fields :
       {R"("mask": ["causal"])", R"("mask": ["longformer:9,global=0"], "temperature": 0.3)",
        R"("dropout": 0.3)", R"("mask": ["padding:0,1,2"], "mask_fill": "-1e9")"}) {
    const auto trace = Engine(2).run(sized(300, 32, 2, fields), without_maps());
    const MapSource& maps = *trace->blocks.front().maps;
    for (const auto& [query_pool, key_pool] :
         std::vector<std::pair<Index, Index>>{{1, 1}, {7, 3}, {64, 64}, {300, 300}}) {
      for (const bool mean : {false, true})
        for (const Index every : {Index{1}, query_pool}) {
          MapSource::Pools groups;
          groups.queries = query_pool;
          groups.keys = key_pool;
          groups.every = every;
          groups.mean = mean;
          Index reported = 0;
          groups.progress = [&](Index done, Index all) { reported = done == all ? done : 0; };
          const Tensor passed = maps.pooled(0, 1, groups);
          EXPECT_EQ(reported, (300 + every - 1) / every);
          reported = 0;
          const Tensor by_rows = maps.MapSource::pooled(0, 1, groups);
          EXPECT_EQ(reported, (300 + every - 1) / every);
          ASSERT_EQ(passed.shape(), by_rows.shape());
          EXPECT_LT(largest_difference(passed, by_rows), 1e-6F) << fields << mean << every;
        }
    }
  }
}

TEST(LongTexts, a_part_of_a_map_is_read_by_itself) {
  for (const char* fields :
       {R"("seed": 3)", R"("mask": ["causal"])", R"("mask": ["window:40"], "dropout": 0.3)",
        R"("mask": ["padding:0,1,2"], "mask_fill": "-1e9")"}) {
    const auto trace = Engine(2).run(sized(1300, 32, 2, fields), without_maps());
    const MapSource& maps = *trace->blocks.front().maps;
    const Tensor map = maps.pooled(0, 1, {});
    MapSource::Pools part;
    part.query_begin = 240;
    part.query_end = 701;
    // From the middle of one tile of keys to the middle of another.
    part.key_begin = 120;
    part.key_end = 1201;
    for (const bool mean : {false, true}) {
      part.mean = mean;
      for (const Index group : {1, 8}) {
        part.queries = part.keys = group;
        const Tensor passed = maps.pooled(0, 1, part), by_rows = maps.MapSource::pooled(0, 1, part);
        ASSERT_EQ(passed.shape(),
                  (std::vector<Index>{(461 + group - 1) / group, (1081 + group - 1) / group}));
        ASSERT_EQ(passed.shape(), by_rows.shape());
        EXPECT_LT(largest_difference(passed, by_rows), 1e-6F) << fields << mean << group;
        if (group != 1) continue;
        for (Index i = 0; i < 461; ++i)
          for (Index j = 0; j < 1081; ++j) ASSERT_NEAR(passed.at(i)[j], map.at(240 + i)[120 + j], 1e-6F);
      }
      // Of each pooled row, the one query that is computed.
      part.every = 8;
      const Tensor sample = maps.pooled(0, 1, part), by_rows = maps.MapSource::pooled(0, 1, part);
      EXPECT_LT(largest_difference(sample, by_rows), 1e-6F) << fields << mean;
      part.every = 1;
    }
  }
}

TEST(LongTexts, what_the_whole_pass_has_found_spares_a_part_the_other_keys_and_changes_no_bit) {
  for (const char* fields : {R"("seed": 3)", R"("mask": ["causal"], "temperature": 0.7)",
                             R"("mask": ["longformer:40,global=0"])", R"("mask": ["padding:0,1,2"])"}) {
    MapSource::Pools part;
    part.query_begin = 500;
    part.query_end = 1031;
    part.key_begin = 333;
    part.key_end = 1000;
    const auto trace = Engine(2).run(sized(1300, 32, 2, fields), without_maps());
    const MapSource& maps = *trace->blocks.front().maps;
    std::vector<Tensor> before, after;
    for (std::vector<Tensor>* read : {&before, &after}) {
      for (const bool mean : {false, true})
        for (const Index group : {1, 16}) {
          part.mean = mean;
          part.queries = part.keys = group;
          read->push_back(maps.pooled(0, 1, part));
        }
      MapSource::Pools overview;
      overview.queries = overview.keys = 64;
      maps.pooled(0, 1, overview);
    }
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_LT(largest_difference(before[i], after[i]), i < 2 ? 1e-12F : 1e-7F) << fields << i;
  }
}

TEST(LongTexts, a_block_of_groups_has_their_largest_weights_and_the_numbers_of_their_tokens) {
  Inputs inputs = sized(4100, 8, 1, R"("mask": ["window:3", "padding:4095,4096,4097,4098,4099"])");
  RunOptions options = without_maps();
  options.maps_alone = true;
  const auto trace = Engine(2).run(inputs, options);
  const auto block = block_of(trace, BlockKind::self);
  ASSERT_TRUE(needs_pooling(*block));
  const auto groups = with_pooling(block);
  EXPECT_EQ(groups->query_pool, 5);
  EXPECT_EQ(groups->n_q(), 820);
  EXPECT_EQ(groups->tokens[0].text, "1–5");
  EXPECT_EQ(groups->key_tokens[819].text, "4096–4100");
  EXPECT_FALSE(needs_pooling(*groups));
  EXPECT_EQ(with_pooling(groups), groups);
  // A window of 3 keys reaches the neighbouring cells; padding blocks the last one.
  EXPECT_FALSE(groups->mask.blocked(0, 5, 4));
  EXPECT_TRUE(groups->mask.blocked(0, 5, 3));
  EXPECT_TRUE(groups->mask.blocked(0, 818, 819));
  double share = 0;
  read_ahead(*groups, 0, std::array{0}, [&](double now) { share = now; });
  EXPECT_EQ(share, 1);
  Tensor rows({5, 4100});
  block->maps->rows(0, 0, 500, 505, rows.data());
  for (Index key = 0; key < 4100; key += 5) {
    float largest = 0;
    for (Index query = 0; query < 5; ++query)
      largest = std::max(largest, *std::max_element(rows.at(query) + key, rows.at(query) + key + 5));
    ASSERT_NEAR(groups->maps->weight(0, 0, 100, key / 5), largest, 1e-6F);
  }
}

TEST(LongTexts, colours_of_a_difference_are_not_those_of_the_few_rows_where_it_is_largest) {
  RunOptions options = without_maps();
  options.maps_alone = true;
  const auto shown = [&](const char* fields) {
    const auto trace = Engine(2).run(sized(8200, 8, 1, fields), options);
    return filter_layer(with_pooling(block_of(trace, BlockKind::self)), 0, {});
  };
  const auto causal = shown(R"("mask": ["causal"])"),
             warmer = shown(R"("mask": ["causal"], "temperature": 1.5)");
  const auto comparison = compare_layers(causal, warmer);
  const ComparedHead maps = compare_head(*comparison, 0);
  float among_others = 0;
  const Index few = comparison->rows() / 4;  // whose last query has less than a quarter of the keys
  for (Index row = few; row < comparison->rows(); ++row)
    for (Index column = 0; column < comparison->columns(); ++column)
      among_others = std::max(among_others, std::abs(maps.difference.at(row)[column]));
  ASSERT_GT(comparison->largest[0], 4 * among_others);
  EXPECT_LE(comparison->of_colors[0], among_others);
  EXPECT_GT(comparison->of_colors[0], 0);
  for (const Range range : {Range::head, Range::shared}) {
    const ColorRange colors = comparison_look(*comparison, {range}).difference[0];
    EXPECT_EQ(colors.high, comparison->of_colors[0]);
    EXPECT_EQ(colors.low, -colors.high);
    EXPECT_TRUE(colors.above && colors.below);
  }
  EXPECT_EQ(comparison_look(*comparison, {Range::unit}).difference[0].high, 1);
  const auto same = compare_layers(causal, causal);
  EXPECT_EQ(same->of_colors[0], 0);
}

TEST(LongTexts, numbers_of_heads_are_the_same_in_one_pass_and_from_the_rows) {
  constexpr int n = Limits::max_window_tokens + 30;
  std::string sentence;
  for (int i = 0; i < n; ++i) sentence += fmt::format("w{} ", i * i % 611);
  for (const char* fields :
       {R"("gain_q": 3)", R"("mask": ["causal"], "temperature": 0.4)", R"("dropout": 0.3)",
        R"("mask": ["longformer:40,global=0"])", R"("mask": ["padding:0,1,2"], "mask_fill": "-1e9")",
        R"("mask": ["window:9", "padding:5,6,7,8,9,10,11,12,13"], "mask_fill": "-1e9")"}) {
    Inputs inputs = sized(2, 32, 2, fields);
    inputs.sentence = sentence;
    const auto trace = Engine(2).run(inputs, without_maps());
    BlockTrace block = trace->blocks.front();
    ASSERT_TRUE(needs_pooling(block));
    double reported = 0;
    const auto passed = block_statistics(block, {}, {}, [&](double share) { reported = share; });
    EXPECT_EQ(reported, 1) << fields;
    block.maps = std::make_shared<RowsAlone>(block.maps);
    const auto by_rows = block_statistics(block, {});
    for (int head = 0; head < 2; ++head) {
      const HeadStatistics &one = *passed->find(0, head), &other = *by_rows->find(0, head);
      for (const HeadColumn& column : head_columns()) {
        const auto number = column.value(one), expected = column.value(other);
        ASSERT_TRUE(number && expected) << fields << column.name;
        EXPECT_NEAR(*number, *expected, 3e-6 * std::max(1.0, *expected)) << fields << column.name;
      }
      EXPECT_EQ(std::pair(one.largest_query, one.largest_key),
                std::pair(other.largest_query, other.largest_key));
    }
  }
}

TEST(LongTexts, of_one_query_alone_context_and_output_are_those_of_all) {
  const Inputs inputs = sized(200, 32, 2, R"("layers": 2, "mask": ["causal"])");
  const auto whole = Engine(2).run(inputs);
  RunOptions options = without_maps();
  options.only_query = 77;
  const auto one = Engine(2).run(inputs, options);
  const LayerTrace &all = whole->blocks.front().layers.back(), &alone = one->blocks.front().layers.back();
  for (Index i = 0; i < 32; ++i) {
    EXPECT_EQ(alone.context.at(77)[i], all.context.at(77)[i]);
    EXPECT_EQ(alone.output.at(77)[i], all.output.at(77)[i]);
  }
}

TEST(LongTexts, dropout_that_is_not_kept_is_drawn_again_as_it_was) {
  constexpr Index heads = 2, n_q = 40, n_k = 50;
  TorchRandom one(3), other(3);
  Tensor all({heads, n_q, n_k}), rows({5, n_k});
  const DropoutDraws kept(one, 0.5, heads, n_q, n_k, all.data()), skipped(other, 0.5, heads, n_q, n_k);
  for (Index head = 0; head < heads; ++head)
    for (Index begin = 0; begin < n_q; begin += 5) {
      skipped.rows(head, begin, begin + 5, rows.data());
      EXPECT_TRUE(std::equal(rows.data(), rows.data() + rows.size(), all.at(head) + begin * n_k));
    }
  float next_one = 0, next_other = 0;
  one.uniform(&next_one, 1, 0, 1);
  other.uniform(&next_other, 1, 0, 1);
  EXPECT_EQ(next_one, next_other);
}

TEST(LongTexts, more_than_somebody_shows_is_refused_before_it_is_computed) {
  RunOptions options;
  options.max_tokens = 5;
  EXPECT_THAT(complaint([&] { Engine(1).run(sized(6, 8, 1), options); }),
              AllOf(HasSubstr("6 tokens"), HasSubstr("at most 5"), HasSubstr("headscope tensors")));
  EXPECT_NO_THROW(Engine(1).run(sized(5, 8, 1), options));
}

}  // namespace headscope::tests
