#include "core/scene/view.h"
#include "tests/support/testing.h"

namespace headscope::tests {

TEST(View, leads_back_to_layers_and_heads_that_there_are) {
  View view;
  view.layer = 5;
  view.head = 7;
  view.hidden_heads = {1, 3, 9};
  BlockShape shape;
  shape.layers = 2;
  shape.heads = 4;
  fit_view(view, shape);
  EXPECT_EQ(view.layer, 1);
  EXPECT_FALSE(view.head);
  EXPECT_THAT(view.hidden_heads, ElementsAre(1, 3));
  view.hidden_heads = {0, 1};
  shape.heads = 2;
  fit_view(view, shape);
  EXPECT_THAT(view.hidden_heads, IsEmpty()) << "one head is always shown";
}

TEST(Filter, forgets_tokens_that_are_gone) {
  Filter filter{.hidden_queries = {1, 7}, .queries = TokenRange{1, 9}, .keys = TokenRange{2, 4}};
  fit_filter(filter, 5, 2);
  // Queries that come back while typing are shown again.
  EXPECT_EQ(filter, (Filter{.hidden_queries = {1}, .queries = TokenRange{1, 9}}));
}

}  // namespace headscope::tests
