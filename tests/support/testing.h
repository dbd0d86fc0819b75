// Included by every test and compiled once: the test framework, much of the standard library, and common
// helpers.
#pragma once
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/io/file.h"

namespace headscope::tests {

namespace fs = std::filesystem;
using testing::AllOf, testing::AnyOf, testing::Contains, testing::ElementsAre, testing::EndsWith,
    testing::Field, testing::HasSubstr, testing::IsEmpty, testing::Not, testing::Optional,
    testing::PrintToString, testing::SizeIs, testing::StartsWith, testing::StrEq;

/// A folder that is deleted with its contents when this object ends.
class TempFolder {
 public:
  TempFolder() {
    std::string name = (fs::temp_directory_path() / "headscope-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path = name;
  }
  ~TempFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  std::string at(const std::string& name) const { return (path / name).string(); }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), {}));
  }

  fs::path path;
};

/// A separate home, so that no test reads or writes the user's files.
struct OwnHome : TempFolder {
  OwnHome() {
    setenv("XDG_CONFIG_HOME", at("config").c_str(), 1);
    setenv("XDG_STATE_HOME", at("state").c_str(), 1);
  }
};

/// A test with its own folder.
class InFolder : public testing::Test {
 protected:
  std::string at(const std::string& name) const { return folder.at(name); }

  TempFolder folder;
};

/// The message of the error, of this kind and in one line, that `action` throws; "no complaint" if it throws
/// none.
template <typename Action>
std::string complaint(const Action& action, Error::Kind kind = Error::Kind::input) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
    return error.what();
  }
  return "no complaint";
}

/// `count` words with a space after each: w0 w1 … with `numbered`, otherwise all the same.
inline std::string sentence_of(std::int64_t count, const std::string& word = "w", bool numbered = true) {
  std::string sentence;
  for (std::int64_t i = 0; i < count; ++i) sentence += word + (numbered ? std::to_string(i) : "") + " ";
  return sentence;
}

/// The words of `text`, split at spaces.
inline std::vector<std::string> split(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// How often `part` occurs in `text`, overlaps not counted.
inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

/// The bytes of a .npy file, version 1, without padding.
inline std::string npy_bytes(const std::string& header, const std::string& data) {
  std::string bytes = "\x93NUMPY";
  bytes += {'\x01', '\x00', static_cast<char>(header.size()), '\x00'};
  return bytes + header + data;
}
inline std::string npy_bytes(const std::string& type, const std::string& shape, const std::string& data) {
  return npy_bytes("{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }\n", data);
}

}  // namespace headscope::tests
