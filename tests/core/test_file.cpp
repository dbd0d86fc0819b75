#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>

#include "core/base/error.h"
#include "core/io/file.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;

class FileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "headscope-file-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  static std::optional<Error> error_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& error) {
      return error;
    }
    return std::nullopt;
  }
  static void expect_error(const std::function<void()>& action, Error::Kind kind, const std::string& part) {
    const auto error = error_of(action);
    ASSERT_TRUE(error) << "no error; expected one with " << part;
    EXPECT_EQ(error->kind(), kind) << error->what();
    EXPECT_NE(std::string(error->what()).find(part), std::string::npos) << error->what();
    EXPECT_EQ(std::string(error->what()).find('\n'), std::string::npos);
  }

  fs::path folder_;
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
  EXPECT_EQ(entries(), 1U);
}

TEST_F(FileTest, a_failure_leaves_the_old_file_and_nothing_else) {
  write_file(at("a"), "old");
  EXPECT_THROW(write_file(at("a"),
                          [](std::ostream& out) {
                            out << "new";
                            throw std::runtime_error("stop");
                          }),
               std::runtime_error);
  EXPECT_THROW(write_file_at(at("a"), [](const std::string&) { throw std::runtime_error("stop"); }),
               std::runtime_error);
  EXPECT_EQ(read_file(at("a")), "old");
  EXPECT_EQ(entries(), 1U);
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
  expect_error([&] { write_file(at("round"), "x"); }, Error::Kind::unable, "round");
}

TEST_F(FileTest, a_library_writes_by_name) {
  write_file_at(at("a.bin"), [](const std::string& beside) { std::ofstream(beside) << "by name"; });
  EXPECT_EQ(read_file(at("a.bin")), "by name");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(FileTest, devices_and_pipes_are_written_in_place) {
  expect_error([] { write_file("/dev/full", "x"); }, Error::Kind::unable,
               "/dev/full: cannot be written: the disk is full");
  expect_error(
      [] { write_file_at("/dev/full", [](const std::string& beside) { std::ofstream(beside) << "x"; }); },
      Error::Kind::unable, "/dev/full");
  fs::create_symlink("/dev/full", at("full.png"));
  expect_error([&] { write_file(at("full.png"), "x"); }, Error::Kind::unable, "full.png");
  EXPECT_TRUE(fs::is_symlink(at("full.png")));
  write_file("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_FALSE(is_plain_file_target("/dev/null"));
  EXPECT_TRUE(is_plain_file_target(at("not there yet")));
}

TEST_F(FileTest, a_descriptor_by_name_goes_on_where_it_stands) {
  const int file = open(at("a").c_str(), O_CREAT | O_RDWR, 0600);
  ASSERT_EQ(write(file, "begin ", 6), 6);
  write_file("/dev/fd/" + std::to_string(file), "end");
  close(file);
  EXPECT_EQ(read_file(at("a")), "begin end");
  expect_error([] { write_file("/dev/fd/987", "x"); }, Error::Kind::unable, "/dev/fd/987");
}

TEST_F(FileTest, targets_that_cannot_be) {
  expect_error([&] { write_file(folder_.string(), "x"); }, Error::Kind::input, "is a folder");
  expect_error([&] { write_file(at("new/"), "x"); }, Error::Kind::input, "is a folder");
  expect_error([&] { write_file("", "x"); }, Error::Kind::input, "empty");
  expect_error([&] { write_file(at("no/such/folder"), "x"); }, Error::Kind::unable,
               "its folder does not exist");
  expect_error([&] { write_file(at(std::string(300, 'n')), "x"); }, Error::Kind::unable, "nnn");
  write_file(at("a"), "x");
  expect_error([&] { write_file(at("a/b"), "x"); }, Error::Kind::unable, "not a folder");
  expect_error([] { write_file("/proc/headscope", "x"); }, Error::Kind::unable, "/proc/headscope");
  EXPECT_EQ(entries(), 1U);
  write_file(at(std::string(255, 'n')), "longest name");
  EXPECT_EQ(entries(), 2U);
}

TEST_F(FileTest, no_permission) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  write_file(at("a"), "old");
  fs::permissions(at("a"), fs::perms::owner_read);
  expect_error([&] { write_file(at("a"), "new"); }, Error::Kind::unable, "permission denied");
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  expect_error([&] { write_file(at("b"), "new"); }, Error::Kind::unable, "permission denied");
  fs::permissions(folder_, fs::perms::owner_all);
  fs::permissions(at("a"), fs::perms::none);
  expect_error([&] { read_file(at("a")); }, Error::Kind::unable, "cannot be read");
}

TEST_F(FileTest, reading_what_is_not_there) {
  expect_error([&] { read_file(at("none")); }, Error::Kind::input, "no such file");
  expect_error([&] { read_file(folder_.string()); }, Error::Kind::input, "is a folder");
  expect_error([] { read_file("/dev/zero", 1000); }, Error::Kind::input, "1000");
  expect_error([] { read_file("/dev/zero"); }, Error::Kind::input, "268435456");
  fs::resize_file((std::ofstream(at("sparse")), at("sparse")), std::uintmax_t{1} << 40);
  expect_error([&] { read_file(at("sparse"), 1000); }, Error::Kind::input, "1000");
}

TEST(Ending, is_lower_case_and_of_the_name_only) {
  EXPECT_EQ(ending("a/b.PNG"), ".png");
  EXPECT_EQ(ending("a.b/c"), "");
  EXPECT_EQ(ending("a/.png"), "");
  EXPECT_EQ(ending(".svg"), "");
  EXPECT_EQ(ending("x.tar.gz"), ".gz");
  EXPECT_EQ(ending("图.pdf"), ".pdf");
  EXPECT_EQ(ending(""), "");
}

}  // namespace
}  // namespace headscope
