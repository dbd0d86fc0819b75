#pragma once
#include <nlohmann/json.hpp>

#include "app/cli/cli.h"
#include "tests/support/testing.h"

namespace headscope::tests {

/// The result of one call of the command line, in this process.
struct CliResult {
  int status = 0;
  std::string out, err;
  std::optional<CommandRequest> window;  ///< what the window was opened with
  std::optional<Error> failed;           ///< the file error it would have reported

  bool one_line() const { return !err.empty() && err.find('\n') == err.size() - 1; }
};

using Arguments = std::vector<std::string>;

inline Arguments operator+(Arguments first, const Arguments& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// Works in its own folder, and in English whatever the machine's locale.
class CliTest : public InFolder {
 protected:
  CliTest() {
    setenv("LC_ALL", "C", 1);
    fs::current_path(folder.path);
  }
  ~CliTest() override { fs::current_path(before_); }

  static CliResult run(const Arguments& arguments) {
    std::vector<const char*> argv{"headscope"};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    CliResult result;
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    result.status = run_cli(static_cast<int>(argv.size()), argv.data(), [&](const CommandRequest& request) {
      result.failed = request.failed;
      if (request.failed) throw Error(*request.failed);  // as without a display
      result.window = request;
      return 0;
    });
    result.out = testing::internal::GetCapturedStdout();
    result.err = testing::internal::GetCapturedStderr();
    return result;
  }
  /// Expects status 0, and nothing on stdout and stderr.
  static void expect_done(const Arguments& arguments) {
    SCOPED_TRACE(PrintToString(arguments));
    const CliResult result = run(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(result.out, "");
  }
  /// What a command prints as JSON; expects status 0.
  static nlohmann::json json_of(const Arguments& arguments) {
    const CliResult result = run(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    return nlohmann::json::parse(result.out);
  }
  /// Expects `status` with one line on stderr that contains `part`, nothing on stdout, and no new file.
  static void expect_refused(const Arguments& arguments, const std::string& part, int status = 2) {
    SCOPED_TRACE(PrintToString(arguments));
    const auto files = [] { return std::distance(fs::directory_iterator("."), {}); };
    const auto before = files();
    const CliResult result = run(arguments);
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_TRUE(result.one_line()) << result.err;
    EXPECT_THAT(result.err, HasSubstr(part));
    EXPECT_EQ(result.out, "");
    EXPECT_FALSE(result.window);
    EXPECT_EQ(files(), before);
  }
  /// The session that the window opens with.
  static Session session_of(const Arguments& arguments) {
    const CliResult result = run(arguments);
    EXPECT_EQ(result.status, 0) << PrintToString(arguments) << result.err;
    EXPECT_TRUE(result.window.has_value());
    return result.window ? result.window->session : Session{};
  }

 private:
  const fs::path before_ = fs::current_path();
};

}  // namespace headscope::tests
