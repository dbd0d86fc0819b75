#include <sys/wait.h>

#include "core/figure/figure.h"
#include "core/session/session_figure.h"
#include "core/source/engine/engine.h"
#include "core/system/sanitizers.h"
#include "tests/cli/cli_fixture.h"
#include "tests/support/file_texts.h"
#include "tests/support/png.h"
#include "tests/support/read_arrays.h"
#include "tests/support/traces.h"

namespace headscope::tests {

constexpr const char* array_files[] = {"a.npz", "a.safetensors", "a.csv", "a.json"};

class Outputs : public CliTest {
 protected:
  /// Runs the real program through a shell; returns its status; stdout and stderr are in the files `out` and
  /// `err`.
  static int shell(const std::string& line, const std::string& before = "") {
    const std::string command = "unset DISPLAY WAYLAND_DISPLAY; " + before + HEADSCOPE_BINARY " " + line;
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

TEST_F(Outputs, without_inputs_it_is_the_notebook) {
  expect_done({"tensors", "-o", "a.npz"});
  const auto arrays = read_arrays("a.npz");
  EXPECT_EQ(arrays.at("attention").shape, (std::vector<Index>{1, 8, 10, 10}));
  const auto trace = Engine().run(Inputs{});
  const Tensor attention = weights(*trace, 0);
  const float* weights = attention.data();
  EXPECT_EQ(arrays.at("attention").values, std::vector<float>(weights, weights + 800));
}

TEST_F(Outputs, arrays_of_a_stack_hold_what_each_layer_reads_and_what_the_stack_gives) {
  const Arguments line = {"tensors", "--d-model", "8", "--heads", "2", "--feed-forward", "-o"};
  expect_done(line + Arguments{"two.npz", "--layers", "2"});
  expect_done(line + Arguments{"three.npz", "--layers", "3", "--share-layers"});
  expect_done(line + Arguments{"shared.npz", "--layers", "2", "--share-layers"});
  expect_done(line + Arguments{"one.npz"});
  const auto two = read_arrays("two.npz"), three = read_arrays("three.npz"),
             shared = read_arrays("shared.npz");
  EXPECT_EQ(two.at("layer_x").shape, (std::vector<Index>{2, 10, 8}));
  EXPECT_EQ(two.at("stack_output").shape, (std::vector<Index>{10, 8}));
  const auto layer_of = [](const NamedArray& array, std::ptrdiff_t layer) {
    return std::vector<float>(array.values.begin() + layer * 80, array.values.begin() + (layer + 1) * 80);
  };
  EXPECT_EQ(layer_of(two.at("layer_x"), 0), two.at("x").values);
  EXPECT_EQ(layer_of(three.at("layer_x"), 2), shared.at("stack_output").values) << "what a third would read";
  EXPECT_FALSE(read_arrays("one.npz").contains("layer_x"));
}

TEST_F(Outputs, scores_beyond_float_are_refused_on_both_sides) {
  Arguments line = {"tensors",   "-o", "a.npz",           "--weights", "normal",     "--sigma",  "100",
                    "--layers",  "4",  "--no-layer-norm", "--gain-q",  "10000",      "--gain-k", "10000",
                    "--d-model", "64", "--heads",         "1",         "--sentence", "a",        "--seed"};
  for (const char* seed : {"1", "2", "3"})
    expect_refused(line + Arguments{seed}, "layer 4 of 4: values exceed float32's range");
}

TEST_F(Outputs, the_equation_in_eigen_has_the_numbers_of_the_kernels) {
  const Arguments line = {"tensors",  "--layers", "3",         "--mask", "causal",         "--kv-heads", "2",
                          "--gain-q", "1.5",      "--dropout", "0.2",    "--feed-forward", "-o"};
  const auto tensors = [&](const std::string& file) {
    Arguments whole = line;
    whole.push_back(file);
    expect_done(whole);
    return read_arrays(file);
  };
  const auto kernels = tensors("kernels.npz");
  setenv("HEADSCOPE_ENGINE", "eigen", 1);
  const auto equation = tensors("equation.npz");
  unsetenv("HEADSCOPE_ENGINE");
  ASSERT_EQ(equation.size(), kernels.size());
  for (const auto& [name, array] : kernels) {
    EXPECT_EQ(equation.at(name).shape, array.shape) << name;
    // Numbers up to some tens, each a sum of 512 products.
    EXPECT_THAT(equation.at(name).values, testing::Pointwise(testing::FloatNear(2e-5F), array.values))
        << name;
  }
  EXPECT_NE(equation.at("output").values, kernels.at("output").values) << "the same engine twice";
}

TEST_F(Outputs, a_figure_is_a_session_again) {
  const Arguments inputs = {"--sentence", "猫 sat", "--seed", "3",      "--heads", "2",
                            "--d-model",  "16",     "--mask", "causal", "--theme", "dark"};
  for (const std::string ending : {".png", ".svg", ".pdf"}) {
    expect_done(Arguments{"export", "-o", "a" + ending} + inputs);
    const Session session = session_from_figure("a" + ending);
    EXPECT_EQ(session.inputs.sentence, "猫 sat");
    EXPECT_EQ(session.inputs.mask.size(), 1U);
    EXPECT_EQ(session.view.theme, Theme::dark);
    expect_done({"export", "a" + ending, "-o", "b" + ending});
    EXPECT_EQ(session_from_figure("b" + ending), session);
    expect_done({"tensors", "--session", "a" + ending, "-o", "a.npz"});
    EXPECT_EQ(read_arrays("a.npz").at("attention").shape, (std::vector<Index>{1, 2, 2, 2}));
  }
  expect_done({"export", "a.png", "-o", "c.png"});
  EXPECT_EQ(read_file("a.png"), read_file("c.png"));
}

TEST_F(Outputs, a_figure_has_the_size_that_is_requested) {
  const auto size = [&](const Arguments& options) {
    expect_done(Arguments{"export", "-o", "a.png", "--sentence", "a b c"} + options);
    const Pixels pixels = decoded(read_file("a.png"));
    return std::pair(pixels.width, pixels.height);
  };
  EXPECT_EQ(size({"--size", "notebook"}), std::pair(1600, 800));
  EXPECT_EQ(size({"--size", "slide"}), std::pair(3840, 2160));
  EXPECT_EQ(size({"--size", "column"}).first, 1004);
  EXPECT_EQ(size({"--size", "two-columns"}).first, 2102);
  EXPECT_EQ(size({"--width", "178mm", "--dpi", "300"}),
            size({"--size", "two-columns", "--auto-title", "--range", "head", "--text-size", "9pt"}));
  EXPECT_EQ(size({"--width", "17.8cm", "--height", "40mm", "--dpi", "254"}), std::pair(1780, 400));
  EXPECT_EQ(size({"--size", "column", "--tight"}).first, 1004);
  EXPECT_EQ(size({"--dpi", "10", "--height", "2", "--size", "column"}), std::pair(33, 20)) << "in any order";
  const auto [width, height] = size({"--tight", "--dpi", "72"});
  EXPECT_TRUE(width < 16 * 72 && height < 8 * 72) << width << " x " << height;
  const Pixels cut = decoded(read_file("a.png"));
  for (int x = 0; x < width; ++x) EXPECT_EQ(cut.at(x, 0), cut.at(0, 0)) << "a margin all around";
  bool drawn = false;
  for (int x = 0; x < width; ++x) drawn = drawn || cut.at(x, 8) != cut.at(0, 0);
  EXPECT_TRUE(drawn) << "and a small one";
  expect_refused({"export", "-o", "b.png", "--size", "large"},
                 "expected one of: screen, column, two-columns, nature");
  expect_refused({"export", "-o", "b.png", "--width", "9km"},
                 "--width is \"9km\"; expected a number from 0.5in to 100in");
  expect_refused({"export", "-o", "b.png", "--height", "1mm"}, "--height is 1mm; expected 12.7mm to 2540mm");
  expect_refused({"export", "-o", "b.png", "--text-size", "1pt"},
                 "--text-size is 1pt; expected 3pt to 100pt");
  expect_refused({"export", "-o", "b.png", "--letters=maybe"}, "--letters: takes no value");
  expect_refused({"export", "-o", "b.png", "--caption=no"}, "--caption: takes no value");
  expect_refused({"export", "-o", "b.png", "--no-scale=0"}, "--no-scale: takes no value");
  expect_refused({"export", "-o", "b.png", "--heads-off", ""}, "--heads-off is empty; expected a list");
}

TEST_F(Outputs, text_that_is_hard_to_read_is_reported_with_its_size) {
  const CliResult small = run({"export", "-o", "a.pdf", "--size", "column", "--text-size", "5pt"});
  EXPECT_EQ(small.status, 0);
  EXPECT_THAT(small.err, HasSubstr("The smallest text is 5.0 pt"));
  EXPECT_TRUE(small.one_line());
  expect_done({"export", "-o", "a.pdf", "--size", "column"});
}

TEST_F(Outputs, a_caption_is_printed_on_request) {
  const CliResult result =
      run({"export", "-o", "a.pdf", "--caption", "--sentence", "a b c", "--language", "en"});
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, AllOf(HasSubstr("Text: “a b c”."), HasSubstr("Made with Headscope")));
  EXPECT_THAT(run({"export", "-o", "a.pdf", "--caption", "--language", "zh"}).out,
              HasSubstr("行为查询，列为键。"));
}

TEST_F(Outputs, no_session_leaves_no_sentence_behind) {
  const std::string sentence = "secret words of mine";
  for (const std::string ending : {".png", ".svg", ".pdf", ".npz", ".safetensors", ".json"}) {
    const bool figure = ending == ".png" || ending == ".svg" || ending == ".pdf";
    const Arguments command{
        figure ? "export" : "tensors", "--sentence", sentence, "--heads", "2", "--d-model", "16", "-o"};
    expect_done(command + Arguments{"with" + ending});
    expect_done(command + Arguments{"without" + ending, "--no-session"});
    EXPECT_TRUE(keeps("with" + ending, sentence)) << ending;
    EXPECT_FALSE(keeps("without" + ending, sentence)) << ending;
  }
  expect_done({"export", "--session", "with.png", "--no-session", "-o", "again.svg"});
  EXPECT_THAT(read_file("again.svg"), HasSubstr(">secret<")) << "--no-session does not take --session back";
  expect_refused({"export", "without.svg", "-o", "b.svg"}, "a figure without a session");
}

TEST_F(Outputs, options_in_front_of_the_subcommand_count_too) {
  expect_done({"--seed", "3", "--theme", "dark", "export", "-o", "a.svg"});
  expect_done({"export", "--theme", "dark", "--seed", "3", "-o", "b.svg"});
  EXPECT_EQ(read_file("a.svg"), read_file("b.svg"));
  expect_done({"--seed", "3", "export", "--seed", "4", "-o", "c.svg"});
  EXPECT_EQ(session_from_figure("c.svg").inputs.seed, 4U);
  expect_done({"a.svg", "export", "-o", "d.svg"});
  EXPECT_EQ(read_file("a.svg"), read_file("d.svg"));
}

TEST_F(Outputs, every_format_and_layer_of_the_arrays) {
  const Arguments inputs = {"--layers", "3", "--d-model", "8", "--heads", "2", "--sentence", "a b c"};
  for (const char* name : array_files) expect_done(Arguments{"tensors", "-o", name, "--layer", "1"} + inputs);
  const auto values = read_arrays("a.npz").at("attention").values;
  EXPECT_EQ(values.size(), 18U);
  EXPECT_EQ(read_arrays("a.safetensors").at("attention").values, values);
  const auto json = nlohmann::json::parse(read_file("a.json"));
  EXPECT_EQ(json["attention"][0][1][2][2].get<float>(), values[17]);
  EXPECT_THAT(read_file("a.csv"), HasSubstr(fmt::format("\n1,1,2,2,{:.9g},2,2,,c,c,,\n", values[17])));
}

TEST_F(Outputs, the_table_of_heads) {
  expect_done({"heads", "-o", "h.csv", "--layers", "2"});
  const std::string all = read_file("h.csv");
  EXPECT_THAT(all, StartsWith("layer,head,layer_shown,head_shown,name,entropy,"));
  EXPECT_EQ(count(all, "\n"), 17U);
  expect_done({"heads", "-o", "one.csv", "--layers", "2", "--layer", "1"});
  EXPECT_EQ(read_file("one.csv"), all.substr(0, all.find('\n') + 1) + all.substr(all.find("\n1,0,") + 1));
  expect_done({"heads", "-o", "one.json", "--layers", "2", "--layer", "1"});
  EXPECT_EQ(nlohmann::json::parse(read_file("one.json"))["heads"].size(), 8U);
  expect_done({"heads", "-o", "h.json"});
  EXPECT_EQ(nlohmann::json::parse(read_file("h.json"))["heads"].size(), 8U);
}

TEST_F(Outputs, tables_say_what_they_are_of) {
  const Arguments inputs{"--seed", "7", "--heads", "4", "--sentence", "red, fox"};
  write_file("named.json", R"({"version": 1, "labels": [{"layer": 0, "head": 2, "name": "a"}]})");
  expect_done(Arguments{"tensors", "named.json", "-o", "a.csv"} + inputs);
  EXPECT_THAT(read_file("a.csv"), HasSubstr(R"(,1,1,,red,red,"red, fox",Layer from seed 7 · 4 heads)"));
  const std::string csv = read_file("a.csv");
  ASSERT_THAT(csv, HasSubstr("\n0,2,2,0,"));
  const std::string row = csv.substr(csv.find("\n0,2,2,0,") + 1);
  EXPECT_THAT(row.substr(0, row.find('\n')), testing::EndsWith(",1,3,a,fox,red,,"));
  expect_done(Arguments{"tensors", "-o", "a.csv", "--no-session"} + inputs);
  EXPECT_THAT(read_file("a.csv"), Not(HasSubstr("red, fox")));
  expect_done(Arguments{"heads", "-o", "h.csv"} + inputs);
  EXPECT_EQ(count(read_file("h.csv"), R"(,"red, fox",Layer from seed 7 · 4 heads)"), 4U);
}

TEST_F(Outputs, heads_report_their_names_and_groups_where_there_are_any) {
  write_file("named.json",
             R"({"version": 1, "layers": 2, "labels": [{"layer": 1, "head": 2, "name": "a"}]})");
  expect_done({"heads", "named.json", "-o", "g.csv", "--groups", "3"});
  const std::string csv = read_file("g.csv");
  EXPECT_THAT(csv, StartsWith("layer,head,layer_shown,head_shown,name,group,entropy,"));
  EXPECT_THAT(csv, HasSubstr("\n1,2,2,3,a,"));
  expect_done({"heads", "named.json", "-o", "g.json", "--groups", "3"});
  std::set<int> groups;
  const nlohmann::json heads = nlohmann::json::parse(read_file("g.json"));
  for (const auto& head : heads["heads"]) groups.insert(head["group"].get<int>());
  EXPECT_EQ(groups, (std::set<int>{0, 1, 2}));
}

TEST_F(Outputs, info_says_what_a_file_holds) {
  expect_done({"export", "-o", "a.pdf", "--sentence", "a b c", "--mask", "window:1", "--title", "T"});
  const CliResult session = run({"info", "a.pdf"});
  for (const char* part : {"a b c", "window:1", "512", "1050624", "-inf"})
    EXPECT_THAT(session.out, HasSubstr(part));
  expect_done({"tensors", "-o", "a.npz"});
  EXPECT_THAT(run({"info", "a.npz"}).out, HasSubstr("float32 [1, 8, 10, 10]"));
  expect_done({"tensors", "-o", "a.safetensors"});
  const auto reported = [&](const char* path) {
    const std::string out = run({"info", path}).out;
    return out.substr(out.find('\n'));  // the first line names the file
  };
  EXPECT_EQ(reported("a.safetensors"), reported("a.npz"));
  expect_refused({"info", "a.npz", "--heads", "2"}, "a.npz is an array file");
  expect_refused({"info"}, "PATH is missing");
  expect_refused({"info", "none"}, "none does not exist");
  expect_refused({"info", "."}, ".: config.json is missing; expected the folder of a model");
}

TEST_F(Outputs, typed_weights_from_the_line_and_from_a_session_are_the_same) {
  const Arguments line = {"--d-model", "2", "--heads", "1", "--weights", "typed"};
  const std::string typed =
      R"({"w_q": [1, 0, 0, 1], "w_k": [0, 2, 2, 0], "w_v": [1, 1, 1, 1], "w_o": [1, 0, 0, 1]})";
  expect_done(Arguments{"tensors", "-o", "a.npz", "--typed", typed} + line);
  write_file("s.json",
             R"({"version": 1, "d_model": 2, "heads": 1, "weights": "typed", "typed": )" + typed + "}");
  expect_done({"tensors", "s.json", "-o", "b.npz"});
  EXPECT_EQ(read_file("a.npz"), read_file("b.npz"));
  for (const auto& [json, part] : std::map<std::string, std::string>{{"", "--typed: empty"},
                                                                     {"3", "--typed: 3; expected an object"},
                                                                     {"{\"w_q\": [1,", "--typed: w_q"},
                                                                     {"{\"w_x\": []}", "w_x is not a field"},
                                                                     {"{\"w_q\": [1e7]}", "w_q[0]"},
                                                                     {"{}", "typed.w_q has 0 numbers"}})
    expect_refused(Arguments{"tensors", "-o", "c.npz", "--typed", json} + line, part);
}

TEST_F(Outputs, x_can_be_typed_and_matrices_as_textbooks_write_them) {
  const Arguments line = {"--d-model", "2", "--heads", "1", "--sentence", "a b", "--weights", "typed"};
  const std::string
      as_pytorch = R"({"w_q": [1, 2, 3, 4], "w_k": [0, 2, 1, 0], "w_v": [1, 1, 0, 1], "w_o": [1, 0, 0, 1])",
      as_textbooks =
          R"({"w_q": [[1, 3], [2, 4]], "w_k": [0, 1, 2, 0], "w_v": [1, 0, 1, 1], "w_o": [1, 0, 0, 1])";
  expect_done(Arguments{"tensors", "-o", "a.csv", "--typed", as_pytorch + "}", "--typed-x", "[5, 6, 7, 8]"} +
              line);
  expect_done(Arguments{"tensors", "-o", "b.csv", "--typed", as_textbooks + R"(, "x": [[5, 6], [7, 8]]})",
                        "--typed-order", "in_out"} +
              line);
  EXPECT_EQ(read_file("a.csv"), read_file("b.csv"));
  expect_done(Arguments{"export", "-o", "a.svg", "--typed", as_pytorch + "}", "--typed-x", "[5, 6, 7, 8]"} +
              line);
  const nlohmann::json info = nlohmann::json::parse(run({"info", "a.svg", "--json"}).out);
  EXPECT_EQ(info["inputs"], "typed");
  EXPECT_EQ(info["typed"]["x"], nlohmann::json({5.0, 6.0, 7.0, 8.0}));
  EXPECT_EQ(session_of({"--inputs", "randn", "--typed-x", "[1]"}).inputs.vectors, VectorKind::randn);
  expect_refused(
      Arguments{"tensors", "-o", "c.csv", "--typed", as_pytorch + "}", "--typed-x", "[5, 6, 7]"} + line,
      "typed.x has 3 numbers; expected 2 × 2");
  expect_refused({"--typed-x", "{}"}, "--typed-x");
  expect_refused({"--typed-order", "rows"}, "--typed-order is \"rows\"; expected one of: out_in, in_out");
}

TEST_F(Outputs, an_empty_sentence_is_no_error) {
  for (const std::string sentence : {"", " \n\t"}) {
    for (const char* name : {"e.png", "e.svg", "e.pdf"})
      expect_done({"export", "-o", name, "--sentence", sentence});
    for (const char* name : array_files) expect_done({"tensors", "-o", name, "--sentence", sentence});
    expect_done({"heads", "-o", "e.csv", "--sentence", sentence});
    // One of the two sentences may be empty: the arrays contain what their shapes say.
    for (const Arguments& two : {Arguments{"--sentence", sentence, "--key-sentence", "a b"},
                                 Arguments{"--sentence", "a b", "--key-sentence", sentence}}) {
      for (const char* name : array_files) expect_done(Arguments{"tensors", "-o", name} + two);
      EXPECT_EQ(read_arrays("a.npz").at("x").shape, (std::vector<Index>{0, 512}));
      EXPECT_EQ(read_arrays("a.safetensors").at("key_x").shape, (std::vector<Index>{0, 512}));
      EXPECT_EQ(nlohmann::json::parse(read_file("a.json"))["attention"][0][7], nlohmann::json::array());
    }
  }
  for (const char* view : {"grid", "head", "lines", "layers", "population"})
    expect_done({"export", "-o", "e.png", "--view", view, "--sentence", ""});
}

TEST_F(Outputs, a_view_that_the_source_lacks_is_refused_and_leaves_no_file) {
  for (const auto& [view, why] :
       {std::pair("lens", "A seeded layer predicts no tokens: open a trained model."),
        {"contributions", "A seeded layer predicts no tokens: open a trained model."},
        {"causes", "A seeded layer predicts no tokens: open a trained model."},
        {"circuits", "A seeded layer predicts no tokens: open a trained model."},
        {"model", "This view is of models with an encoder and a decoder: open one."},
        {"picture", "A layer from a seed reads a text and no picture."},
        {"compare", "--view compare is given without B; expected --other-sentence"}}) {
    expect_refused({"export", "-o", "none.svg", "--view", view}, why);
    expect_refused({"export", "-o", "none.gif", "--view", view, "--sweep", "seed=1:2:2"}, why);
    EXPECT_FALSE(fs::exists("none.svg") || fs::exists("none.gif")) << view;
  }
}

TEST_F(Outputs, a_cell_is_marked_in_every_view_with_cells_and_refused_in_others) {
  const auto picture = [&](const char* view, const Arguments& cell) {
    const CliResult result =
        run(Arguments{"export", "-o", "f.svg", "--no-session", "--view", view, "--seed", "3"} + cell);
    // The digits of matrices are small.
    if (!result.err.starts_with("headscope: The smallest text is ")) EXPECT_EQ(result.err, "") << view;
    return read_file("f.svg");
  };
  for (const char* view : {"grid", "head", "lines", "layers", "arithmetic"})
    EXPECT_NE(picture(view, {}), picture(view, {"--query", "3", "--key", "2"})) << view;
  expect_refused({"export", "-o", "f.svg", "--view", "table", "--query", "3"},
                 "--query is given with the view table; expected one that shows cells: grid, head, lines, "
                 "layers, compare, arithmetic, model");
  expect_refused({"export", "-o", "f.svg", "--view", "similarity"},
                 "--view is \"similarity\"; expected one of: grid, head, lines, layers, compare, table, "
                 "arithmetic, lens, contributions, model");
}

TEST_F(Outputs, targets_that_cannot_be) {
  for (const auto& [command, wrong] :
       std::map<std::string, std::string>{{"export", "a.gif"}, {"tensors", "a.png"}, {"heads", "a.npz"}}) {
    if (command != "heads") expect_refused({command}, "-o is missing");  // it prints
    expect_refused({command, "-o"}, "value is missing");
    expect_refused({command, "-o", ""}, "-o is missing");
    expect_refused({command, "-o", wrong}, wrong + " ends in ");
    expect_refused({command, "-o", "noending"}, "noending has no extension");
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

TEST_F(Outputs, a_failure_keeps_the_old_file) {
  write_file("a.png", "old");
  for (const Arguments& wrong : std::vector<Arguments>{
           {"--heads", "7"}, {"--mask", "padding:10"}, {"--dpi", "1200", "--width", "100"}})
    expect_refused(Arguments{"export", "-o", "a.png"} + wrong, "");
  EXPECT_EQ(read_file("a.png"), "old");
}

TEST_F(Outputs, too_much_is_refused_before_it_is_computed) {
  const std::string words = sentence_of(4096, "a", false);
  expect_refused({"tensors", "-o", "a.npz", "--sentence", sentence_of(65537, "a", false)}, "65537 tokens");
  expect_refused(
      {"tensors", "-o", "a.npz", "--sentence", words, "--heads", "64", "--layers", "12", "--d-model", "4096"},
      "GB of memory", 1);
  expect_done({"tensors", "-o", "a.npz", "--sentence", std::string(100000, 'x')});
}

TEST_F(Outputs, sessions_randomly_damaged_give_one_line) {
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
      EXPECT_THAT(result.err, StartsWith("headscope: damaged.json: "));
    }
  }
}

TEST_F(Outputs, messages_are_one_short_line_whatever_the_names) {
  expect_refused({"info", "a\x1b[2J\nb.json"}, "a\\x1b[2J\\nb.json");
  const CliResult result = run({"info", std::string(3000, 'x') + ".json"});
  EXPECT_TRUE(result.one_line());
  EXPECT_LE(result.err.size(), 500U);
}

TEST_F(Outputs, too_many_words_are_refused_as_such_by_every_command) {
  const std::string many = sentence_of(70'000, "a", false);
  for (const char* command : {"info", "heads", "export", "tensors"})
    expect_refused(Arguments{command, "--sentence", many, "--heads", "64"} +
                       (std::string(command) == "info" ? Arguments{} : Arguments{"-o", "a.csv"}),
                   std::string(command) == "export" ? "expected .png"
                                                    : "sentence has 70000 tokens; expected at most 65536");
}

TEST_F(Outputs, a_file_larger_than_allowed_leaves_nothing) {
  for (const char* output :
       {"export -o a.png", "export -o a.pdf", "tensors -o a.npz", "heads -o a.csv --layers 12"}) {
    EXPECT_EQ(shell(std::string(output) + " > out 2> err", "ulimit -f 8; "), 1) << output;
    EXPECT_EQ(count(read_file("err"), "\n"), 1U) << output;
    EXPECT_THAT(read_file("err"), HasSubstr("cannot be written")) << output;
    EXPECT_EQ(folder.entries(), 2U) << output;
  }
}

/// fontconfig complains of its configuration, and that its new cache is larger than allowed.
TEST_F(Outputs, lines_of_libraries_are_not_among_ours) {
#if defined(HEADSCOPE_SANITIZED)
  GTEST_SKIP() << "the sanitizer's own lines must come through";
#endif
  std::ofstream("fonts.conf") << "<fontconfig><dir>/usr/share/fonts</dir><cachedir>" << at("cache")
                              << "</cachedir><nonsense/></fontconfig>";
  const std::string fonts = "export FONTCONFIG_FILE=" + at("fonts.conf") + "; ";
  EXPECT_EQ(shell("export -o a.png > out 2> err", fonts + "ulimit -f 8; HEADSCOPE_LIBRARY_MESSAGES=1 "), 1);
  EXPECT_THAT(read_file("err"), AllOf(HasSubstr("nonsense"), HasSubstr("write cache")));
  EXPECT_THAT(read_file("err"), HasSubstr("headscope: a.png: cannot be written"));
  fs::remove_all("cache");
  EXPECT_EQ(shell("export -o a.png > out 2> err", fonts + "ulimit -f 8; "), 1);
  EXPECT_EQ(read_file("err"), "headscope: a.png: cannot be written: larger than files may be here\n");
  EXPECT_EQ(shell("export -o a.png > out 2> err", fonts), 0);
  EXPECT_EQ(read_file("out") + read_file("err"), "");
  EXPECT_EQ(shell("heads -o /dev/stderr 2> a.csv"), 0);
  EXPECT_THAT(read_file("a.csv"), StartsWith("layer,head,"));
  EXPECT_EQ(shell("export -o a.png --heads 7 2>&-"), 2);
}

TEST_F(Outputs, the_program_itself) {
  EXPECT_EQ(shell("--version > out 2> err"), 0);
  EXPECT_THAT(read_file("out"), StartsWith("headscope "));
  EXPECT_EQ(shell("export -o a.png > out 2> err"), 0);
  EXPECT_EQ(read_file("a.png").substr(1, 3), "PNG");
  EXPECT_EQ(read_file("out") + read_file("err"), "");
  EXPECT_EQ(shell("export -o b.png --heads 7 > out 2> err"), 2);
  EXPECT_EQ(read_file("err"), "headscope: d_model 512 is not divisible by heads 7\n");
  EXPECT_EQ(shell("export -o /dev/stdout > c.png 2> err"), 0);
  EXPECT_EQ(read_file("c.png"), read_file("a.png"));
  EXPECT_EQ(shell("heads -o /dev/stdout 2> err | cat > h.csv"), 0);
  EXPECT_THAT(read_file("h.csv"), StartsWith("layer,head,"));
  EXPECT_EQ(shell("info a.png > /dev/full 2> err"), 1);
  EXPECT_EQ(read_file("err"), "headscope: standard output cannot be written\n");
  EXPECT_EQ(shell("> out 2> err"), 1);
  EXPECT_THAT(read_file("err"), HasSubstr("headscope export"));
  EXPECT_EQ(read_file("out"), "");
}

TEST_F(Outputs, lines_and_grid_show_the_head_that_is_requested_alone) {
  for (const char* view : {"lines", "grid"}) {
    expect_done({"export", "-o", "one.svg", "--heads", "4", "--view", view, "--head", "2"});
    EXPECT_EQ(count(read_file("one.svg"), ">Head 3<"), 1U) << view;
    EXPECT_THAT(read_file("one.svg"), Not(HasSubstr(">Head 1<"))) << view;
  }
  const CliResult layers = run({"export", "-o", "one.svg", "--view", "layers", "--head", "2"});
  EXPECT_EQ(layers.status, 0);
  EXPECT_THAT(layers.err, HasSubstr("--head has no effect"));
  EXPECT_EQ(run({"export", "-o", "one.svg", "--view", "layers", "--head", "2", "--query", "1"}).err, "")
      << "the head of the cell that is marked";
}

TEST_F(Outputs, a_cell_that_is_requested_is_framed_and_reported) {
  const Arguments inputs{"--sentence", "red fox ran", "--heads", "2"};
  Inputs same;
  same.sentence = "red fox ran";
  same.heads = 2;
  const auto trace = Engine(1).run(same);
  const std::string reported =
      fmt::format("Head 2, ran → fox: weight {:.3f}", trace->blocks.front().maps->weight(0, 1, 2, 1));
  for (const char* view : {"head", "grid", "lines"}) {
    expect_done(
        Arguments{"export", "-o", "a.svg", "--view", view, "--head", "1", "--query", "2", "--key", "1"} +
        inputs);
    EXPECT_THAT(read_file("a.svg"), HasSubstr(reported)) << view;
  }
  expect_done(Arguments{"export", "-o", "b.svg", "--view", "head", "--head", "1"} + inputs);
  EXPECT_THAT(read_file("b.svg"), Not(HasSubstr("weight 0.")));
  expect_refused(Arguments{"export", "-o", "c.svg", "--view", "head", "--query", "3"} + inputs,
                 "--query is 3; expected 0 to 2");
}

TEST_F(Outputs, heads_are_printed_where_no_file_is_named) {
  const CliResult printed = run({"heads", "--layers", "2", "--heads", "2"});
  EXPECT_EQ(printed.status, 0) << printed.err;
  std::istringstream lines(printed.out);
  std::vector<std::string> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(line);
  ASSERT_EQ(rows.size(), 5U) << printed.out;
  EXPECT_TRUE(rows[0].starts_with("layer  head  entropy")) << rows[0];
  EXPECT_TRUE(rows[4].starts_with("    1     1  ")) << rows[4];
  for (const std::string& row : rows) EXPECT_EQ(row.size(), rows[0].size()) << row;
}

TEST_F(Outputs, a_comparison_with_another_sentence_uses_it_without_a_warning) {
  const Arguments line = {"export", "-o", "a.svg", "--other-sentence", "one two three four five"};
  EXPECT_EQ(run(line + Arguments{"--view", "compare"}).err, "");
  EXPECT_EQ(run(line + Arguments{"--view", "head"}).err,
            "headscope: --other-sentence has no effect; it needs --view causes or compare\n");
}

TEST_F(Outputs, heads_of_a_seeded_layer_are_ablated) {
  const Arguments line = {"tensors", "--d-model", "8", "--heads", "2", "--arrays", "context,output,attention",
                          "-o"};
  expect_done(line + Arguments{"whole.npz"});
  expect_done(line + Arguments{"zero.npz", "--heads-off", "0.1"});
  expect_done(line + Arguments{"mean.npz", "--heads-off", "0.1", "--heads-off-by", "mean"});
  const auto whole = read_arrays("whole.npz"), zero = read_arrays("zero.npz"), mean = read_arrays("mean.npz");
  EXPECT_EQ(zero.at("attention").values, whole.at("attention").values);
  EXPECT_NE(zero.at("output").values, whole.at("output").values);
  for (Index i = 0; i < 10; ++i)
    for (Index c = 0; c < 8; ++c) {
      const std::size_t at = i * 8 + c;
      double sum = 0;
      for (Index j = 0; j < 10; ++j) sum += whole.at("context").values[j * 8 + c];
      EXPECT_EQ(zero.at("context").values[at], c < 4 ? whole.at("context").values[at] : 0);
      EXPECT_NEAR(mean.at("context").values[at], c < 4 ? whole.at("context").values[at] : sum / 10, 1e-6);
    }
  expect_done({"export", "-o", "a.svg", "--layers", "2", "--heads-off", "0.3", "--view", "compare"});
  expect_done({"export", "-o", "a.svg", "--heads-off", "0.3", "--view", "compare"});
  expect_refused({"export", "-o", "b.svg", "--heads-off", "0.8"}, "--heads-off: head is 8; expected 0 to 7");
}

}  // namespace headscope::tests
