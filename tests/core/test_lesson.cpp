#include "core/analysis/cell_arithmetic.h"
#include "core/teach/check.h"
#include "core/teach/handout.h"
#include "core/teach/step_changes.h"
#include "core/teach/step_header.h"
#include "core/teach/text_board.h"
#include "core/teach/write_lesson.h"
#include "tests/support/inputs.h"
#include "tests/support/traces.h"

namespace headscope::tests {

/// A text's tree on one line: p[…], b for strong and e for emphasis, `code`, $TeX$, {expression}.
std::string shown(const std::vector<TextBlock>& blocks) {
  using Kind = TextBlock::Kind;
  static const std::map<Kind, std::string> names{
      {Kind::paragraph, "p"}, {Kind::heading, "h"}, {Kind::list, "list"},   {Kind::item, "item"},
      {Kind::quote, "quote"}, {Kind::code, "code"}, {Kind::table, "table"}, {Kind::row, "row"},
      {Kind::cell, "cell"},   {Kind::rule, "rule"}};
  std::string text;
  for (const TextBlock& block : blocks) {
    text += names.at(block.kind);
    if (block.first_number >= 0) text += std::to_string(block.first_number);
    if (block.align == TextBlock::Align::right) text += ">";
    text += "[";
    for (const TextSpan& span : block.spans) {
      if (span.strong) text += "<b>";
      if (span.emphasis) text += "<e>";
      switch (span.kind) {
        case TextSpan::Kind::text:
          text += span.text;
          break;
        case TextSpan::Kind::code:
          text += "`" + span.text + "`";
          break;
        case TextSpan::Kind::formula:
          text += "$" + span.text + "$";
          break;
        case TextSpan::Kind::display:
          text += "$$" + span.text + "$$";
          break;
        case TextSpan::Kind::number:
          text += "{" + span.text + "}";
          break;
        case TextSpan::Kind::line_break:
          text += "<br>";
          break;
      }
    }
    text += shown(block.children) + "]";
  }
  return text;
}

std::vector<std::string> reported(const std::vector<LessonMistake>& mistakes) {
  std::vector<std::string> texts;
  for (const LessonMistake& mistake : mistakes) texts.push_back(in_file(mistake, "F").what());
  return texts;
}

TEST(LessonText, is_markdown_with_formulas_and_numbers) {
  const std::pair<const char*, const char*> cases[] = {
      {"One *two* **three** `four`\nfive", "p[One <e>two <b>three `four` five]"},
      {"汉字\n下一行 a\n汉", "p[汉字下一行 a 汉]"},
      {"一，\n12 二\n（x）\na", "p[一，12 二（x）a]"},
      {"a\\\nb  \nc", "p[a<br>b<br>c]"},
      {"- a\n- b $x_1*y_2*$", "list[item[a]item[b $x_1*y_2*$]]"},
      {"3. a\n4. b", "list3[item[a]item[b]]"},
      {"| a | b |\n|---|--:|\n| $|x|$ | {weight(1, 2)*2:.3f} |",
       "table[row[cell[a]cell>[b]]row[cell[$|x|$]cell>[{weight(1, 2)*2}]]]"},
      {"$$\\frac{a}{b}$$ costs \\$5, or $5 and $6", "p[$$\\frac{a}{b}$$ costs $5, or $5 and $6]"},
      {"公式$x$是", "p[公式$x$是]"},
      {"{{a}} `{weight}` *{weight}*", "p[{a} `{weight}` <e>{weight}]"},
      {"```python\nx = {1: 2}\n```\nafter", "code[x = {1: 2}\n]p[after]"},
      {"> a\n\n---\n#### b & <i>c</i> &lt;", "quote[p[a]]rule[]h[b & <i>c</i> <]"},
      {"", ""},
  };
  for (const auto& [markdown, tree] : cases) {
    SCOPED_TRACE(markdown);
    Budget budget("test", 0);
    std::vector<LessonMistake> mistakes;
    EXPECT_EQ(shown(lesson_text(markdown, 1, budget, mistakes).blocks), tree);
    EXPECT_THAT(reported(mistakes), IsEmpty());
  }
}

/// Each text with its tree, and what CommonMark reads otherwise in it.
TEST(LessonText, has_emphasis_beside_chinese_punctuation_and_tells_where_others_do_not) {
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"**另一篇（甲）**在", "p[<b>另一篇（甲）在]", "）**"},
      {"注意*甲，*乙", "p[注意<e>甲，乙]", "，*"},
      {"在**（甲）**", "p[在<b>（甲）]", "**（"},
      {"在*“甲”*乙", "p[在<e>“甲”乙]", "*“ ”*"},
      {"**甲**（乙）丙", "p[<b>甲（乙）丙]", ""},
      {"甲，**乙**，丙", "p[甲，<b>乙，丙]", ""},
      {"这*一*，*二*、***三***。", "p[这<e>一，<e>二、<b><e>三。]", ""},
      {"甲 * 乙，*丙", "p[甲 * 乙，*丙]", ""},
      {"**a.**b", "p[**a.**b]", ""},
      {"`*（`在`）*`", "p[`*（`在`）*`]", ""},
      {"共**{weight}**个（{weight}）**在", "p[共<b>{weight}个（{weight}）**在]", ""},
      {"| a |\n|---|\n| **甲（乙）**丙 |", "table[row[cell[a]]row[cell[<b>甲（乙）丙]]]", "）**"},
  };
  for (const auto& [markdown, tree, wrong] : cases) {
    SCOPED_TRACE(markdown);
    Budget budget("test", 0);
    std::vector<LessonMistake> mistakes, unportable;
    EXPECT_EQ(shown(lesson_text(markdown, 4, budget, mistakes, &unportable).blocks), tree);
    EXPECT_THAT(reported(mistakes), IsEmpty());
    std::string named;
    for (const LessonMistake& mistake : unportable) {
      named += (named.empty() ? "" : " ") + mistake.error.arguments().front();
      EXPECT_GE(mistake.line, 4);
    }
    EXPECT_EQ(named, wrong);
  }
}

const std::string small = R"("sentence": "a b a c", "d_model": 8, "heads": 2)";

TEST(LessonText, has_links_to_the_web_and_to_lessons) {
  std::vector<LessonMistake> mistakes;
  const std::string text =
      "[a](https://example.org/x?y=1) [b](masks) [c](file:///etc/passwd) [d](../x.md) [e](javascript:alert) "
      "f";
  Budget budget("F", text.size());
  std::vector<std::string> links;
  const LessonText read = lesson_text(text, 1, budget, mistakes);
  for_each_span(read.blocks, [&](const TextSpan& span) { links.push_back(span.text + "=" + span.link); });
  EXPECT_THAT(links, ElementsAre("a=https://example.org/x?y=1", " =", "b=masks", " c d e f="));
}

TEST(Expression, names_tokens_of_models_without_the_blank_before_them) {
  Trace read = *Engine(1).run(inputs_of(small));
  for (std::vector<Token>* tokens : {&read.blocks.front().tokens, &read.blocks.front().key_tokens})
    (*tokens)[1].text = " b", (*tokens)[2].text = "\u2581a";
  const auto numbers =
      lesson_numbers(std::make_shared<const Trace>(std::move(read)), nullptr, {}, Cell{1, 2, 1});
  const auto value = [&](const std::string& text) { return Expression(text).evaluate(numbers); };
  EXPECT_EQ(value("weight(\"a#2\", \"b\")"), value("weight(2, 1)"));
  EXPECT_EQ(value("weight(\" b\", \"a\")"), value("weight(1, 0)"));
}

TEST(Expression, asks_each_block_of_an_encoder_and_decoder) {
  const auto trace = three_blocks();
  View view;
  view.block = BlockKind::cross;
  const auto numbers = lesson_numbers(trace, nullptr, view, Cell{0, 2, 1});
  const auto value = [&](const std::string& text) { return Expression(text).evaluate(numbers); };
  EXPECT_EQ(value("weight"), trace->blocks[2].maps->weight(0, 0, 2, 1));
  EXPECT_EQ(value("weight(\"dog\", \"old\", block=\"decoder\", layer=1)"),
            trace->blocks[1].maps->weight(1, 0, 2, 1));
  EXPECT_EQ(value("weight(\"cat\", \"sat\", block=“encoder”, head=2)"),
            trace->blocks[0].maps->weight(0, 2, 1, 2));
  EXPECT_EQ(value("heads(block=\"encoder\") * 10 + heads"), 34);
  EXPECT_EQ(value("count(\"dog\") * 10 + count(\"cat\") + count(\"cat\", block=\"encoder\")"), 11);
  EXPECT_THAT(complaint([&] { value("weight(0, 0, block=\"self\")"); }),
              HasSubstr("there is no block self here"));
}

TEST(Expression, has_the_numbers_of_the_run) {
  Engine engine(1);
  const Inputs inputs = inputs_of(small + R"(, "mask": "causal", "temperature": 0.5)");
  Inputs other = inputs;
  other.temperature = 2;
  const auto trace = engine.run(inputs), b = engine.run(other);
  const CellArithmetic cell = cell_arithmetic(*trace, trace->blocks.front(), {0, 1, 2, 1});
  const LessonNumbers numbers = lesson_numbers(trace, b, {}, Cell{1, 2, 1});
  const auto& maps = *trace->blocks.front().maps;
  const double inf = std::numeric_limits<double>::infinity();
  const std::tuple<std::string, double> cases[] = {
      {"1 + 2 * 3 - 4 / 2 ^ 2", 6},
      {"-2 ^ 2 + (1 − 3) × 2", -8},
      {"2 ^ 3 ^ 2", 512},
      {"sqrt(16) + abs(-1) + max(1, 2, 0) - min(3, 2) + exp(0) + log(1) + round(1.6)", 8},
      {"1e-3 * 1000", 1},
      {"weight", cell.weights[1]},
      {"weight(\"a#2\", 'b')", cell.weights[1]},
      {"weight(2, key=“b”)", cell.weights[1]},
      {"weight(query=2, key=1, head=0)", maps.weight(0, 0, 2, 1)},
      {"weight(3, 1, side=\"b\") - weight(3, 1, side=\"b\", layer=0, head=1)", 0},
      {"score", cell.score},
      {"masked", cell.tempered[1]},
      {"masked(0, 1)", -inf},
      {"exponential", cell.exponentials[1]},
      {"exponential_sum", cell.row_sum},
      {"row_max", cell.row_max},
      {"row_sum(1)", 1},
      {"is_blocked(1, 2) + is_blocked", 1},
      {"dot", cell.dot},
      {"product(0) + product(1) + product(2) + product(3)", cell.dot},
      {"q(1) * k(1)", cell.products[1]},
      {"x(3)", static_cast<double>(cell.x[3])},
      {"v(2, \"b\") * weight", cell.weighted_values(1, 2)},
      {"context(3)", static_cast<double>(cell.context[3])},
      {"output(7)", static_cast<double>(cell.output[7])},
      {"dot * scale / temperature", cell.tempered[1]},
      {"entropy(0)", 0},
      {"max_weight(0)", 1},
      {"largest", 1},
      {"d_model + d_k + heads + kv_heads + layers + tokens + keys", 8 + 4 + 2 + 2 + 1 + 4 + 4},
      {"parameters - 4 * (8 * 8 + 8)", 0},
      {"memory", 4 * 2 * 16},
      {"blocked", 12},
      {"density", 0.625},
      {"multiplications", 4 * 4 * 64 + 2 * 16 * 8},
      {"1 = 1.000001 and 1 != 1.1", 1},
      {"1 = 1.04 ± 0.05", 1},
      {"1 = 1.06 +- 0.05 or not 2 >= 1", 0},
      {"1 < 2 <= 2 < 3", 1},
      {"1 ≤ 0", 0},
      {"masked(0, 1) < 0", 1},
      {"1/0 = 1/0 or log(0) < 0", 0},
  };
  for (const auto& [text, value] : cases) {
    SCOPED_TRACE(text);
    const double got = Expression(text).evaluate(numbers);
    if (std::isinf(value)) {
      EXPECT_EQ(got, value);
    } else {
      EXPECT_NEAR(got, value, 1e-5 * std::max(1.0, std::abs(value)));
    }
  }
  EXPECT_GT(Expression("difference").evaluate(numbers), 0.01);
  for (const HeadColumn& column : head_columns())
    EXPECT_NE(find_measure(column.name), nullptr) << column.name;
  EXPECT_NEAR(
      Expression("head_entropy(1)").evaluate(numbers),
      *head_statistics(trace->blocks.front(), 0, 1, TokenMatches(words("a b a c"), words("a b a c"))).entropy,
      1e-9);
}

TEST(TextBoard, emphasis_is_not_a_live_number_and_short_columns_are_not_broken) {
  BoardStyle style;
  style.font_size = 10;
  style.text = {1, 1, 1};
  style.accent = {0, 0, 255};
  // Chinese characters are as wide as high, others half of that.
  style.measure = [](std::string_view text, double size) {
    double width = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const auto byte = static_cast<unsigned char>(text[at]);
      if ((byte & 0xC0U) != 0x80U) width += byte < 0x80 ? size / 2 : size;
    }
    return width;
  };
  const auto board = [&](const char* markdown) {
    Budget budget("test", 0);
    std::vector<LessonMistake> mistakes;
    return text_board(lesson_text(markdown, 1, budget, mistakes), style, 180,
                      [](const TextSpan&) { return "7"; });
  };
  const Board words = board("a *b* {1 + 1}");
  std::map<std::string, int> times;
  for (const BoardText& text : words.texts) {
    ++times[text.text];
    EXPECT_EQ(text.style.color == style.accent, text.text == "7") << text.text;
  }
  EXPECT_EQ(times["a"], 1);
  EXPECT_EQ(times["b"], 2) << "bold";
  const Board table =
      board("| | 遮挡 | 可见 | 遮挡值 |\n|---|---|---|---|\n| 笔记本、PyTorch 的布尔掩码 | 1 | 0 | −∞ |");
  std::map<double, std::string> lines;  // of the heading, by column
  for (const char* head : {"遮", "挡", "可", "见", "值"}) {
    std::set<double> heights;
    for (const BoardText& text : table.texts)
      if (text.text == head) heights.insert(text.y);
    EXPECT_EQ(heights.size(), 1U) << head;
    for (const double y : heights) lines[y] += head;
  }
  EXPECT_EQ(lines.size(), 1U) << "the heading is one line";
  EXPECT_LE(table.width, 180);
  const Board pairs = board("| a | b | c |\n|---|---|---|\n| (0.85, −0.05) | (2.15, 0.65) | (0.00, 1.45) |");
  std::set<double> rows;
  for (const BoardText& text : pairs.texts) rows.insert(text.y);
  EXPECT_EQ(rows.size(), 2U) << "in smaller type rather than broken";
  EXPECT_LE(pairs.width, 180);
}

TEST(Expression, keeps_what_is_given_whatever_a_reader_changes) {
  Engine engine(1);
  const Inputs inputs = inputs_of(small);
  Inputs changed = inputs;
  changed.temperature = 2;
  const auto at = [&](const Inputs& of) {
    return lesson_numbers(engine.run(of), nullptr, {}, Cell{1, 2, 1});
  };
  const LessonNumbers given = at(inputs);
  LessonNumbers now = at(changed);
  const Expression kept("given(2 * temperature)"), both("temperature - given(temperature)");
  EXPECT_EQ(kept.evaluate(now), 4) << "of its own where nothing else is given";
  now.set_given(std::make_shared<const LessonNumbers>(given));
  EXPECT_EQ(kept.evaluate(now), 2);
  EXPECT_EQ(both.evaluate(now), 1);
  EXPECT_NE(Expression("weight - given(weight)").evaluate(now), 0);
  EXPECT_THAT(complaint([] { Expression("given(1 < 2)"); }), HasSubstr("expected )"));
  EXPECT_THAT(complaint([] { Expression("given"); }), HasSubstr("expected ("));
}

TEST(StepChanges, are_in_the_words_of_people) {
  const auto session = [](const std::string& fields, const char* compared = nullptr) {
    Session made;
    made.inputs = inputs_of(small + (fields.empty() ? "" : ", " + fields));
    if (compared != nullptr) made.compare = inputs_of(small + ", " + compared);
    made.view.kind = ViewKind::compare;
    return made;
  };
  struct Case {
    std::string before, after, en, zh;
  };
  const Case cases[] = {
      {"", R"("temperature": 4)", "Temperature 1 → 4", "温度 1 → 4"},
      {"", R"("gain_q": -0.5)", "Gain of W_Q 1 → −0.5", "W_Q 的增益 1 → −0.5"},
      {R"("mask": "causal")", R"("mask": "padding:1,2")", "Mask Causal → Padding (tokens 2, 3)",
       "掩码 因果 → 填充（词元 2、3）"},
      {R"("mask": "window:3")", R"("mask": "longformer:3,global=0")",
       "Mask Window (w = 3) → Longformer (w = 3, tokens 1)",
       "掩码 窗口（w = 3） → Longformer（w = 3、词元 1）"},
      {"", R"("mask": "dilated:1,2")", "Mask none → Dilated (w = 1, d = 2)",
       "掩码 无 → 膨胀（w = 1、d = 2）"},
      {R"("mask": "painted:0:0")", R"("mask": "painted:0:1")", "Mask", "掩码"},
      {"", R"("mask_fill": "-1e9")", "Mask value −∞ → −1e9", "遮挡值 −∞ → −1e9"},
      {"", R"("kv_heads": 1)", "Key-value heads 2 → 1", "键值头 2 → 1"},
  };
  for (const auto& [before, after, en, zh] : cases) {
    EXPECT_THAT(step_changes(Translator(Language::en), session(before), session(after)), ElementsAre(en));
    EXPECT_THAT(step_changes(Translator(Language::zh), session(before), session(after)), ElementsAre(zh));
  }
  const Translator tr(Language::en);
  const Session shared = session(R"("kv_heads": 1)", R"("kv_heads": 0)");
  EXPECT_THAT(step_changes(tr, session(""), shared),
              ElementsAre("Key-value heads 2 → 1", "B: Key-value heads 2"));
  Session unseen = shared;
  unseen.view.kind = ViewKind::grid;
  EXPECT_THAT(step_changes(tr, session(""), unseen), ElementsAre("Key-value heads 2 → 1"));
  unseen.view.kind = ViewKind::model;
  EXPECT_THAT(step_changes(tr, session(""), unseen), ElementsAre("Key-value heads 2 → 1"));
  unseen.view.of_b = true;
  EXPECT_THAT(step_changes(tr, session(""), unseen), Contains("B: Key-value heads 2"));
}

TEST(Expression, requests_a_number_of_the_run_once) {
  struct Counted : SyntheticMaps {
    using SyntheticMaps::SyntheticMaps;
    bool score_rows(int layer, int head, Index begin, Index end, float* out) const override {
      ++asked;
      return SyntheticMaps::score_rows(layer, head, begin, end, out);
    }
    mutable int asked = 0;
  };
  const auto trace = trace_of(words("a b"), words("a b"), 2, 1, {}, [](int, int head, Index i, Index j) {
    return i == j ? 0.9F - 0.2F * static_cast<float>(head) : 0.1F;
  });
  const auto maps = std::make_shared<Counted>(trace->blocks.front().maps->size());
  maps->scores = std::static_pointer_cast<const SyntheticMaps>(trace->blocks.front().maps)->scores;
  trace->blocks.front().maps = maps;
  const LessonNumbers numbers = lesson_numbers(trace, nullptr, {}, std::nullopt);
  const double one = Expression("spread(0)").evaluate(numbers);
  EXPECT_GT(one, 0);
  for (const char* same : {"spread(0)", "spread(0) + 0", "spread(1 - 1)", "max(spread(0), spread(0))"})
    EXPECT_EQ(Expression(same).evaluate(numbers), one) << same;
  EXPECT_EQ(maps->asked, 1);
  EXPECT_NE(Expression("spread(1)").evaluate(numbers), one);
  EXPECT_EQ(maps->asked, 2);
  EXPECT_EQ(numbers, lesson_numbers(trace, nullptr, {}, std::nullopt));
  EXPECT_FALSE(numbers == lesson_numbers(trace, nullptr, {}, Cell{0, 1, 1}));
}

TEST(Expression, runs_over_rows_heads_and_layers) {
  Engine engine(1);
  Inputs inputs = inputs_of(small);
  const auto a = engine.run(inputs);
  inputs.temperature = 0.01;
  const auto b = engine.run(inputs);
  const LessonNumbers numbers = lesson_numbers(a, b, {}, Cell{0, 1, 1});
  const auto value = [&](const std::string& text) { return Expression(text).evaluate(numbers); };
  EXPECT_NEAR(value("sum(weight for key)"), 1, 1e-6);
  EXPECT_NEAR(value("sum(weight(0, head=1) for key)"), 1, 1e-6);
  EXPECT_EQ(value("max(weight for key)"), value("max_weight"));
  EXPECT_EQ(value("min(max_weight for head, query)"),
            std::min(value("min(max_weight for query)"), value("min(max_weight(head=1) for query)")));
  EXPECT_NEAR(value("mean(weight for head, query, key)"), 0.25, 1e-6);
  EXPECT_EQ(value("all(row_sum = 1 for head, query)"), 1);
  EXPECT_EQ(value("any(weight > 1 for key)"), 0);
  EXPECT_GT(value("mean(max_weight(side=\"b\") > 0.9 for head, query)"), 0.5);
  EXPECT_EQ(value("max(1, 2, 3) + max(head_entropy for head) - max(head_entropy for head)"), 3);
  EXPECT_EQ(value("max(head_entropy for head)"), value("max(head_entropy(0), head_entropy(1))"));
  EXPECT_TRUE(Expression("all(weight > 0 for key)").is_condition());
  EXPECT_FALSE(Expression("mean(weight > 0 for key)").is_condition());
  EXPECT_THAT(Expression("all(weight < 0 for key)").compared(numbers), HasSubstr("key=0 "));
  const std::pair<std::string, std::string> wrong[] = {
      {"mean(weight)", "expected for, and query, key, head or layer"},
      {"mean(weight for token)", "expected for, and query, key, head or layer"},
      {"all(weight for key)", "expected a comparison"},
      {"max(max(weight for key) for query)", "expected neither given nor a second for"},
      {"max(given(weight) for query)", "expected neither given nor a second for"},
  };
  for (const auto& [text, message] : wrong)
    EXPECT_THAT(complaint([&, source = text] { value(source); }), HasSubstr(message)) << text;
  inputs.sentence.clear();
  for (int i = 0; i < 70; ++i) inputs.sentence += "a ";
  const LessonNumbers many = lesson_numbers(engine.run(inputs), nullptr, {}, Cell{0, 1, 1});
  EXPECT_THAT(complaint([&] { Expression("sum(weight for query, key)").evaluate(many); }),
              HasSubstr("runs over 4900 places; expected at most 4096"));
}

TEST(Expression, reads_what_is_written_and_the_models_card) {
  Engine engine(1);
  Inputs inputs;
  inputs.model = SOURCE_DIR "/assets/models/translator";
  inputs.sentence = "The animal was tired";
  View view;
  view.block = BlockKind::decoder;
  const LessonNumbers numbers = lesson_numbers(engine.run(inputs), nullptr, view, std::nullopt);
  EXPECT_EQ(Expression("contains(\"动物很累\")").evaluate(numbers), 1);
  EXPECT_EQ(Expression("contains(\"街道\")").evaluate(numbers), 0);
  EXPECT_EQ(Expression("card(\"sentences\")").evaluate(numbers), 2000);
  EXPECT_EQ(Expression("card(\"heads_off/none/sentences\")").evaluate(numbers), 200);
  EXPECT_THAT(complaint([&] { Expression("card(\"heads_off/some\")").evaluate(numbers); }),
              HasSubstr("evaluation.json has no “some”"));
  EXPECT_THAT(complaint([&] { Expression("card(\"heads_off\")").evaluate(numbers); }),
              HasSubstr("heads_off is not a number in"));
}

TEST(Expression, has_measures_that_the_format_documents) {
  for (const char* language : {"", ".zh"}) {
    const std::string document = read_file(std::string(SOURCE_DIR) + "/core/teach/LESSON" + language + ".md");
    for (const Measure& measure : measures())
      EXPECT_THAT(document, AnyOf(HasSubstr("`" + measure.name + "`"), HasSubstr("`" + measure.name + "(")));
  }
}

TEST(Expression, says_what_is_wrong_with_it) {
  Engine engine(1);
  const auto trace = engine.run(inputs_of(small));
  const LessonNumbers numbers = lesson_numbers(trace, nullptr, {}, std::nullopt);
  std::string many_ones;
  for (int i = 0; i < 64; ++i) many_ones += ", 1";
  const std::pair<std::string, std::string> cases[] = {
      {"weigth", "weigth is not a measure; expected one of: weight, "},
      {"", "“” at “”; expected a number or a measure such as weight"},
      {"1 +", "expected a number or a measure"},
      {"(1", "“(1” at “”; expected )"},
      {"1 2", "“1 2” at “2”; expected an operator or the end"},
      {"(1 < 2) + 1", "expected a number and not a comparison"},
      {"1 and 2 < 3", "expected a comparison on both sides"},
      {"sqrt(1, 2)", "sqrt has 2 arguments; expected 1"},
      {"max(1" + many_ones + ")", "max has 65 arguments; expected 1 to 64"},
      {"1e-400", "“1e-400” at “1e-400”; expected a number between 1e-307 and 1e308"},
      {"weight(0/0, 0, head=0)", "query has no value here; expected a whole number from 0"},
      {"product", "product has no place; expected product(0)"},
      {"weight(1, 2, 3)", "weight has too many arguments; expected at most 2"},
      {"weight(0, 0, size=1)", "weight has no argument size; expected layer, head, side"},
      {"weight(0, 0, block=\"middle\")", "expected block=\"encoder\", \"decoder\" or \"cross\""},
      {"count", "count has no text; expected count(\"cat\")"},
      {"count(1)", "expected a text in quotation marks"},
      {"weight(\"a", "expected a closing quotation mark"},
      {std::string(100, '('), "nested too deep"},
      {std::string(3000, '1'), "expected at most 2000"},
      {"weight(0, 0)", "weight needs a head; expected head=0 or a field cell"},
      {"weight(head=0)", "weight needs a query; expected an argument or a field cell"},
      {"weight(\"z\", 0, head=0)", "there is no token “z”; expected one of: a, b, a, c"},
      {"weight(\"a#3\", 0, head=0)", "there is no token “a#3”"},
      {"weight(0, 4, head=0)", "key is 4; expected 0 to 3"},
      {"weight(0, 0.5, head=0)", "key is 0.5; expected 0 to 3"},
      {"weight(0, 0, head=2)", "head is 2; expected 0 to 1"},
      {"weight(0, 0, head=0, layer=1)", "layer is 1; expected 0"},
      {"q(4, 0, head=0)", "place is 4; expected 0 to 3"},
      {"difference(0)", "there is no B; expected a field compare"},
  };
  for (const auto& [text, message] : cases)
    EXPECT_THAT(complaint([&, source = text] { Expression(source).evaluate(numbers); }), HasSubstr(message))
        << text;
}

TEST(NumberForm, is_one_of_a_few) {
  const std::tuple<const char*, double, const char*> cases[] = {{".2f", 0.125, "0.12"},
                                                                {".3e", 1234, "1.234e+03"},
                                                                {"d", 3.2, "3"},
                                                                {",d", 1048576, "1,048,576"},
                                                                {".1%", 0.1234, "12.3%"},
                                                                {"%", 0.5, "50%"},
                                                                {".2f", -1.5, "−1.50"},
                                                                {".1f", -0.01, "0.0"},
                                                                {",.1f", 12345.67, "12,345.7"},
                                                                {"f", INFINITY, "∞"},
                                                                {".9f", 1e300, "1.000000000e+300"},
                                                                {",d", -1e18, "−1,000,000,000,000,000,000"},
                                                                {"%", 1e300, "1.000e+302%"},
                                                                {",.0f", 1e30, "1e+30"}};
  for (const auto& [form, value, text] : cases) EXPECT_EQ(NumberForm(form)(value), text) << form;
  EXPECT_EQ(NumberForm()(11), "11");
  EXPECT_EQ(NumberForm()(0.31234), "0.312");
  EXPECT_EQ(NumberForm()(1e300), "1.000e+300");
  EXPECT_EQ(complaint([&] { NumberForm{""}; }),
            "there is nothing after the colon; expected a form such as .2f");
  for (const char* wrong : {"x", ".f", ".2", ".2d", "2f"})
    EXPECT_THAT(complaint([&] { NumberForm{wrong}; }), HasSubstr("is not a form of numbers; expected"))
        << wrong;
}

const std::string good = R"(# Heads | 头

### English
About {tokens} tokens.
### 中文
关于 {tokens} 个词元。

## One | 一

```state
{"sentence": "a b a c", "d_model": 8, "heads": 2,
 "view": {"kind": "head", "head": 1}, "cell": {"head": 1, "query": 2, "key": 0}}
```

### English
Weight {weight:.3f}.

```claims
row_sum = 1
weight(0, 0, head=0) < 1
```

## Two

```state
{"temperature": 4, "view": {"colormap": "magma"}, "compare": {"mask": "causal"}, "cell": {"key": 1, "component": 3},
 "highlight": ["temperature", "row"], "hold": true}
```

### 中文
```python
code
```

```question
en: How
many?
zh: 多少？
check: weight > 2
answer-en: Four: *4*.
```

## Three

### English

## Four

```state
{"reset": true, "sentence": "x y", "compare": null, "cell": null}
```
)";

TEST(Lesson, may_write_a_sentence_many_times) {
  const ReadLesson read = read_lesson(
      "# T\n## A\n```state\n{\"sentence\": \"a b\", \"repeat\": 3, \"compare\": {\"seed\": 1}}\n```\n"
      "## B\n```state\n{\"seed\": 5}\n```\n## C\n```state\n{\"sentence\": \"c\"}\n```\n",
      "F");
  EXPECT_THAT(reported(read.mistakes), IsEmpty());
  const auto& steps = read.lesson.steps;
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].session.inputs.sentence, "a b a b a b");
  EXPECT_EQ(steps[0].session.compare->sentence, "a b a b a b");
  EXPECT_EQ(steps[1].session.inputs.sentence, "a b a b a b");
  EXPECT_EQ(steps[2].session.inputs.sentence, "c");
  const auto mistake = [](const std::string& repeat) {
    return reported(read_lesson("# T\n## A\n```state\n{\"sentence\": \"" + std::string(100, 'a') +
                                    "\", \"repeat\": " + repeat + "}\n```\n",
                                "F")
                        .mistakes);
  };
  EXPECT_THAT(mistake("0"), ElementsAre(HasSubstr("from 1 to 65536")));
  EXPECT_THAT(mistake("1.5"), ElementsAre(HasSubstr("from 1 to 65536")));
  EXPECT_THAT(mistake("60000"), ElementsAre(AllOf(HasSubstr("6060000 bytes"), HasSubstr("1048576"))));
}

TEST(Lesson, has_steps_each_over_the_one_before) {
  const ReadLesson read = read_lesson(good, "F");
  EXPECT_THAT(reported(read.mistakes), IsEmpty());
  const Lesson& lesson = read.lesson;
  EXPECT_EQ(lesson.title[Language::en], "Heads");
  EXPECT_EQ(lesson.title[Language::zh], "头");
  ASSERT_EQ(lesson.steps.size(), 4U);
  const auto& [one, two, three, four] =
      std::tie(lesson.steps[0], lesson.steps[1], lesson.steps[2], lesson.steps[3]);
  EXPECT_EQ(one.session.inputs.sentence, "a b a c");
  EXPECT_EQ(one.session.view.kind, ViewKind::head);
  EXPECT_EQ(one.cell, (Cell{1, 2, 0}));
  EXPECT_EQ(one.claims.size(), 2U);
  EXPECT_EQ(one.line, 8);
  EXPECT_FALSE(one.text.has(Language::zh));
  EXPECT_EQ(shown(one.text.in(Language::zh).blocks), "p[Weight {weight}.]");
  EXPECT_EQ(two.title[Language::zh], "Two");
  EXPECT_EQ(two.session.inputs.d_model, 8);
  EXPECT_EQ(two.session.inputs.temperature, 4);
  EXPECT_EQ(two.session.view.head, 1);
  EXPECT_EQ(two.session.view.colormap, Colormap::magma);
  EXPECT_EQ(two.session.compare->sentence, "a b a c");
  EXPECT_EQ(two.session.compare->mask.size(), 1U);
  EXPECT_EQ(two.cell, (Cell{1, 2, 1}));
  EXPECT_EQ(two.component, 3);
  EXPECT_THAT(two.highlight, ElementsAre("temperature", "row"));
  EXPECT_TRUE(two.hold);
  EXPECT_EQ(shown(two.questions.front().text[Language::en].blocks), "p[How many?]");
  EXPECT_EQ(shown(two.questions.front().answer[Language::en].blocks).substr(0, 8), "p[Four: ");
  EXPECT_EQ(two.questions.front().check->expression.text(), "weight > 2");
  EXPECT_EQ(three.session, two.session);
  EXPECT_THAT(three.highlight, IsEmpty());
  EXPECT_EQ(four.session.inputs, inputs_of(R"("sentence": "x y")"));
  EXPECT_EQ(four.cell, std::nullopt);
  EXPECT_EQ(four.component, 0);
  EXPECT_FALSE(four.session.compare);
  Engine engine(1);
  EXPECT_THAT(
      reported(check_lesson(lesson, engine)),
      ElementsAre("F: line 39: check: is not tried; expected solution: as well, a state that makes it true"));
}

// A lesson of one step with these lines from line 3 on.
std::string lesson_of(const std::string& lines) {
  return "# T\n## S\n" + lines + "\n";
}

TEST(Lesson, a_step_lists_its_stages_and_has_notes_for_whoever_presents) {
  const ReadLesson read = read_lesson(
      "# T\n## One\n```state\n{\"stages\": [\"products\", \"scale\"]}\n```\n### English\nText.\n\nNotes: Ask "
      "first, with {heads}.\n\n"
      "- then wait\n### 中文\n文。\n## Two\n### English\nNotes: only\n",
      "F");
  EXPECT_THAT(reported(read.mistakes), IsEmpty());
  const LessonStep &one = read.lesson.steps[0], &two = read.lesson.steps[1];
  EXPECT_EQ(one.stages, (std::vector<std::string>{"products", "scale"}));
  EXPECT_EQ(one.parts(), 2);
  EXPECT_EQ(two.parts(), 1) << "is gone";
  EXPECT_EQ(shown(one.text[Language::en].blocks), "p[Text.]");
  EXPECT_EQ(shown(one.notes[Language::en].blocks), "p[Ask first, with {heads}.]list[item[then wait]]");
  EXPECT_FALSE(one.notes.has(Language::zh));
  EXPECT_TRUE(two.text[Language::en].empty());
  EXPECT_EQ(shown(two.notes[Language::en].blocks), "p[only]");
}

TEST(Lesson, a_step_has_a_line_for_an_audience_or_its_title) {
  ReadLesson read = read_lesson(
      "# Masks: causal | 掩码：因果\n## S | 步\n\n> {heads} heads | {heads} 个头\n"
      "### English\n> quoted\n## Plain\n> once\n",
      "F");
  EXPECT_THAT(reported(read.mistakes), IsEmpty());
  const LessonStep& step = read.lesson.steps.front();
  EXPECT_EQ(shown(step.claim[Language::en].blocks), "p[{heads} heads]");
  EXPECT_EQ(shown(step.claim[Language::zh].blocks), "p[{heads} 个头]");
  EXPECT_EQ(shown(step.text[Language::en].blocks), "quote[p[quoted]]");
  EXPECT_EQ(shown(read.lesson.steps.back().claim[Language::zh].blocks), "p[once]");

  BoardStyle style = board_style(figure_style(Theme::light), [](std::string_view text, double size) {
    return 0.5 * size * static_cast<double>(text.size());
  });
  const auto header = [&](int i, double width, Language language) {
    const Board board = step_header(
        read.lesson, {i, 1}, style, width, [](const TextSpan&) { return std::string("8"); },
        Translator(language));
    std::string text;
    for (const BoardText& part : board.texts) text += part.text;
    return text;
  };
  EXPECT_EQ(header(0, 1000, Language::en), "Masks: causal · step 1 of 28heads");
  read.lesson.steps[0].stages = {"products", "scale", "softmax"};
  EXPECT_EQ(header(0, 1000, Language::en), "Masks: causal · step 1 of 2•••8heads");
  read.lesson.steps[0].stages.clear();
  EXPECT_THAT(header(0, 140, Language::en), testing::StartsWith("Masks · step"))
      << "the term before the phrase";
  EXPECT_EQ(header(0, 1000, Language::zh), "掩码：因果 · 第 1 步（共 2 步）8个头");
}

TEST(Lesson, names_the_line_of_each_mistake) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "F: line 1: there is no title; expected a line # Title | 标题"},
      {"", "F: line 1: there is no step; expected"},
      {"# " + std::string(1001, 'T') + "\n", "F: line 1: the title has 1001 bytes; expected at most 1000"},
      {lesson_of("### English\na $x$ and\n$\\foo{$"), "F: line 5: "},
      {lesson_of("> one\n> two"),
       "F: line 4: there is a second line > for an audience; expected one in a step"},
      {lesson_of("### English\na\n\n$$x^\n2$$ $x^$ b"), "F: line 7: "},
      {lesson_of("```state\n{\"view\": {\"stage\": \"zzz\"}}\n```"),
       "F: line 4: state: view.stage is \"zzz\"; expected one of: made, x, input_norm, latent, projections"},
      {lesson_of("```state\n{\"stages\": [\"zzz\"]}\n```"),
       "F: line 4: stages has \"zzz\"; expected one of: made, x, "},
      {lesson_of("```state\n{\"seed\": 1\n```"),
       "F: line 4: the state is cut short; expected an object such as"},
      {lesson_of("```question\nen: a\ncheck: heads = 4\nsolution: {\"heads\": 4\n```"),
       "F: line 6: the state is cut short"},
      {"# T\n", "F: line 1: there is no step; expected a heading ## Title | 标题"},
      {"# T\n# U\n## S\n", "F: line 2: there is a second title"},
      {"# T\n##  | b\n", "F: line 2: the title is empty"},
      {lesson_of("### Deutsch"),
       "F: line 3: there is a heading ### Deutsch; expected ### English or ### 中文"},
      {lesson_of("### English\na\n### English\nb"), "F: line 5: there is a second ### English"},
      {lesson_of("text"), "F: line 3: there is text outside of a language; expected ### English"},
      {lesson_of("### English\na\n{weigth}"), "F: line 5: weigth is not a measure"},
      {lesson_of("### English\n{weight"), "F: line 4: {weight is not closed; expected }"},
      {lesson_of("### English\na }"), "F: line 4: there is a } without {; expected }} for a brace"},
      {lesson_of("### English\n{weight:.2x}"), "F: line 4: .2x is not a form of numbers; expected"},
      {lesson_of("```state\n{}"), "F: line 3: the block state has no end; expected a line ```"},
      {lesson_of("```claim\n1 = 1\n```"),
       "F: line 3: a block claim is not known; expected state, question or claims"},
      {"# T\n```state\n{}\n```\n## S\n", "F: line 2: there is a block state before the first step"},
      {lesson_of("```state\n{}\n```\n```state\n{}\n```"), "F: line 6: there is a second block state"},
      {lesson_of("```state\n{\"seed\": 1,\n \"heads\": }\n```"),
       "F: line 5: the state is not JSON at column 11"},
      {lesson_of("```state\n{\"seed\": 1,\n\n \"heads\": -1}\n```"),
       "F: line 6: state: heads is -1; expected"},
      {lesson_of("```state\n{\"seed\": 1,\n \"view\": {\"rows\": 2,\n  \"kind\": \"wide\"}}\n```"),
       "F: line 6: state: view.kind is \"wide\"; expected one of: grid"},
      {lesson_of("```state\n{\"d_model\": 10,\n \"heads\": 3}\n```"), "F: line 5: state: d_model"},
      {lesson_of("```state\n{\n \"color\": 1}\n```"), "F: line 5: color is not a field of a state; expected"},
      {lesson_of("```state\n{\n \"compare\":\n {\"temperature\": -2}}\n```"),
       "F: line 6: state: compare.temperature is -2"},
      {lesson_of("```state\n{\"cell\": {\"query\": 1}}\n```"), "F: line 4: cell has no query or no key"},
      {lesson_of("```state\n{\"cell\": {\"row\": 1}}\n```"), "F: line 4: cell.row is not a field of a cell"},
      {lesson_of("```state\n{\"highlight\": [\"all\"]}\n```"),
       "F: line 4: highlight has \"all\"; expected a field"},
      {lesson_of("```state\n{\"hold\": 1}\n```"), "F: line 4: hold is 1; expected true or false"},
      {lesson_of("```state\n[]\n```"), "F: line 4: the state is []; expected an object"},
      {lesson_of("```claims\n1 = 1\n\nweight\n```"), "F: line 6: weight is a number; expected a comparison"},
      {lesson_of("### English\nTwo *heads* have {heads}.\n```claims\n> two heads\n```"),
       "F: line 6: the step's text does not have “two heads”; expected words of one sentence of it"},
      {lesson_of("### English\nTwo heads.\n### 中文\n两个头。\n```claims\n> Two | 三个\n```"),
       "F: line 8: the step's text does not have “三个”"},
      {lesson_of("```question\nen: a\ncheck: 1\n```"), "F: line 5: 1 is a number; expected a comparison"},
      {lesson_of("```question\nen: a\nfr: b\n```"),
       "F: line 5: a question has no fr; expected one of: en, zh"},
      {lesson_of("```question\nen: a\nen: b\n```"), "F: line 5: en is given twice"},
      {lesson_of("```question\nwhat\n```"), "F: line 4: a question begins with what; expected en: or zh:"},
      {lesson_of("```question\ncheck: 1 = 1\n```"), "F: line 3: the question has no text"},
      {lesson_of("### English\n" + std::string(100, '>') + "a"),
       "F: line 4: the text is nested more than 32 levels deep"},
  };
  for (const auto& [text, message] : cases)
    EXPECT_THAT(reported(read_lesson(text, "F").mistakes), Contains(HasSubstr(message))) << text;
}

TEST(Lesson, is_checked_against_the_numbers) {
  const std::string state = "```state\n{" + small + "}\n```\n";
  const std::pair<std::string, std::string> cases[] = {
      {"```claims\nrow_sum(0, head=0) = 1\nrow_sum(0, head=0) = 2\n```",
       "F: line 8: row_sum(0, head=0) = 2 does not hold (1, 2); expected a claim that is true"},
      {"```claims\n0/0 = 1\n```", "F: line 7: 0/0 = 1 does not hold (–, 1); expected"},
      {"### English\na\n\n{weight(0, 9, head=0)}", "F: line 9: key is 9; expected 0 to 3"},
      {"```question\nen: a\nnumber: weight ± 1\n```", "F: line 8: weight needs a head"},
  };
  Engine engine(1);
  for (const auto& [lines, message] : cases) {
    const ReadLesson read = read_lesson(lesson_of(state + lines), "F");
    EXPECT_THAT(reported(read.mistakes), IsEmpty());
    EXPECT_THAT(reported(check_lesson(read.lesson, engine)), ElementsAre(HasSubstr(message))) << lines;
  }
  // Steps that would only repeat the same message.
  const ReadLesson read = read_lesson(
      lesson_of("```state\n{\"cell\": {\"query\": 20, \"key\": 0}}\n```\n## S\n### English\n{weight}"), "F");
  EXPECT_THAT(reported(check_lesson(read.lesson, engine)),
              ElementsAre("F: line 3: cell.query is 20; expected 0 to 9"));
}

TEST(Lesson, has_claims_about_other_states_too) {
  const std::string state = "```state\n{" + small + "}\n```\n```claims\ntemperature = 1\n";
  const std::pair<std::string, std::vector<std::string>> cases[] = {
      {"with {\"temperature\": 2}\ntemperature = 2\n", {}},
      {"with [{\"seed\": 1}, {\"temperature\": 3}]\ntemperature < 3\n",
       {"F: line 9: temperature < 3 does not hold (3, 3); expected a claim that is true"}},
      {"with {\"compare\": {\"temperature\": 2}}\ntemperature(side=\"b\") = 2\n", {}},
      {"with {\"temperature\": 2}\ntemperature = 2\n```\n### English\nT is 1.\n```claims\n> T is\n", {}},
      {"> T is\ntemperature = 1\nwith {\"temperature\": 2}\ntemperature = 2\n> 1.\ntemperature = 1\n"
       "```\n### English\nT is 1.\n```python\n",
       {}},
      {"> T is 1\ntemperature = 1\n> How high\ntemperature = 1\n> at first\ntemperature = 1\n```\n"
       "### English\nT is 1.\n```question\nen: How high is T?\nanswer-en: 1, at first.\n",
       {}},
      {"> How low\ntemperature = 1\n```\n### English\nT is 1.\n```question\nen: How high is T?\n",
       {"F: line 8: the step's text does not have “How low”"}},
      {"with {\"heads\": 3}\nheads = 3\n", {"not divisible by heads 3"}},
  };
  Engine engine(1);
  for (const auto& [lines, messages] : cases) {
    const ReadLesson read = read_lesson(lesson_of(state + lines + "```"), "F");
    std::vector<std::string> all = reported(read.mistakes);
    if (all.empty()) all = reported(check_lesson(read.lesson, engine));
    ASSERT_EQ(all.size(), messages.size()) << lines;
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_THAT(all[i], HasSubstr(messages[i])) << lines;
    }
  }
  for (const char* wrong : {"with {", "with []", "with {\"temprature\": 2}"})
    EXPECT_FALSE(read_lesson(lesson_of(state + wrong + "\ntemperature = 1\n```"), "F").mistakes.empty())
        << wrong;
}

TEST(Lesson, shows_what_is_there) {
  Engine engine(1);
  const std::pair<const char*, const char*> cases[] = {
      {R"("view": {"layer": 9})", "view.layer is 9; expected 0 to 1"},
      {R"("view": {"head": 8})", "view.head is 8; expected 0 to 7"},
      {R"("view": {"hidden_heads": [1, 8]})", "view.hidden_heads is 8; expected 0 to 7"},
      {R"("view": {"block": "cross"})", "view.block is cross; there is no attention of this kind"},
      {R"("view": {"filter": {"hidden_keys": [2]}})", "view.filter.hidden_keys is 2; expected 0 to 1"},
      {R"("view": {"filter": {"queries": [2, 3]}})", "view.filter.queries is 2; expected 0 to 1"},
      {R"("view": {"kind": "logit_lens"})",
       "view.kind is logit_lens; expected a trained model that predicts tokens"},
      {R"("view": {"cells": "logit"})", "view.cells: It needs a trained model that predicts tokens."},
      {R"("cell": {"head": 8, "query": 0, "key": 0})", "cell.head is 8; expected 0 to 7"},
  };
  for (const auto& [field, message] : cases) {
    const std::string state =
        fmt::format("```state\n{{\"sentence\": \"a b\", \"layers\": 2, {}}}\n```", field);
    const ReadLesson read = read_lesson(lesson_of(state), "F");
    ASSERT_THAT(reported(read.mistakes), IsEmpty());
    const std::string line = std::string("F: line 3: ") + message;
    EXPECT_THAT(reported(check_lesson(read.lesson, engine)), ElementsAre(line));
    EXPECT_EQ(complaint([&] { make_handout(read.lesson, "F", Language::en, engine); }), line);
  }
}

TEST(Lesson, of_a_wrong_state_is_reported_that_alone_until_one_begins_anew) {
  const ReadLesson read = read_lesson(
      lesson_of("```state\n{\"sentence\": \"x y\", \"heads\": -1}\n```\n### English\n{weight(\"x\", \"y\", "
                "head=0)}\n"
                "## T\n```claims\nkeys = 2\n```\n"
                "## U\n```state\n{\"reset\": true, \"sentence\": \"z\"}\n```\n```claims\nkeys = 2\n```"),
      "F");
  EXPECT_THAT(reported(read.mistakes), ElementsAre(HasSubstr("F: line 4: state: heads is -1")));
  Engine engine(1);
  EXPECT_THAT(reported(check_lesson(read.lesson, engine)), ElementsAre(HasSubstr("F: line 17: keys = 2")));
}

TEST(Lesson, has_a_bar_in_a_title) {
  const Lesson lesson = read_lesson("# a \\| b | c\\|\n## \\| x\n", "F").lesson;
  EXPECT_EQ(lesson.title[Language::en], "a | b");
  EXPECT_EQ(lesson.title[Language::zh], "c|");
  EXPECT_EQ(lesson.steps.at(0).title[Language::en], "| x");
  for (const std::string name :
       {"a | b", "| b", "a |  ", "\\|", "x\n## y", "```", "# t", "{weight}", "\r\rcr"}) {
    const ReadLesson read =
        read_lesson(lesson_head("T") + lesson_step(lesson_title(name, "none"), Session{}, std::nullopt), "F");
    EXPECT_THAT(reported(read.mistakes), IsEmpty()) << name;
    ASSERT_EQ(read.lesson.steps.size(), 1U) << name;
    EXPECT_EQ(read.lesson.steps[0].title[Language::en], read.lesson.steps[0].title[Language::zh]) << name;
  }
  EXPECT_EQ(lesson_title(" \t ", "New"), "New");
  EXPECT_EQ(lesson_title("a\u202Eb", "New"), "a\\u202eb");
}

TEST(Lesson, is_written_without_what_only_a_session_says) {
  Session session;
  session.inputs.model = "m";
  session.model_weights = {{"m", "0123"}};
  session.bookmarks = {{"a", Inputs{}, View{}, {}}};
  const ReadLesson read = read_lesson(lesson_head("T") + lesson_step("S", session, std::nullopt), "F");
  EXPECT_THAT(reported(read.mistakes), IsEmpty());
  ASSERT_EQ(read.lesson.steps.size(), 1U);
  EXPECT_TRUE(read.lesson.steps[0].session.inputs.trained());
}

TEST(Lesson, too_large_to_be_read_again_is_not_written) {
  const TempFolder folder;
  const std::string path = folder.at("a.md"), step = lesson_step("S", Session{}, std::nullopt);
  const std::string head = lesson_head("T") + step + "\n";
  const std::string full = head + std::string(max_lesson_bytes - head.size() - 10, '\n') + "Words.";
  write_file(path, full);
  EXPECT_THAT(complaint([&] { add_to_lesson(path, "T", step); }), HasSubstr("a.md would have 4194"));
  EXPECT_EQ(read_file(path), full);
  write_file(path, head);
  add_to_lesson(path, "T", step);
  EXPECT_EQ(load_lesson(path).steps.size(), 2U);
}

TEST(Lesson, of_a_hostile_file_is_refused_in_little_memory) {
  std::string painted = lesson_of("```state\n{\"sentence\": \"" + std::string(500'000, 'a') + "\"}\n```");
  for (int i = 0; i < 2000; ++i) painted += "## S\n";
  EXPECT_THAT(complaint([&] { read_lesson(painted, "F"); }), HasSubstr("F: too much is packed into it"));
  std::string wide = "# T\n## S\n### English\n";
  for (int i = 0; i < 300'000; ++i) wide += "{1} ";
  EXPECT_THAT(complaint([&] { read_lesson(wide, "F"); }), HasSubstr("F: too much is packed into it"));
  EXPECT_THAT(complaint([&] { read_lesson("\xFF", "F"); }), HasSubstr("F: byte 0 is not valid UTF-8"));
  // Markers that open nothing: quadratic time would take minutes.
  std::string money = "# T\n## S\n### English\n", braces = money;
  for (int i = 0; i < 300'000; ++i) money += "$1 ", braces += "{a";
  EXPECT_THAT(read_lesson(money, "F").mistakes, IsEmpty());
  const std::vector<LessonMistake> mistakes = read_lesson(braces, "F").mistakes;
  ASSERT_EQ(mistakes.size(), max_lesson_mistakes);
  EXPECT_LT(std::string(mistakes.back().error.what()).size(), 200U);
}

}  // namespace headscope::tests
