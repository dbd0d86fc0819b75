#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/io/file.h"
#include "tests/support/testing.h"

namespace headscope::tests {

/// What was synced, in order, and whether it was a folder.
static std::vector<bool> synced_folder;

}  // namespace headscope::tests

/// Wraps the system's function and records its calls.
extern "C" int fsync(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) == 0)
    headscope::tests::synced_folder.push_back(S_ISDIR(status.st_mode) != 0);
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

namespace headscope::tests {

class FileTest : public InFolder {
 protected:
  static void expect_unable(const std::function<void()>& action, const std::string& part) {
    EXPECT_THAT(complaint(action, Error::Kind::unable), HasSubstr(part));
  }
  static void expect_refused(const std::function<void()>& action, const std::string& part) {
    EXPECT_THAT(complaint(action), HasSubstr(part));
  }
};

TEST_F(FileTest, writes_and_reads_any_bytes) {
  std::string bytes(300000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 2654435761U >> 13);
  write_file(at("a"), bytes);
  EXPECT_EQ(read_file(at("a")), bytes);
  write_file(at("a"), [](std::ostream& out) {
    out << "short";
    EXPECT_EQ(out.tellp(), 5);
  });
  EXPECT_EQ(read_file(at("a")), "short");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST_F(FileTest, a_failure_leaves_the_old_file_and_nothing_else) {
  write_file(at("a"), "old");
  const auto stop = [](std::ostream& out) {
    out << "new";
    throw std::runtime_error("stop");
  };
  EXPECT_THROW(write_file(at("a"), stop), std::runtime_error);
  EXPECT_THROW(write_file_at(at("a"), [](const std::string&) { throw std::runtime_error("stop"); }),
               std::runtime_error);
  EXPECT_EQ(read_file(at("a")), "old");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST_F(FileTest, keeps_the_mode_and_follows_links) {
  write_file(at("a"), "old");
  fs::permissions(at("a"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("a", at("link"));
  fs::create_symlink("later", at("dangling"));
  write_file(at("link"), "new");
  write_file(at("dangling"), "made");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(read_file(at("a")), "new");
  EXPECT_EQ(read_file(at("later")), "made");
  EXPECT_EQ(fs::status(at("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("round", at("round"));
  expect_unable([&] { write_file(at("round"), "x"); }, "round");
}

TEST_F(FileTest, a_library_writes_by_name) {
  write_file_at(at("a.bin"), [](const std::string& beside) { std::ofstream(beside) << "by name"; });
  EXPECT_EQ(read_file(at("a.bin")), "by name");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST_F(FileTest, devices_and_pipes_are_written_in_place) {
  expect_unable([] { write_file("/dev/full", "x"); }, "/dev/full: cannot be written: the disk is full");
  const auto write_x = [](const std::string& beside) { std::ofstream(beside) << "x"; };
  expect_unable([&] { write_file_at("/dev/full", write_x); }, "/dev/full");
  fs::create_symlink("/dev/full", at("full.png"));
  expect_unable([&] { write_file(at("full.png"), "x"); }, "full.png");
  EXPECT_TRUE(fs::is_symlink(at("full.png")));
  write_file("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_FALSE(is_plain_file_target("/dev/null"));
  EXPECT_TRUE(is_plain_file_target(at("not there yet")));
}

TEST_F(FileTest, a_descriptor_by_name_goes_on_where_it_is) {
  const int file = open(at("a").c_str(), O_CREAT | O_RDWR, 0600);
  ASSERT_EQ(write(file, "begin ", 6), 6);
  write_file("/dev/fd/" + std::to_string(file), "end");
  close(file);
  EXPECT_EQ(read_file(at("a")), "begin end");
  expect_unable([] { write_file("/dev/fd/987", "x"); }, "/dev/fd/987");
}

TEST_F(FileTest, leaves_nothing_where_no_more_files_can_be_open) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const int next = dup(STDIN_FILENO);
  close(next);
  rlimit none = before;
  none.rlim_cur = static_cast<rlim_t>(next);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const std::string said =
      complaint([&] { write_file_at(at("a"), [](const std::string&) {}); }, Error::Kind::unable);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_THAT(said, HasSubstr("Too many open files"));
  EXPECT_EQ(folder.entries(), 0U);
}

TEST_F(FileTest, targets_that_cannot_be) {
  expect_refused([&] { write_file(folder.path.string(), "x"); }, "is a folder");
  expect_refused([&] { write_file(at("new/"), "x"); }, "is a folder");
  expect_refused([&] { write_file("", "x"); }, "empty");
  expect_unable([&] { write_file(at("no/such/folder"), "x"); }, "its folder does not exist");
  expect_unable([&] { write_file(at(std::string(300, 'n')), "x"); }, "nnn");
  write_file(at("a"), "x");
  expect_unable([&] { write_file(at("a/b"), "x"); }, "not a folder");
  expect_unable([] { write_file("/proc/headscope", "x"); }, "/proc/headscope: cannot be written: permission");
  EXPECT_EQ(folder.entries(), 1U);
  write_file(at(std::string(255, 'n')), "longest name");
  EXPECT_EQ(folder.entries(), 2U);
}

TEST_F(FileTest, no_permission) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  write_file(at("a"), "old");
  fs::permissions(at("a"), fs::perms::owner_read);
  expect_unable([&] { write_file(at("a"), "new"); }, "permission denied");
  fs::permissions(folder.path, fs::perms::owner_read | fs::perms::owner_exec);
  expect_unable([&] { write_file(at("b"), "new"); }, "permission denied");
  fs::permissions(folder.path, fs::perms::owner_all);
  fs::permissions(at("a"), fs::perms::none);
  expect_unable([&] { read_file(at("a")); }, "cannot be read");
}

TEST_F(FileTest, reading_what_is_not_there) {
  expect_refused([&] { read_file(at("none")); }, "does not exist");
  expect_refused([&] { read_file(folder.path.string()); }, "is a folder");
  expect_refused([] { read_file("/dev/zero", 1000); }, "1000");
  expect_refused([] { read_file("/dev/zero"); }, "268435456");
  fs::resize_file((std::ofstream(at("sparse")), at("sparse")), std::uintmax_t{1} << 40);
  expect_refused([&] { read_file(at("sparse"), 1000); }, "1000");
}

TEST_F(FileTest, what_must_outlive_the_machine_is_synced_and_then_its_folder) {
  synced_folder.clear();
  write_file(at("a"), "new", Durability::process);
  EXPECT_THAT(synced_folder, IsEmpty());
  write_file(at("a"), "new");
  EXPECT_THAT(synced_folder, ElementsAre(false, true));
}

TEST_F(FileTest, what_is_read_unasked_waits_for_no_writer_and_no_reader) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  for (const std::string& path : {at("pipe"), std::string("/dev/zero")}) {
    expect_refused([&] { read_plain_file(path); }, "not a regular file");
    expect_refused([&] { expect_plain_file_target(path); }, "not a regular file");
  }
  expect_plain_file_target(at("new"));
}

TEST(Ending, is_lower_case_and_of_the_name_only) {
  const std::map<std::string, std::string> endings{
      {"a/b.PNG", ".png"}, {"a.b/c", ""},      {"a/.png", ""}, {".svg", ""},
      {"x.tar.gz", ".gz"}, {"图.pdf", ".pdf"}, {"", ""}};
  for (const auto& [path, expected] : endings) EXPECT_EQ(ending(path), expected) << path;
}

}  // namespace headscope::tests
