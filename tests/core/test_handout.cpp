#include "core/base/stopped.h"
#include "core/figure/page.h"
#include "core/teach/handout.h"
#include "core/teach/handout_parts.h"
#include "core/teach/library.h"
#include "core/teach/paginate.h"
#include "tests/support/recording_canvas.h"
#include "tests/support/testing.h"

namespace headscope::tests {

const std::string whole_lesson = R"(# Parts & pieces | 各部分

### English
With {tokens} tokens.
### 中文
共 {tokens} 个词元。

## One <step> | 第一步

```state
{"sentence": "a b c", "d_model": 8, "heads": 2, "view": {"kind": "grid"}, "mask": ["causal"],
 "cell": {"head": 1, "query": 2, "key": 0}}
```

### English
Some *emphasis*, **strong**, `code {x}` and $\frac{a}{b}$ with {weight(0, 0):.2f}:

- first
- second
  1. nested {d_model}

> quoted

| a | b |
|---|--:|
| $x_1$ | {heads} |

```
x = {1: 2}
```

$$\sqrt{d_k}$$

---

#### Heading
### 中文
权重是 {weight(0, 0):.2f}。

```question
en: How *many* heads?
zh: 几个头？
check: heads = 4
answer-en: It was {heads}.
answer-zh: 原来是 {heads} 个。
solution: {"heads": 4}
```

## The same picture | 同一张图

### English
Nothing new to see.
### 中文
没有新的图。
)";

Lesson parsed_lesson(const std::string& text) {
  ReadLesson read = read_lesson(text, "lesson.md");
  EXPECT_THAT(read.mistakes, IsEmpty());
  return std::move(read.lesson);
}

/// Reading finds that the file is cut short.
class FailingMaps : public MapSource {
 public:
  using MapSource::MapSource;
  void rows(int, int, Index begin, Index end, float* out) const override {
    std::fill_n(out, (end - begin) * size().n_k, 0.0F);
  }
  std::optional<Error> error() const override { return input_error("{} cannot be read", "the map"); }
};

class HandoutTest : public testing::Test {
 protected:
  Engine engine_{1};
  Handout make(const std::string& text, Language language) {
    return make_handout(parsed_lesson(text), "lesson.md", language, engine_);
  }
};

TEST_F(HandoutTest, is_html_that_needs_nothing_else) {
  const std::string html = handout_html(make(whole_lesson, Language::en), Paper::a4);
  for (const char* part : {
           "<html lang=\"en\">",
           "<title>Parts &amp; pieces</title>",
           "<p>With 3 tokens.</p>",
           "<h2>1  One &lt;step&gt;</h2>",
           "<em>emphasis</em>, <strong>strong</strong>, <code>code {x}</code>",
           "aria-label=\"\\frac{a}{b}\"",
           " with 1.00:</p>",
           "<li>first</li>",
           "<ol start=\"1\">\n<li>nested 8</li>",
           "<blockquote><p>quoted</p>",
           "<th>a</th><th style=\"text-align:right\">b</th>",
           "<td style=\"text-align:right\">2</td>",
           "<pre>x = {1: 2}\n</pre>",
           "<hr>",
           "<h4>Heading</h4>",
           "<h3>Question 1</h3>\n<p>How <em>many</em> heads?</p>",
           "<figcaption>Head 2, c → a: weight ",
           "<h2>2  The same picture</h2>",
           "<h2>Answers</h2>\n<h3>Question 1</h3>\n<div class=\"question\">\n<p>How <em>many</em> "
           "heads?</p>\n"
           "</div>\n<p>It was 2.</p>\n<figure>",
           "size: A4",
       })
    EXPECT_THAT(html, HasSubstr(part));
  EXPECT_EQ(count(html, "<figure>"), 2U) << "the second step shows the same, the solution another one";
  EXPECT_EQ(count(html.substr(html.find("<h2>Answers")), ">Head 4<"), 1U);
  EXPECT_EQ(count(html, ">Head 4<"), 1U);
  EXPECT_GT(html.find("It was 2"), html.find("Nothing new"));
  EXPECT_EQ(count(html, "id=\"hatch\"") + count(html, "url(#hatch)"), 0U);
  EXPECT_EQ(count(html, "id=\"figure1-hatch\""), 1U);
  for (const char* part : {"<script", "src=", "<link", "@import"}) EXPECT_EQ(count(html, part), 0U) << part;
  EXPECT_EQ(count(html, "http"), count(html, "http://www.w3.org/"));
}

TEST_F(HandoutTest, shows_the_steps_of_the_cell_that_is_locked) {
  const auto html_of = [&](const std::string& head, int cell) {
    const std::string state = fmt::format(
        R"({{"sentence": "a b c", "d_model": 8, "heads": 4, "view": {{"kind": "steps", "stage": "softmax"{}}},
 "cell": {{"head": {}, "query": 1, "key": 0}}}})",
        head, cell);
    return handout_html(
        make("# Way\n\n## One\n\n```state\n" + state + "\n```\n\n### English\nText.\n### 中文\n文。\n",
             Language::en),
        Paper::a4);
  };
  EXPECT_EQ(html_of("", 2), html_of(R"(, "head": 2)", 2));
  EXPECT_NE(html_of("", 2), html_of("", 0));
}

TEST_F(HandoutTest, names_both_texts_of_a_figure_and_begins_no_line_with_what_closes) {
  const auto html_of = [&](const std::string& state) {
    return handout_html(
        make("# T\n## S\n```state\n{\"sentence\": \"a b\", \"d_model\": 8, \"heads\": 2" + state +
                 "}\n```\n### English\nAs $K = X$; so it is.\n### 中文\n键 $K = X$；如此。\n",
             Language::zh),
        Paper::a4);
  };
  const std::string compared = html_of(R"(, "compare": {"sentence": "c d"}, "view": {"kind": "compare"})");
  EXPECT_THAT(compared, HasSubstr("<p class=\"text\">A：a b</p>\n<p class=\"text\">B：c d</p>"));
  EXPECT_THAT(compared, HasSubstr("</svg>&#8288;；如此"));
  const std::string crossed = html_of(R"(, "key_sentence": "x")");
  EXPECT_THAT(crossed, HasSubstr("<p class=\"text\">查询：a b</p>\n<p class=\"text\">键：x</p>"));
  EXPECT_EQ(count(html_of(""), "class=\"text\""), 0U) << "there is one text";
}

TEST_F(HandoutTest, is_in_the_language_requested) {
  const std::string html = handout_html(make(whole_lesson, Language::zh), Paper::letter);
  for (const char* part : {"<html lang=\"zh-CN\">", "<h1>各部分</h1>", "共 3 个词元", "权重是 1.00。",
                           "<h3>第 1 题</h3>", "<h2>答案</h2>", "原来是 2 个", "size: letter"})
    EXPECT_THAT(html, HasSubstr(part));
}

TEST_F(HandoutTest, has_room_to_write_and_the_answers_apart_or_not_at_all) {
  Handout handout = make(whole_lesson, Language::en);
  const std::string with = handout_html(handout, Paper::a4);
  EXPECT_THAT(with, HasSubstr("<p class=\"name\">Name: ___"));
  EXPECT_EQ(count(with, "<div class=\"line\">"), 4U);
  EXPECT_THAT(with, HasSubstr(".answers { break-before: page; }"));
  EXPECT_THAT(with, HasSubstr("<section class=\"answers\">"));
  const std::string pdf = handout_pdf(handout, Paper::a4);
  handout.answers = false;
  EXPECT_THAT(handout_html(handout, Paper::a4),
              Not(AnyOf(HasSubstr("It was 2"), HasSubstr("<h2>Answers</h2>"))));
  const std::string without = handout_pdf(handout, Paper::a4);
  EXPECT_THAT(pdf, HasSubstr("/Count 2")) << "the answers with their question and a figure on a page";
  EXPECT_THAT(without, HasSubstr("/Count 1"));
}

TEST_F(HandoutTest, has_live_addresses) {
  const Handout handout = make(
      "# T\n\n## S\n\n### English\nSee [the paper](https://arxiv.org/abs/1706.03762) and [Masks](masks).\n",
      Language::en);
  const std::string html = handout_html(handout, Paper::a4), pdf = handout_pdf(handout, Paper::a4);
  EXPECT_THAT(html, HasSubstr("See <a href=\"https://arxiv.org/abs/1706.03762\">the paper</a> and Masks."));
  EXPECT_THAT(pdf, HasSubstr("/URI (https://arxiv.org/abs/1706.03762)"));
}

TEST_F(HandoutTest, shows_no_figure_twice) {
  const std::string maps = R"({"sentence": "a b c", "view": {"kind": "grid"}, "highlight": ["map"]})",
                    other = R"({"view": {"kind": "head", "head": 1}})",
                    again = R"({"view": {"kind": "grid", "head": null}})";
  std::string text = "# T\n\n";
  for (const std::string& state : {maps, other, again})
    text += "## S\n\n```state\n" + state + "\n```\n\n### English\nText.\n\n";
  const std::string html = handout_html(make(text, Language::en), Paper::a4);
  EXPECT_EQ(count(html, "<figure>"), 2U);
  EXPECT_THAT(html, HasSubstr("Figure: see step 1"));
}

TEST_F(HandoutTest, marks_the_tensor_of_the_step_and_draws_what_view_does) {
  const auto text_of = [&](const std::string& mark) {
    return handout_html(make("# T\n\n## S\n\n```state\n{\"sentence\": \"a b c\", \"d_model\": 8, \"heads\": "
                             "2, \"view\": {\"kind\": "
                             "\"steps\", \"stage\": \"products\"}, \"cell\": {\"head\": 0, \"query\": 1, "
                             "\"key\": 0}, \"highlight\": [" +
                                 mark + "]}\n```\n\n### English\nText.\n",
                             Language::en),
                        Paper::a4);
  };
  EXPECT_NE(text_of(R"("shapes", "shape q")"), text_of(R"("shapes", "shape scores")"));
  EXPECT_NE(text_of(R"("shapes", "shape view")"), text_of(R"("shapes", "shape transpose")"));
  EXPECT_EQ(text_of(R"("shapes")"), text_of(R"("shapes", "map")"));
}

TEST_F(HandoutTest, is_a_pdf_of_pages_with_their_fonts) {
  const Handout handout = make(whole_lesson, Language::en);
  const std::string pdf = handout_pdf(handout, Paper::a4);
  EXPECT_TRUE(pdf.starts_with("%PDF-"));
  EXPECT_THAT(pdf, HasSubstr("/MediaBox [ 0 0 595.28 841.89 ]"));
  EXPECT_THAT(handout_pdf(handout, Paper::letter), HasSubstr("/MediaBox [ 0 0 612 792 ]"));
  EXPECT_GE(count(pdf, "/FontFile"), 3U);  // regular, bold, italic or monospaced
  EXPECT_EQ(count(pdf, "/Type /FontDescriptor"), count(pdf, "/FontFile"));
}

TEST_F(HandoutTest, begins_a_page_where_one_is_full) {
  std::string text = "# Long\n\n## One\n\n### English\n\n";
  const auto pages = [&] {
    const std::string pdf = handout_pdf(make(text, Language::en), Paper::a4);
    return count(pdf, "/Type /Page %");
  };
  EXPECT_EQ(pages(), 1U);
  for (int i = 0; i < 120; ++i) text += "A paragraph of one line.\n\n";
  EXPECT_EQ(pages(), 4U);
  // This line does not fit on a page with what belongs to it: it is split anyway.
  text += "```\n" + std::string(20'000, 'x') + "\n```\n";
  EXPECT_GT(pages(), 6U);
  // Endless words, and accents on one letter: quadratic time would take an hour.
  std::string accents;
  for (int i = 0; i < 300'000; ++i) accents += "\u0301";
  text = "# T\n## S\n### English\n" + std::string(100'000, 'T') + "\n\na" + accents + "\n";
  EXPECT_GT(pages(), 20U);
  // No line can break between spaces, or between brackets.
  std::string brackets;
  for (int i = 0; i < 100'000; ++i) brackets += "）";
  text = "# T\n## S\n### English\n`a" + std::string(300'000, ' ') + "b`\n\n" + brackets + "\n";
  EXPECT_GT(pages(), 20U);
}

TEST_F(HandoutTest, runs_again_only_where_inputs_change_and_has_no_sign_that_turns_its_text) {
  const std::string text =
      "# A\u202EB\uFFFF\n## S\n```state\n{\"sentence\": \"a b\"}\n```\n### English\nx\u2066y 汉字\n"
      "## T\n```state\n{\"view\": {\"kind\": \"head\"}}\n```\n## U\n```state\n{\"temperature\": 2}\n```\n";
  const Handout handout = make(text, Language::en);
  const auto run_of = [&](std::size_t step) { return handout.steps.at(step).figure.scene->trace; };
  EXPECT_EQ(run_of(0), run_of(1));
  EXPECT_NE(run_of(1), run_of(2));
  const std::string html = handout_html(handout, Paper::a4);
  EXPECT_THAT(html, HasSubstr("<h1>A\\u202eB\uFFFD</h1>"));
  EXPECT_THAT(html, HasSubstr("<p>x\\u2066y 汉字</p>"));
  for (const char* raw : {"\u202E", "\u2066", "\uFFFF"}) EXPECT_EQ(count(html, raw), 0U);
}

TEST_F(HandoutTest, gives_up_where_it_is_stopped_and_writes_nothing) {
  const TempFolder folder;
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(
      make_handout(parsed_lesson(whole_lesson), "lesson.md", Language::en, engine_, true, stop.get_token()),
      Stopped);
  for (const HandoutFormat& format : handout_formats()) {
    const std::string path = folder.at(std::string("a") + format.ending);
    EXPECT_THROW(export_handout(path, parsed_lesson(whole_lesson), "l.md", Language::en, Paper::a4, true,
                                engine_, stop.get_token()),
                 Stopped);
    EXPECT_FALSE(fs::exists(path)) << path;
  }
}

TEST(Handout, keeps_figures_with_their_text_and_fills_pages) {
  PagePiece text{10, 10}, figure{5, 34};
  text.part = text.with_figure = true;
  figure.smallest = 0.72;
  figure.largest = 1.25;
  figure.draw_scaled = [](PdfPages&, double, double) {};
  const std::vector<PagePiece> pieces{text, figure, text, figure, text, figure, text, text};
  const std::vector<PlacedPage> pages = paginate(pieces, 0, 100);
  ASSERT_EQ(pages.size(), 2U);
  ASSERT_EQ(pages[0].size(), 4U) << "the second figure is made smaller";
  EXPECT_EQ(pages[0][1].scale, 1);
  EXPECT_LT(pages[0][3].scale, 1);
  EXPECT_NEAR(pages[0][3].y + pages[0][3].scale * 34, 100, 1e-6);
  EXPECT_EQ(pages[1][1].scale, 1) << "the last page may end early";

  figure.height = 40;  // two of these do not fit
  const std::vector<PagePiece> large{text, figure, text, figure};
  const std::vector<PlacedPage> two = paginate(large, 0, 100);
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0].size(), 2U);
  EXPECT_NEAR(two[0][1].scale, 1.25, 1e-6);
  PagePiece low = figure, high = figure;
  low.height = 20;
  high.height = 80;
  const std::vector<PagePiece> uneven{text, low, text, high};
  EXPECT_EQ(paginate(uneven, 0, 100)[0].size(), 3U) << "most of the page would be empty";
  low.height = 30;
  const std::vector<PagePiece> even{text, low, text, high};
  EXPECT_EQ(paginate(even, 0, 100)[0].size(), 2U) << "a figure stays with its text";
  figure.height = 200;
  const std::vector<PagePiece> too_large{text, text, figure};
  EXPECT_EQ(paginate(too_large, 0, 100)[0].size(), 2U) << "no page holds both";
}

TEST(Handout, lays_out_a_long_step_with_a_figure_a_page_at_a_time) {
  PagePiece line{0, 1};
  line.with_figure = true;
  const std::vector<PagePiece> pieces(500'000, line);
  EXPECT_EQ(paginate(pieces, 0, 100).size(), 5000U);
}

TEST(Handout, has_no_last_page_that_is_nearly_empty_where_figures_can_be_smaller) {
  PagePiece text{0, 10}, figure{0, 40};
  figure.smallest = 0.72;
  figure.draw_scaled = [](PdfPages&, double, double) {};
  const std::vector<PagePiece> pieces{figure, figure, text, text, text};  // 110 of 100
  EXPECT_EQ(paginate(pieces, 0, 100).size(), 1U);
  PagePiece answers = text;
  answers.new_page = true;
  const std::vector<PagePiece> with{figure, figure, text, text, text, answers};
  const auto pages = paginate(with, 0, 100);
  ASSERT_EQ(pages.size(), 2U);
  EXPECT_EQ(pages[1].size(), 1U);
}

TEST(Handout, draws_tables_of_predictions_smaller_than_maps) {
  Scene scene = make_scene(std::make_shared<BlockTrace>(), nullptr, {}, {}, {});
  for (const ViewKind kind : {ViewKind::head, ViewKind::lens, ViewKind::contributions}) {
    scene.view.kind = kind;
    EXPECT_EQ(handout_figure(scene, Language::en).width > handout_width, kind != ViewKind::head);
  }
}

TEST_F(HandoutTest, reports_the_line_of_what_cannot_be_computed) {
  const std::string text =
      "# T\n\n## S\n\n```state\n{\"sentence\": \"a b\"}\n```\n\n### English\nx\n{weight(5, 0, head=0)}\n";
  const fs::path folder = fs::temp_directory_path();
  EXPECT_EQ(complaint([&] {
              export_handout(folder / "none.pdf", parsed_lesson(text), "l.md", Language::en, Paper::a4, true,
                             engine_);
            }),
            "l.md: line 11: query is 5; expected 0 to 1");
  EXPECT_FALSE(fs::exists(folder / "none.pdf"));
}

/// The steps of the arithmetic are readable on paper.
void expect_readable(const Handout& handout) {
  TextShaper shaper;
  const BoardStyle style = board_style(figure_style(Theme::light), shaper);
  for (const HandoutStep& step : handout.steps) {
    if (!step.figure.scene || step.figure.scene->view.kind != ViewKind::steps) continue;
    const auto board = handout_board(*step.figure.scene, style, Translator(handout.language));
    ASSERT_TRUE(board);
    EXPECT_LE(board->width, handout_width * points_per_inch + 1) << step.title;
    const double smallest = step.figure.scene->view.steps.page == StepsPage::cell ? 5 : 6;
    for (const BoardText& text : board->texts)
      EXPECT_GE(text.style.size, smallest) << step.title << text.text;
  }
}

/// How many figures have their weights over a picture; each is drawn.
std::size_t expect_pictures(const Handout& handout) {
  std::size_t count = 0;
  const auto expect_picture = [&](const HandoutFigure& figure) {
    if (!figure.scene || figure.scene->view.kind != ViewKind::picture) return;
    TextShaper shaper;
    RecordingCanvas canvas(shaper);
    Page(*figure.scene, handout_figure(*figure.scene, handout.language), shaper, true).draw(canvas);
    EXPECT_EQ(canvas.pictures.size(), 1U);
    ++count;
  };
  for (const HandoutStep& step : handout.steps) {
    expect_picture(step.figure);
    for (const HandoutQuestion& question : step.questions) expect_picture(question.solution);
  }
  return count;
}

TEST_F(HandoutTest, whose_map_cannot_be_read_is_not_written) {
  Handout handout = make(whole_lesson, Language::en);
  Scene& scene = *handout.steps.front().figure.scene;
  BlockTrace block = *scene.block;
  block.maps = std::make_shared<const FailingMaps>(block.maps->size());
  scene.block = std::make_shared<const BlockTrace>(std::move(block));
  for (const auto write : {handout_pdf, handout_html})
    EXPECT_THAT(complaint([&] { write(handout, Paper::a4, {}); }), HasSubstr("cannot be read"));
}

TEST_F(HandoutTest, consists_of_every_lesson_of_the_program) {
  for (const BuiltInLesson& one : built_in_lessons())
    for (const Language language : {Language::en, Language::zh}) {
      if (one.course) continue;  // of the same steps
      SCOPED_TRACE(one.name);
      // Its maps take seconds, have a million cells each, and are the same in both languages.
      const bool is_long = one.name == std::string("long-texts");
      if (is_long && language == Language::en) continue;
      const Lesson lesson = open_lesson(one.name).lesson;
      const Handout handout = make_handout(lesson, one.name, language, engine_);
      ASSERT_EQ(handout.steps.size(), lesson.steps.size());
      for (const HandoutStep& step : handout.steps)
        for_each_span(step.text, [](const TextSpan& span) {
          EXPECT_NE(span.kind, TextSpan::Kind::number);
          if (span.kind == TextSpan::Kind::text) {
            EXPECT_THAT(span.text, Not(HasSubstr("{")));
          }
        });
      expect_readable(handout);
      const std::string pdf = handout_pdf(handout, Paper::a4), html = handout_html(handout, Paper::a4);
      EXPECT_GT(count(pdf, "/Type /Page %"), 2U);
      const std::size_t pictures = expect_pictures(handout);
      EXPECT_EQ(pictures > 0, one.name == std::string("pictures"));
      EXPECT_GE(count(html, "<image "), pictures);
      EXPECT_LT(pdf.size() + html.size(), is_long ? 8'000'000U : 3'000'000U);
      EXPECT_THAT(html, HasSubstr(language == Language::zh ? "<h2>答案</h2>" : "<h2>Answers</h2>"));
    }
}

}  // namespace headscope::tests
