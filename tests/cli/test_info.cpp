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
  // Names of files, fields, kinds of masks and colormaps, and what textbooks do not translate.
  for (const char* name : {"s.json", "d_model", "causal", "d_k", "randn", "inf", "W_Q", "W_K", "viridis",
                           "PyTorch", "Linear", "LayerNorm", "Dropout"})
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name))
      text.erase(at, std::strlen(name));
  text.erase(std::remove(text.begin(), text.end(), 'x'), text.end());
  for (const char c : text) EXPECT_FALSE(std::isalpha(static_cast<unsigned char>(c))) << c << " in " << text;
}

}  // namespace headscope::tests
