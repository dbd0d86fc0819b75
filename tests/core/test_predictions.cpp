#include <nlohmann/json.hpp>

#include "core/analysis/expectations.h"
#include "core/analysis/statistics.h"
#include "core/figure/boards/cell_board.h"
#include "core/figure/boards/draw_view.h"
#include "core/figure/boards/prediction_boards.h"
#include "core/figure/boards/scatter_board.h"
#include "core/inputs/names.h"
#include "core/scene/prediction_text.h"
#include "core/scene/view_needs.h"
#include "core/source/engine/engine.h"
#include "core/source/model/decoder_step.h"
#include "core/source/model/model_source.h"
#include "tests/support/model_folder.h"

namespace headscope::tests {
namespace {

class PredictedTokens : public InFolder {
 protected:
  std::shared_ptr<const Trace> trace_of(const char* name) {
    const Json entry = model_case(name);
    write_whole_model(folder.path, entry);
    Inputs inputs;
    inputs.model = folder.path.string();
    inputs.sentence = words_of(entry["ids"]);
    if (entry.contains("decoder_ids")) inputs.target = "w11 w12 w13";
    return engine.run(inputs);
  }
  static Scene scene_of(const std::shared_ptr<const Trace>& trace, const View& view = {}) {
    Scene scene = make_scene(block_of(trace, view.block), nullptr, view, {}, {});
    scene.trace = trace;
    return scene;
  }

  Engine engine{2};
  Translator tr{Language::en};
  BoardStyle style = [] {
    BoardStyle made;
    made.measure = [](std::string_view text, double size) {
      return 0.5 * size * static_cast<double>(text.size());
    };
    return made;
  }();
};

TEST_F(PredictedTokens, may_be_labels_of_the_text) {
  for (const auto& [name, query] : {std::pair{"bert-text", Index{0}}, {"gpt2-text", Index{8}}}) {
    SCOPED_TRACE(name);
    const auto trace = trace_of(name);
    const Predictions& predictions = *trace->predictions;
    EXPECT_EQ(predictions.output().kind, OutputKind::text_label);
    EXPECT_EQ(predictions.text_query(), query);
    EXPECT_EQ(default_query(*trace), query);
    EXPECT_FALSE(predictions.of_next_token());
    EXPECT_EQ(predictions.vocabulary(), 3);
    EXPECT_EQ(predictions.token(2), "POSITIVE");
    EXPECT_EQ(named_token(predictions, "NEUTRAL"), 1);
    EXPECT_EQ(named_token(predictions, "id:2"), 2);
    EXPECT_EQ(named_token(predictions, "w7"), std::nullopt);
    const auto expected = expectations(*trace, whole_range(*trace, true));
    EXPECT_EQ(expected->range, (ExpectationRange{0, 2, query, query + 1}));
    EXPECT_EQ(expected->surprise.front(), std::nullopt);
    double sum = 0;
    for (const TokenProbability& label : expected->at(1, query)) sum += label.probability;
    EXPECT_NEAR(sum, 1, 1e-9);
    EXPECT_EQ(std::string(no_lens(trace.get()) == nullptr ? "" : no_lens(trace.get())), "");
    const Tensor first = predictions.logits(0, 1), last = predictions.logits(8, 9);
    EXPECT_TRUE(std::equal(first.data(), first.data() + 3, last.data())) << "the text has one label";
  }
  const auto trace = trace_of("gpt2-text");
  const auto shares = token_contributions(*trace, "NEGATIVE", 2);
  EXPECT_EQ(shares->position, 8) << "where the label is read";
  EXPECT_EQ(shares->token, 0);
  EXPECT_NEAR(shares->parts.sum(), static_cast<double>(trace->predictions->logits(0, 1).data()[0]), 2e-5);
  const auto bert = trace_of("bert-text");
  const auto of_bert = token_contributions(*bert, "NEGATIVE", 2);
  EXPECT_EQ(of_bert->position, 0);
  EXPECT_NEAR(of_bert->parts.sum(), static_cast<double>(bert->predictions->logits(0, 1).data()[0]), 2e-5);
}

TEST_F(PredictedTokens, may_be_labels_of_a_text_that_is_read_twice) {
  const auto run = [&](const char* name, const std::function<void(Inputs&)>& change = {}) {
    Json entry = model_case(name);
    write_whole_model(folder.path, entry);
    Inputs inputs;
    inputs.model = folder.path.string();
    inputs.sentence = words_of(entry["ids"]);
    if (change) change(inputs);
    return engine.run(inputs);
  };
  for (const auto& [name, query] :
       {std::pair{"bart-text", Index{7}}, {"mbart-text", Index{3}}, {"t5-text", 4}}) {
    SCOPED_TRACE(name);
    const Json entry = model_case(name);
    const auto trace = run(name);
    std::vector<Index> read;
    for (const Token& token : predicting_block(*trace).tokens) read.push_back(token.id);
    EXPECT_EQ(read, entry["decoder_ids"].get<std::vector<Index>>());
    EXPECT_EQ(trace->translation, nullptr);
    EXPECT_FALSE(trace->source->about().reads_target);
    EXPECT_EQ(decoder_steps(*trace), 0);
    EXPECT_TRUE(trace->source->about().reads_pairs);
    EXPECT_EQ(trace->predictions->block(), BlockKind::decoder);
    EXPECT_EQ(default_query(*trace), query) << "where the last token that ends the text is";
    EXPECT_EQ(trace->predictions->vocabulary(), std::ssize(entry["config"]["id2label"]));
    EXPECT_EQ(no_lens(trace.get()), nullptr);
    const auto parts = token_contributions(*trace, "", {});
    EXPECT_EQ(parts->position, query);
    EXPECT_NEAR(parts->parts.sum(),
                static_cast<double>(trace->predictions->logits(query, query + 1).data()[parts->token]), 2e-5);
  }
  // Without one, at the last token.
  EXPECT_EQ(default_query(*run("t5-text", [](Inputs& inputs) { inputs.sentence = "w3 w17 w5"; })), 2);
  const auto pair = run("bart-text", [](Inputs& inputs) { inputs.key_sentence = "w9 w2"; });
  EXPECT_EQ(predicting_block(*pair).n_q(), 11);
  EXPECT_EQ(default_query(*pair), 10);
  const auto refusal = [&](const std::function<void(Inputs&)>& change) {
    try {
      run("bart-text", change);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal([](Inputs& inputs) { inputs.target = "w3"; }),
            "target is given; this model's decoder reads the sentence once more");
  EXPECT_EQ(refusal([](Inputs& inputs) { inputs.target_language = "en"; }),
            "target_language is given; this model's decoder reads the sentence once more");
}

TEST_F(PredictedTokens, of_a_text_that_is_read_twice_are_at_its_tokens) {
  for (const char* name : {"bart-span", "t5-span"}) {
    SCOPED_TRACE(name);
    const Json entry = model_case(name);
    write_whole_model(folder.path, entry);
    Inputs inputs;
    inputs.model = folder.path.string();
    inputs.sentence = words_of(entry["ids"]);
    const auto trace = engine.run(inputs);
    EXPECT_EQ(predicting_block(*trace).shape.kind, BlockKind::encoder);
    EXPECT_EQ(predicting_block(*trace).tokens[1].text, "w17");
    EXPECT_TRUE(answer_span(*trace, *expectations(*trace, whole_range(*trace, false))));
    EXPECT_NE(no_lens(trace.get()), nullptr) << "the layers are the decoder's";
    EXPECT_EQ(no_contributions(trace.get()), nullptr);
    const auto parts = token_contributions(*trace, "id:1", 2);
    EXPECT_NEAR(parts->parts.sum(), static_cast<double>(trace->predictions->logits(2, 3).data()[1]), 2e-5);
  }
}

TEST_F(PredictedTokens, may_be_several_labels_or_a_number) {
  const auto several = trace_of("modernbert-text");
  const Tensor logits = several->predictions->logits(0, 1);
  const auto lists = expectations(*several, whole_range(*several, false));
  for (const TokenProbability& label : lists->at(3, 0))
    EXPECT_NEAR(label.probability, 1 / (1 + std::exp(-static_cast<double>(logits.data()[label.id]))), 1e-9);
  const auto number = trace_of("albert-text");
  EXPECT_EQ(number->predictions->output().scale, LabelScale::number);
  const auto value = expectations(*number, whole_range(*number, false))->at(3, 0);
  EXPECT_EQ(value.front().probability, static_cast<double>(number->predictions->logits(0, 1).data()[0]));
  EXPECT_EQ(prediction_number(*number->predictions, 1.5), "1.5000");
  EXPECT_EQ(trace_of("mpnet-text")->predictions->output().scale, LabelScale::any) << "one label";
}

TEST_F(PredictedTokens, may_be_labels_of_tokens_and_whether_they_were_replaced) {
  const auto named = trace_of("bert-tokens");
  const auto lists = expectations(*named, whole_range(*named, false));
  EXPECT_EQ(lists->range.end, 9);
  EXPECT_EQ(predicted_place(*named, 3), -1);
  EXPECT_THAT(lists->at(1, 4), SizeIs(3));
  const auto discriminator = trace_of("electra-replaced");
  const Predictions& predictions = *discriminator->predictions;
  EXPECT_EQ(predictions.output().labels, (std::vector<std::string>{"original", "replaced"}));
  const auto logit = static_cast<double>(predictions.logits(4, 5).data()[1]);
  EXPECT_NEAR(prediction_at(*discriminator, 4, 1), 1 / (1 + std::exp(-logit)), 1e-9);
}

TEST_F(PredictedTokens, may_be_an_answer_in_the_text) {
  for (const char* name : {"bert-span", "llama-span"}) {
    const auto trace = trace_of(name);
    const auto lists = expectations(*trace, whole_range(*trace, false));
    double starts = 0, ends = 0, best = 0;
    for (Index query = 0; query < 9; ++query) {
      const auto& both = lists->at(1, query);
      EXPECT_EQ(both[0].id, 0);
      starts += both[0].probability;
      ends += both[1].probability;
      for (Index end = query; end < 9; ++end)
        best = std::max(best, both[0].probability * lists->at(1, end)[1].probability);
      EXPECT_NEAR(prediction_at(*trace, query, 1), both[1].probability, 1e-9);
    }
    EXPECT_NEAR(starts, 1, 1e-9);
    EXPECT_NEAR(ends, 1, 1e-9);
    const AnswerSpan answer = *answer_span(*trace, *lists);
    EXPECT_LE(answer.start, answer.end);
    EXPECT_NEAR(answer.probability, best, 1e-12);
  }
}

/// Tokens as BERT's template has them: a question of two words and a context of three.
std::vector<Token> question_and_context(bool framed) {
  std::vector<Token> tokens;
  const auto add = [&](std::size_t begin, std::size_t end, int sentence) {
    Token& token = tokens.emplace_back(Token{"t"});
    token.begin = begin;
    token.end = end;
    token.sentence = sentence;
    token.special = begin == end;
  };
  if (framed) add(0, 0, 0);
  add(0, 3, 0);
  add(4, 7, 0);
  if (framed) add(0, 0, 0);
  for (std::size_t i = 0; i < 3; ++i) add(4 * i, 4 * i + 3, 1);
  add(0, 0, 1);
  return tokens;
}

TEST_F(PredictedTokens, of_answers_are_in_the_context) {
  const auto trace = trace_of("bert-span");
  for (const bool framed : {true, false}) {
    Trace asked = *trace;
    asked.inputs.key_sentence = "three words here";
    BlockTrace& block = asked.blocks.front();
    block.tokens = block.key_tokens = question_and_context(framed);
    const Index n = std::ssize(block.tokens), first = n - 4, last = n - 2;
    Expectations expected;
    expected.range = {1, 2, 0, n};
    // Likeliest are the first token as the start and the last as the end; then the context's, the wrong way
    // round.
    for (Index i = 0; i < n; ++i)
      expected.likeliest.resize(1), expected.likeliest.front().push_back({{0, i == 0      ? 0.5
                                                                              : i == last ? 0.3
                                                                                          : 0.01},
                                                                          {1, i == n - 1   ? 0.5
                                                                              : i == first ? 0.3
                                                                                           : 0.01}});
    const AnswerSpan answer = *answer_span(asked, expected);
    EXPECT_GE(answer.start, first);
    EXPECT_LE(answer.end, last);
    EXPECT_LE(answer.start, answer.end);
    EXPECT_NEAR(answer.probability, 0.3 * 0.01, 1e-12);
  }
}

TEST_F(PredictedTokens, are_reported_after_each_layer) {
  const auto trace = trace_of("gpt2");
  const auto lens = expectations(*trace, whole_range(*trace, true));
  const auto last = expectations(*trace, whole_range(*trace, false));
  const Index n = trace->blocks.front().n_q();
  const int layers = trace->blocks.front().shape.layers;
  ASSERT_EQ(std::ssize(lens->likeliest), layers);
  ASSERT_EQ(std::ssize(last->likeliest), 1);
  EXPECT_FALSE(last->surprise[0].has_value());
  for (Index query = 0; query < n; ++query) {
    EXPECT_EQ(last->at(layers - 1, query).front().id, lens->at(layers - 1, query).front().id);
    EXPECT_THAT(lens->at(0, query), SizeIs(10));
  }
  const Tensor row = trace->predictions->logits(2, 3);
  const std::span values(row.data(), static_cast<std::size_t>(row.size()));
  EXPECT_NEAR(*last->surprise[3], surprise(values, trace->blocks.front().tokens[3].id), 1e-6);
  // A part of them equals that part of all.
  const auto part = expectations(*trace, {1, layers, 3, 5});
  EXPECT_EQ(part->at(1, 4).front().id, lens->at(1, 4).front().id);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(expectations(*trace, whole_range(*trace, true), stop.get_token()), nullptr);
}

TEST_F(PredictedTokens, are_asked_for_where_the_text_ends_or_at_its_mask) {
  const auto next = trace_of("gpt2");
  const Index n = next->blocks.front().n_q();
  EXPECT_EQ(default_query(*next), n - 1);
  EXPECT_EQ(predicted_place(*next, 0), 1);
  EXPECT_EQ(predicted_place(*next, n - 1), -1) << "the text ends";
  const auto expected = expectations(*next, whole_range(*next, false));
  double sum = 0;
  for (Index i = 1; i < n; ++i) sum += *expected->surprise[static_cast<std::size_t>(i)];
  EXPECT_NEAR(*mean_surprise(*expected), sum / static_cast<double>(n - 1), 1e-9);
  EXPECT_EQ(mean_surprise(Expectations{}), std::nullopt);
  Trace masked = *trace_of("bert");
  std::vector<Token>& tokens = masked.blocks.front().tokens;
  ASSERT_GE(tokens.size(), 4U);
  EXPECT_EQ(default_query(masked), std::ssize(tokens) - 1);
  EXPECT_EQ(predicted_place(masked, 2), 2);
  tokens.back().special = true;
  EXPECT_EQ(default_query(masked), std::ssize(tokens) - 2) << "the last word";
  tokens[0] = {"[MASK]", 0, 0, 0};
  tokens[0].special = true;
  EXPECT_EQ(default_query(masked), std::ssize(tokens) - 2) << "no part of the text";
  tokens[1] = {"[MASK]", 3, 9, 0};
  tokens[1].special = true;
  EXPECT_EQ(default_query(masked), 1);
}

TEST_F(PredictedTokens, are_named_by_a_text_or_an_id) {
  const auto trace = trace_of("gpt2");
  EXPECT_EQ(named_token(*trace->predictions, "w7"), 7);
  EXPECT_EQ(named_token(*trace->predictions, "12"), 12);
  EXPECT_EQ(named_token(*trace->predictions, "id:12"), 12);
  EXPECT_EQ(named_token(*trace->predictions, name_of_id(9)), 9);
  for (const char* none : {"", "w1 w2", "5000", "id:5000", "id:", "id:-1", "id:w7"})
    EXPECT_EQ(named_token(*trace->predictions, none), std::nullopt) << none;
  const auto likeliest = token_contributions(*trace, "", {}), other = token_contributions(*trace, "w7", 2);
  EXPECT_EQ(likeliest->position, trace->blocks.front().n_q() - 1);
  EXPECT_EQ(other->token, 7);
  EXPECT_EQ(other->position, 2);
  EXPECT_NEAR(other->parts.sum(), other->parts.logit, 1e-5);
  const auto bert = trace_of("bert");
  EXPECT_EQ(token_contributions(*bert, "", {})->position, default_query(*bert)) << "no token of the template";
}

TEST_F(PredictedTokens, are_on_boards_of_all_layers_and_heads) {
  for (const char* model : {"gpt2", "t5"}) {
    const auto trace = trace_of(model);
    const Scene scene = scene_of(trace);
    const BlockShape shape = block_of(trace, trace->predictions->block())->shape;
    const auto lens = expectations(*trace, whole_range(*trace, true));
    const Board layers = lens_board(scene, *lens, style, {900, 400}, tr);
    EXPECT_EQ(std::ssize(layers.regions), shape.layers * lens->range.end);
    EXPECT_EQ(layers.regions.front().name, "lens 0 0");
    const auto shares = token_contributions(*trace, "", {});
    const Board heads = contributions_board(scene, *shares, style, {900, 400}, tr);
    const auto found = std::ranges::count_if(
        heads.regions, [](const BoardRegion& region) { return region.name.starts_with("contribution "); });
    EXPECT_EQ(found, shape.layers * shape.heads * std::ssize(shares->parts.attention));
    for (const Board* board : {&layers, &heads})
      for (const BoardFill& fill : board->fills) {
        EXPECT_LE(fill.rect.right(), 901);
        EXPECT_LE(fill.rect.bottom(), 401);
      }
  }
  const auto gpt2 = trace_of("gpt2");
  const auto lens = expectations(*gpt2, whole_range(*gpt2, true));
  for (const double width : {900.0, 300.0, 200.0, 150.0})
    for (const BoardText& text : lens_board(scene_of(gpt2), *lens, style, {width, 400}, tr).texts)
      EXPECT_FALSE(text.text.ends_with("…") && text.text.size() > 4 && std::isdigit(text.text[0]))
          << text.text;
  EXPECT_NE(no_lens(nullptr), nullptr);
  const auto bert = trace_of("bert");
  EXPECT_EQ(no_lens(bert.get()), nullptr);
  EXPECT_EQ(no_contributions(bert.get()), nullptr);
}

TEST_F(PredictedTokens, say_what_is_held_so_that_parts_add_up) {
  for (const auto& [name, held] : {std::pair{"gpt2", "Norms are held"},
                                   {"bert-tokens", "Norms are held"},
                                   {"bert", "Activations and norms are held"},
                                   {"bert-text", "Activations and norms are held"},
                                   {"gemma2", "Norms and the cap of the logit are held"}}) {
    SCOPED_TRACE(name);
    const auto trace = trace_of(name);
    const Board board =
        contributions_board(scene_of(trace), *token_contributions(*trace, "", {}), style, {2000, 400}, tr);
    EXPECT_THAT(board.texts.back().text, StartsWith(held));
  }
}

TEST_F(PredictedTokens, name_the_position_that_a_label_is_read_at) {
  const auto title = [&](const char* name) {
    const auto trace = trace_of(name);
    return contributions_board(scene_of(trace), *token_contributions(*trace, "", {}), style, {2000, 400}, tr)
        .texts.front()
        .text;
  };
  EXPECT_THAT(title("bert-text"), HasSubstr(" at “w3” (token 1): "));
  EXPECT_THAT(title("modernbert-text"), AllOf(StartsWith("Logit of “"), Not(HasSubstr(" at “"))))
      << "the mean";
}

TEST_F(PredictedTokens, have_numbers_in_their_rows_however_large_the_type_gets) {
  const auto trace = trace_of("bert-text");
  const auto shares = token_contributions(*trace, "", {});
  for (double width = 260; width < 1200; width *= 1.2)
    for (const double height : {260.0, 330.0, 420.0, 600.0}) {
      const Board board = filled_board(style, height, true, [&](const BoardStyle& larger, bool fill) {
        return contributions_board(scene_of(trace), *shares, larger, {width, height, fill}, tr);
      });
      for (const BoardRegion& region : board.regions)
        EXPECT_GE(region.rect.height, 0.9 * style.font_size) << width << " × " << height;
    }
}

TEST_F(PredictedTokens, fill_a_page_with_cells_and_say_what_their_colours_are) {
  constexpr double width = 900, height = 700;
  for (const char* model : {"gpt2", "t5"}) {
    const auto trace = trace_of(model);
    const Scene scene = scene_of(trace);
    const auto lens = expectations(*trace, whole_range(*trace, true));
    const auto shares = token_contributions(*trace, "", {});
    const auto cells = [](const Board& board, std::string_view name) {
      double top = 1e9, bottom = 0;
      for (const BoardRegion& region : board.regions)
        if (region.name.starts_with(name))
          top = std::min(top, region.rect.y), bottom = std::max(bottom, region.rect.bottom());
      return bottom - top;
    };
    const Board layers = lens_board(scene, *lens, style, {width, height, true}, tr);
    const Board heads = contributions_board(scene, *shares, style, {width, height, true}, tr);
    EXPECT_GE(cells(layers, "lens "), 0.85 * height);
    EXPECT_GE(cells(heads, "contribution "), 0.75 * height);
    for (const Board* board : {&layers, &heads})
      for (const BoardText& text : board->texts) EXPECT_LE(text.y + text.style.size / 2, height + 1);
    const Board colors = lens_colors(scene, style, 100, tr);
    EXPECT_EQ(colors.texts.front().text, "Probability, %");
    EXPECT_EQ(colors.texts[1].text, "0");
    EXPECT_EQ(colors.texts.back().text, "100");
    EXPECT_EQ(std::ranges::count(heads.texts, "Logit contribution", &BoardText::text), 1);
  }
}

TEST_F(PredictedTokens, have_titles_that_go_on_in_further_lines_and_are_on_nothing) {
  const auto trace = trace_of("t5");
  const auto shares = token_contributions(*trace, "", {});
  for (const double width : {900.0, 420.0, 240.0}) {
    const Board board = contributions_board(scene_of(trace), *shares, style, {width, 300}, tr);
    std::string all;
    for (const BoardText& text : board.texts) all += text.text + " ";
    EXPECT_THAT(all, AllOf(HasSubstr("Logit of"), HasSubstr("the logit"))) << width;
    const auto at = [&](const char* whole) {
      const auto found = std::ranges::find(board.texts, std::string(whole), &BoardText::text);
      return found == board.texts.end() ? nullptr : &*found;
    };
    const BoardText *kind = at("Decoder"), *head = at("1");
    if (width < 900) continue;
    ASSERT_TRUE(kind != nullptr && head != nullptr);
    EXPECT_LE(kind->y + kind->style.size / 2, head->y - head->style.size / 2 + 1);
  }
}

TEST_F(PredictedTokens, have_parts_that_add_up_as_they_are_printed) {
  const auto trace = trace_of("gpt2");
  const Board board =
      contributions_board(scene_of(trace), *token_contributions(*trace, "", {}), style, {2000, 400}, tr);
  const std::string line = board.texts[board.texts.size() - 2].text;
  double sum = 0, last = 0;
  for (std::size_t at = line.find_first_of("+0123456789"); at < line.size();) {
    const bool minus = line.substr(0, at).ends_with("−");
    std::size_t length = 0;
    last = std::stod(line.substr(at), &length) * (minus ? -1 : 1);
    sum += last;
    at = line.find_first_of("+0123456789", at + length);
  }
  EXPECT_NEAR(sum - last, last, 0.05) << line;
  EXPECT_THAT(line, AllOf(HasSubstr("layers' biases"), HasSubstr("last norm's bias")))
      << "a column, and what is in none";
}

TEST_F(PredictedTokens, have_a_figure_that_names_its_model_and_block) {
  const std::string name = folder.path.filename().string();
  View view;
  view.layer = 1;
  EXPECT_EQ(figure_title(scene_of(trace_of("gpt2"), view), tr), "Layer 2: attention of 4 heads · " + name);
  const auto trace = trace_of("t5");
  view.block = BlockKind::cross;
  EXPECT_THAT(figure_title(scene_of(trace, view), tr),
              testing::EndsWith(" · " + name + " · Cross-attention"));
  view.kind = ViewKind::lens;
  EXPECT_THAT(figure_title(scene_of(trace, view), tr), testing::EndsWith(" · " + name));
  view.title = "Mine";
  EXPECT_EQ(figure_title(scene_of(trace, view), tr), "Mine");
}

TEST_F(PredictedTokens, have_heads_that_look_at_a_cell) {
  const auto trace = trace_of("gpt2");
  const BlockTrace& block = trace->blocks.front();
  const auto heads = heads_at_cell(block, 5, 2);
  ASSERT_EQ(std::ssize(*heads), block.shape.layers * block.shape.heads);
  for (std::size_t i = 0; i < heads->size(); ++i) {
    const HeadAtCell& head = (*heads)[i];
    EXPECT_EQ(head.weight, block.maps->weight(head.layer, head.head, 5, 2));
    if (i > 0) {
      EXPECT_LE(head.weight, (*heads)[i - 1].weight);
    }
  }
}

TEST_F(PredictedTokens, leave_points_of_heads_by_two_columns) {
  const auto trace = trace_of("gpt2");
  View view;
  view.table.scatter_x = "entropy";
  view.table.scatter_y = "first";
  const Scene scene = scene_of(trace, view);
  const auto statistics = block_statistics(*scene.block, {});
  const auto rows = sorted_rows(*scene.block, statistics.get(), view.sort, {}, nullptr);
  const Board board = scatter_board(scene, rows, nullptr, style, 600, 400, tr);
  ASSERT_EQ(board.regions.size(), rows.size());
  // A head's point is where its numbers place it: more to the right, more entropy.
  const auto x_of = [&](const HeadRow& row) {
    const std::string name = "point " + std::to_string(row.layer) + " " + std::to_string(row.head);
    return std::ranges::find(board.regions, name, &BoardRegion::name)->rect.x;
  };
  for (std::size_t i = 1; i < rows.size(); ++i)
    EXPECT_EQ(x_of(rows[i]) > x_of(rows[0]), *rows[i].statistics->entropy > *rows[0].statistics->entropy);
}

TEST_F(PredictedTokens, that_are_numbers_are_named_by_their_text) {
  write_whole_model(folder.path, model_case("gpt2"));
  std::string tokenizer = read_file((folder.path / "tokenizer.json").string());
  tokenizer.replace(tokenizer.find("\"w7\""), 4, "\"12\"");
  std::ofstream(folder.path / "tokenizer.json") << tokenizer;
  Inputs inputs;
  inputs.model = folder.path.string();
  inputs.sentence = "w3 12";
  const auto trace = engine.run(inputs);
  EXPECT_EQ(named_token(*trace->predictions, "12"), 7);
  EXPECT_EQ(named_token(*trace->predictions, "id:12"), 12);
  EXPECT_EQ(named_token(*trace->predictions, "13"), 13) << "no token has that text";
}

}  // namespace
}  // namespace headscope::tests
