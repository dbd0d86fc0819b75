#include "tests/support/figures.h"

namespace headscope::tests {

Session session_of(ViewKind kind) {
  Session session;
  session.view.kind = kind;
  return session;
}

std::string svg_of(const Trace& trace, const Session& session, const Trace* b = nullptr) {
  const std::string svg = drawn(FigureFormat::svg, trace, session, Language::en, 1152, 576, 100, b);
  EXPECT_TRUE(well_formed(svg));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  return svg;
}

TEST(FigureLines, join_the_columns_in_the_colours_of_the_heads) {
  Session session = session_of(ViewKind::lines);
  const Trace trace = trace_of("one two three", 4);
  const std::string all = svg_of(trace, session);
  EXPECT_EQ(count(all, ">two<"), 2U);  // as query and as key
  EXPECT_EQ(count(all, ">Head 3<"), 1U);
  const Rgb third = head_color(2, 4);
  const std::string stroke = fmt::format("stroke=\"#{:02x}{:02x}{:02x}\"", third.r, third.g, third.b);
  EXPECT_EQ(count(all, stroke), 9U);  // three queries times three keys, no weight of that head is 0
  session.view.hidden_heads = {2};
  const std::string hidden = svg_of(trace, session);
  EXPECT_EQ(count(hidden, stroke), 0U);
  EXPECT_EQ(count(hidden, ">Head 3<"), 0U);
}

TEST(FigureLayers, show_every_head_of_every_layer) {
  const std::string svg = svg_of(trace_of("one two three", 4, {}, 3), session_of(ViewKind::layers));
  EXPECT_EQ(count(svg, "shape-rendering"), 12U);
  EXPECT_EQ(count(svg, ">Layer 3<"), 1U);
  EXPECT_EQ(count(svg, ">Head 4<"), 1U);
}

TEST(FigureLayers, leave_room_for_maps_that_were_not_kept) {
  Trace trace = trace_of("one two three", 4, {}, 3);
  trace.layers[1].weights = {};
  EXPECT_EQ(count(svg_of(trace, session_of(ViewKind::layers)), "shape-rendering"), 8U);
}

TEST(FigureCompare, shows_both_sides_their_difference_and_what_changed) {
  Session session = session_of(ViewKind::compare);
  session.view.head = 1;
  const Trace a = trace_of("the cat sat", 2), b = trace_of("the dog sat down", 2);
  const std::string svg = svg_of(a, session, &b);
  for (const char* text : {">A<", ">B<", ">B − A<", ">Head 2<", ">cat → dog<", ">+ down<"})
    EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_EQ(count(svg, "shape-rendering"), 3U);
}

TEST(FigureCompare, is_the_grid_without_another_side) {
  EXPECT_EQ(count(svg_of(trace_of("the cat sat", 5), session_of(ViewKind::compare)), "shape-rendering"), 5U);
}

TEST(FigurePopulation, is_a_table_sorted_as_the_view_says) {
  Session session = session_of(ViewKind::head_table);
  Trace trace = trace_of("one two", 3);
  for (std::size_t h = 0; h < 3; ++h) trace.statistics[0][h].entropy = h == 1 ? 0.75 : 0.25;
  session.view.sort = "entropy";
  const std::string svg = svg_of(trace, session);
  EXPECT_LT(svg.find(">Head 2<"), svg.find(">Head 1<"));
  EXPECT_THAT(svg, AllOf(HasSubstr(">0.750<"), HasSubstr(">Entropy<")));
}

TEST(FigurePopulation, shows_how_alike_the_heads_are_in_groups) {
  Session session = session_of(ViewKind::head_table);
  const Trace trace = trace_of("one two", 5);
  const std::string plain = svg_of(trace, session);
  EXPECT_EQ(count(plain, "shape-rendering"), 1U);  // the matrix
  EXPECT_EQ(count(plain, ">Group<"), 0U);
  session.view.groups = 3;
  session.view.sort = "similarity";
  const std::string svg = svg_of(trace, session);
  EXPECT_EQ(count(svg, ">Group<"), 1U);
  EXPECT_GE(count(svg, ">3<"), 3U);  // the third head, the third group beside the matrix and in the table
  EXPECT_EQ(count(svg_of(trace_of("one two", 1), session), "shape-rendering"), 0U);  // nothing to compare
}

TEST(FigurePopulation, many_heads_stand_in_blocks_that_can_be_read) {
  Session session = session_of(ViewKind::head_table);
  session.inputs.layers = 12;
  session.view.groups = 9;
  const std::string svg = svg_of(trace_of("one two three", 12, {}, 12), session);
  EXPECT_GT(count(svg, ">Entropy<"), 1U);  // a title for each block
  EXPECT_GE(count(svg, ">12.12<"), 1U);
  double smallest = 100;
  for (std::size_t at = svg.find("font-size=\""); at != std::string::npos;
       at = svg.find("font-size=\"", at + 1))
    smallest = std::min(smallest, std::stod(svg.substr(at + 11)));
  EXPECT_GE(smallest, 5);  // points
}

}  // namespace headscope::tests
