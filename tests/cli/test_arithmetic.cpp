#include "tests/cli/cli_fixture.h"

namespace headscope::tests {

class Arithmetic : public CliTest {};

const Arguments small{"arithmetic", "--sentence", "the cat sat", "--d-model", "8", "--heads", "2"};

TEST_F(Arithmetic, prints_json_with_every_number_on_the_way) {
  const CliResult result =
      run(small + Arguments{"--head", "1", "--query", "2", "--key", "1", "--mask", "causal", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["head"], 1);
  EXPECT_EQ(json["query_token"], "sat");
  EXPECT_EQ(json["key_token"], "cat");
  const std::map<std::string, std::size_t> sizes{{"q", 4},
                                                 {"k", 4},
                                                 {"products", 4},
                                                 {"masked", 3},
                                                 {"exponentials", 3},
                                                 {"weights", 3},
                                                 {"x", 8},
                                                 {"weighted_values", 3},
                                                 {"context", 4},
                                                 {"w_o_terms", 2},
                                                 {"b_o", 8},
                                                 {"output", 8},
                                                 {"key_x", 8}};
  for (const auto& [name, size] : sizes) EXPECT_EQ(json[name].size(), size) << name;
  EXPECT_EQ(json["w_o_terms"][0].size(), 8U);
  EXPECT_EQ(json["weighted_values"][0].size(), 4U);
  EXPECT_DOUBLE_EQ(json["scale"].get<double>(), 0.5);
  EXPECT_FALSE(json.contains("dropout"));
  EXPECT_NEAR(json["score"].get<double>(), json["dot"].get<double>() * 0.5, 1e-6);
}

TEST_F(Arithmetic, blocked_keys_are_null_in_json) {
  const CliResult result =
      run(small + Arguments{"--query", "0", "--mask", "causal", "--json", "--dropout", "0.5"});
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_FALSE(json["masked"][0].is_null());
  EXPECT_TRUE(json["masked"][1].is_null());
  EXPECT_EQ(json["weights"][1], 0.0);
  EXPECT_EQ(json["dropout"].size(), 3U);
  const CliResult all = run(small + Arguments{"--mask", "padding:0,1,2", "--json"});
  EXPECT_TRUE(nlohmann::json::parse(all.out)["row_max"].is_null());
}

TEST_F(Arithmetic, prints_text_in_both_languages) {
  const CliResult english = run(small + Arguments{"--query", "2", "--temperature", "2"});
  EXPECT_THAT(english.out, AllOf(HasSubstr("query 2 \"sat\", key 0 \"the\""), HasSubstr("q·k / √d_k = "),
                                 HasSubstr("x of the query"), HasSubstr("divided by the temperature 2: "),
                                 HasSubstr("Σ w = 1.0000")));
  const CliResult chinese = run(small + Arguments{"--language", "zh"});
  EXPECT_THAT(chinese.out, HasSubstr("查询 0"));
}

TEST_F(Arithmetic, folds_what_is_long) {
  const CliResult result =
      run({"arithmetic", "--sentence", sentence_of(300), "--d-model", "128", "--heads", "1", "--key", "150"});
  EXPECT_LT(count(result.out, "\n"), 80U);
  EXPECT_THAT(result.out, HasSubstr(">  150"));
  // What is folded is summed, so that what is printed adds up to q · k.
  std::istringstream lines(result.out.substr(result.out.find("q k\n") + 4));
  double sum = 0;
  for (std::string line; std::getline(lines, line) && !line.starts_with("q·k");)
    sum += std::stod(line.substr(line.rfind(' ')));
  const std::size_t dot = result.out.find("q·k = ");
  EXPECT_NEAR(sum, std::stod(result.out.substr(dot + std::string("q·k = ").size())), 1e-3);
}

TEST_F(Arithmetic, refuses_a_cell_that_is_not_there) {
  expect_refused(small + Arguments{"--query", "3"}, "--query is 3; expected 0 to 2");
  expect_refused(small + Arguments{"--key", "3"}, "--key is 3; expected 0 to 2");
  expect_refused(small + Arguments{"--key", "-1"}, "--key is -1; expected a whole number from 0");
  expect_refused({"export", "--view", "steps", "--query", "10", "-o", "a.svg"},
                 "--query is 10; expected 0 to 9");
  expect_refused(small + Arguments{"--head", "2"}, "--head is 2; expected 0 to 1");
  expect_refused({"arithmetic", "--sentence", ""}, "the sentence has no tokens; expected at least one");
}

TEST_F(Arithmetic, pages_of_the_steps_are_figures_and_sessions_again) {
  for (const std::string page : {"cost", "streaming"}) {
    expect_done({"export", "--page", page, "--heads", "4", "-o", page + ".svg"});
    const CliResult again = run({page + ".svg"});
    ASSERT_TRUE(again.window.has_value());
    EXPECT_EQ(again.window->session.view.kind, ViewKind::steps);
    EXPECT_EQ(again.window->session.view.page, page == "cost" ? StepsPage::cost : StepsPage::streaming);
  }
  const CliResult other = run({"export", "--view", "grid", "--page", "cost", "-o", "grid.svg"});
  EXPECT_EQ(other.err, "headscope: --page has no effect; it needs --view steps\n");
  expect_refused({"export", "--page", "costs", "-o", "c.svg"},
                 "--page is \"costs\"; expected one of: cell, cost");
}

TEST_F(Arithmetic, pytorch_prints_python_or_one_line) {
  const CliResult lines = run({"pytorch", "--sentence", "a b", "--seed", "5", "--mask", "causal"});
  EXPECT_EQ(lines.status, 0);
  EXPECT_THAT(lines.out,
              AllOf(StartsWith("# Headscope: a b\nimport math\n"), HasSubstr("torch.manual_seed(5)\n"),
                    HasSubstr(".triu(1)\n"), EndsWith("# weights: [1, heads, n_q, n_k]\n")));
  EXPECT_THAT(run({"pytorch", "--language", "zh"}).out, HasSubstr("# weights：[1, 头, n_q, n_k]"));
  expect_refused({"pytorch", "--sentence", sentence_of(65), "--mask", "random:2,seed=7"},
                 "the mask is no plain pattern and has 4225 cells");
}

}  // namespace headscope::tests
