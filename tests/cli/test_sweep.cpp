#include "core/io/file.h"
#include "core/session/session_figure.h"
#include "tests/cli/cli_fixture.h"

namespace headscope::tests {

class SweepOption : public CliTest {};

TEST_F(SweepOption, writes_what_can_be_mailed) {
  constexpr std::uintmax_t mail = 1'000'000;
  for (const std::string name : {"a.gif", "a.webp", "a.apng"}) {
    expect_done({"export", "--rows", "2", "--columns", "4", "--sweep", "temperature=0.1:4:24", "-o", name});
    EXPECT_LT(fs::file_size(name), mail);
    EXPECT_GT(fs::file_size(name), 10'000U);
  }
  EXPECT_EQ(read_file("a.gif").substr(0, 6), "GIF89a");
  EXPECT_EQ(read_file("a.webp").substr(8, 4), "WEBP");
  const auto number = [](const std::string& bytes, std::size_t at) {
    return static_cast<std::uint8_t>(bytes[at]) * 256 + static_cast<std::uint8_t>(bytes[at + 1]);
  };
  const std::string apng = read_file("a.apng");
  EXPECT_EQ(number(apng, 18), 1000);
  EXPECT_EQ(number(apng, 22), 500);
  EXPECT_EQ(number(apng, apng.find("acTL") + 6), 24);
  expect_done({"export", "--sweep", "seed=1:2:2", "--width", "3", "--height", "2", "--dpi", "50", "--delay",
               "250", "-o", "b.apng"});
  const std::string given = read_file("b.apng");
  EXPECT_EQ(number(given, 18), 150);
  EXPECT_EQ(number(given, given.find("fcTL") + 4 + 20), 250);
}

TEST_F(SweepOption, takes_every_number_by_its_name_or_option) {
  const Arguments small = {"--sentence", "a b",      "--d-model", "16",    "--heads", "2",  "--width",
                           "2",          "--height", "1",         "--dpi", "20",      "-o", "a.gif"};
  for (const char* sweep : {"d_model=4:8:2", "--d-model=4:8:2", "seed=0:1:2", "temperature=+2:1:2",
                            "dropout=0:0.5:2", "gain_q=-1:1:3", "gain-k=0:1:2", "layers=1:3:24"})
    expect_done(Arguments{"export", "--sweep", sweep} + small);
  for (const char* sweep : {"mask.window=0:1:2", "mask.random=0:2:3", "mask.seed=1:2:2", "mask.global=0:1:2"})
    expect_done(Arguments{"export", "--sweep", sweep, "--mask", "bigbird:1,random=1"} + small);
  for (const auto& [sweep, mask] : {std::pair{"mask.dilation=1:2:2", "dilated:1,2"},
                                    {"mask.padding=0:1:2", "padding:0"},
                                    {"mask.global=0:1:2", "global:0"}})
    expect_done(Arguments{"export", "--sweep", sweep, "--mask", mask} + small);
  const auto note = [&](const Arguments& more) {
    const CliResult result = run(Arguments{"export"} + small + more);
    EXPECT_EQ(result.status, 0);
    return result.err;
  };
  EXPECT_EQ(note({"--sweep", "heads=1:4:9"}),
            "headscope: heads: values left out: 3 (d_model 16 is not divisible by heads 3)\n");
  EXPECT_EQ(note({"--sweep", "sigma=0.1:1:2"}),
            "headscope: --sweep has no effect; it needs --weights normal\n");
  EXPECT_EQ(note({"--sweep", "sigma=0.1:1:2", "--weights", "normal"}), "");
  EXPECT_EQ(note({"--sweep", "dropout=0:0.5:2", "--dropout-seed", "3"}), "");
}

TEST_F(SweepOption, says_in_its_help_what_can_be_swept) {
  const std::string help = run({"export", "--help"}).out;
  for (const std::string& name : sweep_names()) EXPECT_THAT(help, HasSubstr(name));
  EXPECT_THAT(sweep_names(),
              testing::IsSupersetOf({"temperature", "sequence", "mask.window", "mask.dilation", "mask.random",
                                     "mask.seed", "mask.global", "mask.padding"}));
}

TEST_F(SweepOption, says_what_is_wrong) {
  const auto refused = [](const char* sweep, const std::string& part) {
    expect_refused({"export", "-o", "a.gif", "--sweep", sweep}, part);
  };
  for (const char* malformed : {"", "temperature", "temperature=1", "temperature=1:2", "temperature=1:2:3:4"})
    refused(malformed, std::string("--sweep is \"") + malformed +
                           "\"; expected FIELD=FROM:TO:FRAMES, such as temperature=0.1:4:24");
  refused("warmth=1:2:3", "--sweep: warmth is not an input; expected one of: sequence, d_model, heads, seed");
  refused("scale=0:1:2", "--sweep: scale is not a number; expected one of: sequence, d_model");
  refused("temperature=0:1:2", "--sweep: FROM is 0; expected 1e-06 to 1000000");
  refused("temperature=1:x:2", "--sweep: TO is \"x\"; expected a number from");
  refused("heads=1:2.5:2", "--sweep: TO is \"2.5\"; expected a whole number from 1 to 64");
  refused("temperature=1:2:1", "--sweep: FRAMES is 1; expected 2 to 1000");
  refused("temperature=1:2:1001", "--sweep: FRAMES is 1001; expected 2 to 1000");
  refused("temperature=1:1:2", "--sweep: FROM and TO are both 1; expected two values");
  refused("heads=3:3.0:2", "both 3");
  refused("mask.window=1:2:2",
          "mask.window is no number of the mask; expected a part that has it, such as "
          "--mask bigbird:1,global=0,random=2");
  refused("mask.padding=1:2:2", "such as --mask padding:8");
  refused("mask.width=1:2:2", "--sweep: mask.width is not an input; expected one of: sequence");
  refused("heads=2:3:2", "heads from 2 to 3 has one value that can be used, 2; expected two or more");
  refused("heads=5:7:3", "d_model 512 is not divisible by heads 5");
  expect_refused({"export", "-o", "a.gif", "--sweep", "heads=1:8:8", "--mask", "painted:head=7,0:0"},
                 "Heads 1: ");
  expect_refused({"export", "-o", "a.png", "--sweep", "seed=1:2:2"},
                 "a.png ends in .png; expected .gif, .webp, .apng");
  expect_refused(
      {"export", "-o", "a.gif"},
      "a.gif ends in .gif, an animation; expected --sweep FIELD=FROM:TO:FRAMES, or .png, .svg, .pdf");
  expect_refused({"export", "-o", "none/a.gif", "--sweep", "seed=1:2:2"}, "its folder does not exist", 1);
  expect_refused({"export", "-o", "/dev/full", "--sweep", "seed=1:2:2", "--dpi", "20"}, "the disk is full",
                 1);
}

TEST_F(SweepOption, keeps_the_session_where_figures_do) {
  for (const std::string name : {"a.gif", "a.webp", "a.apng"}) {
    const Arguments line{"export", "--sweep", "seed=1:2:2", "--sentence", "a b < c",
                         "--dpi",  "20",      "-o",         name};
    expect_done(line);
    EXPECT_EQ(session_of({name}).inputs.sentence, "a b < c");
    EXPECT_EQ(session_of({name}).inputs.seed, 42U);
    expect_done(line + Arguments{"--no-session"});
    EXPECT_THAT(read_file(name), testing::Not(HasSubstr("session")));
    expect_refused({name}, "a figure without a session");
  }
}

TEST_F(SweepOption, says_nothing_and_leaves_nothing_when_it_is_interrupted) {
  const std::string command = HEADSCOPE_BINARY " export --sweep seed=1:2:2 --width 2 --height 1 -o ";
  ASSERT_EQ(std::system((command + "a.gif > shown 2>&1").c_str()), 0);
  EXPECT_EQ(read_file("shown"), "") << "quiet where nobody watches";
  const auto files = std::distance(fs::directory_iterator("."), {});
  const std::string many = " --dpi 300 --sweep seed=1:1000:1000 -o b.gif 2> shown";
  std::system(("timeout -s INT 0.3 " HEADSCOPE_BINARY " export" + many).c_str());
  EXPECT_EQ(std::distance(fs::directory_iterator("."), {}), files);
}

}  // namespace headscope::tests
