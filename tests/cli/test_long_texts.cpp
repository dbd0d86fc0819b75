#include <regex>

#include "core/io/file.h"
#include "core/io/formats.h"
#include "tests/cli/cli_fixture.h"
#include "tests/support/read_arrays.h"

namespace headscope::tests {
namespace {

/// A text of that many words, some of which repeat, in a file; one small head.
class LongText : public CliTest {
 protected:
  using Json = nlohmann::json;

  Arguments of(std::int64_t words, const Arguments& more) const {
    std::string text;
    for (std::int64_t i = 0; i < words; ++i) text += fmt::format("w{} ", i % 1000);
    write_file("text.txt", text);
    return more + Arguments{"--sentence-file", "text.txt", "--d-model", "16"} +
           (std::ranges::find(more, "--heads") == more.end() ? Arguments{"--heads", "1"} : Arguments{});
  }
};

}  // namespace

TEST_F(LongText, figures_draw_groups_of_cells_and_say_so) {
  expect_done(of(5000, {"export", "-o", "a.svg", "--mask", "causal"}));
  EXPECT_THAT(read_file("a.svg"), HasSubstr("Each cell is the largest of 5 × 5"));
  expect_done(of(5000, {"export", "-o", "b.png", "--view", "head", "--query", "4999", "--key", "4"}));
  write_file(
      "zoomed.json",
      R"({"version": 1, "view": {"kind": "head", "zoom": {"factor": 4, "query": 1000, "key": 3000}}})");
  expect_done(of(5000, {"export", "zoomed.json", "-o", "z.svg"}));
  EXPECT_THAT(read_file("z.svg"), HasSubstr("Queries 1001–2250 of 5000, keys 3001–4250 of 5000"));
  EXPECT_THAT(read_file("a.svg"), Not(HasSubstr("Queries 1")));
  write_file("filtered.json", R"({"version": 1, "view": {"filter": {"threshold": 0.5}}})");
  expect_refused(of(5000, {"export", "filtered.json", "-o", "c.png"}), "no filter");
}

TEST_F(LongText, figures_of_a_part_have_the_colours_of_all_heads_where_they_share_them) {
  const auto largest = [&](const char* range, int head) {
    write_file("zoomed.json",
               fmt::format(R"({{"version": 1, "view": {{"kind": "head", "range": "{}", "head": {},
                               "zoom": {{"factor": 40, "query": 1000, "key": 3000}}}}}})",
                           range, head));
    expect_done(of(5000, {"export", "zoomed.json", "--heads", "2", "-o", "z.svg"}));
    const std::string figure = read_file("z.svg");
    std::smatch number;
    EXPECT_TRUE(std::regex_search(figure, number, std::regex(">≥?(0\\.[0-9]+)<")));
    return number[1].str();
  };
  EXPECT_NE(largest("head", 0), largest("head", 1));
  EXPECT_EQ(largest("shared", 0), largest("shared", 1));
}

TEST_F(LongText, of_the_longest_a_window_is_read_without_its_map) {
  expect_done(of(65536, {"export", "-o", "a.svg", "--mask", "longformer:256,global=0"}));
  EXPECT_THAT(read_file("a.svg"), HasSubstr("Each cell is the largest of 64 × 64"));
  expect_refused(of(65537, {"export", "-o", "b.svg"}), "65536");
}

TEST_F(LongText, whole_maps_are_refused_and_rows_written) {
  expect_refused(of(65536, {"tensors", "-o", "a.npz"}), "--queries A:B", 1);
  expect_done(of(5000, {"tensors", "-o", "a.npz", "--queries", "4000:4003", "--arrays", "attention"}));
  expect_done(of(5000, {"tensors", "-o", "a.csv", "--queries", "4999:5000", "--arrays", "attention"}));
  const std::string rows = read_file("a.csv");
  EXPECT_EQ(std::ranges::count(rows, '\n'), 5001);
  EXPECT_THAT(rows, HasSubstr("\n0,0,4999,0,"));
  expect_refused(of(5000, {"tensors", "-o", "b.csv", "--queries", "0:1", "--arrays", "q"}), "attention");
  for (const char* file : {"b.csv", "b.json"}) {
    expect_refused(of(20, {"tensors", "-o", file, "--queries", "19:21"}),
                   "--queries ends at 21; expected at most 20");
    EXPECT_FALSE(std::filesystem::exists(file));
  }
  for (const char* wrong : {"1:0", "1:", "1", "1:2:3", "-1:2"})
    expect_refused(of(20, {"tensors", "-o", "b.csv", "--queries", wrong}),
                   fmt::format("--queries is \"{}\"; expected A:B", wrong));
  const auto arrays = find_format(array_readers(), "a.npz")->list("a.npz");
  EXPECT_EQ(arrays.front().name, "attention");
  EXPECT_EQ(arrays.front().shape, (std::vector<Index>{1, 1, 3, 5000}));
}

TEST_F(LongText, masks_of_65536_tokens_are_counted_exactly) {
  const Json causal = json_of(of(65536, {"info", "--json", "--mask", "causal"}));
  EXPECT_EQ(causal["n_q"], 65536);
  EXPECT_EQ(causal["scores_saved"], std::int64_t{65536} * 65535 / 2);
  const Json far = json_of(of(65536, {"info", "--json", "--mask", "longformer:256,global=0"}));
  EXPECT_LT(far["density"], 0.01);
}

TEST_F(LongText, the_arithmetic_of_a_cell_adds_up) {
  const Json cell =
      json_of(of(5000, {"arithmetic", "--json", "--query", "4999", "--key", "17", "--mask", "window:7000"}));
  double sum = 0;
  for (const auto& weight : cell["weights"]) sum += weight.get<double>();
  EXPECT_NEAR(sum, 1, 1e-9);
  double output = cell["b_o"][0].get<double>();
  for (const auto& head : cell["w_o_terms"]) output += head[0].get<double>();
  EXPECT_NEAR(cell["output"][0].get<double>(), output, 1e-5);
}

TEST_F(LongText, bench_times_passes_over_it) {
  const Json times = json_of({"bench", "--tokens", "3000", "--json"});
  EXPECT_EQ(times["tokens"], 3000);
  EXPECT_GT(times["overview"]["ratio"], 0);
  EXPECT_LT(times["windowed"]["cells"], 0.5);
  EXPECT_EQ(times["map_bytes"], 4.0 * 3000 * 3000);
}

}  // namespace headscope::tests
