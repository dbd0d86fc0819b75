#include "core/inputs/fields.h"
#include "tests/cli/cli_fixture.h"

namespace headscope::tests {

class Info : public CliTest {};

TEST_F(Info, for_scripts_has_every_input_by_its_field_and_what_it_costs) {
  const CliResult result = run({"info", "--json", "--mask", "causal", "--heads", "4", "--language", "zh"});
  EXPECT_EQ(result.status, 0) << result.err;
  const nlohmann::json json = nlohmann::json::parse(result.out);
  for (const InputField& field : input_fields()) EXPECT_TRUE(json.contains(field.name)) << field.name;
  EXPECT_EQ(json["heads"], 4);
  EXPECT_EQ(json["mask"], nlohmann::json({"causal"}));
  EXPECT_EQ(json["density"], 0.55);
  EXPECT_EQ(json["scores_saved"], 180);
  EXPECT_EQ(json["parameters"], 4 * 512 * 513);
  EXPECT_EQ(json["multiplications"], 4 * 10 * 512 * 512 + 2 * 10 * 10 * 512);
  const nlohmann::json empty = nlohmann::json::parse(run({"info", "--json", "--sentence", ""}).out);
  EXPECT_EQ(empty["density"], nullptr);
  EXPECT_EQ(empty["scores_saved"], 0);
}

TEST_F(Info, in_chinese_has_no_english_words) {
  expect_done({"export", "-o", "a.svg", "--sentence", "猫 坐", "--key-sentence", "垫子", "--title", ""});
  Session session = open_session("a.svg");
  session.inputs.mask = {parse_mask_part("causal"), parse_mask_part("causal")};
  session.inputs.mask[1].on = false;
  session.labels = {{0, 0, "甲", std::nullopt}};
  session.bookmarks = {{"乙", session.inputs, session.view, {}}};
  session.compare = session.inputs;
  save_session("s.json", session);
  std::string text = run({"info", "s.json", "--language", "zh"}).out;
  // Names of files, fields, kinds of masks and colormaps, and terms that textbooks do not translate.
  for (const char* name : {"s.json", "d_model", "causal", "d_k", "randn", "inf", "W_Q", "W_K", "viridis",
                           "PyTorch", "Linear", "LayerNorm", "Dropout"})
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name))
      text.erase(at, std::strlen(name));
  text.erase(std::remove(text.begin(), text.end(), 'x'), text.end());
  for (const char c : text) EXPECT_FALSE(std::isalpha(static_cast<unsigned char>(c))) << c << " in " << text;
}

TEST_F(Info, of_a_lesson_runs_every_step_and_names_the_line_of_each_mistake) {
  const auto write = [](const std::string& text) { std::ofstream("a.md") << text; };
  const std::string good =
      "# Lesson | 课\n## One | 一\n```state\n{\"sentence\": \"a b\", \"cell\": {\"query\": 1, \"key\": "
      "0}}\n```\n"
      "### English\n{weight}\n```claims\nrow_sum = 1\n```\n";
  write(good);
  EXPECT_THAT(run({"info", "a.md"}).out,
              AllOf(HasSubstr("title            Lesson\n"), HasSubstr("languages        en\n"),
                    HasSubstr("steps            1\n   1  One\n")));
  const nlohmann::json json = nlohmann::json::parse(run({"info", "--json", "a.md"}).out);
  EXPECT_EQ(json["steps"][0]["session"]["sentence"], "a b");
  EXPECT_EQ(json["steps"][0]["claims"], 1);
  EXPECT_THAT(json["mistakes"], IsEmpty());
  EXPECT_EQ(run({"a.md"}).window->file, "a.md");
  EXPECT_TRUE(run({"a.md"}).window->lesson);
  expect_refused({"export", "a.md", "-o", "a.png"}, "a.md is a lesson; expected a session");
  write_file("a.txt", "one two");
  expect_refused({"export", "a.txt", "-o", "a.png"}, "a.txt is a text; expected a session");
  expect_refused({"info", "a.md", "--heads", "4"}, "a.md is a lesson; expected a session or a figure when");

  write(good + "```claims\nrow_sum = 2\nweigth\n```\n");
  const CliResult wrong = run({"info", "a.md"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err,
              AllOf(HasSubstr("headscope: a.md: line 12: row_sum = 2 does not hold (1, 2); expected"),
                    HasSubstr("headscope: a.md: line 13: weigth is not a measure; expected")));
  expect_refused({"a.md"}, "a.md: line 13: weigth is not a measure");
  EXPECT_EQ(run({"info", "masks"}).status, 0);
  expect_refused({"info", "nothing.md"}, "nothing.md");
}

TEST_F(Info, of_a_lesson_prints_a_hundred_mistakes_and_counts_the_others) {
  std::string text = "# T\n## S\n### English\na\n```claims\n";
  for (int i = 0; i < 1000; ++i) text += "d_model = 1\n";
  std::ofstream("a.md") << text + "```\n";
  const CliResult many = run({"info", "a.md"});
  EXPECT_EQ(many.status, 2);
  EXPECT_EQ(std::ranges::count(many.err, '\n'), 101);
  EXPECT_THAT(many.err, EndsWith("headscope: a.md: 900 more mistakes\n"));
  const nlohmann::json json = nlohmann::json::parse(run({"info", "--json", "a.md"}).out);
  EXPECT_EQ(json["mistakes"].size(), 100U);
  EXPECT_EQ(json["more_mistakes"], 900);
}

TEST_F(Info, reports_what_of_a_view_there_is_not) {
  std::ofstream("s.json") << R"({"version": 1, "sentence": "a b", "layers": 2, "view": {"layer": 9}})";
  std::ofstream("h.json") << R"({"version": 1, "sentence": "a b", "view": {"head": 8}})";
  for (const auto& [file, note] : {std::pair{"s.json", "s.json: view.layer is 9; expected 0 to 1"},
                                   {"h.json", "h.json: view.head is 8; expected 0 to 7"}})
    for (const Arguments& line :
         {Arguments{"info", file}, Arguments{"export", file, "-o", "a.svg"}, Arguments{"arithmetic", file}}) {
      const CliResult result = run(line);
      EXPECT_EQ(result.status, 0);
      EXPECT_EQ(result.err, std::string("headscope: ") + note + "\n");
    }
  EXPECT_EQ(run({"info", "s.json", "--layer", "1"}).err, "");
}

}  // namespace headscope::tests
