#include "core/scene/view.h"
#include "tests/support/testing.h"

namespace headscope::tests {

TEST(View, leads_back_to_layers_and_heads_that_there_are) {
  View view;
  view.layer = 5;
  view.head = 7;
  view.hidden_heads = {1, 3, 9};
  fit_view(view, 2, 4);
  EXPECT_EQ(view.layer, 1);
  EXPECT_FALSE(view.head);
  EXPECT_THAT(view.hidden_heads, ElementsAre(1, 3));
  view.hidden_heads = {0, 1};
  fit_view(view, 2, 2);
  EXPECT_THAT(view.hidden_heads, IsEmpty()) << "one head is always shown";
}

TEST(Filter, forgets_tokens_that_are_gone) {
  Filter filter;
  filter.hidden_queries = {1, 7};
  filter.keys = TokenRange{2, 4};
  filter.queries = TokenRange{1, 9};
  fit_filter(filter, 5, 2);
  EXPECT_THAT(filter.hidden_queries, ElementsAre(1));
  EXPECT_FALSE(filter.keys);
  EXPECT_EQ(filter.queries, (TokenRange{1, 9}));  // what comes back while typing on is shown again
}

}  // namespace headscope::tests
