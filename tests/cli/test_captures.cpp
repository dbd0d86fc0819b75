#include "core/session/session_figure.h"
#include "tests/cli/cli_fixture.h"
#include "tests/support/model_files.h"
#include "tests/support/read_arrays.h"

namespace headscope::tests {

class CaptureCli : public CliTest {
 protected:
  CaptureCli() {
    for (const char* name : {"plain.npz", "several.npz", "blocks.npz", "off.npz", "nan.npz", "packed.npz",
                             "patches.safetensors", "picture.png", "no_key_head.npz"})
      fs::copy_file(fmt::format("{}/fuzz/capture/{}", TEST_DATA_DIR, name), name);
  }
};

TEST_F(CaptureCli, every_command_takes_one) {
  expect_done({"export", "-o", "a.svg", "plain.npz", "--layer", "1"});
  expect_done({"export", "-o", "a.png", "--capture", "plain.npz", "--view", "lines"});
  expect_done({"export", "-o", "a.pdf", "--capture", "several.npz", "--sequence", "1"});
  expect_done({"export", "-o", "a.gif", "several.npz", "--sweep", "sequence=0:1:2", "--dpi", "20"});
  expect_done({"export", "-o", "layers.svg", "plain.npz", "--view", "layers"});
  expect_done({"export", "-o", "p.svg", "patches.safetensors", "--head", "1", "--query", "2", "--key", "3"});
  EXPECT_THAT(read_file("p.svg"), HasSubstr("data:image/png;base64"));
  expect_done({"heads", "-o", "heads.csv", "--capture", "blocks.npz", "--block", "cross"});
  expect_done({"tensors", "-o", "again.npz", "plain.npz"});
  EXPECT_EQ(read_arrays("again.npz").at("attention").values, read_arrays("plain.npz").at("attention").values);
  EXPECT_EQ(session_of({"plain.npz"}).inputs.capture, fs::absolute("plain.npz").string());
}

TEST_F(CaptureCli, a_table_is_refused_with_what_is_taken) {
  std::ofstream("table.csv") << "query,key,weight\n0,0,1\n";
  for (const Arguments& line :
       {Arguments{"export", "-o", "a.png", "--capture", "table.csv"}, Arguments{"table.csv"}})
    EXPECT_THAT(run(line).err, AllOf(HasSubstr("table.csv: a table"), HasSubstr(".npz or .safetensors")));
}

TEST_F(CaptureCli, info_says_what_it_holds) {
  CliResult result = run({"info", "plain.npz"});
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, AllOf(HasSubstr("model            made up\n"), HasSubstr("sequences        1\n"),
                                HasSubstr("self             layers: 2, heads: 3, maps: 5 × 5, float32\n"),
                                HasSubstr("attention        float32 [2, 3, 5, 5]\n")));
  result = run({"info", "several.npz", "--json"});
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["attention"]["shape"], nlohmann::json({2, 1, 1, 3, 3}));
  EXPECT_EQ(json["capture"]["sequences"], 2);
  EXPECT_EQ(json["capture"]["tokens"], nlohmann::json({2, 3}));
  EXPECT_EQ(json["capture"]["blocks"][0]["dtype"], "float16");
  result = run({"info", "patches.safetensors", "--json"});
  EXPECT_EQ(nlohmann::json::parse(result.out)["capture"]["patches"][0]["columns"], 3);
}

TEST_F(CaptureCli, a_head_with_no_key_is_reported_and_hatched) {
  const std::string line = "queries with no key to attend to: 5 of 15; the first is attention[0, 2, 0]";
  EXPECT_THAT(run({"info", "no_key_head.npz"}).err, HasSubstr(line));
  EXPECT_EQ(json_of({"info", "no_key_head.npz", "--json"})["capture"]["notes"].size(), 1U);
  const CliResult drawn = run({"export", "-o", "a.svg", "no_key_head.npz"});
  EXPECT_EQ(drawn.status, 0) << drawn.err;
  EXPECT_TRUE(drawn.one_line()) << drawn.err;
  EXPECT_THAT(drawn.err, HasSubstr(line));
  EXPECT_THAT(read_file("a.svg"), AllOf(HasSubstr("no key to attend to"), HasSubstr("attention[0, 2, 0]")));
  EXPECT_EQ(run({"tensors", "-o", "again.npz", "no_key_head.npz"}).status, 0);
  EXPECT_THAT(run({"info", "again.npz"}).err, HasSubstr(line)) << "zeros are the same";
  EXPECT_EQ(run({"heads", "-o", "heads.csv", "no_key_head.npz"}).status, 0);
  EXPECT_THAT(read_file("heads.csv"), Not(HasSubstr("nan")));
}

TEST_F(CaptureCli, arithmetic_goes_as_far_as_the_arrays) {
  expect_done({"tensors", "-o", "a.npz", "--d-model", "8", "--heads", "2"});
  const CliResult text = run({"arithmetic", "a.npz", "--head", "1", "--query", "3", "--key", "1"});
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("q·k / √d_k = "), HasSubstr("Context: Σ w v"),
                              HasSubstr("the steps run from q and k to Σ w v"), Not(HasSubstr("Output"))));
  const auto json = nlohmann::json::parse(
      run({"arithmetic", "a.npz", "--head", "1", "--query", "3", "--key", "1", "--json"}).out);
  EXPECT_EQ(json["q"].size(), 4U);
  EXPECT_EQ(json["scale"], 0.5);
  EXPECT_EQ(json["context"].size(), 4U);
  EXPECT_FALSE(json.contains("output") || json.contains("w_o_terms"));
  EXPECT_TRUE(json.contains("left_out"));
  EXPECT_EQ(run({"export", "a.npz", "--view", "steps", "-o", "steps.svg"}).status, 0);
  expect_done({"tensors", "--arrays", "q,k", "-o", "none.npz"});
  const CliResult none = run({"info", "none.npz"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.out, HasSubstr("q "));
  EXPECT_THAT(none.err, HasSubstr("not a capture: it has no array attention"));
}

TEST_F(CaptureCli, what_is_wrong_is_reported) {
  expect_refused({"export", "-o", "a.svg", "nan.npz"}, "attention[1, 2, 3, 4] is NaN");
  expect_refused({"info", "nan.npz"}, "attention[1, 2, 3, 4] is NaN");
  expect_refused({"export", "-o", "a.svg", "plain.npz", "--mask", "causal"},
                 "mask is set; weights of a capture");
  expect_refused({"export", "-o", "a.svg", "several.npz", "--sequence", "2"},
                 "sequence is 2; expected 0 to 1");
  expect_refused({"--capture", "none.npz"}, "none.npz does not exist");
  for (const char* option : {"--sentence", "--target", "--d-model"})
    expect_refused({"export", "-o", "a.svg", "plain.npz", option, "64"},
                   std::string(option) + " is given; a capture keeps its own text and numbers");
  for (const char* command : {"predict", "generate"})
    expect_refused({command, "plain.npz"}, "a capture has maps and no predictions");
  expect_refused({"arithmetic", "plain.npz"}, "plain.npz has no arrays q and k");
  expect_refused({"pytorch", "plain.npz"}, "is a capture");
  for (const Arguments& arguments : {Arguments{"export", "-o", "a.svg", "off.npz"}, {"info", "off.npz"}}) {
    const CliResult result = run(arguments);
    EXPECT_EQ(result.status, 0);
    EXPECT_THAT(
        result.err,
        HasSubstr("rows of weights that do not sum to 1: 1 of 30; the first is attention[1, 0, 3]: 0.5"));
  }
  EXPECT_THAT(read_file("a.svg"), HasSubstr("rows of weights that do not sum to 1"));
  EXPECT_THAT(run({"export", "-o", "a.svg", "packed.npz"}).err, HasSubstr("were unpacked into memory"));
}

TEST_F(CaptureCli, a_session_finds_it_where_both_have_moved) {
  fs::create_directories("work");
  expect_done({"export", "-o", "work/f.svg", "--capture", "several.npz", "--sequence", "1"});
  EXPECT_EQ(session_from_figure("work/f.svg").inputs.sequence, 1);
  EXPECT_EQ(session_of({"work/f.svg"}).inputs.capture, fs::absolute("several.npz").string());
  fs::rename("several.npz", "work/several.npz");
  EXPECT_EQ(session_of({"work/f.svg"}).inputs.capture, fs::absolute("work/several.npz").string());
  fs::remove("work/several.npz");
  expect_refused({"export", "-o", "a.svg", "--session", "work/f.svg"}, "several.npz does not exist");
  fs::create_directories("m");
  write_file("m/config.json", "{}");
  EXPECT_EQ(session_of({"plain.npz", "--model", "m"}).inputs.capture, "");
}

TEST_F(CaptureCli, what_is_not_in_the_file_is_assumed_with_a_note) {
  write_file("c.safetensors", safetensors_bytes({{"attention", "F32", "[2,2,2]", std::string(32, '\0')}}));
  const CliResult info = run({"info", "c.safetensors"});
  EXPECT_EQ(info.status, 0);
  EXPECT_THAT(info.err, AllOf(HasSubstr("average_attn_weights=False"), HasSubstr("no array tokens")));
  const CliResult figure = run({"export", "-o", "a.svg", "c.safetensors"});
  EXPECT_EQ(figure.status, 0);
  EXPECT_THAT(figure.err, HasSubstr("average_attn_weights=False"));
}

}  // namespace headscope::tests
