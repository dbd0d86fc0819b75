#include "core/analysis/arithmetic_stages.h"
#include "core/analysis/attention_cost.h"
#include "core/analysis/cause_file.h"
#include "core/analysis/cell_arithmetic.h"
#include "core/analysis/comparison.h"
#include "core/analysis/lines.h"
#include "core/analysis/statistics.h"
#include "core/figure/boards/draw_parts.h"
#include "core/figure/boards/profiles.h"
#include "core/figure/boards/shape_strip.h"
#include "core/figure/caption.h"
#include "core/model/effects/causes.h"
#include "core/model/run/model_run.h"
#include "core/scene/colormap_data.h"
#include "core/scene/head_table.h"
#include "core/scene/range.h"
#include "core/scene/source_title.h"
#include "core/scene/thumbnails.h"
#include "core/scene/view_needs.h"
#include "core/source/engine/engine.h"
#include "core/source/maps/cell_maps.h"
#include "core/source/maps/no_token.h"
#include "core/source/maps/rollout.h"
#include "core/source/write/write_arrays.h"
#include "tests/support/figures.h"
#include "tests/support/model_inputs.h"
#include "tests/support/read_arrays.h"

namespace headscope::tests {
namespace {

/// Layers 1 and 3 have a gated delta rule of 6 heads, layer 2 softmax attention of 4.
class Mixers : public InFolder {
 protected:
  std::shared_ptr<const Trace> trace_of(const char* name) {
    return engine.run(inputs_for(folder.path / name, model_case(name)));
  }
  std::shared_ptr<const BlockTrace> first(const std::shared_ptr<const Trace>& of) {
    return {of, &of->blocks.front()};
  }
  Engine engine{2};
  std::shared_ptr<const Trace> trace = trace_of("qwen3_next");
  std::shared_ptr<const BlockTrace> block = first(trace);
};

TEST_F(Mixers, are_asked_of_a_block_for_each_layer) {
  const BlockShape& shape = block->shape;
  EXPECT_EQ(shape.heads, 6);
  EXPECT_EQ(shape.heads_of(1), 4);
  EXPECT_EQ(shape.attention_heads(), 4);
  EXPECT_FALSE(shape.is_softmax(0));
  EXPECT_TRUE(shape.is_softmax(1));
  EXPECT_TRUE(block->is_signed(0));
  EXPECT_FALSE(block->is_signed(1));
  EXPECT_EQ(layer_name(Translator(), shape, 0), "Layer 1 · gated delta rule");
  EXPECT_EQ(cells_name(Translator(), *block, 0), "Equivalent map, not a softmax");
  EXPECT_EQ(cells_name(Translator(), *block, 1), "Attention weight");
  EXPECT_EQ(cells_name(Translator(Language::zh), *block, 2), "等效热图，非 softmax");
  EXPECT_EQ(block->values(0, 5).dim(1), 5);
  EXPECT_EQ(block->values(1, 3).dim(1), 8);
}

TEST_F(Mixers, have_no_statistics_but_those_of_softmax) {
  const auto statistics = block_statistics(*block, {});
  EXPECT_FALSE(statistics->find(0, 0)->entropy);
  EXPECT_TRUE(statistics->find(1, 3)->entropy);
  EXPECT_FALSE(statistics->find(1, 4)->entropy) << "which layer 2 lacks";
  EXPECT_EQ(sorted_rows(*block, statistics.get(), {}, {}, nullptr, nullptr).size(), 16U);
  EXPECT_EQ(row_sums(*block, 0, {})->rows, 0);
  EXPECT_EQ(heads_at_cell(*block, 3, 1, {})->size(), 4U);
}

TEST_F(Mixers, lines_and_filters_are_by_size_whatever_the_sign) {
  const auto shown = filter_layer(block, 0, {});
  EXPECT_NE(shown->weights(5), nullptr);
  EXPECT_EQ(filter_layer(block, 1, {})->weights(5), nullptr);
  const LineSet lines = strongest_lines(*shown, {}, 1000);
  float largest = 0;
  for (int head = 0; head < 6; ++head)
    for (Index i = 0; i < shown->n_q() * shown->n_k(); ++i)
      largest = std::max(largest, std::abs(shown->weights(head)[i]));
  EXPECT_EQ(lines.largest, largest);
  Filter filter;
  filter.threshold = static_cast<double>(largest);
  const auto filtered = filter_layer(block, 0, filter);
  int left = 0;
  for (int head = 0; head < 6; ++head)
    for (Index i = 0; i < shown->n_q() * shown->n_k(); ++i)
      left += filtered->state(head) == nullptr || filtered->state(head)[i] == cell_shown;
  EXPECT_EQ(left, 1);
  const std::vector<ColorRange> ranges = color_ranges(*shown, {});
  EXPECT_EQ(ranges[0].low, -ranges[0].high);
  EXPECT_EQ(compare_layers(filter_layer(block, 1, {}), filter_layer(block, 1, {}))->heads, 4);
}

TEST_F(Mixers, have_cells_of_softmax_alone_and_no_rollout) {
  const auto scores = with_cells(trace, BlockKind::self, {CellValue::score, 0, {}});
  EXPECT_EQ(scores->heads_of(0), 0);
  EXPECT_EQ(scores->heads_of(1), 4);
  EXPECT_NE(missing_for_cells(*trace, *block, CellValue::norm), nullptr) << "gated";
  EXPECT_NE(missing_for_rollout(*trace, *block, Rollout::weights), nullptr);
  EXPECT_NE(no_circuits(trace.get()), nullptr);
  EXPECT_NE(no_circuits(trace_of("falcon_h1").get()), nullptr);
  EXPECT_EQ(no_circuits(trace_of("gpt2").get()), nullptr);
}

TEST_F(Mixers, layers_without_maps_are_passed_over) {
  const auto lfm2 = first(trace_of("lfm2"));
  EXPECT_EQ(cells_name(Translator(), *lfm2, {}), "Attention weight");
  EXPECT_EQ(lfm2->heads_of(0), 0);
  View view;
  view.layer = 0;
  fit_view(view, lfm2->shape);
  EXPECT_EQ(view.layer, 1);
  view.layer = 2;
  fit_view(view, lfm2->shape);
  EXPECT_EQ(view.layer, 1) << "there is no later one";
}

TEST_F(Mixers, arrays_have_the_shapes_of_their_layers) {
  write_arrays(at("all.npz"), *trace, {}, "");
  const Arrays all = read_arrays(at("all.npz"));
  EXPECT_EQ(all.at("attention").shape, (std::vector<Index>{3, 6, 9, 9}));
  EXPECT_FALSE(all.contains("q") || all.contains("scores") || all.contains("context"));
  EXPECT_TRUE(all.contains("output"));
  write_arrays(at("one.npz"), *trace, {1}, "");
  EXPECT_EQ(read_arrays(at("one.npz")).at("q").shape, (std::vector<Index>{1, 4, 9, 8}));
  write_arrays(at("state.npz"), *trace, {0}, "");
  const Arrays state = read_arrays(at("state.npz"));
  EXPECT_EQ(state.at("v").shape, (std::vector<Index>{1, 6, 9, 5}));
  EXPECT_EQ(state.at("context").shape, (std::vector<Index>{1, 9, 30}));
  EXPECT_FALSE(state.contains("q"));
}

TEST_F(Mixers, are_drawn_by_every_view) {
  for (const char* name : {"qwen3_next", "lfm2", "falcon_h1", "granitemoehybrid"}) {
    const auto of = trace_of(name);
    EXPECT_EQ(make_thumbnails(first(of), {}, {}, 64)->layers.size(), 3U);
    for (const ViewKindRow& row : view_kinds)
      for (int layer = 0; layer < 3; ++layer) {
        if (why_no_view({of->inputs, of.get(), of->blocks.front(), nullptr}, row) != nullptr ||
            row.own_numbers)
          continue;
        SCOPED_TRACE(fmt::format("{} {} {}", name, row.name, layer));
        Session session;
        session.inputs = of->inputs;
        session.view.kind = row.value;
        session.view.layer = layer;
        for (const BlockTrace& shown : of->blocks) {
          session.view.block = shown.shape.kind;
          EXPECT_TRUE(well_formed(drawn(FigureFormat::svg, of, session)));
        }
      }
  }
}

// Falcon-H1: a block of heads beside the attention, of the same input.
TEST_F(Mixers, beside_attention_have_a_block_of_their_own) {
  const auto falcon = trace_of("falcon_h1");
  ASSERT_EQ(falcon->blocks.size(), 2U);
  const BlockTrace& state = falcon->blocks.back();
  EXPECT_EQ(state.shape.kind, BlockKind::state);
  EXPECT_EQ(state.shape.heads, 6);
  EXPECT_FALSE(state.shape.is_softmax(0));
  EXPECT_TRUE(falcon->blocks.front().shape.is_softmax(0));
  EXPECT_EQ(block_title(Translator(), BlockKind::state), "State space");
  for (const CellValue cells : {CellValue::score, CellValue::norm, CellValue::logit})
    EXPECT_NE(missing_for_cells(*falcon, state, cells), nullptr);
  write_arrays(at("falcon.npz"), *falcon, {}, "");
  const Arrays all = read_arrays(at("falcon.npz"));
  EXPECT_EQ(all.at("attention").shape, (std::vector<Index>{3, 4, 9, 9}));
  EXPECT_EQ(all.at("state_attention").shape, (std::vector<Index>{3, 6, 9, 9}));
  EXPECT_EQ(all.count("x"), 1U);
  // What a layer adds to the stream is what both give, times the model's factors.
  const CellArithmetic cell = cell_arithmetic(*falcon, falcon->blocks.front(), {1, 2, 8, 3});
  const Eigen::RowVectorXd next = cell.x.cast<double>() + 0.8 * cell.output.cast<double>() + cell.way.beside;
  EXPECT_LE((next - cell.add_and_norm->sum).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_GT(cell.way.beside.cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_EQ(cell.way.key_factor, 0.5);
  const auto contributions = falcon->predictions->contributions(8, 7);
  ASSERT_TRUE(contributions);
  EXPECT_EQ(contributions->find(BlockKind::state)->heads[0].size(), 6U);
  EXPECT_NEAR(contributions->sum(), contributions->logit, 1e-4);
}

TEST_F(Mixers, heads_beside_attention_are_ablated_by_themselves) {
  Inputs inputs = inputs_for(folder.path / "falcon_h1", model_case("falcon_h1"));
  const auto whole = engine.run(inputs);
  for (int head = 0; head < 6; ++head) inputs.ablated_heads.insert({BlockKind::state, 0, head});
  const auto off = engine.run(inputs);
  const auto row = [](const std::shared_ptr<const Trace>& trace, int layer) {
    return cell_arithmetic(*trace, trace->blocks.front(), {layer, 0, 8, 3});
  };
  EXPECT_GT(row(whole, 0).way.beside.cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_EQ(row(off, 0).way.beside.cwiseAbs().maxCoeff(), 0) << "its product has no bias";
  EXPECT_GT((row(whole, 1).x - row(off, 1).x).cwiseAbs().maxCoeff(), 1e-3);
  CauseRequest request;
  request.question = {8, 7, {}};
  const auto causes = find_causes(*whole->run, nullptr, request, engine.context());
  ASSERT_EQ(causes->maps.size(), 2U);
  EXPECT_EQ(causes->maps[1].kind, BlockKind::state);
  EXPECT_EQ(causes->maps[1].shape, (std::vector<Index>{3, 6}));
  EXPECT_THAT(cause_file(request, *causes, nullptr, *whole, nullptr, true).table, HasSubstr("\nstate,2,5,"));
  request.places = CausePlaces::key;
  request.head = HeadPlace{BlockKind::state, 0, 0};
  EXPECT_THAT(complaint([&] { find_causes(*whole->run, nullptr, request, engine.context()); }),
              HasSubstr("expected a head of block self"));
}

TEST_F(Mixers, causes_have_no_heads_that_a_layer_lacks) {
  CauseRequest request;
  request.question = {8, 7, {}};
  const auto causes = find_causes(*trace->run, nullptr, request, engine.context());
  const ArrayExport file = cause_file(request, *causes, nullptr, *trace, nullptr, true);
  EXPECT_THAT(file.table, AllOf(HasSubstr("\n0,5,"), HasSubstr("\n1,3,"), Not(HasSubstr("\n1,4,"))));
  EXPECT_EQ(std::ranges::count(file.table, '\n'), 17) << "with the names of columns";
}

TEST_F(Mixers, thumbnails_count_the_heads_of_the_layer_that_has_most) {
  EXPECT_EQ(make_thumbnails(block, {}, {}, 64)->heads(), 6);
  EXPECT_EQ(make_thumbnails(first(trace_of("lfm2")), {}, {}, 64)->heads(), 4) << "the first layer has none";
  const auto scores = with_cells(trace, BlockKind::self, {CellValue::score, 0, {}});
  EXPECT_EQ(make_thumbnails(scores, {}, {}, 64)->heads(), 6) << "in the same columns";
}

TEST_F(Mixers, are_counted_in_titles) {
  const Translator tr;
  const std::string counted = "3 layers: 2 of gated delta rule (6 heads), 1 of softmax attention (4 heads)";
  EXPECT_EQ(layers_and_heads(tr, block->shape), counted);
  EXPECT_THAT(source_title(tr, *trace), testing::EndsWith(" · " + counted));
  EXPECT_THAT(layers_and_heads(tr, first(trace_of("lfm2"))->shape),
              HasSubstr("of short convolution (no map of heads)"));
  EXPECT_EQ(
      layers_and_heads(tr, first(trace_of("gpt2"))->shape),
      layers_and_heads(tr, first(trace_of("gpt2"))->shape.layers, first(trace_of("gpt2"))->shape.heads));
  Session session;
  session.inputs = trace->inputs;
  session.view.kind = ViewKind::layers;
  const std::string caption = figure_caption(scene_of(session, trace, nullptr), tr);
  EXPECT_THAT(caption, testing::StartsWith(counted));
  EXPECT_THAT(caption, HasSubstr("equivalent map (not a softmax)."));
}

TEST_F(Mixers, have_sizes_of_their_own) {
  EXPECT_EQ(block->shape.key_length_of(0), block->shape.mixers[0].d_k);
  EXPECT_EQ(block->shape.key_length_of(1), 8);
  EXPECT_EQ(block->shape.mixers[0].d_v, 5);
  EXPECT_EQ(block->shape.softmax_layers(), 1);
}

TEST_F(Mixers, of_softmax_alone_have_a_cost) {
  const AttentionSize size = attention_size(*block, 1);
  EXPECT_EQ(size.heads, 4);
  const auto k = trace->source->projection(BlockKind::self, 1, ProjectionKind::k);
  EXPECT_EQ(attention_cost(size).w_k, static_cast<double>(k->weight.size()));
  EXPECT_NE(why_no_cost(block->shape, 0), nullptr);
  EXPECT_EQ(why_no_cost(block->shape, 1), nullptr);
  EXPECT_NE(why_no_cost(first(trace_of("deepseek_v3"))->shape, 1), nullptr) << "of latent attention";
  const auto sinks = with_no_token(first(trace_of("gpt_oss")), "no token");
  EXPECT_EQ(attention_size(*sinks, 0).n_k, static_cast<double>(sinks->n_q())) << "a sink is no key";
  EXPECT_EQ(sinks->n_k(), sinks->n_q() + 1);
}

// Funnel: a pooled row stands for several tokens.
TEST_F(Mixers, of_pooled_rows_have_no_places_and_masks_by_block) {
  const auto funnel = trace_of("funnel");
  ASSERT_TRUE(is_pooling(funnel->blocks[1].shape.kind));
  const BlockTrace& pooling = funnel->blocks[1];
  const HeadStatistics head =
      head_statistics(pooling, 0, 0, TokenMatches(pooling.tokens, pooling.key_tokens));
  EXPECT_TRUE(head.entropy && head.largest && head.first);
  EXPECT_FALSE(head.mean_distance || head.diagonal || head.previous || head.next || head.same_token);
  const auto masked = [&](const std::string& mask) {
    Inputs inputs = inputs_for(folder.path / "funnel", model_case("funnel"));
    inputs.mask = mask_parts({mask});
    return engine.run(inputs);
  };
  EXPECT_THAT(
      complaint([&] { masked("padding:1"); }),
      HasSubstr("the mask \"padding:1\" is of no block, and this model's blocks have rows of their own; "
                "expected one for each block, such as self/padding:1"));
  EXPECT_THAT(complaint([&] { masked("pooling2/causal"); }), HasSubstr("counts rows and keys alike"));
  EXPECT_TRUE(masked("pooling2/padding:1")->blocks[1].mask_of(0).any());
  EXPECT_TRUE(masked("self/causal")->blocks[0].mask_of(0).any());
}

TEST_F(Mixers, that_have_a_sink_count_what_it_takes) {
  const auto sinks = first(trace_of("gpt_oss"));
  const HeadColumn& column = *find_head_column("no_token");
  EXPECT_TRUE(has_column(*sinks, column));
  EXPECT_EQ(&head_columns(*sinks).front(), &column);
  EXPECT_FALSE(has_column(*block, column));
  EXPECT_STREQ(head_columns(*block).front().name, "entropy");
  const auto n = static_cast<std::size_t>(sinks->n_q());
  std::vector<float> taken(n);
  ASSERT_TRUE(sinks->maps->no_token(1, 2, 0, sinks->n_q(), taken.data()));
  const double mean = std::accumulate(taken.begin(), taken.end(), 0.0) / static_cast<double>(n);
  EXPECT_GT(mean, 0.01);
  const TokenMatches matches(sinks->tokens, sinks->key_tokens);
  for (const auto& shown : {sinks, with_no_token(sinks, "no token")})
    EXPECT_NEAR(head_statistics(*shown, 1, 2, matches).no_token.value(), mean, 1e-9);
  EXPECT_FALSE(head_statistics(*block, 1, 0, TokenMatches(block->tokens, block->key_tokens)).no_token);
}

TEST_F(Mixers, have_a_strip_of_their_own_tensors) {
  TextShaper shaper;
  const BoardStyle style = board_style(figure_style(Theme::light), shaper);
  const auto strip = [&](int layer) {
    std::string text;
    for (const BoardText& part : shape_strip(*block, layer, nullptr, style, 2000, Translator()).texts)
      text += part.text + "\n";
    return text;
  };
  const std::string state = strip(0), softmax = strip(1);
  EXPECT_THAT(state, HasSubstr("M\n[1, 6, 9, 9]"));
  EXPECT_THAT(state, HasSubstr("[1, 6, 9, 5]")) << "values";
  EXPECT_THAT(state, Not(HasSubstr("\nsoftmax\n")));
  EXPECT_THAT(softmax, HasSubstr("\nsoftmax\n"));
  EXPECT_THAT(softmax, HasSubstr("[1, 4, 9, 8]"));
  EXPECT_THAT(softmax, Not(HasSubstr("[1, 6")));
  EXPECT_STREQ(shape_mark_of_stage("state"), "shape weights");
  const auto stages = arithmetic_stages(*trace, *block, {0, 2, 3, 1}, {}, Translator());
  EXPECT_THAT(stages.back().thumbnail.symbol, HasSubstr("M"));
}

TEST_F(Mixers, say_the_range_that_signed_colours_have) {
  const Translator tr;
  RangeChoice choice;
  choice.kind = Range::unit;
  EXPECT_THAT(colors_name(tr, choice, *block, 0), testing::EndsWith("−1 to 1"));
  EXPECT_THAT(colors_name(tr, choice, *block, 1), testing::EndsWith("0 to 1"));
  choice.kind = Range::logarithm;
  EXPECT_THAT(colors_name(tr, choice, *block, 0), testing::EndsWith(to_label(Range::shared)));
  EXPECT_THAT(colors_name(tr, choice, *block, 1), testing::EndsWith(to_label(Range::logarithm)));
  EXPECT_EQ(brief_cells_name(tr, *block, 0), "No softmax");
}

TEST_F(Mixers, have_a_bar_of_colours_for_each_kind_of_map) {
  TextShaper shaper;
  const BoardStyle style = board_style(figure_style(Theme::light), shaper);
  const auto colors_of = [&](const BlockTrace& of) {
    return layers_colors(View(), of, {}, style, 2000, Translator());
  };
  const Board both = colors_of(*block);
  std::vector<std::string> texts;
  for (const BoardText& text : both.texts) texts.push_back(text.text);
  EXPECT_THAT(texts, testing::ElementsAre("Attention weight · Per head", "each head's lowest", "highest",
                                          "Equivalent map, not a softmax · Per head", "−max", "max"));
  const Rgb red = diverging_colors(Theme::light)[254], yellow = colors(View().colormap)[254];
  for (const Rgb last : {red, yellow})
    EXPECT_TRUE(std::ranges::any_of(both.fills, [&](const BoardFill& fill) { return fill.color == last; }));
  EXPECT_EQ(colors_of(*first(trace_of("gpt2"))).texts.size(), 3U);
}

TEST_F(Mixers, without_statistics_say_why) {
  EXPECT_THAT(statistics_note(*block, 0), HasSubstr("need not sum to 1"));
  EXPECT_EQ(statistics_note(*block, 1), nullptr);
  EXPECT_THAT(statistics_note(*block), HasSubstr("heads of layers with a state have none"));
}

TEST_F(Mixers, lines_know_their_sign) {
  const auto shown = filter_layer(block, 0, {});
  const LineSet lines = strongest_lines(*shown, {}, 1000), own = lines_of_token(*shown, {}, 5, -1, 100);
  int negative = 0;
  for (const LineSet* set : {&lines, &own})
    for (const Line& line : set->lines) {
      EXPECT_EQ(line.number(), shown->weights(line.head)[line.row * shown->n_k() + line.column]);
      negative += line.negative ? 1 : 0;
    }
  EXPECT_GT(negative, 0);
}

TEST(Profiles, of_a_signed_map_have_its_colours_and_no_rounding) {
  constexpr float values[] = {0.2F, -2e-17F, 0.1F, 0.3F};
  TextShaper shaper;
  RecordingCanvas canvas(shaper);
  const FigureStyle style = figure_style(Theme::light);
  const Translator tr;
  MapPicture picture = map_picture(values, nullptr, 2, 2, colors(Colormap::viridis), {-0.3F, 0.3F, false});
  picture.width = picture.height = 2;
  const auto draw = [&](bool of_state, double side = 200) {
    canvas.fills.clear();
    canvas.texts.clear();
    draw_profiles({canvas, measure_with(shaper), style, tr}, picture, {0, 0, side, side},
                  {0, 0, "a", "b", of_state, !of_state}, 8);
  };
  draw(true);
  ASSERT_FALSE(canvas.fills.empty());
  const Colors& diverging = diverging_colors(Theme::light);
  EXPECT_EQ(canvas.fills.front().color, diverging[215]) << "also where no number of the row is negative";
  EXPECT_EQ(canvas.fills.back().color, diverging[215]);
  EXPECT_THAT(canvas.texts, testing::Contains("row of “a”, 0 to 0.2"));
  EXPECT_THAT(canvas.texts, testing::Contains("column of “b”, 0 to 0.2"));
  draw(false);
  EXPECT_EQ(canvas.fills.front().color, style.accent);
  EXPECT_THAT(canvas.texts, testing::Contains("attention to “b”, 0 to 0.2"));
  draw(true, 60);
  EXPECT_THAT(canvas.texts, testing::Contains("row of “a”, 0 to 0.2")) << "smaller, not cut";
}

TEST_F(Mixers, changes_of_weights_are_refused_where_not_all_layers_have_them) {
  CauseRequest request;
  request.question = {8, 7, {}};
  request.change = CauseChange::pattern;
  EXPECT_THAT(complaint([&] { find_causes(*trace->run, trace->run.get(), request, engine.context()); }),
              HasSubstr("softmax attention in every layer alone"));
  request.change = CauseChange::zero;
  request.head = HeadPlace{BlockKind::self, 1, 5};
  EXPECT_THAT(complaint([&] { find_causes(*trace->run, nullptr, request, engine.context()); }),
              HasSubstr("the head 1.5 does not exist"));
}

}  // namespace
}  // namespace headscope::tests
