// Models that read a picture, from the command line.
#include "tests/cli/cli_fixture.h"
#include "tests/support/picture_models.h"
#include "tests/support/reference.h"

namespace headscope::tests {
namespace {

class PicturesOnTheLine : public CliTest {
 protected:
  static Arguments line_of(const char* name, const std::string& picture = test_picture("photo.jpg")) {
    fs::create_directories("m");
    write_picture_model("m", name);
    return {"--model", "m", "--picture", picture};
  }
};

TEST_F(PicturesOnTheLine, get_their_labels_with_probabilities) {
  const Arguments model = line_of("vit");
  const CliResult text = run(Arguments{"predict"} + model);
  EXPECT_THAT(text.out, HasSubstr("The likeliest labels of the picture"));
  for (const char* label : {"circle", "square", "triangle"}) EXPECT_THAT(text.out, HasSubstr(label));
  const Json json = json_of(Arguments{"predict", "--json"} + model);
  EXPECT_EQ(json["of"], "label of the picture");
  EXPECT_THAT(json["picture"], HasSubstr("photo.jpg"));
  const Json& list = json["positions"][0]["expected"];
  ASSERT_EQ(list.size(), 3U);
  double sum = 0;
  for (const Json& label : list) {
    EXPECT_TRUE(label["label"].is_string() && label["logit"].is_number());
    sum += label["probability"].get<double>();
  }
  EXPECT_NEAR(sum, 1, 1e-9);
  EXPECT_EQ(json_of(Arguments{"predict", "--json", "--contributions", "square"} + model)["token"], "square");
  EXPECT_THAT(run(Arguments{"predict", "--lens"} + model).out, HasSubstr("after layer 0"));
}

TEST_F(PicturesOnTheLine, are_held_against_sentences) {
  const Arguments model = line_of("clip");
  const Json json =
      json_of(Arguments{"predict", "--json", "--text", "w5 w17 w49", "--text", "w9 w49"} + model);
  EXPECT_EQ(json["of"], "sentence for the picture");
  const Json& list = json["positions"][0]["expected"];
  ASSERT_EQ(list.size(), 2U);
  EXPECT_GE(list[0]["probability"].get<double>(), list[1]["probability"].get<double>());
  EXPECT_EQ(json_of(Arguments{"predict", "--json", "--sentence", "w5 w17 w49\nw9 w49"} + model), json);
  expect_refused(Arguments{"predict", "--sentence", " "} + model,
                 "the sentence is empty; expected sentences");
  const Json said = json_of(Arguments{"predict", "--json", "--text", "w5 w17 w49", "--text", "w9 w49",
                                      "--contributions", "w9 w49"} +
                            model);
  EXPECT_EQ(said["token_id"], 1);
  EXPECT_NEAR(said["contributions"]["sum"].get<double>(), said["logit"].get<double>(), 2e-5);
  for (const Json& label : list)
    if (label["sentence_id"] == 1) {
      EXPECT_NEAR(label["logit"].get<double>(), said["logit"].get<double>(), 2e-5);
    }
  const Arguments causes{"causes", "-o", "k.npz", "--text", "w5", "--answer", "w5", "--knock-out", "zero"};
  for (const Arguments& places : {Arguments{}, Arguments{"--by-path"}})
    expect_refused(causes + places + model, "this model has no output for tokens");
  expect_done(Arguments{"tensors", "-o", "a.npz", "--block", "text", "--text", "w5 w17 w49"} + model);
  const Arrays arrays = read_arrays("a.npz");
  EXPECT_EQ(arrays.at("text_attention").shape[3], 3);
  EXPECT_EQ(arrays.at("text_token_ids").values, (std::vector<float>{5, 17, 49}));
}

TEST_F(PicturesOnTheLine, are_an_input_of_every_command) {
  const Arguments model = line_of("vit");
  expect_done(Arguments{"tensors", "-o", "a.npz"} + model);
  EXPECT_EQ(read_arrays("a.npz").at("attention").shape, (std::vector<Index>{2, 4, 10, 10}));
  expect_done(Arguments{"heads", "-o", "h.csv"} + model);
  EXPECT_THAT(read_file("h.csv"), HasSubstr("photo.jpg"));
  for (const char* file : {"o.png", "o.svg", "o.pdf"})
    expect_done(Arguments{"export", "--view", "picture", "-o", file} + model);
  EXPECT_EQ(run(Arguments{"arithmetic", "--query", "0", "--key", "5"} + model).status, 0);
  const Json info = json_of({"info", "m", "--json"});
  EXPECT_EQ(info["model"], "ViT");
  EXPECT_EQ(info["picture"]["width"], 12);
  EXPECT_EQ(info["labels"].size(), 3U);
}

TEST_F(PicturesOnTheLine, open_in_the_view_of_all_heads_over_them) {
  const Arguments model = line_of("vit");
  EXPECT_EQ(session_of(model).view.kind, ViewKind::picture);
  EXPECT_EQ(session_of(model + Arguments{"--layer", "1"}).view.kind, ViewKind::grid);
}

TEST_F(PicturesOnTheLine, are_saved_in_the_session_of_a_figure) {
  const Arguments model = line_of("vit");
  expect_done(Arguments{"export", "--view", "picture", "-o", "o.png"} + model);
  const Session kept = session_of({"o.png"});
  EXPECT_THAT(kept.inputs.picture, HasSubstr("photo.jpg"));
  EXPECT_EQ(kept.view.kind, ViewKind::picture);
}

TEST_F(PicturesOnTheLine, that_are_missing_or_no_pictures_are_refused_in_a_line) {
  Arguments model = line_of("vit");
  write_file("cut.png", read_file(test_picture("photo.png")).substr(0, 300));
  write_file("text.png", "no picture");
  for (const auto& [picture, part] : {std::pair{"none.png", "none.png does not exist"},
                                      {"cut.png", "cut.png"},
                                      {"text.png", "not a picture; expected PNG, JPEG or WebP"}}) {
    model.back() = picture;
    for (const char* name : {"predict", "heads -o c.csv", "export -o c.svg", "tensors -o c.npz"}) {
      std::istringstream words(name);
      Arguments command;
      for (std::string word; words >> word;) command.push_back(word);
      expect_refused(command + model, part);
    }
  }
  expect_refused({"predict", "--model", "m"}, "--picture is missing; this model reads a picture");
  EXPECT_THAT(run({"info", "--picture", "a.png"}).err,
              HasSubstr("--picture has no effect; it needs --model"));
  expect_refused({"generate", "--model", "m", "--picture", test_picture("photo.png")},
                 "ViT reads a picture and writes no text");
}

}  // namespace
}  // namespace headscope::tests
