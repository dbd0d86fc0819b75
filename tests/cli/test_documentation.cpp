// Command lines in README.md, CONTRIBUTING.md and docs/ do what they say. Those that open the window go as
// far as the window: files and models are opened, no display is.

#include <regex>

#include "tests/cli/documented_names.h"
#include "tests/support/built_in_models.h"
#include "tests/support/documented_lines.h"

namespace headscope::tests {
namespace {

class Documentation : public CliTest {
 protected:
  Documentation() {
    for (const DocumentedName& name : documented_names()) name.make(folder.path / name.name);
    for (const auto& [name, line] : documented_results()) expect_done(line);
  }
  /// What is wrong with a line, or nothing.
  static std::string mistake(const std::string& command) {
    const auto words = shell_words(command);
    if (!words) return "a quote stays open";
    if (documented_but_only_parsed().contains(command)) return mistake_of_options(*words);
    if (words->front() == "headscope") return mistake_of_program(*words);
    for (const auto& [beginning, why] : documented_but_not_run())
      if (command.starts_with(beginning)) return mistake_of_shell(*words);
    return "this command is not in tests/cli/documented_names.h";
  }

  /// Of several unknown options one is named, the first or the last: if that is ours at both ends, there is
  /// no other.
  static std::string mistake_of_options(const Arguments& words) {
    for (const std::size_t at : {std::size_t{2}, words.size()}) {
      Arguments line = words;
      line.insert(line.begin() + static_cast<std::ptrdiff_t>(at), "--nothing-more");
      line.erase(line.begin());
      const std::string error = run(line).err;
      if (!error.starts_with("headscope: unknown option or argument --nothing-more;")) return error;
    }
    return "";
  }

 private:
  static std::string mistake_of_program(const std::vector<std::string>& words) {
    Arguments arguments;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const auto named = documented_words().find(words[i]);
      arguments.push_back(named == documented_words().end() ? words[i] : named->second);
    }
    const CliResult result = run(arguments);
    return result.status == 0 ? "" : fmt::format("status {}: {}", result.status, result.err);
  }
  /// Scripts exist and know their options and words; files of a version have this one.
  static std::string mistake_of_shell(const std::vector<std::string>& words) {
    std::string script;
    for (const std::string& word : words) {
      if (word.starts_with("scripts/")) {
        const fs::path path = fs::path(SOURCE_DIR) / word;
        if (!fs::exists(path)) return "there is no " + word;
        script = fs::is_regular_file(path) ? read_file(path.string()) : "";
      } else if (!script.empty() && !names_a_test(word) && word != version() &&
                 script.find(word) == std::string::npos) {
        return "the script does not know " + word;
      }
      const std::size_t at = word.find("headscope");
      if (at != std::string::npos && word.find_first_of("0123456789") != std::string::npos &&
          word.find(version()) == std::string::npos)
        return word + " is not of version " + version();
    }
    return "";
  }
  static bool names_a_test(const std::string& word) {
    return std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; }) ||
           std::ranges::any_of(fs::directory_iterator(SOURCE_DIR "/tests"),
                               [&](const fs::directory_entry& layer) {
                                 return layer.path().filename() == word ||
                                        fs::exists(layer.path() / ("test_" + word + ".cpp"));
                               });
  }
  static std::string version() {
    const std::string text = run({"--version"}).out;
    return text.substr(10, text.find_first_of(" \n", 10) - 10);
  }
  ModelsIn models{fs::path(SOURCE_DIR) / "assets/models"};
};

TEST_F(Documentation, every_command_line_works) {
  const std::vector<DocumentedLine> lines = documented_lines();
  EXPECT_GT(lines.size(), 90U);
  for (const DocumentedLine& line : lines)
    EXPECT_EQ(mistake(line.command), "") << line.page << ":" << line.number << ": " << line.command;
}

TEST_F(Documentation, every_option_that_is_named_exists) {
  std::string help = run({"--help"}).out;
  for (const char* subcommand : {"export", "tensors", "heads", "info", "link", "arithmetic", "predict",
                                 "causes", "circuits", "generate", "pytorch", "bench"})
    help += run({subcommand, "--help"}).out;
  const std::regex option("`(--[a-z][-a-z]*)");
  for (const fs::path& page : documented_pages()) {
    const std::string text = read_file(page.string());
    for (std::sregex_iterator at(text.begin(), text.end(), option), end; at != end; ++at) {
      const std::string name = (*at)[1];
      const bool known = std::regex_search(help, std::regex("[ ,]" + name + "(?![-a-z])"));
      EXPECT_NE(known, documented_options_of_others().contains(name)) << page.filename() << ": " << name;
    }
  }
}

TEST_F(Documentation, names_of_the_list_are_used) {
  std::string all;
  for (const DocumentedLine& line : documented_lines()) all += " " + line.command + " ";
  for (const DocumentedName& name : documented_names())
    EXPECT_THAT(all, HasSubstr(std::string(" ") + name.name + " "));
  for (const auto& [name, line] : documented_results())
    EXPECT_THAT(all, HasSubstr(std::string(" ") + name + " "));
  for (const auto& [word, meaning] : documented_words()) EXPECT_THAT(all, HasSubstr(" " + word + " "));
  for (const auto& [line, why] : documented_but_only_parsed()) EXPECT_THAT(all, HasSubstr(" " + line + " "));
  for (const auto& [beginning, why] : documented_but_not_run()) EXPECT_THAT(all, HasSubstr(" " + beginning));
}

TEST_F(Documentation, a_line_that_does_not_work_is_found) {
  EXPECT_EQ(mistake("headscope export -o f.png --heads 4"), "");
  EXPECT_THAT(mistake("headscope export -o f.png --no-such-option"), HasSubstr("--no-such-option"));
  EXPECT_THAT(mistake("headscope exports -o f.png"), HasSubstr("exports"));
  EXPECT_THAT(mistake("headscope export --heads 4"), HasSubstr("status 2"));
  EXPECT_THAT(mistake("headscope predict --model gpt2 --sentence \"The cat\" --contributions \" unicorn\""),
              HasSubstr("unicorn"));
  EXPECT_THAT(mistake("headscope missing.npz"), HasSubstr("missing.npz"));
  EXPECT_EQ(mistake("headscope export -o f.png --sentence \"a"), "a quote stays open");
  EXPECT_EQ(mistake_of_options({"headscope", "bench", "--causes"}), "");
  EXPECT_THAT(mistake_of_options({"headscope", "bench", "--cause"}), HasSubstr("--cause;"));
  EXPECT_THAT(mistake_of_options({"headscope", "benc", "--causes"}), HasSubstr("benc"));
  EXPECT_EQ(mistake("scripts/tests"), "there is no scripts/tests");
  EXPECT_EQ(mistake("scripts/test --on windows"), "the script does not know windows");
  EXPECT_EQ(mistake("sudo scripts/package msi"), "the script does not know msi");
  EXPECT_THAT(mistake("tar xf headscope-0.0.1.tar.xz"), HasSubstr("is not of version 0.1.0"));
  EXPECT_THAT(mistake("make install"), HasSubstr("documented_names.h"));
}

TEST(DocumentedLines, are_those_of_code_blocks_and_spans) {
  const std::string page = R"(Text with `headscope info
  a.npz` and `other`, `source <(headscope --completion bash)`, `taskset -c 0 headscope …`, `python/headscope`,
`import headscope as h`.

```
headscope export -o "a   b.png" \
  --heads 4                              # explained
scripts/run      builds
                 and runs
```
```python
headscope.show(x)
```
| `sudo scripts/web` | `--heads` |
)";
  std::vector<std::string> found;
  for (const DocumentedLine& line : documented_lines("p.md", page))
    found.push_back(std::to_string(line.number) + " " + line.command);
  EXPECT_THAT(found, ElementsAre("2 headscope info a.npz", "2 headscope --completion bash", "2 headscope …",
                                 "6 headscope export -o \"a   b.png\" --heads 4", "8 scripts/run",
                                 "14 sudo scripts/web"));
  EXPECT_EQ(shell_words("headscope -o \"a b\" '' > f"),
            (std::vector<std::string>{"headscope", "-o", "a b", ""}));
}

}  // namespace
}  // namespace headscope::tests
