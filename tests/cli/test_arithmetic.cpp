#include <cmath>
#include <iterator>
#include <sstream>

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
  // Folded terms are summed, so that the printed numbers add up to q · k.
  std::istringstream lines(result.out.substr(result.out.find("q k\n") + 4));
  double sum = 0;
  for (std::string line; std::getline(lines, line) && !line.starts_with("q·k");)
    sum += std::stod(line.substr(line.rfind(' ')));
  const std::size_t dot = result.out.find("q·k = ");
  EXPECT_NEAR(sum, std::stod(result.out.substr(dot + std::string("q·k = ").size())), 1e-3);
}

/// A number as it is printed, and the unit of its last digit.
struct Number {
  double value = 0, unit = 1;
  explicit Number(const std::string& text) : value(std::stod(text)) {
    const std::size_t point = text.find('.');
    if (point == std::string::npos) return;
    std::size_t digits = 0;
    while (point + 1 + digits < text.size() &&
           std::isdigit(static_cast<unsigned char>(text[point + 1 + digits])))
      ++digits;
    unit = std::pow(10.0, -static_cast<double>(digits));
    if (const std::size_t e = text.find('e', point); e == point + 1 + digits)
      unit *= std::pow(10.0, std::stoi(text.substr(e + 1)));
  }
};
void expect_gives(double computed, const std::string& printed, const std::string& what) {
  const Number number(printed);
  EXPECT_LE(std::abs(computed - number.value), number.unit / 2 * (1 + 1e-9) + 1e-12 * std::abs(computed))
      << what << ": " << computed << " is printed as " << printed;
}
std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}
std::string after(const std::string& text, const std::string& mark) {
  const std::size_t at = text.find(mark);
  return at == std::string::npos ? "" : text.substr(at + mark.size());
}

TEST_F(Arithmetic, what_is_printed_gives_what_is_printed) {
  const Arguments ways[] = {{},
                            {"--gain-q", "30", "--seed", "5"},
                            {"--d-model", "512", "--heads", "8", "--temperature", "0.37"},
                            {"--gain-q", "30", "--gain-k", "30", "--temperature", "3"},
                            {"--weights", "normal", "--sigma", "0.001"}};
  for (const Arguments& way : ways)
    for (const char* key : {"0", "1", "2"}) {
      const std::string out =
          run(Arguments{"arithmetic", "--sentence", "the cat sat", "--query", "2", "--key", key} + way).out;
      SCOPED_TRACE(out);
      std::istringstream lines(after(out, "q k\n"));
      double sum = 0;
      std::string line;
      for (; std::getline(lines, line) && !line.starts_with("q·k");) {
        const std::vector<std::string> row = words_of(line);
        sum += std::stod(row.back());
        if (row.size() == 4) expect_gives(std::stod(row[1]) * std::stod(row[2]), row[3], line);
      }
      expect_gives(sum, after(line, "q·k = "), "q·k");
      std::getline(lines, line);
      const std::vector<std::string> quotient = words_of(after(line, "√d_k = "));
      ASSERT_EQ(quotient.size(), 5U) << line;
      expect_gives(std::stod(quotient[0]) / std::stod(quotient[2]), quotient[4], line);
      if (const std::string tempered = after(out, "divided by the temperature "); !tempered.empty())
        expect_gives(std::stod(quotient[4]) / std::stod(tempered), words_of(after(tempered, ": "))[0],
                     "over T");
      const std::vector<std::string> sums = words_of(after(out, "max = "));
      const double max = std::stod(sums[0]), of_exp = std::stod(sums[4]);
      std::istringstream softmax(after(out, "exp(s - max)"));
      std::getline(softmax, line);
      double exponentials = 0, weights = 0;
      while (std::getline(softmax, line) && !line.starts_with("max")) {
        const std::vector<std::string> row = words_of(line.substr(1));
        expect_gives(std::exp(std::stod(row[1]) - max), row[2], line);
        expect_gives(std::stod(row[2]) / of_exp, row[3], line);
        exponentials += std::stod(row[2]);
        weights += std::stod(row[3]);
      }
      expect_gives(exponentials, sums[4], "sum of exponentials");
      expect_gives(weights, sums[8], "sum of weights");
    }
}

TEST_F(Arithmetic, applies_the_mask_before_the_temperature) {
  const Arguments sharp{"arithmetic", "--sentence", "a b c d", "--heads",  "1",  "--d-model",
                        "64",         "--gain-q",   "100",     "--gain-k", "30", "--temperature",
                        "1e-6",       "--mask",     "causal",  "--seed",   "3",  "--mask-fill=-1e9"};
  const auto json = nlohmann::json::parse(run(sharp + Arguments{"--json"}).out);
  EXPECT_EQ(json["weights"], nlohmann::json({1, 0, 0, 0})) << "as PyTorch's softmax of masked_fill(-1e9) / T";
  EXPECT_EQ(json["masked"][1], -1e15);
  const CliResult blocked = run(sharp + Arguments{"--key", "1"});
  EXPECT_THAT(blocked.out, AllOf(HasSubstr("blocked by the mask: -1e9"), HasSubstr(": -1e15\n")));
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
    EXPECT_EQ(again.window->session.view.steps.page, page == "cost" ? StepsPage::cost : StepsPage::streaming);
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
