#include "tests/cli/cli_fixture.h"
#include "tests/support/model_folder.h"
#include "tests/support/read_arrays.h"

namespace headscope::tests {
namespace {

class CausesOnTheLine : public CliTest {
 protected:
  const Arguments model{"--model", std::string(SOURCE_DIR) + "/assets/models/induction"};
  const Arguments question =
      model + Arguments{"--sentence", "one red fox ran over my old bridge one red fox ran over my",
                        "--answer", "old"};
  const Arguments other{"--other-sentence", "one red fox ran over my big bridge one red fox ran over my"};
  static Json about(const char* path) { return Json::parse(read_file(path))["about"]; }
};

TEST_F(CausesOnTheLine, arrays_tables_and_the_question_in_each_file) {
  expect_done(Arguments{"causes", "-o", "k.npz", "--knock-out", "zero"} + question);
  const Arrays arrays = read_arrays("k.npz");
  const std::vector<float>& change = arrays.at("change").values;
  EXPECT_EQ(arrays.at("change").shape, (std::vector<Index>{2, 4}));
  EXPECT_LT(change[1], -5);
  EXPECT_LT(change[6], -5);
  expect_done(Arguments{"causes", "-o", "k.csv", "--knock-out", "zero"} + question);
  const std::string table = read_file("k.csv");
  EXPECT_TRUE(table.starts_with("layer,head,change,probability\n0,0,"));
  EXPECT_EQ(std::ranges::count(table, '\n'), 9);
  expect_done(Arguments{"causes", "-o", "p.json", "--patch", "stream", "--against", "big", "--noise"} +
              question + other);
  const Json said = about("p.json");
  EXPECT_EQ(said["question"]["position"], 14);
  EXPECT_EQ(said["question"]["at"], "my");
  EXPECT_EQ(said["question"]["answer"]["token"], "old");
  EXPECT_EQ(said["question"]["against"]["token"], "big");
  EXPECT_EQ(said["measure"], "logit difference");
  EXPECT_EQ(said["patch"], "stream");
  EXPECT_EQ(said["direction"], "noise");
  EXPECT_GT(said["clean"].get<double>(), said["corrupted"].get<double>());
  expect_done(Arguments{"causes", "-o", "e.npz", "--knock-out", "mean", "--head", "1.2", "--by-edge"} +
              question);
  EXPECT_EQ(read_arrays("e.npz").at("change").shape, (std::vector<Index>{15, 15}));
  expect_done(Arguments{"causes", "-o", "e.npz", "--patch", "pattern", "--by-position"} + question + other);
  EXPECT_EQ(read_arrays("e.npz").at("recovered").shape, (std::vector<Index>{2, 4, 15}));
}

TEST_F(CausesOnTheLine, figures_of_them) {
  for (const char* name : {"k.png", "k.svg", "k.pdf"})
    expect_done(Arguments{"causes", "-o", name, "--knock-out", "zero"} + question);
  expect_done(Arguments{"export", "-o", "v.svg", "--view", "causes", "--knock-out", "zero"} + question);
  const auto cells = [](const char* name) {
    const std::string figure = read_file(name);
    return figure.substr(figure.find("</metadata>"));
  };
  EXPECT_EQ(cells("k.svg"), cells("v.svg"));
  EXPECT_THAT(cells("k.svg"), HasSubstr("old"));
  expect_done(Arguments{"export", "-o", "p.svg", "--patch", "stream", "--against", "big"} + question + other);
  EXPECT_NE(cells("p.svg"), cells("k.svg"));
  EXPECT_EQ(session_of({"p.svg"}).view.causes.change, CauseChange::stream);
  EXPECT_EQ(session_of({"p.svg"}).compare->sentence, other[1]);
  expect_refused(
      Arguments{"export", "-o", "n.svg", "--patch", "stream", "--other-sentence", "one red"} + question,
      "3 (B) and 15 (A)");
  expect_refused(
      Arguments{"export", "-o", "n.svg", "--knock-out", "zero"} + question + Arguments{"--answer", "zebra"},
      "zebra");
}

TEST_F(CausesOnTheLine, of_a_translator_whose_decoders_read_one_target) {
  const Arguments line{"--model",          "translator",
                       "--sentence",       "The cat sat on the mat",
                       "--other-sentence", "The dog sat on the mat",
                       "--answer",         "猫",
                       "--position",       "0",
                       "--patch",          "stream"};
  expect_done(Arguments{"causes", "-o", "p.npz"} + line);
  const Arrays arrays = read_arrays("p.npz");
  const std::vector<float>& recovered = arrays.at("encoder_recovered").values;
  EXPECT_NEAR(recovered[1], 1, 1e-3) << "the word that differs, before the first layer";
  EXPECT_NEAR(recovered[0], 0, 1e-3);
  expect_done(Arguments{"causes", "-o", "p.svg"} + line);
  expect_done(Arguments{"causes", "-o", "f.npz"} + line + Arguments{"--patch", "feed-forward"});
  EXPECT_EQ(read_arrays("f.npz").at("decoder_recovered").shape, (std::vector<Index>{2}));
  expect_done(Arguments{"causes", "-o", "a.npz"} + line + Arguments{"--patch", "attention"});
  EXPECT_EQ(read_arrays("a.npz").at("cross_recovered").shape, (std::vector<Index>{2}));
}

TEST_F(CausesOnTheLine, paths_of_a_translator_lead_from_block_to_block) {
  const Arguments line{"--model",    "translator-guided",
                       "--sentence", "The animal didn't cross the street because it was tired",
                       "--answer",   "它",
                       "--position", "6",
                       "--by-path",  "--knock-out",
                       "zero"};
  expect_done(Arguments{"causes", "-o", "g.csv"} + line);
  const std::string table = read_file("g.csv");
  EXPECT_TRUE(table.starts_with("block,layer,head,into_block,into_layer,into_head,change\n"));
  EXPECT_THAT(table, HasSubstr("\nencoder,"));
  EXPECT_THAT(table, HasSubstr(",logits,,,"));
  EXPECT_THAT(table, Not(HasSubstr("\nencoder,0,0,logits")));
  expect_done(Arguments{"causes", "-o", "g.json"} + line);
  const Json heads = about("g.json")["heads"];
  EXPECT_GT(heads.size(), 2U);
  EXPECT_THAT(heads.dump(), HasSubstr("cross:"));
  expect_done(Arguments{"causes", "-o", "g.svg"} + line);
  EXPECT_THAT(read_file("g.svg"), HasSubstr("Cross-attention"));
}

TEST_F(CausesOnTheLine, wrong_questions_get_one_line) {
  const Arguments to{"causes", "-o", "k.npz"}, zero{"--knock-out", "zero"};
  expect_refused(to + question, "expected either --knock-out or --patch");
  expect_refused(to + zero + model + Arguments{"--sentence", "one red"}, "--answer is missing");
  expect_refused(to + zero + question + Arguments{"--answer", "old bridge"}, "old");
  expect_refused(to + zero + question + Arguments{"--answer", "zebra"},
                 "--answer is \"zebra\"; expected one token of this model");
  expect_refused(to + zero + question + Arguments{"--position", "15"}, "position 15 does not exist");
  expect_refused(to + question + Arguments{"--patch", "output"}, "--other-sentence is missing");
  expect_refused(to + question + Arguments{"--patch", "output", "--other-sentence", "one red fox"},
                 "4 (B) and 15 (A)");
  expect_refused(to + question + zero + Arguments{"--noise"}, "--noise needs --patch");
  expect_refused(to + question + zero + Arguments{"--by-edge"}, "--by-edge and --by-key need --head");
  expect_refused(to + question + Arguments{"--knock-out", "off"},
                 "--knock-out is \"off\"; expected one of: zero, mean, other");
  expect_refused(to + question + zero + Arguments{"--head", "2.0", "--by-key"}, "2.0 does not exist");
  expect_refused({"causes", "-o", "k.npz", "--answer", "a", "--knock-out", "zero"}, "--model is missing");
  expect_refused(to + question + zero + Arguments{"--layer", "0"}, "--layer has no meaning here");
  expect_refused(to + question + zero + Arguments{"--other-sentence", "a"}, "--other-sentence needs --patch");
  expect_refused(to + model + zero + Arguments{"--answer", "old", "--against", "old"}, "are the same");
  expect_refused(to + model + zero + Arguments{"--answer", "id:100"}, "or id:0 to id:99");
  expect_refused(Arguments{"export", "-o", "k.png", "--view", "causes", "--position", "40"} + model,
                 "--position is 40");
  expect_refused({"export", "-o", "k.png", "--view", "causes"}, "A seeded layer predicts no tokens");
  expect_refused(Arguments{"tensors", "-o", "k.npz", "--rollout", "norms", "--block", "cross"} + model,
                 "there is no attention of this kind");
}

TEST_F(CausesOnTheLine, without_a_session_the_file_has_no_sentence) {
  expect_done(Arguments{"causes", "-o", "a.json", "--answer", "old", "--knock-out", "zero", "--no-session"} +
              model);
  EXPECT_FALSE(about("a.json").contains("sentence"));
}

TEST_F(CausesOnTheLine, circuits_of_all_heads_of_pairs_and_of_one) {
  expect_done(Arguments{"circuits", "-o", "c.npz"} + model);
  const Arrays heads = read_arrays("c.npz");
  for (const char* name : {"copying_score", "qk_effective_rank", "ov_effective_rank"})
    EXPECT_EQ(heads.at(name).shape, (std::vector<Index>{2, 4})) << name;
  expect_done(Arguments{"circuits", "-o", "d.json", "--center-logits"} + model);
  EXPECT_EQ(about("d.json")["logits"], "minus their mean over the vocabulary");
  expect_done(Arguments{"circuits", "-o", "d.npz", "--center-logits"} + model);
  EXPECT_NEAR(read_arrays("d.npz").at("copying_score").values[0], 0.3617413, 1e-6) << "as TransformerLens";
  EXPECT_NEAR(heads.at("copying_score").values[0], 0.3807074, 1e-6);
  expect_done(Arguments{"circuits", "-o", "k.csv", "--composition", "k"} + model);
  EXPECT_EQ(std::ranges::count(read_file("k.csv"), '\n'), 17);
  expect_done(Arguments{"circuits", "-o", "h.json", "--head", "1.2", "--token", "fox"} + model);
  const Json said = about("h.json");
  EXPECT_EQ(said["ov_raises"].size(), 10U);
  EXPECT_EQ(said["ov_raises"][0]["token"], "fox") << "an induction head copies";
  EXPECT_EQ(said["ov_direction_0_writes"].size(), 5U);
  EXPECT_EQ(said["qk_direction_2_key"].size(), 5U);
  expect_refused(
      Arguments{"circuits", "-o", "h.json", "--head", "1.2", "--token", "fox", "--distance", "2"} + model,
      "--distance needs rotary positions, which layer 1 of this model does not have");
  expect_refused(Arguments{"circuits", "-o", "h.json", "--head", "1.2", "--distance", "2"} + model,
                 "--distance needs --token");
  expect_refused(Arguments{"circuits", "-o", "h.json", "--token", "fox"} + model, "--token needs --head");
  expect_refused(Arguments{"circuits", "-o", "h.json", "--head", "2.0"} + model,
                 "--head: layer is 2; expected 0 to 1");
  expect_refused({"circuits", "-o", "h.json"}, "--model is missing");
}

}  // namespace
}  // namespace headscope::tests
