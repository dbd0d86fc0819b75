#pragma once
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/cli.h"

namespace headscope {

/// What one call of the command line did, in this process.
struct CliResult {
  int status = 0;
  std::string out, err;
  std::optional<CommandRequest> window;  ///< what the window was opened with

  bool one_line() const { return !err.empty() && err.find('\n') == err.size() - 1; }
};

/// A folder of its own to work in, and English whatever the machine speaks.
class CliTest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("LC_ALL", "C", 1);
    std::string name = (std::filesystem::temp_directory_path() / "headscope-cli-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_);
  }
  void TearDown() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

  static CliResult run(const std::vector<std::string>& arguments) {
    std::vector<const char*> argv{"headscope"};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    CliResult result;
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    result.status = run_cli(static_cast<int>(argv.size()), argv.data(), [&](const CommandRequest& request) {
      result.window = request;
      return 0;
    });
    result.out = testing::internal::GetCapturedStdout();
    result.err = testing::internal::GetCapturedStderr();
    return result;
  }
  /// Status 0, and nothing on stdout and stderr.
  static void expect_done(const std::vector<std::string>& arguments) {
    const CliResult result = run(arguments);
    EXPECT_EQ(result.status, 0) << testing::PrintToString(arguments) << result.err;
    EXPECT_EQ(result.err, "") << testing::PrintToString(arguments);
    EXPECT_EQ(result.out, "") << testing::PrintToString(arguments);
  }
  /// Status `status` with one line on stderr that holds `part`, nothing on stdout, and no new file.
  static void expect_refused(const std::vector<std::string>& arguments, const std::string& part,
                             int status = 2) {
    const std::string shown = testing::PrintToString(arguments);
    const std::size_t before = files();
    const CliResult result = run(arguments);
    EXPECT_EQ(result.status, status) << shown << result.err;
    EXPECT_TRUE(result.one_line()) << shown << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos) << shown << result.err;
    EXPECT_EQ(result.out, "") << shown;
    EXPECT_FALSE(result.window) << shown;
    EXPECT_EQ(files(), before) << shown;
  }
  static std::size_t files() {
    using Iterator = std::filesystem::directory_iterator;
    return static_cast<std::size_t>(std::distance(Iterator("."), Iterator()));
  }

  std::filesystem::path folder_, before_;
};

}  // namespace headscope
