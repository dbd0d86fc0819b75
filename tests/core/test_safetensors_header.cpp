#include "core/io/safetensors_header.h"
#include "tests/support/model_files.h"

namespace headscope::tests {

std::string header_entry(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return "{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}
std::string one_tensor(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return "{\"a\":" + header_entry(dtype, shape, offsets) + "}";
}
std::string two_tensors(const std::string& first, const std::string& second) {
  return "{\"a\":" + header_entry("F32", "[1]", first) + ",\"b\":" + header_entry("F32", "[1]", second) + "}";
}

struct HeaderCase {
  std::string header;
  std::size_t data;  // bytes of numbers
  std::string complaint = "no complaint";
};

const std::string deep_json = std::string(100'000, '[') + std::string(100'000, ']');
const std::string damaged_entry = "f: a: its header entry is damaged; expected dtype, shape and data_offsets";

class SafetensorsHeaderTest : public testing::TestWithParam<HeaderCase> {};

TEST_P(SafetensorsHeaderTest, is_read_or_refused) {
  const HeaderCase& given = GetParam();
  const std::string file = safetensors_bytes(given.header, std::string(given.data, '\0'));
  const std::string said = complaint([&] { parse_safetensors_header(file, file.size(), "f"); });
  EXPECT_EQ(said.substr(0, given.complaint.size()), given.complaint) << said;
  EXPECT_LT(said.size(), 500U);
}

INSTANTIATE_TEST_SUITE_P(
    sound, SafetensorsHeaderTest,
    testing::Values(
        HeaderCase{"{}", 0}, HeaderCase{"{}    ", 0}, HeaderCase{one_tensor("F32", "[]", "[0,4]"), 4},
        HeaderCase{one_tensor("F32", "[2,3]", "[0,24]"), 24},
        HeaderCase{one_tensor("F32", "[0,7]", "[0,0]"), 0}, HeaderCase{one_tensor("BF16", "[3]", "[0,6]"), 6},
        HeaderCase{one_tensor("F16", "[3]", "[0,6]"), 6},
        HeaderCase{one_tensor("F8_E4M3", "[3]", "[0,3]"), 3}, HeaderCase{one_tensor("F4", "[3]", "[0,2]"), 2},
        HeaderCase{one_tensor("BOOL", "[1,1,3]", "[0,3]"), 3}, HeaderCase{two_tensors("[4,8]", "[0,4]"), 8},
        HeaderCase{R"({"__metadata__":{"format":"pt"}})", 0}, HeaderCase{R"({"__metadata__":null})", 0},
        // More fields than a tensor needs, which later versions may have.
        HeaderCase{R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"note":"x"}})", 1}));

INSTANTIATE_TEST_SUITE_P(
    hostile, SafetensorsHeaderTest,
    testing::Values(
        HeaderCase{"", 0, "f: not a .safetensors file, or cut short"},
        HeaderCase{"[]", 0, "f: not a .safetensors file"}, HeaderCase{"3", 0, "f: not a .safetensors file"},
        HeaderCase{"{", 0, "f: the file is cut short"}, HeaderCase{"{\"a\":3}", 0, damaged_entry},
        HeaderCase{"{\"a\":{}}", 0, damaged_entry},
        HeaderCase{"\xFF\xFE{}", 0, "f: byte 0 is not valid UTF-8"},
        HeaderCase{"{\"a\":NaN}", 0, "f: a: not JSON"},
        HeaderCase{deep_json, 0, "f: nested more than 32 levels deep"},
        HeaderCase{"{\"a\":" + header_entry("F32", "[1]", "[0,4]") +
                       ",\"a\":" + header_entry("F32", "[1]", "[4,8]") + "}",
                   8, "f: field a is given twice"},
        HeaderCase{R"({"a":{"dtype":"F32","dtype":"F16","shape":[1],"data_offsets":[0,4]}})", 4,
                   "f: field a.dtype is given twice"},
        HeaderCase{R"({"a":{"shape":[1],"data_offsets":[0,4]}})", 4, damaged_entry},
        HeaderCase{R"({"a":{"dtype":4,"shape":[1],"data_offsets":[0,4]}})", 4, damaged_entry},
        HeaderCase{R"({"a":{"dtype":"F32","data_offsets":[0,4]}})", 4, damaged_entry},
        HeaderCase{one_tensor("F32", "1", "[0,4]"), 4, damaged_entry},
        HeaderCase{one_tensor("F32", "[-1]", "[0,4]"), 4, damaged_entry},
        HeaderCase{one_tensor("F32", "[1.0]", "[0,4]"), 4, damaged_entry},
        HeaderCase{one_tensor("F32", "[true]", "[0,4]"), 4, damaged_entry},
        HeaderCase{one_tensor("F32", "[\"1\"]", "[0,4]"), 4, damaged_entry},
        HeaderCase{one_tensor("F32", "[9223372036854775808]", "[0,4]"), 4, damaged_entry},
        HeaderCase{one_tensor("F32", "[99999999999999999999]", "[0,4]"), 4, damaged_entry},
        HeaderCase{
            one_tensor("U8", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "[0,1]"),
            1, damaged_entry},
        HeaderCase{one_tensor("F32", "[1]", "[0]"), 4, damaged_entry},
        HeaderCase{one_tensor("F32", "[1]", "[0,4,8]"), 4, damaged_entry},
        HeaderCase{one_tensor("F32", "[1]", "{\"begin\":0}"), 4, damaged_entry},
        HeaderCase{one_tensor("F32", "[1]", "[-4,0]"), 4, damaged_entry},
        HeaderCase{one_tensor("F32", "[1]", "[0,4.0]"), 4, damaged_entry},
        HeaderCase{one_tensor("F32", "[1]", "[18446744073709551612,18446744073709551615]"), 4, damaged_entry},
        HeaderCase{one_tensor("F32", "[1]", "[4,0]"), 4,
                   "f: a: its data_offsets are 4, 0; expected the beginning before the end"},
        HeaderCase{one_tensor("F32", "[2]", "[0,8]"), 4,
                   "f: a: bytes 0 to 8 are outside of its data, 4 in all"},
        HeaderCase{one_tensor("F32", "[1]", "[9223372036854775803,9223372036854775807]"), 4,
                   "f: a: bytes 9223372036"},
        HeaderCase{one_tensor("F32", "[2]", "[0,4]"), 4,
                   "f: a: 4 bytes of numbers; expected 8 for float32 of shape [2]"},
        HeaderCase{one_tensor("F32", "[]", "[0,8]"), 8,
                   "f: a: 8 bytes of numbers; expected 4 for float32 of shape []"},
        HeaderCase{one_tensor("F16", "[1]", "[0,1]"), 1, "f: a: 1 byte of numbers; expected 2 for float16"},
        HeaderCase{one_tensor("F32", "[0]", "[0,4]"), 4, "f: a: 4 bytes of numbers; expected 0"},
        HeaderCase{one_tensor("F8_E5M2", "[3]", "[0,4]"), 4,
                   "f: a: 4 bytes of numbers; expected 3 for F8_E5M2"},
        HeaderCase{one_tensor("F32", "[4611686018427387904,4]", "[0,0]"), 0,
                   "f: a: shape [4611686018427387904, 4]"},
        HeaderCase{one_tensor("F32", "[4294967296,4294967296]", "[0,0]"), 0, "f: a: shape"},
        HeaderCase{one_tensor("NEW", "[4294967296,4294967296]", "[0,4]"), 4, "f: a: shape"},
        HeaderCase{two_tensors("[0,4]", "[0,4]"), 4, "f: a and b share bytes 0 to 4"},
        HeaderCase{two_tensors("[0,4]", "[2,6]"), 6, "f: a and b share bytes 2 to 4"},
        HeaderCase{two_tensors("[0,4]", "[8,12]"), 12, "f: bytes 4 to 8 belong to no tensor"},
        HeaderCase{two_tensors("[4,8]", "[8,12]"), 12, "f: bytes 0 to 4 belong to no tensor"},
        HeaderCase{two_tensors("[0,4]", "[4,8]"), 9, "f: bytes 8 to 9 belong to no tensor"},
        HeaderCase{"{}", 1, "f: bytes 0 to 1 belong to no tensor"},
        HeaderCase{R"({"__metadata__":3})", 0, "f: __metadata__ is 3; expected an object"},
        HeaderCase{R"({"__metadata__":{"a":1}})", 0, "f: __metadata__.a is 1; expected a string"},
        HeaderCase{R"({"__metadata__":{"a":{"b":"c"}}})", 0, "f: __metadata__.a is {…}; expected a string"}));

TEST(SafetensorsStart, names_no_more_tensors_than_models_have) {
  std::string header = "{";
  for (int i = 0; i <= 100'000; ++i)
    header +=
        (i > 0 ? ",\"" : "\"") + std::to_string(i) + R"(":{"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
  header += "}";
  const std::uint64_t length = header.size();
  const std::string file = std::string(reinterpret_cast<const char*>(&length), 8) + header;
  EXPECT_EQ(complaint([&] { parse_safetensors_header(file, file.size(), "f"); }),
            "f: its header names more than 100000 tensors");
}

TEST(SafetensorsStart, says_what_a_file_is_that_is_none) {
  const std::string max(8, '\xFF'), zeros(8, '\0');
  const std::pair<std::string, const char*> cases[] = {
      {"", "f: not a .safetensors file, or cut short"},
      {"\x02", "f: not a .safetensors file, or cut short"},
      {zeros, "f: not a .safetensors file, or cut short"},
      {max + "{}", "f: not a .safetensors file, or cut short"},
      {std::string("\x03\0\0\0\0\0\0\0{}", 10), "f: not a .safetensors file, or cut short"},
      {"<!DOCTYPE html><html></html>", "f: not a .safetensors file, or cut short"},
      {"PK\x03\x04 a zip of PyTorch", "f: not a .safetensors file, or cut short"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
       "f: a Git LFS pointer, not the file itself; fetch it with git lfs pull"}};
  for (const auto& [bytes, said] : cases)
    EXPECT_EQ(complaint([&, file = bytes] { parse_safetensors_header(file, file.size(), "f"); }), said);
  const std::string large = std::string("\x01\xE1\xF5\x05\0\0\0\0{}", 10);
  EXPECT_EQ(complaint([&] { safetensors_header_end(large, std::size_t{1} << 40, "f"); }),
            "f: its header has 100000001 bytes; expected at most 100000000");
  EXPECT_EQ(safetensors_header_end(std::string("\x02\0\0\0\0\0\0\0{}", 10), 10, "f"), 10U);
}

TEST(SafetensorsStart, any_bytes_at_all_end_in_a_line) {
  const std::string whole = safetensors_bytes(
      {{"a", "F32", "[2]", std::string(8, '\0')}, {"b", "BF16", "[2,1]", std::string(4, '\1')}});
  std::mt19937 random(5);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = whole;
    if (i % 3 == 0) bytes.resize(random() % bytes.size());
    for (auto flips = random() % 6; flips > 0 && !bytes.empty(); --flips)
      bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
    complaint([&] {
      const SafetensorsHeader header = parse_safetensors_header(bytes, bytes.size(), "f");
      for (const SafetensorsHeader::Entry& tensor : header.entries)
        ASSERT_TRUE(tensor.begin <= tensor.end && header.data + tensor.end <= bytes.size());
    });
  }
}

}  // namespace headscope::tests
