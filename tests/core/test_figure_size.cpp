#include "core/base/version.h"
#include "core/figure/caption.h"
#include "core/figure/figure_size.h"
#include "core/figure/page.h"
#include "core/scene/arrangement.h"
#include "tests/support/figures.h"
#include "tests/support/inputs.h"
#include "tests/support/recording_canvas.h"

namespace headscope::tests {

TEST(FigureSize, columns_have_the_widths_of_the_journals) {
  const std::pair<const char*, double> millimetres[] = {{"column", 85}, {"two-columns", 178},
                                                        {"nature", 89}, {"nature-two-columns", 183},
                                                        {"ieee", 88.9}, {"ieee-two-columns", 181.86}};
  for (const auto& [name, width] : millimetres) {
    const FigureSize* const size = find_figure_size(name);
    ASSERT_NE(size, nullptr) << name;
    EXPECT_NEAR(size->width * mm_per_inch, width, 0.01);
    EXPECT_TRUE(size->column && !size->height);
  }
  EXPECT_EQ(find_figure_size("large"), nullptr);
}

TEST(FigureSize, eight_heads_use_the_width_of_a_column) {
  Session session;
  const Scene plain =
      scene_of(session, trace_of("The animal didn't cross the street because it was tired", 8));
  for (const char* name : {"column", "two-columns", "nature", "ieee"}) {
    SCOPED_TRACE(name);
    Scene scene = plain;
    FigureOptions options;
    use_size(*find_figure_size(name), options);
    use_size(*find_figure_size(name), scene.view);
    const double width = 72 * options.width;
    options.height = figure_height(scene, options);
    TextShaper shaper;
    RecordingCanvas figure(shaper);
    Page(scene, options, shaper, true).draw(figure);
    double left = width, right = 0, area = 0;
    for (const Rect& map : figure.places) {
      left = std::min(left, map.x);
      right = std::max(right, map.right());
      area += map.width * map.height;
    }
    EXPECT_GT(right - left, 0.6 * width) << "the rest is words and the bar";
    EXPECT_GT(area, 0.4 * width * 72 * *options.height);
    EXPECT_EQ(std::ranges::count_if(
                  figure.texts, [](const std::string& text) { return text.starts_with("Attention weight"); }),
              1)
        << "one bar for all heads";
    for (const auto& text : figure.written) EXPECT_GE(text.style.size, 6 - 1e-6) << text.where();
  }
}

TEST(FigureCaption, says_what_the_figure_shows) {
  Session session = session_with(&View::range, RangeChoice{Range::unit});
  session.view.hidden_heads = {0, 2};
  const Scene scene = scene_of(session, trace_of("one two three", 4));
  const std::string caption = figure_caption(scene, Translator());
  EXPECT_THAT(caption, AllOf(HasSubstr("Heads 2, 4."), HasSubstr("“one two three”"),
                             HasSubstr("Rows are queries, columns are keys."), HasSubstr("0–1"),
                             HasSubstr(program_version())));
  const std::string chinese = figure_caption(scene, Translator(Language::zh));
  EXPECT_THAT(chinese, AllOf(HasSubstr("行为查询，列为键。"), Not(HasSubstr("。 "))));
}

TEST(Arrangement, is_a_text_both_ways) {
  for (const Arrangement& one : {Arrangement{}, Arrangement{2, 4}, Arrangement{0, 0, TableHalf::numbers},
                                 Arrangement{0, 0, {}, true}, Arrangement{1, 3, TableHalf::scatter, false}})
    if (const std::string text = to_text(one); !text.empty()) EXPECT_EQ(arrangement_from(text), one) << text;
  for (const char* text : {"", "x", "2x", "0x2", "2x-1", "2x4,", "above"})
    EXPECT_EQ(arrangement_from(text), std::nullopt) << text;
}

}  // namespace headscope::tests
