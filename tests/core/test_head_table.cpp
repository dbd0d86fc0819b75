#include "core/analysis/shown_circuits.h"
#include "core/io/csv.h"
#include "core/scene/head_table.h"
#include "core/source/engine/engine.h"
#include "tests/support/traces.h"

namespace headscope::tests {

std::vector<HeadStatistics> three_heads() {
  std::vector<HeadStatistics> heads(3);
  heads[0].entropy = 0.5;
  heads[1].entropy = 0.9;
  heads[2].entropy = 0.5;
  heads[1].induction = 0.25;
  return heads;
}

const BlockStatistics two_layers{{three_heads(), three_heads()}};

std::vector<HeadRow> rows_of_two_layers(const HeadSort& sort = {}, const std::vector<HeadLabel>& labels = {},
                                        const HeadSimilarity* similarity = nullptr) {
  return sorted_rows(*first_block(synthetic_trace(3, 2, 2, 2)), &two_layers, sort, labels, similarity);
}

TEST(HeadTable, columns_have_names_of_their_own_and_definitions) {
  std::set<std::string> names;
  for (const HeadColumn& column : head_columns(true)) {
    names.insert(column.name);
    EXPECT_GT(std::string(column.formula).size(), std::string(column.title).size());
    EXPECT_EQ(find_head_column(column.name), &column);
    EXPECT_NE(column.value == nullptr, column.of_circuits == nullptr);
  }
  EXPECT_EQ(names.size(), head_columns(true).size());
  EXPECT_EQ(head_columns().size(), names.size() - 3);
  EXPECT_EQ(find_head_column("similarity"), nullptr);
}

TEST(HeadTable, has_what_the_matrices_of_trained_heads_do_as_columns) {
  Inputs inputs;
  inputs.model = SOURCE_DIR "/assets/models/induction";
  inputs.sentence = "one red fox one";
  const auto trace = Engine(1).run(inputs);
  const BlockTrace& block = trace->blocks.front();
  const auto statistics = block_statistics(block, {});
  const auto circuits = circuit_numbers(block, false);
  ASSERT_NE(circuits, nullptr);
  const auto rows =
      sorted_rows(block, statistics.get(), {"copying_score", true}, {}, nullptr, circuits.get());
  EXPECT_EQ(std::pair(rows[0].layer, rows[0].head), std::pair(1, 2)) << "an induction head copies";
  EXPECT_GT(*rows[0].value(*find_head_column("copying_score")), 0.75);
  EXPECT_LT(*rows.back().value(*find_head_column("copying_score")), 0);
  EXPECT_THAT(heads_csv(rows), HasSubstr(",sparsity,copying_score,qk_effective_rank,ov_effective_rank\n"));
  EXPECT_THAT(heads_json(rows), HasSubstr("\"ov_effective_rank\": "));
  EXPECT_EQ(circuit_numbers(*first_block(synthetic_trace(3, 2, 2, 2)), false), nullptr);
  EXPECT_THAT(heads_csv(rows_of_two_layers()), Not(HasSubstr("copying_score")));
}

std::vector<int> in_order(const char* sort, bool descending) {
  return sorted_heads(*first_block(synthetic_trace(3, 2, 2, 2)), 0, &two_layers, {sort, descending},
                      {{0, 1, "b", {}}, {0, 2, "a", {}}, {1, 0, "0", {}}}, nullptr);
}

TEST(HeadTable, sorts_heads_with_ties_by_number_and_those_without_a_name_or_number_last) {
  EXPECT_THAT(in_order("entropy", true), ElementsAre(1, 0, 2));
  EXPECT_THAT(in_order("entropy", false), ElementsAre(0, 2, 1));
  EXPECT_THAT(in_order("", true), ElementsAre(0, 1, 2));
  EXPECT_THAT(in_order("induction", true), ElementsAre(1, 0, 2));
  EXPECT_THAT(in_order("induction", false), ElementsAre(1, 0, 2));
  EXPECT_THAT(in_order("name", true), ElementsAre(1, 2, 0));
  EXPECT_THAT(in_order("name", false), ElementsAre(2, 1, 0));
}

TEST(HeadTable, sorts_by_the_tree_and_leaves_out_no_head_that_was_not_compared) {
  HeadSimilarity similarity;
  similarity.heads = {{1, 1}, {0, 0}, {0, 2}};
  similarity.order = {2, 0, 1};
  const auto rows = rows_of_two_layers({"similarity"}, {}, &similarity);
  std::vector<std::pair<int, int>> heads;
  for (const HeadRow& row : rows) heads.emplace_back(row.layer, row.head);
  using Head = std::pair<int, int>;
  EXPECT_THAT(heads, ElementsAre(Head(0, 2), Head(1, 1), Head(0, 0), Head(0, 1), Head(1, 0), Head(1, 2)));
}

TEST(HeadTable, groups_are_a_column_where_there_are_any) {
  HeadTree tree;
  tree.heads = {{1, 2}, {0, 1}};
  tree.blocks = {{0, 1}, {1, 2}};
  const HeadNotes notes{{{0, 1, "a, \"b\"", {}}}, &tree};
  const std::string csv = heads_csv(rows_of_two_layers(), notes);
  EXPECT_EQ(csv.substr(0, csv.find(",entropy")), "layer,head,layer_shown,head_shown,name,group");
  for (const char* line : {"\n0,1,1,2,\"a, \"\"b\"\"\",1,0.9,", "\n1,2,2,3,,0,0.5,", "\n0,0,1,1,,,0.5,"})
    EXPECT_THAT(csv, HasSubstr(line));
  const nlohmann::json heads = nlohmann::json::parse(heads_json(rows_of_two_layers(), notes)).at("heads");
  EXPECT_EQ(heads[1].at("name"), "a, \"b\"");
  EXPECT_EQ(heads[1].at("group"), 1);
  EXPECT_TRUE(heads[0].at("group").is_null());
}

TEST(HeadTable, relations_are_a_column_where_any_are_reported) {
  const RelationRow* relation = find_relation("pronoun-antecedent");
  ASSERT_NE(relation, nullptr);
  const HeadNotes notes{.relations = {{relation, BlockKind::encoder, 0, 1, 0.98, true},
                                      {relation, BlockKind::encoder, 0, 1, 0.5, false}}};
  const std::string csv = heads_csv(rows_of_two_layers(), notes);
  EXPECT_EQ(csv.substr(0, csv.find(",entropy")), "layer,head,layer_shown,head_shown,name,relation");
  EXPECT_THAT(csv, HasSubstr("\n0,1,1,2,,pronoun-antecedent 0.98 guided; pronoun-antecedent 0.50,"));
  EXPECT_THAT(csv, HasSubstr("\n1,2,2,3,,,"));
  const nlohmann::json heads = nlohmann::json::parse(heads_json(rows_of_two_layers(), notes)).at("heads");
  EXPECT_EQ(heads[1].at("relations").size(), 2U);
  EXPECT_EQ(heads[1].at("relations")[0],
            (nlohmann::json{{"relation", "pronoun-antecedent"}, {"score", 0.98}, {"guided", true}}));
  EXPECT_TRUE(heads[0].at("relations").empty());
}

TEST(HeadTable, csv_has_a_line_a_head) {
  const std::string csv = heads_csv(rows_of_two_layers());
  EXPECT_EQ(
      csv.substr(0, csv.find('\n')),
      "layer,head,layer_shown,head_shown,name,entropy,mean_distance,largest,diagonal,previous,next,first,"
      "same_token,induction,sparsity");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 7);
  for (const char* line : {"\n1,1,2,2,,0.9,,,,,,,,0.25,\n", "\n0,0,1,1,,0.5,,,,,,,,,\n"})
    EXPECT_THAT(csv, HasSubstr(line));
}

TEST(HeadTable, a_column_more_is_the_same_in_each_line) {
  const std::string table = with_column("a,b\n1,\"x\ny\"\n2,\n", "c", "d, e");
  EXPECT_EQ(table, "a,b,c\n1,\"x\ny\",\"d, e\"\n2,,\"d, e\"\n");
  std::string many = "a\n";
  for (int i = 0; i < 100'000; ++i) many += "1\n";
  EXPECT_LT(with_column(many, "c", std::string(1000, 'd')).size(), 1'000'000U) << "not repeated";
}

TEST(HeadTable, json_says_null_where_a_number_has_no_meaning) {
  const nlohmann::json heads = nlohmann::json::parse(heads_json(rows_of_two_layers())).at("heads");
  ASSERT_EQ(heads.size(), 6U);
  EXPECT_EQ(heads[4].at("layer"), 1);
  EXPECT_EQ(heads[4].at("head"), 1);
  EXPECT_EQ(heads[4].at("induction"), 0.25);
  EXPECT_TRUE(heads[3].at("induction").is_null());
}

TEST(HeadTable, small_numbers_keep_their_digits) {
  const std::map<double, std::string> texts{
      {1.25, "1.250"}, {0.0123, "0.012"}, {0.000488, "0.00049"}, {0.0000564, "5.6e−5"}, {0, "0.000"}};
  for (const auto& [value, text] : texts) EXPECT_EQ(statistic_text(value), text);
}

}  // namespace headscope::tests
