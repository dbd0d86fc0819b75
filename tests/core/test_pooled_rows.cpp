// The rows of Funnel's layers: which are pooled, where they stand, and how they are repeated.
#include <gtest/gtest.h>

#include <tuple>

#include "core/base/error.h"
#include "core/model/layer/pooled_rows.h"

namespace headscope::tests {
namespace {

using Pairs = std::vector<std::array<Index, 2>>;

Funnel funnel_of(std::vector<Index> layers) {
  Funnel funnel;
  funnel.layers = std::move(layers);
  return funnel;
}

TEST(PooledRows, are_made_of_two_rows_behind_the_first) {
  Funnel funnel = funnel_of({1, 1});
  EXPECT_EQ(pooled_pairs(funnel, 6), (Pairs{{0, 0}, {1, 2}, {3, 4}}));
  EXPECT_EQ(pooled_pairs(funnel, 5), (Pairs{{0, 0}, {1, 2}, {3, 3}}));
  EXPECT_TRUE(pooled_pairs(funnel, 2).empty());
  funnel.last_left_out = false;
  EXPECT_EQ(pooled_pairs(funnel, 5), (Pairs{{0, 0}, {1, 2}, {3, 4}}));
  funnel.first_apart = false;
  EXPECT_EQ(pooled_pairs(funnel, 5), (Pairs{{0, 1}, {2, 3}, {4, 4}}));
  EXPECT_EQ(pooled_pairs(funnel, 2), (Pairs{{0, 1}}));
}

TEST(PooledRows, stand_for_tokens) {
  const Funnel funnel = funnel_of({1, 1, 1});
  const auto spans = [&](Index block) {
    std::vector<std::pair<Index, Index>> list;
    for (const PooledRow& row : rows_of_block(funnel, 9, block)) list.emplace_back(row.begin, row.end);
    return list;
  };
  EXPECT_EQ(spans(1), (std::vector<std::pair<Index, Index>>{{0, 1}, {1, 3}, {3, 5}, {5, 7}, {7, 8}}));
  EXPECT_EQ(spans(2), (std::vector<std::pair<Index, Index>>{{0, 1}, {1, 5}, {5, 7}}));
  EXPECT_EQ(spans(3).size(), 9U) << "upsampled";
  std::vector<Index> repeated;
  for (Index token = 0; token < 12; ++token) repeated.push_back(repeated_row(funnel, token, 3));
  EXPECT_EQ(repeated, (std::vector<Index>{0, 1, 1, 1, 1, 2, 2, 2, 2, -1, -1, -1}));
}

// The distance of two rows is that of their first tokens, whichever way rows are pooled.
TEST(PooledRows, are_as_far_apart_as_their_first_tokens) {
  for (const auto& [first_apart, last_left_out, queries_alone] :
       {std::tuple{true, true, true}, {true, false, true}, {false, false, true}, {true, true, false}}) {
    Funnel funnel = funnel_of({1, 2, 2});
    funnel.upsampled = 1;
    funnel.first_apart = first_apart;
    funnel.last_left_out = last_left_out;
    funnel.queries_alone = queries_alone;
    constexpr Index n = 15;
    std::vector<Index> types{2};
    for (Index token = 1; token < n; ++token) types.push_back(token / 8);
    for (Index layer = 0; layer < 6; ++layer) {
      SCOPED_TRACE(layer);
      const Index block = funnel.block_of(layer),
                  of_keys = funnel.pools(layer) && queries_alone ? block - 1 : block;
      const PositionTerms terms = pooled_places(funnel, layer, n, types);
      const auto queries = rows_of_block(funnel, n, block), keys = rows_of_block(funnel, n, of_keys);
      for (std::size_t i = 0; i < queries.size(); ++i)
        for (std::size_t j = 0; j < keys.size(); ++j) {
          const auto query = static_cast<Index>(i), key = static_cast<Index>(j);
          EXPECT_EQ(terms.apart(query, key), first_apart && (i == 0 || j == 0));
          const bool everyone = i == 0 || j == 0;  // whose type is that of all
          const auto type = [&](const PooledRow& row) { return types[static_cast<std::size_t>(row.begin)]; };
          EXPECT_EQ(terms.in_segment(query, key), everyone || type(queries[i]) == type(keys[j]));
          if (terms.apart(query, key)) continue;
          EXPECT_EQ(terms.distance(query, key), queries[i].begin - keys[j].begin) << i << ", " << j;
        }
    }
  }
}

TEST(PooledRows, too_few_of_them_are_refused_where_they_would_be_misplaced) {
  Funnel funnel = funnel_of({4, 4, 4});
  EXPECT_THROW(check_pooled_length(funnel, 4), Error);
  EXPECT_NO_THROW(check_pooled_length(funnel, 5));
  funnel.by_shifts = false;
  EXPECT_NO_THROW(check_pooled_length(funnel, 2));
}

}  // namespace
}  // namespace headscope::tests
