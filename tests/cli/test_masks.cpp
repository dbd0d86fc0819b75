#include "core/figure/figure.h"
#include "tests/cli/cli_fixture.h"

namespace headscope::tests {

class Masks : public CliTest {
 protected:
  /// Expects success with one line on stderr that contains `part`; returns the line.
  static std::string expect_reported(const Arguments& arguments, const std::string& part = "") {
    const CliResult result = run(arguments);
    EXPECT_EQ(result.status, 0) << PrintToString(arguments);
    EXPECT_TRUE(result.one_line()) << result.err;
    EXPECT_THAT(result.err, HasSubstr(part));
    return result.err;
  }
};

TEST_F(Masks, a_query_with_no_key_is_reported_once_by_every_subcommand) {
  for (const Arguments& line : std::vector<Arguments>{
           {"export", "-o", "a.png"}, {"tensors", "-o", "a.csv"}, {"heads", "-o", "h.csv"}}) {
    const Arguments blocked = line + Arguments{"--mask", "causal", "--mask", "padding:0"};
    expect_reported(blocked, "no key to attend to");
    expect_reported(blocked + Arguments{"--mask-fill", "-1e9"}, "query 0 \"The\" has every key blocked");
  }
  // With -1e9 the row is uniform, as in PyTorch.
  EXPECT_THAT(read_file("a.csv"), AllOf(HasSubstr("\n0,0,0,0,0.100000001,"), Not(HasSubstr("nan"))));
}

TEST_F(Masks, masks_that_cannot_be) {
  const auto refused = [](const std::string& mask, const std::string& part) {
    expect_refused({"tensors", "-o", "m.npz", "--mask", mask}, part);
  };
  write_file("text.npy", "no array");
  const std::pair<const char*, const char*> cases[] = {
      {"casual", "\"casual\" is of an unknown kind; expected one of: causal,"},
      {"padding:10", "names token 10; there are only 10 tokens"},
      {"global:10", "names token 10; there are only 10 tokens"},
      {"longformer:1,global=11", "names token 11"},
      {"bigbird:1,global=12,random=1", "names token 12"},
      {"cross/causal", "there is no cross attention; expected self"},
      {"self:1/causal", "layer is 1; expected 0, the only one"},
      {"window:-1", "\"-1\"; expected a whole number"},
      {"window:", "window:"},
      {"dilated:1", "dilated:1"},
      {"dilated:1,0", "dilated:1,0"},
      {"random:x", "random:x"},
      {"file:", "file:"},
      {"file:none.npy", "none.npy does not exist"},
      {"painted:0:99", "99"},
      {"file:text.npy", "text.npy: begins with \"no arr\"; expected an .npy array"}};
  for (const auto& [mask, part] : cases) refused(mask, part);
  const auto array = [](const char* type, const char* shape, std::size_t bytes) {
    write_file("mask.npy", npy_bytes(type, shape, std::string(bytes, '\0')));
  };
  array("|b1", "(3, 4)", 12);
  refused("file:mask.npy", "[3, 4]");
  array("<f4", "(10, 10)", 400);
  refused("file:mask.npy", "float32");
  array("|b1", "(10, 10)", 99);
  refused("file:mask.npy", "99 bytes");
  array("|b1", "(10, 10)", 100);
  expect_done({"tensors", "-o", "m.npz", "--mask", "file:mask.npy"});
}

TEST_F(Masks, a_mask_larger_than_the_sentence_is_done_and_reported_in_one_line) {
  const Arguments line = {"tensors", "-o", "m.npz", "--mask", "window:4000"};
  EXPECT_EQ(
      expect_reported(line),
      "headscope: the mask \"window:4000\" is larger than the sentence of 10 tokens: it allows every key\n");
  EXPECT_THAT(
      expect_reported(line + Arguments{"--mask", "random:11", "--mask", "padding:0,1,2,3,4,5,6,7,8,9"}),
      AllOf(HasSubstr("asks for more keys than the 10"), HasSubstr("10 queries have no key to attend to")));
  Arguments failing = line;
  failing[2] = "/dev/full";
  expect_refused(failing, "/dev/full: cannot be written", 1);
  expect_done({"tensors", "-o", "m.npz", "--mask", "window:9"});
}

TEST_F(Masks, the_other_side_of_a_comparison_is_reported_too) {
  Session session;
  session.view.kind = ViewKind::compare;
  session.compare = session.inputs;
  session.compare->mask = {parse_mask_part("painted:3:0-9")};
  save_session("s.json", session);
  EXPECT_EQ(expect_reported({"export", "s.json", "-o", "a.svg"}),
            "headscope: B: query 3 \"cross\" has no key to attend to: all keys are blocked and its weights "
            "are 0\n");
  EXPECT_EQ(run({"export", "s.json", "-o", "a.svg", "--view", "grid"}).err, "");
  EXPECT_TRUE(run({"export", "s.json", "-o", "a.svg", "--mask", "window:10"}).one_line());
  session.compare->mask = {parse_mask_part("file:none.npy")};
  save_session("s.json", session);
  expect_refused({"export", "s.json", "-o", "b.svg"}, "B: s.json: none.npy does not exist");
}

TEST_F(Masks, of_one_layer_go_into_sessions_and_not_into_pytorch) {
  const Arguments line{"--layers", "2", "--sentence", "a b c", "--mask", "self:1/causal"};
  expect_done(Arguments{"tensors", "-o", "a.npz"} + line);
  EXPECT_THAT(run(Arguments{"info", "--json"} + line).out, HasSubstr("self:1/causal"));
  const auto json = nlohmann::json::parse(run(Arguments{"info", "--json"} + line).out);
  EXPECT_DOUBLE_EQ(json["density"].get<double>(), (1 + 6.0 / 9) / 2);
  expect_refused(Arguments{"pytorch"} + line, "masks of single layers are not written as PyTorch");
  write_file("s.json", R"({"version": 1, "sentence": "a b", "layers": 2, "mask": ["self:1/causal"]})");
  EXPECT_EQ(run({"tensors", "-o", "b.csv", "s.json"}).status,
            run({"tensors", "-o", "b.csv", "--session", "s.json"}).status);
  expect_done({"tensors", "-o", "b.npz", "--session", "s.json"});
}

TEST_F(Masks, info_counts_what_they_leave) {
  const auto value = [](const Arguments& options, const std::string& name) {
    const CliResult result = run(Arguments{"info"} + options);
    EXPECT_EQ(result.status, 0) << result.err;
    const std::size_t at = ("\n" + result.out).find("\n" + name + " ");
    if (at == std::string::npos) return "no " + name + " in " + result.out;
    const std::string found = result.out.substr(at, result.out.find('\n', at) - at);
    return found.substr(found.find_first_not_of(' ', name.size()));
  };
  EXPECT_EQ(value({"--heads", "8"}, "density"), "1");
  EXPECT_EQ(value({"--mask", "causal"}, "density"), "0.55");
  EXPECT_EQ(value({"--mask", "causal"}, "scores saved"), "360 / 800 (45.0%, 8 x 10 x 10)");
  EXPECT_EQ(value({"--mask", "painted:head=1,0:0-9", "--heads", "2"}, "scores saved"),
            "10 / 200 (5.0%, 2 x 10 x 10)");
  EXPECT_EQ(value({"--mask", "window:0", "--key-sentence", "a b c"}, "density"), "0.1");
  EXPECT_EQ(value({"--kv-heads", "1"}, "parameters"), std::to_string(2 * 512 * 513 + 2 * 64 * 513));
  expect_done({"export", "-o", "a.svg", "--sentence", "a b c d", "--heads", "2"});
  EXPECT_EQ(value({"a.svg", "--mask", "window:1"}, "density"), "0.625");
  EXPECT_EQ(value({"--session", "a.svg", "--heads", "4"}, "heads"), "4");
  expect_refused({"info", "--mask", "global:10"}, "names token 10");
  EXPECT_THAT(run({"info", "--mask", "window:10"}).err, HasSubstr("larger than the sentence"));
}

TEST_F(Masks, a_file_moves_with_its_session_or_figure) {
  write_file("mask.npy", npy_bytes("|b1", "(2, 2)", std::string{0, 1, 0, 0}));
  expect_done({"export", "-o", "a.svg", "--sentence", "a b", "--mask", "file:mask.npy"});
  expect_done({"tensors", "-o", "a.npz", "a.svg"});
  fs::create_directories("one/two");
  for (const char* file : {"mask.npy", "a.svg"}) fs::rename(file, std::string("one/two/") + file);
  expect_done({"export", "one/two/a.svg", "-o", "one/two/b.svg"});  // names one/two/mask.npy
  fs::rename("one/two", "two");
  expect_done({"tensors", "-o", "b.npz", "two/b.svg"});
  EXPECT_EQ(read_file("a.npz").size() + std::string("two/").size(), read_file("b.npz").size());
  fs::remove("two/mask.npy");
  expect_refused({"tensors", "-o", "c.npz", "two/b.svg"}, "one/two/mask.npy does not exist");
}

TEST_F(Masks, many_masks_on_the_line_are_held_to_one_bound) {
  Arguments arguments{"info", "--sentence", "a b"};
  for (int i = 0; i < 1000; ++i) arguments = arguments + Arguments{"--mask", "painted:0-4095:0-4095"};
  expect_refused(arguments, "--mask: too much");
}

}  // namespace headscope::tests
