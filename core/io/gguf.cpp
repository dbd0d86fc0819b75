#include "core/io/gguf.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/base/round_up.h"
#include "core/base/translate.h"
#include "core/base/utf8.h"
#include "core/io/decode.h"

namespace headscope {
namespace {

/// ggml's numbers of types; those without a Dtype are named in messages.
struct TensorType {
  std::uint32_t number;
  const char* name;
};
constexpr TensorType tensor_types[] = {
    {0, "float32"}, {1, "float16"}, {2, "Q4_0"},     {3, "Q4_1"},    {6, "Q5_0"},      {7, "Q5_1"},
    {8, "Q8_0"},    {9, "Q8_1"},    {10, "Q2_K"},    {11, "Q3_K"},   {12, "Q4_K"},     {13, "Q5_K"},
    {14, "Q6_K"},   {15, "Q8_K"},   {16, "IQ2_XXS"}, {17, "IQ2_XS"}, {18, "IQ3_XXS"},  {19, "IQ1_S"},
    {20, "IQ4_NL"}, {21, "IQ3_S"},  {22, "IQ2_S"},   {23, "IQ4_XS"}, {24, "int8"},     {25, "int16"},
    {26, "int32"},  {27, "int64"},  {28, "float64"}, {29, "IQ1_M"},  {30, "bfloat16"}, {34, "TQ1_0"},
    {35, "TQ2_0"},  {39, "MXFP4"},  {40, "NVFP4"},   {41, "Q1_0"},   {42, "Q2_0"}};

enum class ValueType : std::uint32_t {
  u8,
  i8,
  u16,
  i16,
  u32,
  i32,
  f32,
  boolean,
  string,
  array,
  u64,
  i64,
  f64
};
constexpr std::uint32_t value_types = 13;

/// Reads a file from its beginning; every size is checked before it is used.
class Reader {
 public:
  Reader(std::span<const std::byte> file, const std::string& source) : file_(file), source_(source) {}

  std::size_t at() const { return at_; }
  std::size_t left() const { return file_.size() - at_; }

  template <typename Number>
  Number number() {
    expect(sizeof(Number), 1);
    Number value;
    std::memcpy(&value, file_.data() + at_, sizeof(Number));
    at_ += sizeof(Number);
    return value;
  }
  /// A count of things that have at least so many bytes each; `text` says that there are more than fit.
  std::size_t count(const char* text, std::size_t bytes) {
    const auto count = number<std::uint64_t>();
    if (count > left() / bytes) throw input_error(text, source_, count, left() / bytes);
    return static_cast<std::size_t>(count);
  }
  std::string text() {
    const std::size_t size = count(TR("{}: the length of a text is {}; the file has room for {}"), 1);
    std::string text(reinterpret_cast<const char*>(file_.data() + at_), size);
    at_ += size;
    return text;
  }
  /// No more than is left.
  void skip(std::size_t bytes) { at_ += bytes; }
  void expect(std::size_t bytes, std::size_t times) const {
    if (times > left() / bytes) throw input_error("{}: cut short; its header goes on", source_);
  }

 private:
  std::span<const std::byte> file_;
  const std::string& source_;
  std::size_t at_ = 0;
};

ValueType read_type(Reader& reader, const std::string& source, const std::string& key) {
  const auto type = reader.number<std::uint32_t>();
  if (type >= value_types)
    throw input_error("{}: {}: type {} of its value; expected 0 to {}", source, cut_off(key, 100), type,
                      value_types - 1);
  return static_cast<ValueType>(type);
}

/// Calls use(value) with the number of that type; false for texts and arrays.
template <typename Use>
bool read_number(Reader& reader, ValueType type, const Use& use) {
  switch (type) {
    case ValueType::u8:
      use(std::uint64_t{reader.number<std::uint8_t>()});
      return true;
    case ValueType::i8:
      use(std::int64_t{reader.number<std::int8_t>()});
      return true;
    case ValueType::u16:
      use(std::uint64_t{reader.number<std::uint16_t>()});
      return true;
    case ValueType::i16:
      use(std::int64_t{reader.number<std::int16_t>()});
      return true;
    case ValueType::u32:
      use(std::uint64_t{reader.number<std::uint32_t>()});
      return true;
    case ValueType::i32:
      use(std::int64_t{reader.number<std::int32_t>()});
      return true;
    case ValueType::u64:
      use(reader.number<std::uint64_t>());
      return true;
    case ValueType::i64:
      use(reader.number<std::int64_t>());
      return true;
    case ValueType::f32:
      use(static_cast<double>(reader.number<float>()));
      return true;
    case ValueType::f64:
      use(reader.number<double>());
      return true;
    case ValueType::boolean:
      use(reader.number<std::uint8_t>() != 0);
      return true;
    case ValueType::string:
    case ValueType::array:
      break;
  }
  return false;
}

std::size_t bytes_of(ValueType type) {
  switch (type) {
    case ValueType::u8:
    case ValueType::i8:
    case ValueType::boolean:
      return 1;
    case ValueType::u16:
    case ValueType::i16:
      return 2;
    case ValueType::u32:
    case ValueType::i32:
    case ValueType::f32:
      return 4;
    case ValueType::u64:
    case ValueType::i64:
    case ValueType::f64:
    case ValueType::string:
      return 8;
    case ValueType::array:
      return 12;
  }
  return 1;
}

/// Of an array of arrays, or of very many numbers that describe no tokens, nothing is kept: an empty list.
GgufValue read_array(Reader& reader, const std::string& source, const std::string& key, int depth) {
  constexpr int deepest = 8;
  if (depth > deepest)
    throw input_error("{}: {}: arrays in arrays; expected at most {} deep", source, cut_off(key, 100),
                      deepest);
  const ValueType type = read_type(reader, source, key);
  const std::size_t count =
      reader.count(TR("{}: the length of an array is {}; the file has room for {}"), bytes_of(type));
  if (type == ValueType::array) {
    for (std::size_t i = 0; i < count; ++i) read_array(reader, source, key, depth + 1);
    return std::vector<double>{};
  }
  if (type == ValueType::string) {
    std::vector<std::string> texts;
    texts.reserve(count);
    for (std::size_t i = 0; i < count; ++i) texts.push_back(reader.text());
    return texts;
  }
  constexpr std::size_t many = 1 << 16;
  std::vector<double> numbers;
  if (count > many && !key.starts_with("tokenizer.")) {
    reader.skip(count * bytes_of(type));
    return numbers;
  }
  numbers.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    read_number(reader, type, [&](auto value) { numbers.push_back(static_cast<double>(value)); });
  return numbers;
}

GgufValue read_value(Reader& reader, const std::string& source, const std::string& key) {
  const ValueType type = read_type(reader, source, key);
  if (type == ValueType::string) return reader.text();
  if (type == ValueType::array) return read_array(reader, source, key, 1);
  GgufValue number;
  read_number(reader, type, [&](auto value) { number = value; });
  return number;
}

/// Its place is from the beginning of the tensors' data.
GgufHeader::Entry read_entry(Reader& reader, const std::string& source) {
  constexpr std::uint32_t most_axes = 4;
  GgufHeader::Entry entry;
  entry.name = reader.text();
  const std::string where = source + ": " + cut_off(entry.name, 200);
  const auto axes = reader.number<std::uint32_t>();
  if (axes > most_axes) throw input_error("{}: {} axes; expected at most {}", where, axes, most_axes);
  std::uint64_t numbers = 1;
  for (std::uint32_t i = 0; i < axes; ++i) {
    const auto size = reader.number<std::uint64_t>();
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<Index>::max()) / 8;
    if (size != 0 && numbers > most / size) throw input_error("{}: more numbers than memory can hold", where);
    numbers *= size;
    entry.shape.insert(entry.shape.begin(), size);
  }
  const auto type = reader.number<std::uint32_t>();
  const auto* const row = std::ranges::find(tensor_types, type, &TensorType::number);
  entry.type_name = row == std::end(tensor_types) ? std::to_string(type) : row->name;
  entry.dtype = dtype_named(entry.type_name);
  entry.begin = static_cast<std::size_t>(reader.number<std::uint64_t>());
  if (entry.dtype == Dtype::other) return entry;
  const DtypeBlock& block = block_of(entry.dtype);
  const Index inner = entry.shape.empty() ? 1 : entry.shape.back();
  if (inner % block.numbers != 0)
    throw input_error("{}: the length of a row of {} is {}; expected a multiple of {}", where,
                      entry.type_name, inner, block.numbers);
  entry.size = headscope::bytes_of(entry.dtype, static_cast<Index>(numbers));
  return entry;
}

std::size_t alignment_of(const GgufHeader& header, const std::string& source) {
  constexpr std::uint64_t usual = 32, largest = 1 << 20;
  const auto found = header.metadata.find("general.alignment");
  if (found == header.metadata.end()) return usual;
  const auto* const value = std::get_if<std::uint64_t>(&found->second);
  if (value == nullptr || *value < 1 || *value > largest || !std::has_single_bit(*value))
    throw input_error("{}: general.alignment: expected a power of two up to {}", source, largest);
  return static_cast<std::size_t>(*value);
}

}  // namespace

GgufHeader parse_gguf(std::span<const std::byte> file, const std::string& source) {
  static_assert(std::endian::native == std::endian::little);
  Reader reader(file, source);
  constexpr std::uint32_t magic = 0x46554747;  // "GGUF"
  if (file.size() < 4 || reader.number<std::uint32_t>() != magic)
    throw input_error("{}: does not begin with GGUF; expected a GGUF file", source);
  const auto version = reader.number<std::uint32_t>();
  if (version == 0x02000000 || version == 0x03000000)
    throw input_error("{}: numbers in big endian; expected little endian", source);
  if (version != 2 && version != 3) throw input_error("{}: version {}; expected 2 or 3", source, version);
  constexpr std::size_t entry_bytes = 8 + 4 + 4 + 8, value_bytes = 8 + 4 + 1;
  const std::size_t tensors =
      reader.count(TR("{}: the number of tensors is {}; the file has room for {}"), entry_bytes);
  const std::size_t values =
      reader.count(TR("{}: the number of metadata entries is {}; the file has room for {}"), value_bytes);
  GgufHeader header;
  for (std::size_t i = 0; i < values; ++i) {
    std::string key = reader.text();
    GgufValue value = read_value(reader, source, key);
    if (header.metadata.contains(key)) throw input_error("{}: {} is given twice", source, cut_off(key, 100));
    header.metadata.emplace(std::move(key), std::move(value));
  }
  const std::size_t alignment = alignment_of(header, source);
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < tensors; ++i) header.tensors.push_back(read_entry(reader, source));
  const std::size_t data = round_up(reader.at(), alignment);
  for (GgufHeader::Entry& entry : header.tensors) {
    const std::string where = source + ": " + cut_off(entry.name, 200);
    if (!names.insert(entry.name).second) throw input_error("{}: given twice", where);
    if (entry.begin % alignment != 0)
      throw input_error("{}: its place is {}; expected a multiple of {}", where, entry.begin, alignment);
    const std::size_t room = data < file.size() ? file.size() - data : 0;
    if (entry.begin > room || entry.size > room - entry.begin)
      throw input_error("{}: its end in the data is at byte {} + {}; the file has {}", where, entry.begin,
                        entry.size, room);
    entry.begin += data;
  }
  std::vector<const GgufHeader::Entry*> by_place;
  for (const GgufHeader::Entry& entry : header.tensors)
    if (entry.size > 0) by_place.push_back(&entry);
  std::ranges::sort(by_place, {}, &GgufHeader::Entry::begin);
  for (std::size_t i = 1; i < by_place.size(); ++i)
    if (by_place[i]->begin - by_place[i - 1]->begin < by_place[i - 1]->size)
      throw input_error("{}: {}: its numbers overlap those of {}", source, cut_off(by_place[i]->name, 200),
                        cut_off(by_place[i - 1]->name, 200));
  return header;
}

}  // namespace headscope
