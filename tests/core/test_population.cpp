#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "core/analysis/population.h"

namespace headscope {
namespace {

using testing::ElementsAre;

std::vector<HeadStatistics> three_heads() {
  std::vector<HeadStatistics> heads(3);
  heads[0].entropy = 0.5;
  heads[1].entropy = 0.9;
  heads[2].entropy = 0.5;
  heads[1].induction = 0.25;
  heads[1].repeats = true;
  return heads;
}

Trace two_layers() {
  Trace trace;
  trace.statistics = {three_heads(), three_heads()};
  return trace;
}

TEST(Population, ColumnsHaveNamesOfTheirOwnAndDefinitions) {
  std::set<std::string> names;
  for (const HeadColumn& column : head_columns()) {
    names.insert(column.name);
    EXPECT_GT(std::string(column.formula).size(), std::string(column.title).size());
    EXPECT_EQ(find_head_column(column.name), &column);
  }
  EXPECT_EQ(names.size(), head_columns().size());
  EXPECT_EQ(find_head_column("similarity"), nullptr);
}

TEST(Population, SortsHeadsWithTiesByNumber) {
  EXPECT_THAT(sorted_heads(three_heads(), "entropy", true), ElementsAre(1, 0, 2));
  EXPECT_THAT(sorted_heads(three_heads(), "entropy", false), ElementsAre(0, 2, 1));
  EXPECT_THAT(sorted_heads(three_heads(), "", true), ElementsAre(0, 1, 2));
}

TEST(Population, HeadsWithoutTheNumberComeLastBothWays) {
  EXPECT_THAT(sorted_heads(three_heads(), "induction", true), ElementsAre(1, 0, 2));
  EXPECT_THAT(sorted_heads(three_heads(), "induction", false), ElementsAre(1, 0, 2));
}

TEST(Population, CsvHasALineAHead) {
  const std::string csv = heads_csv(two_layers());
  EXPECT_EQ(
      csv.substr(0, csv.find('\n')),
      "layer,head,entropy,mean_distance,largest,diagonal,previous,next,first,same_token,induction,sparsity");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 7);
  EXPECT_NE(csv.find("\n1,1,0.9,0,0,0,0,0,0,0,0.25,0\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\n0,0,0.5,0,0,0,0,0,0,,,0\n"), std::string::npos) << csv;
}

TEST(Population, JsonSaysNullWhereANumberHasNoMeaning) {
  const nlohmann::json heads = nlohmann::json::parse(heads_json(two_layers())).at("heads");
  ASSERT_EQ(heads.size(), 6U);
  EXPECT_EQ(heads[4].at("layer"), 1);
  EXPECT_EQ(heads[4].at("head"), 1);
  EXPECT_EQ(heads[4].at("induction"), 0.25);
  EXPECT_TRUE(heads[3].at("induction").is_null());
}

}  // namespace
}  // namespace headscope
