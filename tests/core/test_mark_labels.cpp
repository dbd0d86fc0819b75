#include "core/figure/boards/mark_labels.h"
#include "core/figure/page.h"
#include "tests/support/figures.h"
#include "tests/support/inputs.h"
#include "tests/support/recording_canvas.h"

namespace headscope::tests {

using Large = std::set<std::pair<Index, Index>>;

LabelSide side_of(MarkKind kind, const MarkedCells& cells, const Large& large,
                  std::string_view text = "here") {
  return label_side(kind, cells, text, 20, 20, [&](Index row, Index column) {
    return large.contains({row, column}) ? 1.0F : 0.01F;
  });
}

TEST(MarkLabels, a_box_has_its_text_above_unless_that_covers_a_large_weight) {
  const MarkedCells box{8, 9, 8, 9};
  EXPECT_EQ(side_of(MarkKind::box, box, {}), (LabelSide{0, -1}));
  EXPECT_EQ(side_of(MarkKind::box, box, {{6, 9}}), (LabelSide{0, 1})) << "below";
  EXPECT_EQ(side_of(MarkKind::box, box, {{6, 9}, {11, 9}}), (LabelSide{1, 0})) << "at its right";
  EXPECT_EQ(side_of(MarkKind::box, {0, 1, 8, 9}, {}), (LabelSide{0, 1})) << "no room above";
  EXPECT_EQ(side_of(MarkKind::box, {8, 9, 17, 18}, {}), (LabelSide{1, -1})) << "it ends where the box does";
}

TEST(MarkLabels, an_arrow_comes_from_where_its_text_covers_no_large_weight) {
  const MarkedCells cell{12, 12, 6, 6};
  EXPECT_EQ(side_of(MarkKind::arrow, cell, {}), (LabelSide{1, -1})) << "from where there is most room";
  Large stripe;
  for (Index i = 0; i < 20; ++i)
    for (Index j = i; j < 20; ++j) stripe.insert({i, j});
  EXPECT_EQ(side_of(MarkKind::arrow, {12, 12, 11, 11}, stripe), (LabelSide{-1, 1}));
}

/// Where the texts of marks are, in shares of their map.
std::vector<std::pair<double, double>> places_of_texts(const Scene& scene, double width, double font) {
  TextShaper shaper;
  FigureOptions options{.width = width, .font_size = font};
  RecordingCanvas canvas(shaper);
  options.height = width;
  Page(scene, options, shaper, true).draw(canvas);
  const Rect& map = canvas.places.at(0);
  std::vector<std::pair<double, double>> places;
  for (const char* text : {"one", "two"}) {
    const Rect& box = canvas.only(text).box;
    places.emplace_back((box.x + box.width / 2 - map.x) / map.width,
                        (box.y + box.height / 2 - map.y) / map.height);
  }
  return places;
}

TEST(MarkLabels, a_text_is_at_the_same_place_of_its_map_at_each_size) {
  Session session = session_with(&View::kind, ViewKind::head);
  session.marks = {
      {MarkKind::box, TokenRange{1, 2}, TokenRange{2, 3}, {}, {}, "one"},
      {MarkKind::arrow, TokenRange{3, 4}, TokenRange{0, 1}, {}, {}, "two", LabelPlace{0.4, 0.6}}};
  const Scene scene = scene_of(session, trace_of("the cat sat on the mat", 1));
  const auto usual = places_of_texts(scene, 6, 9);
  EXPECT_NEAR(usual[1].first, 0.4, 0.01) << "where it was put";
  EXPECT_NEAR(usual[1].second, 0.6, 0.01);
  for (const auto& [width, font] : {std::pair{3.4, 7.0}, {10.0, 14.0}, {20.0, 24.0}}) {
    const auto other = places_of_texts(scene, width, font);
    for (std::size_t i = 0; i < usual.size(); ++i) {
      EXPECT_NEAR(other[i].first, usual[i].first, 0.12) << width;
      EXPECT_NEAR(other[i].second, usual[i].second, 0.12) << width;
    }
  }
}

}  // namespace headscope::tests
