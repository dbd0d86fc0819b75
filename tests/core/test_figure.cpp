#include <cstdio>

#include "core/figure/boards/draw_parts.h"
#include "core/figure/canvas/canvas.h"
#include "core/figure/canvas/pool.h"
#include "core/figure/figure.h"
#include "core/figure/text/text_shaper.h"
#include "core/session/session_figure.h"
#include "tests/support/figures.h"
#include "tests/support/inputs.h"
#include "tests/support/png.h"

namespace headscope::tests {

TEST(FigurePng, has_the_requested_size_and_says_its_resolution) {
  const std::string png = drawn(FigureFormat::png, trace_of(notebook_sentence, 8), {});
  const Pixels pixels = decoded(png);
  EXPECT_EQ(std::pair(pixels.width, pixels.height), std::pair(1600, 800));
  EXPECT_THAT(png, HasSubstr(std::string("pHYs\0\0\x0f\x61\0\0\x0f\x61\x01", 13)));  // 3937 a metre
  const Pixels fine =
      decoded(drawn(FigureFormat::png, trace_of(notebook_sentence, 8), {}, Language::en, 144, 72, 300));
  EXPECT_EQ(std::pair(fine.width, fine.height), std::pair(600, 300));
}

TEST(FigurePng, themes_have_their_background) {
  Session session;
  const auto trace = trace_of("a b c", 2);
  EXPECT_EQ(decoded(drawn(FigureFormat::png, trace, session)).at(0, 0), (Rgb{255, 255, 255}));
  session.view.theme = Theme::dark;
  EXPECT_EQ(decoded(drawn(FigureFormat::png, trace, session)).at(1599, 799),
            figure_style(Theme::dark).background);
}

TEST(Figure, the_same_is_drawn_twice) {
  const auto trace = trace_of(notebook_sentence, 8);
  for (const FigureFormat format : {FigureFormat::png, FigureFormat::svg})
    EXPECT_EQ(drawn(format, trace, {}), drawn(format, trace, {}));
}

TEST(FigureSvg, text_is_text_and_markup_is_sound) {
  const Session session = session_with(&View::title, "Heads & <tails>");
  const std::string svg = drawn(FigureFormat::svg, trace_of("cats & <dogs> sleep \"well\"", 8), session);
  EXPECT_TRUE(well_formed(svg));
  for (const char* text :
       {">Head 1<", ">Head 8<", ">sleep<", ">Key<", ">Query<", ">Heads &amp; &lt;tails&gt;<", ">&amp;<"})
    EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_EQ(count(svg, ">Key<"), 1U) << "once for all heads";
}

TEST(FigureSvg, nothing_in_a_text_moves_a_cursor_or_turns_the_line) {
  const Session session = session_with(&View::title, "a\x1b[2J \u202eb\u2069");
  const auto trace = trace_of("x\u202ey z\x1b", 2);
  const std::string svg = drawn(FigureFormat::svg, trace, session);
  for (const char* text : {">a\\x1b[2J \\u202eb\\u2069<", ">x\\u202ey<"}) EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_THAT(svg, Not(AnyOf(HasSubstr("\u202e"), HasSubstr("\x1b"))));
  // A PDF's text is shaped by the same shaper.
  TextShaper shaper;
  EXPECT_EQ(shaper.width("x\u202ey", 10), shaper.width("x\\u202ey", 10));
}

TEST(FigureSvg, few_cells_are_paths_and_many_are_a_picture) {
  const std::string small = drawn(FigureFormat::svg, trace_of(notebook_sentence, 2), {});
  EXPECT_EQ(count(small, "<image"), 0U);
  EXPECT_GT(count(small, "<path fill"), 50U);
  EXPECT_EQ(count(small, "crispEdges"), 2U);
  const std::string large = drawn(FigureFormat::svg, trace_of(sentence_of(65, "w", false), 2), {});
  EXPECT_EQ(count(large, "<image"), 2U);
  EXPECT_EQ(count(large, "image-rendering:pixelated"), 2U);
  EXPECT_TRUE(well_formed(large));
}

TEST(Figure, of_vectors_holds_every_cell_however_small_it_is) {
  const auto sides = [](Index cells) {
    const std::vector<float> values(static_cast<std::size_t>(2 * cells), 0.5F);
    const MapPicture picture = map_picture(values.data(), nullptr, 2, cells, colors(Colormap::viridis), {});
    const PooledMap pooled = map_codes_for_print(picture, {0, 0, 25, 25}, 72).pooled;
    return std::pair(pooled.rows, pooled.columns);
  };
  EXPECT_EQ(sides(125), std::pair(2, 125));
  EXPECT_EQ(sides(1024), std::pair(2, 1024));
  EXPECT_EQ(sides(1500), std::pair(2, 1024));
  const std::string pdf = drawn(FigureFormat::pdf, trace_of(sentence_of(125), 8), {}, Language::en, 245, 150);
  EXPECT_EQ(count(pdf, "/Width 125"), 8U);
  const std::string svg = drawn(FigureFormat::svg, trace_of(sentence_of(125), 8), {}, Language::en, 245, 150);
  EXPECT_EQ(count(svg, ">w0<"), 6U) << "keys below each column, queries before each row";
}

TEST(Figure, says_where_cells_are_pooled) {
  const char* said = "Each pixel shows the largest of several cells";
  const auto small = trace_of(sentence_of(1024), 1), large = trace_of(sentence_of(1025), 1);
  EXPECT_THAT(drawn(FigureFormat::svg, small, {}), Not(HasSubstr(said)));
  EXPECT_THAT(drawn(FigureFormat::svg, large, {}), HasSubstr(said));
}

TEST(FigureSvg, stays_small_at_five_hundred_tokens) {
  const auto trace = trace_of(sentence_of(512), 8);
  EXPECT_LT(drawn(FigureFormat::svg, trace, {}).size(), 6'000'000U);
  EXPECT_LT(drawn(FigureFormat::pdf, trace, {}).size(), 6'000'000U);
}

TEST(FigureSvg, speaks_chinese) {
  const std::string svg = drawn(FigureFormat::svg, trace_of("猫坐在垫子上", 8), {}, Language::zh);
  for (const char* text : {">头 1<", ">键<", ">查询<", ">垫子<", "xml:lang=\"zh-CN\""})
    EXPECT_THAT(svg, HasSubstr(text));
}

TEST(FigureSvg, one_head_alone_has_numbers_where_they_fit) {
  Session session = session_with(&View::kind, ViewKind::head, &View::head, 2);
  const auto trace = trace_of("a b c", 8);  // weights of head 2: 0.22, 0.59, 0.96 …
  const std::string svg = drawn(FigureFormat::svg, trace, session);
  EXPECT_THAT(svg, AllOf(HasSubstr(">Head 3<"), Not(HasSubstr(">Head 1<")), HasSubstr(">0.22<")));
  session.view.numbers = Numbers::off;
  EXPECT_EQ(count(drawn(FigureFormat::svg, trace, session), ">0.22<"), 0U);
}

TEST(FigureSvg, hidden_heads_and_filtered_tokens_are_left_out) {
  const Session session =
      session_with(&View::hidden_heads, std::set{0}, &View::filter, Filter{.hidden_keys = {1}});
  const std::string svg = drawn(FigureFormat::svg, trace_of("one two three", 4), session);
  EXPECT_EQ(count(svg, ">Head 1<"), 0U);
  EXPECT_EQ(count(svg, ">Head 2<"), 1U);
  EXPECT_EQ(count(svg, ">two<"), 1U) << "as a query only, once for all heads";
  EXPECT_NE(svg.find("renormalized"), std::string::npos);
}

TEST(FigureSvg, queries_with_no_key_are_marked) {
  const Session session = session_with(&View::kind, ViewKind::head, &View::head, 0);
  const auto trace = trace_of("a b c", 1, mask_parts({"causal", "padding:0"}));
  const std::string svg = drawn(FigureFormat::svg, trace, session);
  EXPECT_EQ(count(svg, ">no key to attend to<"), 1U);
}

TEST(Figure, every_size_and_shape_is_drawn) {
  for (const std::string& sentence : std::vector<std::string>{"one", "a b", std::string(400, 'x') + " short",
                                                              "שלום مرحبا 👍🏽 e\u0301 猫"})
    for (const int heads : {1, 7, 64})
      for (const Range range : {Range::unit, Range::shared, Range::head, Range::logarithm}) {
        const Session session = session_with(&View::range, RangeChoice{range});
        for (const auto& [width, height] : {std::pair{36.0, 36.0}, {1152.0, 576.0}, {36.0, 700.0}}) {
          const std::string svg =
              drawn(FigureFormat::svg, trace_of(sentence, heads), session, Language::en, width, height);
          EXPECT_TRUE(well_formed(svg));
          EXPECT_EQ(svg.find("nan"), std::string::npos);
        }
      }
}

TEST(Figure, an_empty_sentence_is_said_friendly) {
  const std::string svg = drawn(FigureFormat::svg, trace_of("", 8), {});
  EXPECT_NE(svg.find("No tokens yet"), std::string::npos);
  EXPECT_TRUE(well_formed(svg));
  EXPECT_GT(drawn(FigureFormat::pdf, trace_of("", 8), {}).size(), 100U);
}

class FigureFile : public InFolder {};

std::string output_of(const std::string& command) {
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 4096> buffer;
  for (std::size_t n = 1; n > 0;)
    output.append(buffer.data(), n = fread(buffer.data(), 1, buffer.size(), pipe));
  pclose(pipe);
  return output;
}

TEST(Figure, texts_that_no_font_has_are_drawn_in_every_format) {
  Session session;
  session.view.title = "a\uffff\ufdd0\U0010ffff b";
  for (const FigureFormat format : {FigureFormat::png, FigureFormat::svg, FigureFormat::pdf})
    EXPECT_GT(drawn(format, trace_of("a\ufffe b\U0001fffe", 1), session).size(), 100U);
}

TEST(Figure, a_title_of_marks_on_one_letter_is_not_shaped_whole) {
  Session session;
  session.view.title = "e";
  for (int i = 0; i < 100'000; ++i) session.view.title += "\u0301";
  for (const FigureFormat format : {FigureFormat::png, FigureFormat::svg})
    EXPECT_LT(drawn(format, trace_of("a b", 1), session).size(), 100'000U);
}

TEST_F(FigureFile, pdf_text_can_be_selected) {
  if (std::system("pdftotext -v > /dev/null 2>&1") != 0) GTEST_SKIP() << "pdftotext is not there";
  write_file(at("f.pdf"), drawn(FigureFormat::pdf, trace_of("猫 sat quietly", 1), {}));
  const std::string text = output_of("pdftotext '" + at("f.pdf") + "' -");
  for (const char* word : {"Head 1", "quietly", "Key", "Attention"}) EXPECT_THAT(text, HasSubstr(word));
}

TEST_F(FigureFile, no_chinese_character_is_blank_in_pdf) {
  if (std::system("pdftoppm -v > /dev/null 2>&1") != 0) GTEST_SKIP() << "pdftoppm is not there";
  TextShaper shaper;
  PdfPages pages(100, 100, 72, shaper, {});
  pages.canvas().text("如", 10, 50, {80, {0, 0, 0}, Anchor::start});
  write_file(at("f.pdf"), pages.finish());
  const std::string pixels = output_of("pdftoppm -r 72 -gray '" + at("f.pdf") + "'");
  EXPECT_GT(std::ranges::count_if(pixels, [](char c) { return static_cast<unsigned char>(c) < 100; }), 800);
}

TEST_F(FigureFile, a_session_travels_through_every_format) {
  const Session session = session_with(&Inputs::sentence, "猫 & <dog> \"quoted\" \\ ]]>", &Inputs::seed,
                                       std::uint64_t{7}, &View::colormap, Colormap::magma);
  const auto trace = trace_of(session.inputs.sentence, 8);
  for (const char* name : {"f.png", "f.svg", "f.pdf", "UPPER.PNG"}) {
    export_figure(at(name), scene_of(session, trace), to_json(session), {});
    EXPECT_EQ(session_from_figure(at(name)), session) << name;
  }
}

TEST_F(FigureFile, what_cannot_be_is_said_and_nothing_is_written) {
  const auto trace = trace_of("a b", 2);
  const auto refused = [&](const char* name, FigureOptions options) {
    EXPECT_THROW(export_figure(at(name), scene_of({}, trace), "", options), Error) << name;
    EXPECT_FALSE(fs::exists(at(name))) << name;
  };
  refused("f.jpg", {});
  refused("f", {});
  refused("missing/f.png", {});
  for (const double bad : {0.0, -1.0, 1e9, std::nan(""), HUGE_VAL}) {
    refused("f.png", {.width = bad});
    refused("f.svg", {.height = bad});
    refused("f.pdf", {.dpi = bad});
  }
  refused("f.png", {.width = 100, .height = 100, .dpi = 1200});
  EXPECT_THROW(session_from_figure(at("missing.png")), Error);
}

}  // namespace headscope::tests
