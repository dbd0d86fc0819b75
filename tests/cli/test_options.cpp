#include <nlohmann/json.hpp>

#include "tests/cli/cli_fixture.h"
#include "tests/support/inputs.h"

namespace headscope::tests {

class Options : public CliTest {};

TEST_F(Options, that_change_nothing_are_reported_before_the_window_opens) {
  const char* line[] = {"headscope", "--sigma", "2"};
  std::string reported;
  testing::internal::CaptureStderr();
  run_cli(3, line, [&](const CommandRequest&) {
    reported = testing::internal::GetCapturedStderr();
    testing::internal::CaptureStderr();
    return 0;
  });
  EXPECT_EQ(reported, "headscope: --sigma has no effect; it needs --weights normal\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(Options, that_change_nothing_say_what_they_need) {
  const auto reported = [](const Arguments& options) { return run(Arguments{"info"} + options).err; };
  EXPECT_EQ(reported({"--positions", "sinusoidal"}),
            "headscope: --positions has no effect; it needs --inputs embedding\n");
  EXPECT_EQ(reported({"--sigma", "2", "--dropout-seed", "3"}),
            "headscope: --dropout-seed has no effect; it needs --dropout; "
            "--sigma has no effect; it needs --weights normal\n");
  EXPECT_EQ(reported({"--d-model", "1", "--heads", "1", "--typed", R"({"w_q": [1]})"}),
            "headscope: --typed has no effect; it needs --weights typed\n");
  EXPECT_EQ(reported({"--typed-order", "in_out"}),
            "headscope: --typed-order has no effect; it needs --weights typed\n");
  EXPECT_EQ(reported({"--no-residual", "--no-layer-norm"}),
            "headscope: --no-residual has no effect; it needs --layers; "
            "--no-layer-norm has no effect; it needs --layers\n");
  EXPECT_EQ(run({"export", "-o", "f.svg", "--head", "2", "--rows", "3"}).err,
            "headscope: --rows has no effect; it needs --view grid\n");
  EXPECT_EQ(reported({"--positions", "none"}), "") << "the default";
  EXPECT_EQ(reported({"--positions", "sinusoidal", "--inputs", "embedding"}), "");
}

TEST_F(Options, help_has_a_line_for_each_whatever_the_parsers_version) {
  const std::string help = run({"--help"}).out;
  for (const char* part : {"\nArguments:\n", "\n  -h,", "\n  --heads N  ",
                           "\n  circuits                    Write what a model's heads copy, match and read "
                           "from each other, from the "
                           "weights alone: ",
                           "\nExample:\n  headscope --sentence"})
    EXPECT_THAT(help, HasSubstr(part));
}

TEST_F(Options, nothing_given_requests_nothing) {
  const CliResult result = run({});
  ASSERT_TRUE(result.window);
  EXPECT_EQ(result.window->session, Session{});
  EXPECT_FALSE(result.window->inputs_given);
  EXPECT_EQ(result.window->file, "");
  EXPECT_EQ(result.err, "");
}

TEST_F(Options, every_option_changes_its_field_and_no_other) {
  const std::pair<Arguments, Session> cases[] = {
      {{"--sentence", "a b"}, session_with(&Inputs::sentence, "a b")},
      {{"--sentence", "-x"}, session_with(&Inputs::sentence, "-x")},
      {{"--sentence", "--heads"}, session_with(&Inputs::sentence, "--heads")},
      {{"--sentence="}, session_with(&Inputs::sentence, "")},
      {{"--sentence", ""}, session_with(&Inputs::sentence, "")},
      {{"--sentence=export"}, session_with(&Inputs::sentence, "export")},
      {{"--key-sentence", "猫"}, session_with(&Inputs::key_sentence, "猫")},
      {{"--splits", "1,5"}, session_with(&Inputs::splits, std::set{1, 5})},
      {{"--joins", "4"}, session_with(&Inputs::joins, std::set{4})},
      {{"--joins", "4", "--joins", "none"}, Session{}},
      {{"--key-sentence", "a b", "--key-joins", "2", "--key-splits", "1"},
       session_with(&Inputs::key_sentence, "a b", &Inputs::key_joins, std::set{2}, &Inputs::key_splits,
                    std::set{1})},
      {{"--view", "table"}, session_with(&View::kind, ViewKind::head_table)},
      {{"--groups", "4", "--sort", "name"},
       session_with(&View::table, TableOptions{.groups = 4}, &View::sort, HeadSort{"name"})},
      {{"--sort", "number"}, Session{}},
      {{"--d-model", "64"}, session_with(&Inputs::d_model, 64)},
      {{"--heads=16"}, session_with(&Inputs::heads, 16)},
      {{"--heads", "2", "--heads", "4"}, session_with(&Inputs::heads, 4)},
      {{"--seed", "18446744073709551615"}, session_with(&Inputs::seed, UINT64_MAX)},
      {{"--mask", "causal"}, session_with(&Inputs::mask, std::vector{parse_mask_part("causal")})},
      {{"--mask", "causal", "--mask", "padding:8,9"},
       session_with(&Inputs::mask, std::vector{parse_mask_part("causal"), parse_mask_part("padding:8,9")})},
      {{"--mask", "causal", "--mask", "none"}, Session{}},
      {{"--mask-fill", "-1e9"}, session_with(&Inputs::mask_fill, MaskFill::minus_1e9)},
      {{"--mask-fill=-1e9"}, session_with(&Inputs::mask_fill, MaskFill::minus_1e9)},
      {{"--mask-fill", "-inf"}, Session{}},
      {{"--temperature", "2.5e-1"}, session_with(&Inputs::temperature, 0.25)},
      {{"--inputs", "embedding"}, session_with(&Inputs::vectors, VectorKind::embedding)},
      {{"--positions", "sinusoidal"}, session_with(&Inputs::positions, Positions::sinusoidal)},
      {{"--no-scale"}, session_with(&Inputs::scale, false)},
      {{"--dropout", "0.1", "--dropout-seed", "3"},
       session_with(&Inputs::dropout, 0.1, &Inputs::dropout_seed, std::uint64_t{3})},
      {{"--gain-q", "-2"}, session_with(&Inputs::gain_q, -2)},
      {{"--gain-k", "0"}, session_with(&Inputs::gain_k, 0)},
      {{"--weights", "normal", "--sigma", "1"},
       session_with(&Inputs::weights, WeightKind::normal, &Inputs::sigma, 1)},
      {{"--weights", "xavier"}, session_with(&Inputs::weights, WeightKind::xavier)},
      {{"--weights", "identity"}, session_with(&Inputs::weights, WeightKind::identity)},
      {{"--weights", "similarity"}, session_with(&Inputs::weights, WeightKind::similarity)},
      {{"--kv-heads", "2"}, session_with(&Inputs::kv_heads, 2)},
      {{"--layers", "3", "--layer", "2"}, session_with(&Inputs::layers, 3, &View::layer, 2)},
      {{"--share-layers"}, session_with(&Inputs::share_layers, true)},
      {{"--no-residual"}, session_with(&Inputs::residual, false)},
      {{"--no-layer-norm"}, session_with(&Inputs::layer_norm, false)},
      {{"--feed-forward"}, session_with(&Inputs::feed_forward, true)},
      {{"--head", "7"}, session_with(&View::head, 7, &View::kind, ViewKind::head)},
      {{"--view", "lines"}, session_with(&View::kind, ViewKind::lines)},
      {{"--rows", "4", "--columns", "2"}, session_with(&View::rows, 4, &View::columns, 2)},
      {{"--colormap", "magma"}, session_with(&View::colormap, Colormap::magma)},
      {{"--range", "0-1"}, session_with(&View::range, RangeChoice{Range::unit})},
      {{"--range", "log"}, session_with(&View::range, RangeChoice{Range::logarithm})},
      {{"--range", "0.05:0.3"}, session_with(&View::range, RangeChoice{Range::fixed, {0.05, 0.3}})},
      {{"--range", "-1:1e-3"}, session_with(&View::range, RangeChoice{Range::fixed, {-1, 1e-3}})},
      {{"--title", "标题"}, session_with(&View::title, "标题")},
      {{"--title", ""}, session_with(&View::show_title, false)},
      {{"--title="}, session_with(&View::show_title, false)},
      {{"--theme", "dark"}, session_with(&View::theme, Theme::dark)},
      {{"--numbers", "off"}, session_with(&View::numbers, Numbers::off)},
      {{"--numbers", "on"}, Session{}},
  };
  for (const auto& [arguments, expected] : cases)
    EXPECT_EQ(to_json(session_of(arguments)), to_json(expected)) << PrintToString(arguments);
}

TEST_F(Options, figure_and_program_options) {
  const CliResult result =
      run({"--width", "7.5", "--height", "4", "--dpi", "300", "--language", "zh", "--time-first-frame"});
  ASSERT_TRUE(result.window) << result.err;
  const FigureOptions& figure = result.window->figure;
  EXPECT_EQ(std::tuple(figure.width, figure.height, figure.dpi), std::tuple(7.5, 4.0, 300.0));
  EXPECT_EQ(result.window->language, Language::zh);
  EXPECT_TRUE(result.window->time_first_frame);
}

TEST_F(Options, options_override_the_session_they_are_on) {
  Session saved = session_with(&Inputs::key_sentence, "keys", &Inputs::heads, 4, &Inputs::layers, 3,
                               &Inputs::share_layers, true, &Inputs::residual, false, &Inputs::mask,
                               std::vector{parse_mask_part("causal")}, &View::title, "kept");
  saved.bookmarks = {{"b", Inputs{}, View{}, {}}};
  save_session("s.json", saved);
  EXPECT_EQ(session_of({"--session", "s.json"}), saved);
  EXPECT_EQ(session_of({"s.json"}), saved);
  Session expected = saved;
  expected.inputs.key_sentence.reset();
  expected.inputs.share_layers = false;
  expected.inputs.residual = true;
  expected.inputs.mask = {parse_mask_part("window:1")};
  expected.inputs.heads = 8;
  EXPECT_EQ(session_of({"--heads", "8", "--mask", "window:1", "--no-share-layers", "--residual",
                        "--no-key-sentence", "s.json"}),
            expected);
  expected = saved;
  expected.inputs.mask.clear();
  EXPECT_EQ(session_of({"--mask", "none", "--session", "s.json"}), expected);
  const CliResult result = run({"s.json", "--seed", "42"});
  ASSERT_TRUE(result.window);
  EXPECT_EQ(result.window->file, "s.json");
  EXPECT_TRUE(result.window->inputs_given);
}

TEST_F(Options, another_sentence_keeps_the_boundaries_that_it_still_has) {
  Session saved = session_with(&Inputs::sentence, "河岸边 ab", &Inputs::splits, std::set{2, 5});
  save_session("s.json", saved);
  EXPECT_THAT(session_of({"s.json", "--sentence", "在河岸边 ab"}).inputs.splits, ElementsAre(3, 6));
  EXPECT_THAT(session_of({"s.json", "--sentence", "河岸边 xy"}).inputs.splits, ElementsAre(2));
  EXPECT_THAT(session_of({"s.json", "--sentence", "在河岸边 ab", "--splits", "6"}).inputs.splits,
              ElementsAre(6));
}

TEST_F(Options, of_opposites_the_last_one_counts) {
  const struct {
    std::string on, off;
    bool Inputs::*field;
  } pairs[] = {{"--scale", "--no-scale", &Inputs::scale},
               {"--share-layers", "--no-share-layers", &Inputs::share_layers},
               {"--residual", "--no-residual", &Inputs::residual},
               {"--layer-norm", "--no-layer-norm", &Inputs::layer_norm},
               {"--feed-forward", "--no-feed-forward", &Inputs::feed_forward}};
  for (const auto& [on, off, field] : pairs) {
    EXPECT_TRUE(session_of({off, on}).inputs.*field) << on;
    EXPECT_FALSE(session_of({on, off}).inputs.*field) << on;
    EXPECT_TRUE(session_of({on, off, "--heads", "4", on}).inputs.*field) << on;
  }
  EXPECT_EQ(session_of({"--no-key-sentence", "--key-sentence", "a"}).inputs.key_sentence, "a");
  EXPECT_EQ(session_of({"--key-sentence", "a", "--no-key-sentence"}).inputs.key_sentence, std::nullopt);
}

TEST_F(Options, a_title_comes_back_to_a_session_without_one) {
  const Session saved = session_with(&View::show_title, false);
  save_session("s.json", saved);
  EXPECT_EQ(session_of({"s.json"}), saved);
  EXPECT_TRUE(session_of({"s.json", "--title", "t"}).view.show_title);
}

TEST_F(Options, a_view_that_no_longer_fits_is_led_back) {
  save_session("s.json", session_with(&Inputs::layers, 4, &View::layer, 3, &View::kind, ViewKind::head,
                                      &View::head, 7, &View::hidden_heads, std::set{0, 1, 6}));
  const View view = session_of({"s.json", "--layers", "2", "--heads", "2"}).view;
  EXPECT_EQ(view.layer, 1);
  EXPECT_EQ(view.head, 0);
  EXPECT_TRUE(view.hidden_heads.empty());
}

TEST_F(Options, values_that_are_none) {
  const Arguments whole = {"--d-model", "--heads", "--kv-heads", "--layers", "--layer",
                           "--head",    "--rows",  "--columns",  "--seed",   "--dropout-seed"};
  for (const std::string& option : whole)
    for (const char* value : {"", "abc", "3.5", "1e2", "1e99", "-1", "99999999999", "99999999999999999999999",
                              "0x10", " 1", "1 ", "1,2", "nan"}) {
      if (option.ends_with("seed") && std::string(value) == "99999999999") continue;
      if (option == "--head" && std::string(value) == "3.5") continue;  // layer 3, head 5
      expect_refused({option, value}, option + " is ");
      expect_refused({option + "=" + value}, option + " is ");
    }
  for (const char* option :
       {"--temperature", "--dropout", "--gain-q", "--gain-k", "--sigma", "--width", "--height", "--dpi"})
    for (const char* value : {"", "abc", "1e99", "nan", "inf", "-inf", "1x", "1e999", "0x1p3", "1,5"})
      expect_refused({option, value}, std::string(option) + " is ");
  for (const char* option : {"--mask-fill", "--inputs", "--positions", "--weights", "--view", "--colormap",
                             "--range", "--theme", "--numbers", "--language"})
    for (const char* value : {"", "nonsense", "0", "-"})
      expect_refused({option, value}, std::string(option) + " is \"" + value + "\"; expected one of: ");
  for (const char* option :
       {"--d-model", "--heads", "--layers", "--temperature", "--width", "--height", "--dpi"})
    expect_refused({option, "0"}, std::string(option) + " is 0; expected ");
  for (const char* limits : {"0.3:0.3", "1:0", "0:-1"})
    expect_refused({"--range", limits},
                   std::string("--range is ") + limits + "; expected LOW:HIGH with LOW < HIGH");
  for (const char* limits : {"0:", ":1", "a:b", "0:1:2", "nan:1", "0:1e7"})
    expect_refused({"--range", limits}, "--range is ");
  expect_refused({"--head", "8"}, "--head is 8; expected 0 to 7");
  expect_refused({"--head", "0.99"}, "--head: head is 99; expected 0 to 7");
  expect_refused({"--head", "3.0"}, "--head: layer is 3; expected 0");
  expect_refused({"--head", "-1"}, "--head is -1; expected a whole number from 0");
  expect_refused({"--layer", "1"}, "--layer is 1; expected 0\n");
  expect_refused({"--heads", "7"}, "d_model 512 is not divisible by heads 7");
  expect_refused({"--kv-heads", "3"}, "heads 8 is not divisible by kv_heads 3");
  expect_refused({"--sentence", "\xFF"}, "--sentence: byte 0 is not valid UTF-8");
  expect_refused({"--mask", "global:10"}, "names token 10; there are only 10 tokens");
  expect_refused({"--mask", "padding:2", "--sentence", "a b c", "--key-sentence", "d e"}, "names token 2");
  expect_refused({"--title", "a\xC3"}, "--title: byte 1 is not valid UTF-8");
}

TEST_F(Options, lines_that_are_wrong) {
  write_file("a.npz", "x");
  save_session("a.json", Session{});
  save_session("b.json", Session{});
  const std::pair<Arguments, const char*> cases[] = {
      {{"--bogus"}, "--bogus"},
      {{"--bogus=3"}, "--bogus"},
      {{"-x"}, "-x"},
      {{"--heads"}, "--heads: the value is missing"},
      {{"export", "--colour", "red", "-o", "a.png"}, "--colour"},
      {{"export", "a.png", "b.png"}, "b.png"},
      {{"exprot", "-o", "a.png"},
       "exprot does not exist; expected a file, or a subcommand (export, tensors, heads, info, link, mark, "
       "arithmetic, "
       "predict, causes, "},
      {{"nothing.json"}, "nothing.json does not exist"},
      {{"--session", "nothing.json"}, "nothing.json does not exist"},
      {{"."}, ".: config.json is missing; expected the folder of a model"},
      {{"--model", "gpt2"}, "gpt2 does not exist"},
      {{"a.npz"}, "a.npz: not an .npz archive, or damaged"},
      {{"a.json", "--session", "b.json"}, "a.json and b.json are both given; expected one session"}};
  for (const auto& [arguments, part] : cases) expect_refused(arguments, part);
}

TEST_F(Options, a_session_whose_mask_cannot_be_opens_in_the_window) {
  const Session session = session_with(&Inputs::mask, std::vector{parse_mask_part("global:10")});
  save_session("s.json", session);
  EXPECT_EQ(session_of({"s.json"}), session);
  EXPECT_EQ(session_of({"s.json", "--heads", "4"}).inputs.mask, session.inputs.mask);
  expect_refused({"s.json", "--mask", "global:10"}, "names token 10");
}

TEST_F(Options, unknown_words_in_the_environment_are_reported) {
  for (const auto& [variable, known] : {std::pair{"HEADSCOPE_ISA", "avx512, avx2, baseline"},
                                        std::pair{"HEADSCOPE_ENGINE", "kernels, eigen"}}) {
    const std::string reported = fmt::format("{} is \"fast\"; expected one of: {}", variable, known);
    setenv(variable, "fast", 1);
    for (const Arguments& line : {Arguments{}, Arguments{"tensors", "-o", "a.npz"}, Arguments{"bench"}})
      expect_refused(line, reported);
    setenv(variable, "", 1);
    EXPECT_TRUE(run({}).window);
    unsetenv(variable);
  }
}

TEST_F(Options, bench_profiles_a_model_only) {
  expect_refused({"bench", "--profile"}, "--profile: of a model; expected --model, too");
}

TEST_F(Options, help_and_version) {
  for (const char* command : {"export", "tensors", "heads", "info", "bench"}) {
    const CliResult help = run({command, "--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_EQ(help.err, "");
    EXPECT_THAT(help.out, HasSubstr("Example:\n  headscope " + std::string(command)));
    EXPECT_THAT(run({"-h"}).out, HasSubstr(command));
  }
  EXPECT_EQ(run({"--version"}).out.rfind("headscope ", 0), 0U);
  EXPECT_THAT(run({"--language", "zh", "--help"}).out, HasSubstr("种子"));
  for (const char* command : {"export", "tensors", "heads", "info", "bench", "--help"}) {
    const std::string help = run({"--language", "zh", command, "--help"}).out;
    for (const char* english : {"Usage", "Positionals", "Options:", "OPTIONS", "Subcommands", "SUBCOMMAND"})
      EXPECT_THAT(help, Not(HasSubstr(english))) << command;
  }
}

TEST_F(Options, messages_follow_the_language) {
  EXPECT_THAT(run({"--heads", "7", "--language", "zh"}).err, HasSubstr("不能被"));
  EXPECT_THAT(run({"--bogus", "--language=zh"}).err, HasSubstr("未知"));
  setenv("LC_ALL", "zh_CN.UTF-8", 1);
  EXPECT_THAT(run({"--heads", "7"}).err, HasSubstr("不能被"));
  EXPECT_THAT(run({"--heads", "7", "--language", "en"}).err, HasSubstr("not divisible"));
}

TEST_F(Options, a_file_that_cannot_be_opened_is_reported_by_the_window_where_it_is_all_that_was_requested) {
  write_file("bad.json", "{");
  write_file("bad.md", "no lesson");
  write_file("bad.npz", "PK");
  for (const char* file : {"bad.json", "bad.md", "bad.npz"}) {
    SCOPED_TRACE(file);
    const CliResult result = run({file, "--language", "zh"});
    EXPECT_EQ(result.status, 2);
    ASSERT_TRUE(result.failed);
    EXPECT_THAT(result.failed->what(), HasSubstr(file));
    EXPECT_FALSE(run({file, "--heads", "4"}).failed);
  }
  EXPECT_FALSE(run({"none.json"}).failed) << "it may be a misspelt command";
}

}  // namespace headscope::tests
