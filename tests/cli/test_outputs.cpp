#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "core/attention/engine.h"
#include "core/figure/figure.h"
#include "core/io/arrays.h"
#include "core/io/file.h"
#include "tests/cli/cli_fixture.h"

namespace headscope {
namespace {

using Arguments = std::vector<std::string>;
namespace fs = std::filesystem;

class Outputs : public CliTest {
 protected:
  static void expect_done(const Arguments& arguments) {
    const CliResult result = run(arguments);
    EXPECT_EQ(result.status, 0) << testing::PrintToString(arguments) << result.err;
    EXPECT_EQ(result.err, "") << testing::PrintToString(arguments);
    EXPECT_EQ(result.out, "") << testing::PrintToString(arguments);
  }
  /// The real program through a shell: its status; stdout and stderr in the files `out` and `err`.
  static int shell(const std::string& line) {
    const int status = std::system(("unset DISPLAY WAYLAND_DISPLAY; " HEADSCOPE_BINARY " " + line).c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

TEST_F(Outputs, WithoutInputsItIsTheNotebook) {
  expect_done({"tensors", "-o", "a.npz"});
  const auto arrays = read_npz("a.npz");
  EXPECT_EQ(arrays.at("attention").shape, (std::vector<Index>{1, 8, 10, 10}));
  const auto trace = Engine().run(Inputs{});
  const float* weights = trace->layers[0].weights.data();
  EXPECT_EQ(arrays.at("attention").values, std::vector<float>(weights, weights + 800));
}

TEST_F(Outputs, AFigureIsASessionAgain) {
  const Arguments inputs = {"--sentence", "猫 sat", "--seed", "3",      "--heads", "2",
                            "--d-model",  "16",     "--mask", "causal", "--theme", "dark"};
  for (const std::string ending : {".png", ".svg", ".pdf"}) {
    Arguments first = {"export", "-o", "a" + ending};
    first.insert(first.end(), inputs.begin(), inputs.end());
    expect_done(first);
    const Session session = session_from_figure("a" + ending);
    EXPECT_EQ(session.inputs.sentence, "猫 sat");
    EXPECT_EQ(session.inputs.mask.size(), 1U);
    EXPECT_EQ(session.view.theme, Theme::dark);
    expect_done({"export", "a" + ending, "-o", "b" + ending});
    EXPECT_EQ(session_from_figure("b" + ending), session);
    expect_done({"tensors", "--session", "a" + ending, "-o", "a.npz"});
    EXPECT_EQ(read_npz("a.npz").at("attention").shape, (std::vector<Index>{1, 2, 2, 2}));
  }
  expect_done({"export", "a.png", "-o", "c.png"});
  EXPECT_EQ(read_file("a.png"), read_file("c.png"));
}

TEST_F(Outputs, OptionsInFrontOfTheSubcommandCountToo) {
  expect_done({"--seed", "3", "--theme", "dark", "export", "-o", "a.svg"});
  expect_done({"export", "--theme", "dark", "--seed", "3", "-o", "b.svg"});
  EXPECT_EQ(read_file("a.svg"), read_file("b.svg"));
  expect_done({"--seed", "3", "export", "--seed", "4", "-o", "c.svg"});
  EXPECT_EQ(session_from_figure("c.svg").inputs.seed, 4U);
  expect_done({"a.svg", "export", "-o", "d.svg"});
  EXPECT_EQ(read_file("a.svg"), read_file("d.svg"));
}

TEST_F(Outputs, EveryFormatAndLayerOfTheArrays) {
  const Arguments inputs = {"--layers", "3", "--d-model", "8", "--heads", "2", "--sentence", "a b c"};
  for (const std::string name : {"a.npz", "a.safetensors", "a.csv", "a.json"}) {
    Arguments line = {"tensors", "-o", name, "--layer", "1"};
    line.insert(line.end(), inputs.begin(), inputs.end());
    expect_done(line);
  }
  const auto values = read_npz("a.npz").at("attention").values;
  EXPECT_EQ(values.size(), 18U);
  EXPECT_EQ(read_safetensors("a.safetensors").at("attention").values, values);
  const auto json = nlohmann::json::parse(read_file("a.json"));
  EXPECT_EQ(json["attention"][0][1][2][2].get<float>(), values[17]);
  EXPECT_NE(read_file("a.csv").find("\n1,1,2,2," + fmt::format("{:.9g}", values[17]) + "\n"),
            std::string::npos);
}

TEST_F(Outputs, TheTableOfHeads) {
  expect_done({"heads", "-o", "h.csv", "--layers", "2"});
  std::istringstream lines(read_file("h.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line.rfind("layer,head,entropy,", 0), 0U);
  int count = 0;
  while (std::getline(lines, line)) ++count;
  EXPECT_EQ(count, 16);
  expect_done({"heads", "-o", "h.json"});
  EXPECT_EQ(nlohmann::json::parse(read_file("h.json"))["heads"].size(), 8U);
}

TEST_F(Outputs, InfoSaysWhatAFileHolds) {
  expect_done({"export", "-o", "a.pdf", "--sentence", "a b c", "--mask", "window:1", "--title", "T"});
  const CliResult session = run({"info", "a.pdf"});
  for (const char* part : {"a b c", "window:1", "512", "1050624", "-inf"})
    EXPECT_NE(session.out.find(part), std::string::npos) << session.out;
  expect_done({"tensors", "-o", "a.npz"});
  EXPECT_NE(run({"info", "a.npz"}).out.find("float32 [1, 8, 10, 10]"), std::string::npos);
  expect_done({"tensors", "-o", "a.safetensors"});
  EXPECT_EQ(run({"info", "a.safetensors"}).out, run({"info", "a.npz"}).out);
  expect_refused({"info"}, "PATH is missing");
  expect_refused({"info", "none"}, "none: no such file");
  expect_refused({"info", "."}, "is a folder");
}

TEST_F(Outputs, AnEmptySentenceIsNoError) {
  for (const std::string sentence : {"", " \n\t"}) {
    for (const char* name : {"e.png", "e.svg", "e.pdf"})
      expect_done({"export", "-o", name, "--sentence", sentence});
    for (const char* name : {"e.npz", "e.safetensors", "e.csv", "e.json"})
      expect_done({"tensors", "-o", name, "--sentence", sentence});
    expect_done({"heads", "-o", "e.csv", "--sentence", sentence});
    expect_done({"tensors", "-o", "e.npz", "--key-sentence", sentence});
  }
  for (const char* view : {"grid", "head", "lines", "layers", "compare", "population"})
    expect_done({"export", "-o", "e.png", "--view", view, "--sentence", ""});
}

TEST_F(Outputs, AQueryWithNoKeyIsToldOnceByEverySubcommand) {
  for (const Arguments& line : std::vector<Arguments>{
           {"export", "-o", "a.png"}, {"tensors", "-o", "a.csv"}, {"heads", "-o", "h.csv"}}) {
    Arguments blocked = line;
    blocked.insert(blocked.end(), {"--mask", "causal", "--mask", "padding:0"});
    const CliResult result = run(blocked);
    EXPECT_EQ(result.status, 0);
    EXPECT_TRUE(result.one_line()) << result.err;
    EXPECT_NE(result.err.find("no key to attend to"), std::string::npos) << result.err;
    blocked.insert(blocked.end(), {"--mask-fill", "-1e9"});
    EXPECT_EQ(run(blocked).err, "");
  }
  const std::string csv = read_file("a.csv");
  EXPECT_EQ(csv.find("nan"), std::string::npos);
  EXPECT_NE(csv.find("\n0,0,0,0,0.100000001\n"),
            std::string::npos);  // under -1e9 the row is uniform, as PyTorch's
}

TEST_F(Outputs, MasksThatCannotBe) {
  const auto refused = [](const std::string& mask, const std::string& part) {
    expect_refused({"tensors", "-o", "m.npz", "--mask", mask}, part);
  };
  refused("casual", "\"casual\" is of no known kind; expected one of: causal,");
  refused("padding:10", "names token 10, but there are only 10 tokens");
  refused("global:10", "names token 10, but there are only 10 tokens");
  refused("longformer:1,global=11", "names token 11");
  refused("bigbird:1,global=12,random=1", "names token 12");
  refused("window:-1", "\"-1\" where a whole number");
  refused("window:", "window:");
  refused("dilated:1", "dilated:1");
  refused("dilated:1,0", "dilated:1,0");
  refused("random:x", "random:x");
  refused("file:", "file:");
  refused("file:none.npy", "none.npy: no such file");
  refused("painted:0:99", "99");
  write_file("text.npy", "no array");
  refused("file:text.npy", "text.npy: not a .npy array");
  const auto array = [](const std::string& descr, const std::string& shape, std::size_t bytes) {
    const std::string header =
        "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
    std::string start = "\x93NUMPY";
    start += {'\x01', '\x00', static_cast<char>(header.size()), '\x00'};
    write_file("mask.npy", start + header + std::string(bytes, '\0'));
  };
  array("|b1", "(3, 4)", 12);
  refused("file:mask.npy", "[3, 4]");
  array("<f4", "(10, 10)", 400);
  refused("file:mask.npy", "float32");
  array("|b1", "(10, 10)", 99);
  refused("file:mask.npy", "99 bytes");
  array("|b1", "(10, 10)", 100);
  expect_done({"tensors", "-o", "m.npz", "--mask", "file:mask.npy"});
  expect_done({"tensors", "-o", "m.npz", "--mask", "window:4000"});
}

TEST_F(Outputs, TargetsThatCannotBe) {
  for (const auto& [command, wrong] :
       std::map<std::string, std::string>{{"export", "a.gif"}, {"tensors", "a.png"}, {"heads", "a.npz"}}) {
    expect_refused({command}, "-o is missing");
    expect_refused({command, "-o"}, "value is missing");
    expect_refused({command, "-o", ""}, "-o is missing");
    expect_refused({command, "-o", wrong}, wrong + " ends in ");
    expect_refused({command, "-o", "noending"}, "noending has no ending");
    expect_refused({command, "-o", "."}, ". is a folder");
    expect_refused({command, "-o", "/dev/full"}, "/dev/full: cannot be written: the disk is full", 1);
  }
  fs::create_directory("folder.png");
  expect_refused({"export", "-o", "folder.png"}, "folder.png is a folder");
  for (const std::string name : {"f.png", "f.svg", "f.pdf", "f.npz", "f.safetensors", "f.csv", "f.json"}) {
    const std::string command =
        name < "f.d" || name[2] == 'n' || name.size() > 6 || name == "f.json" ? "tensors" : "export";
    expect_refused({command, "-o", "none/" + name}, "its folder does not exist", 1);
    fs::create_symlink("/dev/full", name);
    expect_refused({command, "-o", name}, name + ": cannot be written: the disk is full", 1);
    EXPECT_TRUE(fs::is_symlink(name));
  }
}

TEST_F(Outputs, AFailureKeepsTheOldFile) {
  write_file("a.png", "old");
  for (const Arguments& wrong : std::vector<Arguments>{
           {"--heads", "7"}, {"--mask", "padding:10"}, {"--dpi", "1200", "--width", "100"}}) {
    Arguments line = {"export", "-o", "a.png"};
    line.insert(line.end(), wrong.begin(), wrong.end());
    expect_refused(line, "");
  }
  EXPECT_EQ(read_file("a.png"), "old");
}

TEST_F(Outputs, TooMuchIsRefusedBeforeItIsComputed) {
  std::string words;
  for (int i = 0; i < 4096; ++i) words += "a ";
  expect_refused({"tensors", "-o", "a.npz", "--sentence", words + "a"}, "4097 tokens");
  expect_refused(
      {"tensors", "-o", "a.npz", "--sentence", words, "--heads", "64", "--layers", "12", "--d-model", "4096"},
      "GB of memory", 1);
  expect_done({"tensors", "-o", "a.npz", "--sentence", std::string(100000, 'x')});
}

TEST_F(Outputs, SessionsRandomlyDamagedGiveOneLine) {
  Session session;
  session.inputs.sentence = "a b";
  session.inputs.mask = {parse_mask_part("bigbird:1,global=0,random=1,seed=2")};
  session.bookmarks = {{"b", session.inputs, View{}, {}}};
  save_session("whole.json", session);
  const std::string whole = read_file("whole.json");
  std::mt19937 random(5);
  for (int i = 0; i < 150; ++i) {
    std::string damaged = whole;
    if (i % 3 == 0)
      damaged.resize(random() % whole.size());
    else
      for (int flips = 0; flips < 3; ++flips)
        damaged[random() % damaged.size()] = static_cast<char>(random() % 256);
    std::ofstream("damaged.json", std::ios::binary) << damaged;
    const CliResult result = run({"damaged.json"});
    EXPECT_TRUE(result.window.has_value() || (result.status == 2 && result.one_line())) << result.err;
    if (!result.window) {
      EXPECT_EQ(result.err.rfind("headscope: damaged.json: ", 0), 0U) << result.err;
    }
  }
}

TEST_F(Outputs, TheProgramItself) {
  EXPECT_EQ(shell("--version > out 2> err"), 0);
  EXPECT_EQ(read_file("out").rfind("headscope ", 0), 0U);
  EXPECT_EQ(shell("export -o a.png > out 2> err"), 0);
  EXPECT_EQ(read_file("a.png").substr(1, 3), "PNG");
  EXPECT_EQ(read_file("out") + read_file("err"), "");
  EXPECT_EQ(shell("export -o b.png --heads 7 > out 2> err"), 2);
  EXPECT_EQ(read_file("err"), "headscope: d_model 512 is not divisible by heads 7\n");
  EXPECT_EQ(shell("export -o /dev/stdout > c.png 2> err"), 0);
  EXPECT_EQ(read_file("c.png"), read_file("a.png"));
  EXPECT_EQ(shell("heads -o /dev/stdout 2> err | cat > h.csv"), 0);
  EXPECT_EQ(read_file("h.csv").rfind("layer,head,", 0), 0U);
  EXPECT_EQ(shell("info a.png > /dev/full 2> err"), 1);
  EXPECT_EQ(read_file("err"), "headscope: standard output cannot be written\n");
  EXPECT_EQ(shell("> out 2> err"), 1);
  EXPECT_NE(read_file("err").find("headscope export"), std::string::npos);
  EXPECT_EQ(read_file("out"), "");
}

}  // namespace
}  // namespace headscope
