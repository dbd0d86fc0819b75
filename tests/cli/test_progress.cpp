#include <fcntl.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "app/cli/messages.h"
#include "tests/support/testing.h"

namespace headscope::tests {
namespace {

/// A terminal, and what is written to it.
class Terminal {
 public:
  Terminal() {
    if (openpty(&reader_, &writer_, nullptr, nullptr, nullptr) != 0)
      throw std::runtime_error("no pseudo-terminal");
  }
  ~Terminal() {
    close_writer();
    close(reader_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  int writer() const { return writer_; }
  void close_writer() {
    if (writer_ >= 0) close(std::exchange(writer_, -1));
  }
  /// Everything written until `part` was, or until every writer has closed it.
  std::string read_until(const std::string& part) {
    char bytes[256];
    while (!read_.ends_with(part) && read_.find(part) == std::string::npos) {
      const ssize_t count = read(reader_, bytes, sizeof bytes);
      if (count <= 0) break;
      read_.append(bytes, static_cast<std::size_t>(count));
    }
    return read_;
  }

 private:
  int reader_ = -1, writer_ = -1;
  std::string read_;
};

/// Redirects standard error to another file during its lifetime.
class OtherStderr {
 public:
  explicit OtherStderr(int other) : before_(dup(STDERR_FILENO)) { dup2(other, STDERR_FILENO); }
  ~OtherStderr() {
    dup2(before_, STDERR_FILENO);
    close(before_);
  }
  OtherStderr(const OtherStderr&) = delete;
  OtherStderr& operator=(const OtherStderr&) = delete;

 private:
  int before_;
};

const char* const cleared = "\r\x1b[K";

class Progresses : public InFolder {
 protected:
  /// Starts the program, whose standard error is the terminal.
  static pid_t start(Terminal& terminal, const std::vector<std::string>& arguments,
                     const std::string& temporary = "/tmp") {
    std::vector<std::string> words{HEADSCOPE_BINARY};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      setenv("LC_ALL", "C", 1);
      setenv("TMPDIR", temporary.c_str(), 1);
      dup2(terminal.writer(), STDERR_FILENO);
      execv(argv[0], argv.data());
      _exit(127);
    }
    terminal.close_writer();
    return child;
  }
  /// The signal that ended the program; 0: none.
  static int end_signal(pid_t child) {
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }
};

}  // namespace

TEST_F(Progresses, are_a_line_on_a_terminal_and_gone_at_the_end) {
  Terminal terminal;
  const OtherStderr other(terminal.writer());
  const Translator tr;
  {
    Progress progress(tr, "Reading the maps", std::chrono::milliseconds(0));
    EXPECT_THAT(terminal.read_until("Reading the maps ("), Not(HasSubstr("%")));
    progress.show(0.25);
    EXPECT_THAT(terminal.read_until("left"),
                AllOf(HasSubstr("Reading the maps  [######.................."), HasSubstr("]  25%  about ")));
  }
  EXPECT_THAT(terminal.read_until(std::string("left\x1b[K") + cleared), EndsWith(cleared));
}

TEST_F(Progresses, of_a_moment_are_not_shown) {
  Terminal terminal;
  const OtherStderr other(terminal.writer());
  const Translator tr;
  {
    Progress progress(tr, "Reading the maps", std::chrono::hours(1));
    progress.show(0.5);
  }
  std::fputs("end", stderr);
  EXPECT_EQ(terminal.read_until("end"), "end");
}

TEST_F(Progresses, are_nothing_but_on_a_terminal) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  {
    const OtherStderr other(ends[1]);
    const Translator tr;
    Progress progress(tr, "Reading the maps", std::chrono::milliseconds(0));
    progress.show(0.5);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // in which a line would be written
  }
  close(ends[1]);
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  close(ends[0]);
}

TEST_F(Progresses, of_a_command_end_with_it) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Terminal terminal;
    const pid_t child =
        start(terminal, {"export", "--sweep", "temperature=0.2:5:1000", "-o", at("animation.gif")});
    EXPECT_THAT(terminal.read_until("Drawing the animation"), HasSubstr("Drawing the animation"));
    kill(child, signal);
    EXPECT_EQ(end_signal(child), signal);
    EXPECT_TRUE(fs::is_empty(folder.path));
    EXPECT_THAT(terminal.read_until("nothing of the kind"), EndsWith(cleared));
  }
}

TEST_F(Progresses, of_long_work_say_beforehand_what_it_takes_on_any_stderr) {
  const auto said = [](const Forecast& forecast, Language language) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    {
      const OtherStderr other(ends[1]);
      const Translator tr(language);
      Progress(tr, "Computing attention").report(forecast);
      std::fputs(".", stderr);
    }
    char bytes[512];
    const ssize_t count = read(ends[0], bytes, sizeof bytes);
    close(ends[0]);
    close(ends[1]);
    return std::string(bytes, static_cast<std::size_t>(std::max<ssize_t>(0, count)));
  };
  EXPECT_EQ(said({2, 8e9}, Language::en), ".") << "which nobody waits for long";
  EXPECT_THAT(said({12.4, 2.34e9}, Language::en),
              HasSubstr("Computing attention: takes about 12 s and 2.3 GB of memory; Ctrl+C ends it\n"));
  EXPECT_THAT(said({12.4, 1000}, Language::en),
              HasSubstr("Computing attention: takes about 12 s; Ctrl+C ends it\n"));
  EXPECT_THAT(said({12.4, 2.34e9}, Language::zh),
              HasSubstr("正在计算注意力：大约需要 12 秒和 2.3 GB 内存；按 Ctrl+C 可中止\n"));
}

TEST_F(Progresses, of_a_run_a_table_of_heads_and_a_handout_say_what_they_take_and_end_without_a_file) {
  std::string words;
  for (int i = 0; i < 2000; ++i) words += "w ";
  std::ofstream(at("words.txt")) << words;
  std::ofstream lesson(at("lesson.md"));
  lesson << "# T\n";
  for (int seed = 1; seed <= 4; ++seed)
    lesson << "\n## S\n\n```state\n{\"sentence\": \"" << words
           << "\", \"heads\": 64, \"d_model\": 64, \"seed\": " << seed << "}\n```\n";
  lesson.close();
  const std::vector<std::string> sized{"--sentence-file", at("words.txt"), "--heads", "64"};
  std::vector<std::string> run{"export", "--layers",       "12", "--d-model",
                               "2048",   "--share-layers", "-o", at("a.png")},
      table{"heads", "--d-model", "64", "--layers", "12", "-o", at("heads.csv")};
  for (auto* command : {&run, &table}) command->insert(command->end(), sized.begin(), sized.end());
  for (const auto& [arguments, about] :
       {std::pair{run, "Computing attention"},
        {table, "Reading the maps"},
        {std::vector<std::string>{"export", "--lesson", at("lesson.md"), "-o", at("a.pdf")},
         "Drawing the handout"}}) {
    Terminal terminal;
    const pid_t child = start(terminal, arguments);
    EXPECT_THAT(terminal.read_until("Ctrl+C ends it"), HasSubstr(std::string(about) + ": takes about "));
    kill(child, SIGINT);
    EXPECT_EQ(end_signal(child), SIGINT) << about;
  }
  for (const char* file : {"a.png", "heads.csv", "a.pdf"}) EXPECT_FALSE(fs::exists(at(file))) << file;
}

TEST_F(Progresses, when_a_command_is_interrupted_its_temporary_files_go_with_it) {
  // The pipe has no reader: the command waits with its figure in a temporary folder.
  const std::string pipe = at("pipe"), temporary = at("temporary");
  fs::create_directory(temporary);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = open(pipe.c_str(), O_RDWR);
  ASSERT_GE(fcntl(reader, F_SETPIPE_SZ, 4096), 4096);
  Terminal terminal;
  const pid_t child = start(terminal, {"export", "-o", pipe, "--dpi", "200"}, temporary);
  int waiting = 0;
  while (waiting < 4096 && waitpid(child, nullptr, WNOHANG) == 0) {
    ioctl(reader, FIONREAD, &waiting);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_FALSE(fs::is_empty(temporary));
  kill(child, SIGINT);
  EXPECT_EQ(end_signal(child), SIGINT);
  EXPECT_TRUE(fs::is_empty(temporary));
  close(reader);
}

}  // namespace headscope::tests
