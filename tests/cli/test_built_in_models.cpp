#include "tests/cli/cli_fixture.h"
#include "tests/support/built_in_models.h"

namespace headscope::tests {
namespace {

class BuiltInModelOption : public CliTest {
 protected:
  BuiltInModelOption() {
    fs::create_directories("board");
    write_whole_model(folder.path / "board" / "translator", translator_case());
  }
  ModelsIn models{folder.path / "board"};
};

TEST_F(BuiltInModelOption, are_taken_by_name_wherever_a_folder_is) {
  const std::string sentence = "w3 w17 w5";
  const CliResult by_option = run({"generate", "--model", "translator", "--sentence", sentence});
  EXPECT_EQ(by_option.status, 0) << by_option.err;
  EXPECT_NE(by_option.out, "\n");
  EXPECT_EQ(run({"generate", "translator", "--sentence", sentence}).out, by_option.out);
  EXPECT_EQ(run({"generate", "board/translator", "--sentence", sentence}).out, by_option.out);
  EXPECT_EQ(session_of({"translator"}).inputs.model, "translator");
  EXPECT_EQ(session_of({"--model", "translator"}).inputs.model, "translator");
  EXPECT_EQ(json_of({"info", "translator", "--json"})["model"], "Marian");
  expect_done({"tensors", "-o", "a.npz", "--model", "translator", "--sentence", sentence});
}

TEST_F(BuiltInModelOption, the_window_meets_them_as_a_whole_unless_requested_something_else) {
  EXPECT_EQ(session_of({"translator"}).view.kind, ViewKind::model);
  EXPECT_EQ(session_of({"--model", "translator"}).view.kind, ViewKind::model);
  EXPECT_EQ(session_of({"translator", "--sentence", "w3"}).view.kind, ViewKind::model);
  EXPECT_EQ(session_of({"translator", "--view", "grid"}).view.kind, ViewKind::grid);
  EXPECT_EQ(session_of({"translator", "--block", "cross", "--layer", "1"}).view.kind, ViewKind::grid);
  EXPECT_EQ(session_of({"board/translator"}).view.kind, ViewKind::grid);
  write_whole_model(folder.path / "board" / "induction", model_case("gpt2"));
  EXPECT_EQ(session_of({"induction"}).view.kind, ViewKind::grid) << "which is a decoder alone";
  Session kept;
  kept.inputs.model = "translator";
  write_file("kept.json", to_json(kept, true));
  EXPECT_EQ(session_of({"kept.json"}).view.kind, ViewKind::grid);
}

TEST_F(BuiltInModelOption, have_their_example_unless_a_sentence_is_given) {
  EXPECT_EQ(session_of({"translator"}).inputs.sentence, "w3 w17");
  EXPECT_EQ(session_of({"--model", "translator"}).inputs.sentence, "w3 w17");
  EXPECT_EQ(session_of({"translator", "--sentence", notebook_sentence}).inputs.sentence, notebook_sentence);
  EXPECT_EQ(session_of({"board/translator"}).inputs.sentence, notebook_sentence);
  write_whole_model(folder.path / "board" / "induction", model_case("gpt2"));
  EXPECT_EQ(session_of({"induction"}).inputs.sentence, notebook_sentence) << "it has none";
}

TEST_F(BuiltInModelOption, info_reports_what_heads_have_which_relation) {
  EXPECT_THAT(run({"info", "translator"}).out, HasSubstr("encoder:1.1  pronoun → antecedent 0.98, guided"));
  const Json relations = json_of({"info", "translator", "--json"})["relations"];
  ASSERT_THAT(relations, SizeIs(1));
  EXPECT_EQ(relations[0]["relation"], "pronoun-antecedent");
  EXPECT_EQ(relations[0]["head"], 1);
  Json entry = translator_case();
  entry["config"]["headscope"]["slots"] = {"zork"};
  write_whole_model("m", entry);
  EXPECT_THAT(run({"info", "m"}).out, HasSubstr("headscope.slots: \"zork\" is not in the vocabulary of "));
}

TEST_F(BuiltInModelOption, a_name_is_a_name_and_a_folder_of_that_name_has_a_path) {
  write_whole_model("translator", model_case("gpt2"));
  EXPECT_EQ(json_of({"info", "translator", "--json"})["model"], "Marian");
  EXPECT_EQ(json_of({"info", "./translator", "--json"})["model"], "GPT-2");
  EXPECT_EQ(session_of({"--model", "./translator"}).inputs.model, (folder.path / "translator").string());
  EXPECT_THAT(run({"generate", "--help"}).out, HasSubstr("./translator"));
}

TEST_F(BuiltInModelOption, one_that_is_not_installed_is_refused_in_a_line) {
  const std::string message = "the model translator-guided is not installed; expected its folder at ";
  expect_refused({"generate", "translator-guided", "--sentence", "w3"}, message);
  expect_refused({"generate", "--model", "translator-guided", "--sentence", "w3"}, message);
  expect_refused({"translator-guided"}, message);
  expect_refused({"info", "translator-guided"}, message);
}

TEST_F(BuiltInModelOption, translations_have_probabilities_and_an_alignment) {
  const Json json = json_of({"generate", "translator", "--sentence", "w3 zork w5", "--json"});
  const std::size_t n = json["tokens"].size();
  ASSERT_GT(n, 0U);
  EXPECT_THAT(json["source_tokens"][1], "⟨zork⟩");
  ASSERT_THAT(json["probabilities"], SizeIs(n));
  ASSERT_THAT(json["alignment"], SizeIs(n));
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_GT(json["probabilities"][i], 0);
    EXPECT_LE(json["probabilities"][i], 1);
    const Json& aligned = json["alignment"][i];
    EXPECT_EQ(aligned["token"], json["source_tokens"][aligned["source"].get<std::size_t>()]);
    EXPECT_GT(aligned["weight"], 0);
  }
  EXPECT_EQ(json["outside"], false);
  EXPECT_THAT(json["unknown"], ElementsAre("zork"));
  EXPECT_FALSE(json.contains("as_learnt"));
}

TEST_F(BuiltInModelOption, what_is_outside_is_reported_next_to_the_translation) {
  const Arguments line{"generate", "translator", "--sentence", "zork blub gnat"};
  const CliResult plain = run(line);
  EXPECT_EQ(plain.status, 0);
  EXPECT_THAT(plain.err, HasSubstr("Do not trust this translation: the sentence is outside of what the model "
                                   "has learnt; unknown words: zork, "
                                   "blub, gnat"));
  EXPECT_TRUE(plain.one_line()) << plain.err;
  const CliResult json = run(line + Arguments{"--json"});
  EXPECT_EQ(Json::parse(json.out)["outside"], true);
  EXPECT_THAT(json.err, HasSubstr("unknown words"));
  // Models without this information report none.
  write_whole_model("m", model_case("marian"));
  const Json other = json_of({"generate", "m", "--sentence", "zork blub gnat", "--json"});
  EXPECT_FALSE(other.contains("outside"));
  EXPECT_FALSE(other.contains("unknown"));
}

TEST_F(BuiltInModelOption, the_whole_model_is_a_figure) {
  const Arguments model{"--model", "translator", "--sentence", "w3 w17 w5", "--target", "w9 w4"};
  for (const char* name : {"a.png", "a.svg", "a.pdf"})
    expect_done(Arguments{"export", "-o", name, "--view", "model"} + model);
  const std::string svg = read_file("a.svg");
  for (const char* text : {"Layer 1 · Encoder", "Layer 1 · Cross-attention", "Layer 1 · Decoder",
                           "Mean over heads", "w17", "Written: each word"})
    EXPECT_THAT(svg, HasSubstr(text));
}

}  // namespace
}  // namespace headscope::tests
