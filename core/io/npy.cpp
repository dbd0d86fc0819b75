#include "core/io/npy.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/base/round_up.h"
#include "core/base/utf8.h"
#include "core/io/file.h"

namespace headscope {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t max_header = 1 << 16;  // numpy itself reads no more than 10,000 bytes

Error damaged(const std::string& where) {
  return input_error(
      "{}: its .npy header is damaged; expected a dictionary with descr, fortran_order and shape", where);
}

/// Parses the Python dictionary literal of a .npy header.
class Dictionary {
 public:
  Dictionary(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  ArrayHeader parse() {
    ArrayHeader header;
    std::set<std::string_view> found;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = string();
      expect(':');
      if (key == "descr")
        set_type(header, accept_raw());
      else if (key == "fortran_order")
        header.fortran_order = boolean();
      else if (key == "shape")
        header.shape = tuple();
      else
        throw damaged(where_);
      if (!found.insert(key).second) throw damaged(where_);
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (found.size() != 3 || header.dtype.empty()) throw damaged(where_);
    return header;
  }

 private:
  void skip_space() { text_.remove_prefix(std::min(text_.find_first_not_of(" \n\t"), text_.size())); }
  bool accept(char c) {
    skip_space();
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) throw damaged(where_);
  }
  std::string_view string() {
    skip_space();
    if (text_.empty() || (text_.front() != '\'' && text_.front() != '"')) throw damaged(where_);
    const std::size_t end = text_.find(text_.front(), 1);
    if (end == std::string_view::npos) throw damaged(where_);
    const std::string_view result = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return result;
  }
  bool boolean() {
    skip_space();
    for (const auto& [word, value] : std::map<std::string_view, bool>{{"True", true}, {"False", false}})
      if (text_.starts_with(word)) {
        text_.remove_prefix(word.size());
        return value;
      }
    throw damaged(where_);
  }
  std::vector<Index> tuple() {
    std::vector<Index> result;
    expect('(');
    while (!accept(')')) {
      skip_space();
      Index n = -1;
      const auto parsed = std::from_chars(text_.data(), text_.data() + text_.size(), n);
      if (parsed.ec != std::errc{} || n < 0 || result.size() == 32) throw damaged(where_);
      text_.remove_prefix(parsed.ptr - text_.data());
      result.push_back(n);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return result;
  }
  /// A type: a string, or the list of fields of a structured type, verbatim.
  std::string_view accept_raw() {
    skip_space();
    if (text_.empty() || text_.front() != '[') return string();
    std::size_t depth = 0, end = 0;
    do {
      if (end == text_.size()) throw damaged(where_);
      depth += text_[end] == '[' ? 1U : 0U;
      depth -= text_[end] == ']' ? 1U : 0U;
      ++end;
    } while (depth > 0);
    const std::string_view result = text_.substr(0, end);
    text_.remove_prefix(end);
    return result;
  }

  static void set_type(ArrayHeader& header, std::string_view descr) {
    static constexpr std::pair<std::string_view, const char*> types[] = {
        {"f2", "float16"}, {"f4", "float32"}, {"f8", "float64"}, {"b1", "bool"},
        {"i1", "int8"},    {"i2", "int16"},   {"i4", "int32"},   {"i8", "int64"},
        {"u1", "uint8"},   {"u2", "uint16"},  {"u4", "uint32"},  {"u8", "uint64"}};
    header.dtype = descr;
    header.big_endian = !descr.empty() && descr[0] == '>';
    if (descr.size() != 3 || std::string_view("<>|=").find(descr[0]) == std::string_view::npos) return;
    for (const auto& [code, name] : types)
      if (descr.substr(1) == code) header.dtype = name;
  }

  std::string_view text_;
  const std::string& where_;
};

std::size_t number(std::string_view bytes, std::size_t begin, std::size_t count) {
  std::size_t value = 0;
  for (std::size_t i = count; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(bytes[begin + i]);
  return value;
}

}  // namespace

std::size_t npy_header_size(std::string_view start, const std::string& where) {
  if (!start.starts_with(magic))
    throw input_error("{}: begins with \"{}\"; expected an .npy array", where,
                      printable(start.substr(0, magic.size())));
  if (start.size() < 10) throw damaged(where);
  const int version = static_cast<std::uint8_t>(start[6]);
  if (version < 1 || version > 3)
    throw input_error("{}: .npy version {}; expected 1, 2 or 3", where, version);
  if (version > 1 && start.size() < 12) throw damaged(where);
  const std::size_t size = version == 1 ? 10 + number(start, 8, 2) : 12 + number(start, 8, 4);
  if (size > max_header) throw damaged(where);
  return size;
}

NpyHeader parse_npy_header(std::string_view bytes, const std::string& where) {
  const std::size_t size = npy_header_size(bytes, where);
  if (size > bytes.size()) throw damaged(where);
  const std::size_t begin = bytes[6] == 1 ? 10 : 12;
  return {Dictionary(bytes.substr(begin, size - begin), where).parse(), size};
}

std::string npy_header(std::string_view descr, const std::vector<Index>& shape) {
  std::string tuple = "(";
  for (const Index n : shape) tuple += std::to_string(n) + ", ";
  if (shape.size() > 1) tuple.resize(tuple.size() - 2);
  if (shape.size() == 1) tuple.resize(tuple.size() - 1);
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}), }}", descr, tuple);
  text.resize(round_up(10 + text.size() + 1, 64) - 10 - 1, ' ');
  text += '\n';
  std::string header(magic);
  header += {'\x01', '\x00', static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)};
  return header + text;
}

NamedArray read_npy(const std::string& path, std::size_t limit) {
  const std::string bytes =
      read_file(path, limit, [](std::string_view start) { return start.starts_with(magic); });
  const NpyHeader header = parse_npy_header(bytes, path);
  return decode_array(header.array, std::string_view(bytes).substr(header.size), path);
}

std::vector<ArrayInfo> list_npy(const std::string& path) {
  constexpr std::size_t shortest = 12;
  const std::size_t size = npy_header_size(read_start(path, shortest), path);
  const ArrayHeader header = parse_npy_header(read_start(path, size), path).array;
  if (item_bytes(header.dtype)) check_size(header, readable_size(path) - size, path);
  return {{"npy", header.dtype, header.shape}};
}

}  // namespace headscope
