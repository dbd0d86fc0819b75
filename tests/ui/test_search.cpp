#include "tests/ui/app_fixture.h"

namespace headscope::tests {

class Search : public AppFixture {
 protected:
  Search() { app.inputs.sentence = "The cat saw the other cat"; }
  void find(const std::u32string& text) {
    press(Key::f, true);
    frames(2);
    type(text);
  }
};

TEST_F(Search, marks_what_is_typed_and_goes_from_place_to_place) {
  settle();
  EXPECT_FALSE(shows("search text"));
  find(U"cat");
  ASSERT_TRUE(shows("search text"));
  EXPECT_EQ(app.state.search.places().size(), 2U);
  EXPECT_TRUE(app.state.search.marks(false, 1));
  EXPECT_TRUE(app.state.search.marks(true, 5));
  EXPECT_FALSE(app.state.search.marks(false, 0));
  EXPECT_FALSE(app.state.lock) << "nothing moves while it is typed";
  click("found next");
  ASSERT_TRUE(app.state.lock);
  EXPECT_EQ(app.state.lock->query, 1);
  EXPECT_EQ(app.state.lock->key, 1);
  press(Key::f3);
  EXPECT_EQ(app.state.lock->query, 5);
  press(Key::f3);
  EXPECT_EQ(app.state.lock->query, 1) << "goes round";
  press(Key::f3, false, true);
  EXPECT_EQ(app.state.lock->query, 5);
  click("close search");
  frames(2);
  EXPECT_FALSE(shows("search text"));
  EXPECT_FALSE(app.state.search.marks(false, 1));
}

TEST_F(Search, moves_an_enlarged_map_to_the_place) {
  app.state.view.kind = ViewKind::head;
  app.state.view.head = 0;
  app.state.view.zoom = {0, 0, 2};
  settle();
  find(U"#6");
  click("found next");
  const CellPart part = part_of(app.state.view.zoom, 6, 6);
  EXPECT_LE(part.query_begin, 5);
  EXPECT_GE(part.query_end, 6);
  EXPECT_EQ(app.state.lock->query, 5);
}

TEST_F(Search, goes_through_both_sentences_of_cross_attention) {
  app.inputs.key_sentence = "A cat";
  settle();
  find(U"cat");
  ASSERT_EQ(app.state.search.places().size(), 3U);
  for (int i = 0; i < 3; ++i) press(Key::f3);
  ASSERT_TRUE(app.state.lock);
  EXPECT_EQ(app.state.lock->key, 1);
  EXPECT_EQ(app.state.lock->query, 5) << "the query that was gone to before stays";
  EXPECT_FALSE(app.state.search.marks(true, 5));
}

}  // namespace headscope::tests
