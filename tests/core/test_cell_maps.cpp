#include "core/analysis/filtered_layer.h"
#include "core/analysis/statistics.h"
#include "core/scene/range.h"
#include "core/scene/shown_block.h"
#include "core/source/maps/pooled_maps.h"
#include "core/source/maps/word_maps.h"
#include "tests/support/reference_runs.h"

namespace headscope::tests {
namespace {

constexpr Index asked_token = 3, other_token = 17;

class ShownCellsOfRuns : public ReferenceRuns {};

TEST_F(ShownCellsOfRuns, are_those_of_the_reference) {
  for (const std::string name : {"gpt2", "bert", "llama2", "induction", "seeded"}) {
    const auto trace = case_of(name);
    const auto shown = [&](CellValue value, std::optional<Index> minus = {}) {
      return with_cells(trace, BlockKind::self, {value, asked_token, minus});
    };
    expect_numbers(*shown(CellValue::score), name + ".score");
    expect_numbers(*shown(CellValue::norm), name + ".norm");
    expect_numbers(*shown(CellValue::norm_share), name + ".share");
    if (!reference_cells().contains(name + ".logit")) {
      const bool seeded = name == "seeded";
      EXPECT_EQ(missing_for_cells(*trace, trace->blocks.front(), CellValue::logit) != nullptr, seeded);
      EXPECT_EQ(shown(CellValue::logit)->cells.maps == nullptr, seeded) << "weights instead";
      continue;
    }
    expect_numbers(*shown(CellValue::logit), name + ".logit");
    expect_numbers(*shown(CellValue::logit, other_token), name + ".logit_difference");
  }
}

TEST_F(ShownCellsOfRuns, of_logits_add_up_to_the_contributions_of_heads) {
  int families = 0;
  for (const Json& entry : model_cases()) {
    SCOPED_TRACE(entry["name"]);
    const auto trace = trace_of(entry);
    if (!trace->predictions) continue;
    if (trace->about().streams > 1 || trace->about().pools_rows) {
      EXPECT_NE(missing_for_cells(*trace, trace->blocks.front(), CellValue::logit), nullptr);
      continue;
    }
    ++families;
    const bool whole = trace->predictions->output().of_whole();
    // Of a classifier, of which there are few, the last labels.
    const Index labels = trace->predictions->vocabulary();
    const Index first = std::min(asked_token, labels - 1),
                second = std::max<Index>(0, std::min(other_token, labels - 2));
    for (const BlockTrace& block : trace->blocks) {
      const BlockKind kind = block.shape.kind;
      if (kind == BlockKind::encoder || kind == BlockKind::state) {
        EXPECT_NE(missing_for_cells(*trace, block, CellValue::logit), nullptr);
        continue;
      }
      const auto one = with_cells(trace, kind, {CellValue::logit, first, {}}),
                 two = with_cells(trace, kind, {CellValue::logit, first, second});
      for (const Index query : {Index{0}, block.n_q() - 1}) {
        const auto parts = *trace->predictions->contributions(query, first),
                   others = *trace->predictions->contributions(query, second);
        const auto &heads = parts.find(kind)->heads, &minus = others.find(kind)->heads;
        double scale = 1e-3;
        for (const auto& layer : heads)
          for (const double value : layer) scale = std::max(scale, std::abs(value));
        for (int layer = 0; layer < block.layer_count(); ++layer)
          for (int head = 0; head < one->heads_of(layer); ++head) {
            // What a label of the whole is not read from adds nothing.
            const auto sum = [&](const BlockTrace& shown) {
              double total = 0;
              for (Index i = whole ? 0 : query; i < (whole ? shown.n_q() : query + 1); ++i) {
                const Tensor row = shown.cells.maps->row(layer, head, i);
                total = std::accumulate(row.data(), row.data() + row.size(), total);
              }
              return total;
            };
            const auto l = static_cast<std::size_t>(layer), h = static_cast<std::size_t>(head);
            ASSERT_NEAR(sum(*one), heads[l][h], cell_bound * scale) << layer << "." << head;
            ASSERT_NEAR(sum(*two), heads[l][h] - minus[l][h], 2 * cell_bound * scale) << layer << "." << head;
          }
      }
    }
  }
  EXPECT_GT(families, 100);
}

TEST_F(ShownCellsOfRuns, of_an_ablated_head_are_zero_and_its_weights_stay) {
  const auto trace = trace_of(model_case("gpt2"), {{BlockKind::self, 1, 2}});
  for (const CellValue value : {CellValue::norm, CellValue::norm_share, CellValue::logit}) {
    const auto shown = with_cells(trace, BlockKind::self, {value, asked_token, {}});
    EXPECT_EQ(shown->cells.maps->weight(1, 2, 4, 1), 0);
    EXPECT_NE(shown->cells.maps->weight(1, 1, 4, 1), 0);
    EXPECT_GT(shown->maps->weight(1, 2, 4, 1), 0);
  }
}

TEST_F(ShownCellsOfRuns, leave_what_is_defined_on_weights_as_it_is) {
  const auto trace = case_of("gpt2");
  const auto block = block_of(trace, BlockKind::self),
             shown = with_cells(trace, BlockKind::self, {CellValue::logit, asked_token, {}});
  EXPECT_EQ(shown->cells.value, CellValue::logit);
  EXPECT_EQ(shown->cells.token, trace->predictions->token(asked_token));
  EXPECT_EQ(block_statistics(*shown, {})->find(1, 1)->entropy,
            block_statistics(*block, {})->find(1, 1)->entropy);
  // The filter keeps the cells that it keeps of the weights, with what they show.
  Filter filter;
  filter.top_percent = 60;
  const auto of_weights = filter_layer(block, 1, filter), filtered = filter_layer(shown, 1, filter);
  const Index cells = block->n_q() * block->n_k();
  for (int head = 0; head < block->heads(); ++head)
    for (Index i = 0; i < cells; ++i) {
      ASSERT_EQ(filtered->state(head)[i], of_weights->state(head)[i]);
      ASSERT_EQ(filtered->weights(head)[i],
                shown->cells.maps->weight(1, head, i / block->n_k(), i % block->n_k()));
    }
  // Rows of signed numbers have no sum to be divided by.
  filter = {};
  filter.hidden_keys = {0};
  EXPECT_TRUE(filter_layer(block, 1, filter)->renormalized);
  EXPECT_FALSE(filter_layer(shown, 1, filter)->renormalized);
}

TEST_F(ShownCellsOfRuns, are_coloured_around_zero_if_they_are_signed) {
  const auto trace = case_of("gpt2");
  const auto shown =
      filter_layer(with_cells(trace, BlockKind::self, {CellValue::logit, asked_token, other_token}), 1, {});
  for (const Range range : {Range::head, Range::shared, Range::unit, Range::logarithm, Range::percentile})
    for (const ColorRange& each : color_ranges(*shown, {range})) {
      EXPECT_EQ(each.low, -each.high) << to_name(range);
      EXPECT_FALSE(each.logarithm);
    }
  const ColorRange by_rows = color_ranges(*shown, {Range::row}).front();
  float smallest = 1, largest = 0;
  for (Index query = 0; query < shown->n_q(); ++query)
    for (Index key = 0; key <= query; ++key) {
      const float value = shown->weights(0)[query * shown->n_k() + key];
      const float position =
          by_rows.position(value * (*by_rows.row_factors)[static_cast<std::size_t>(query)]);
      smallest = std::min(smallest, position);
      largest = std::max(largest, position);
      EXPECT_EQ(position < 0.5F, value < 0);
    }
  EXPECT_TRUE(smallest < 0.01F || largest > 0.99F);
  const auto of_norms = filter_layer(with_cells(trace, BlockKind::self, {CellValue::norm, 0, {}}), 1, {});
  EXPECT_GE(color_ranges(*of_norms, {Range::head}).front().low, 0);
  EXPECT_TRUE(color_ranges(*of_norms, {Range::unit}).front().above) << "norms may be larger than 1";
}

TEST_F(ShownCellsOfRuns, are_named_for_readers) {
  const Translator tr(Language::en);
  BlockTrace block;
  EXPECT_EQ(cells_name(tr, block, 0), "Attention weight");
  block.cells = {CellValue::norm, nullptr, "", "", Rollout::off};
  EXPECT_EQ(colors_name(tr, {Range::shared}, block, 0), "Norm of α v W_O · Shared by all heads");
  block.cells = {CellValue::logit, nullptr, " Mary", "", Rollout::off};
  EXPECT_EQ(cells_name(tr, block, 0), "Contribution to the logit of “ Mary”");
  block.cells = {CellValue::logit, nullptr, " Mary", " John", Rollout::off};
  EXPECT_EQ(cells_name(tr, block, 0), "Contribution to “ Mary” − “ John”");
  EXPECT_EQ(cell_text(-12.6F), "−13");
  EXPECT_EQ(cell_text(1234), "1234");
  EXPECT_EQ(cell_text(123456), "1.2e5");
}

TEST_F(ShownCellsOfRuns, follow_the_view) {
  const auto trace = case_of("gpt2");
  View view;
  view.cells = CellValue::logit;
  view.predictions.token = "w3";
  EXPECT_EQ(cell_question(view, *trace), (CellQuestion{CellValue::logit, 3, {}}));
  view.predictions.against = "w17";
  EXPECT_EQ(cell_question(view, *trace), (CellQuestion{CellValue::logit, 3, 17}));
  view.predictions = {};
  view.predictions.position = 2;
  const Tensor logits = trace->predictions->logits(2, 3);
  const Index likeliest = std::max_element(logits.data(), logits.data() + logits.size()) - logits.data();
  EXPECT_EQ(cell_question(view, *trace).token, likeliest);
  const auto seeded = case_of("seeded");
  EXPECT_EQ(shown_block(seeded, BlockKind::self, view)->cells.maps, nullptr);
  view.rollout.of = Rollout::weights;
  EXPECT_EQ(shown_block(seeded, BlockKind::self, view)->heads(), 1);
}

TEST(ShownCellsOfWords, are_sums_over_keys_but_means_of_scores) {
  std::vector<Token> tokens = word_tokens("one a ##b");
  tokens[1].word = tokens[2].word = 0;
  const auto trace = headscope::tests::trace_of(
      tokens, tokens, 1, 1, {},
      [](int, int, Index query, Index key) { return 0.1F * static_cast<float>(1 + query + key); });
  const auto block = with_cells(trace, BlockKind::self, {CellValue::score, 0, {}});
  ASSERT_NE(block->cells.maps, nullptr);
  const auto words = with_words(block);
  const auto score = [&](Index query, Index key) { return block->cells.maps->weight(0, 0, query, key); };
  EXPECT_NEAR(words->cells.maps->weight(0, 0, 0, 1), (score(0, 1) + score(0, 2)) / 2, 1e-6);
  EXPECT_NEAR(words->cells.maps->weight(0, 0, 1, 1),
              (score(1, 1) + score(1, 2) + score(2, 1) + score(2, 2)) / 4, 1e-6);
  EXPECT_NEAR(words->maps->weight(0, 0, 0, 1), 0.2F + 0.3F, 1e-6);
}

TEST(ShownCellsOfLongTexts, have_an_overview_of_the_largest_cells) {
  Inputs inputs;
  inputs.d_model = 8;
  inputs.heads = 1;
  inputs.sentence = sentence_of(Limits::max_window_tokens + 10);
  RunOptions options;
  options.maps_alone = true;
  options.map_budget = 0;
  Engine engine(2);
  const auto trace = engine.run(inputs, options);
  const auto block = with_cells(trace, BlockKind::self, {CellValue::norm, 0, {}});
  const auto pooled = with_pooling(block);
  ASSERT_TRUE(pooled->pooled());
  EXPECT_EQ(pooled->cells.value, CellValue::norm);
  float largest = 0;
  for (Index query = 0; query < pooled->query_pool; ++query) {
    const Tensor row = block->cells.maps->row(0, 0, query);
    largest = std::max(largest, *std::max_element(row.data(), row.data() + pooled->key_pool));
  }
  EXPECT_FLOAT_EQ(pooled->shown_maps().weight(0, 0, 0, 0), largest);
}

}  // namespace
}  // namespace headscope::tests
