#include "core/source/write/write_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#include "core/base/stopped.h"
#include "core/io/csv.h"

namespace headscope {
namespace {

/// Buffers text for a stream.
class Pieces {
 public:
  explicit Pieces(std::ostream& out) : out_(out) {}
  ~Pieces() { flush(0); }
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;

  template <typename... Args>
  void add(fmt::format_string<const Args&...> text, const Args&... args) {
    fmt::format_to(std::back_inserter(buffer_), text, args...);
    flush(1 << 16);
  }

 private:
  void flush(std::size_t maximum) {
    if (buffer_.size() <= maximum) return;
    out_.write(buffer_.data(), buffer_.size());
    buffer_.clear();
  }

  std::ostream& out_;
  fmt::memory_buffer buffer_;
};

/// Iterates over the numbers of an array across its parts.
template <typename Number>
class ArrayNumbers {
 public:
  explicit ArrayNumbers(const TraceArray& array) : array_(array) {}
  Number next() {
    while (offset_ == array_.parts[part_].size()) {
      ++part_;
      offset_ = 0;
    }
    Number value;
    std::memcpy(&value, array_.parts[part_].data() + offset_, sizeof value);
    offset_ += sizeof value;
    return value;
  }

 private:
  const TraceArray& array_;
  std::size_t part_ = 0, offset_ = 0;
};

/// JSON has no infinity: scores beyond float32 are null.
void add_number(Pieces& out, float value) {
  if (std::isfinite(value))
    out.add("{:.9g}", value);
  else
    out.add("null");
}

void add_number(Pieces& out, std::int64_t value) {
  out.add("{}", value);
}

template <typename Number>
void add_nested(Pieces& out, const std::vector<Index>& shape, std::size_t axis,
                ArrayNumbers<Number>& numbers) {
  out.add("[");
  for (Index i = 0; i < shape[axis]; ++i) {
    if (i > 0) out.add(",");
    if (axis + 1 == shape.size())
      add_number(out, numbers.next());
    else
      add_nested(out, shape, axis + 1, numbers);
  }
  out.add("]");
}

std::vector<std::string> csv_fields(const std::vector<Token>& tokens) {
  std::vector<std::string> fields;
  for (const Token& token : tokens) fields.push_back(csv_field(token.text));
  return fields;
}

}  // namespace

void write_csv(std::ostream& out, const BlockTrace& block, const ArraySelection& selection) {
  const LayerRange layers = layer_range(block.shape, selection.layer);
  Pieces pieces(out);
  const CellValue value = block.cells.value;
  pieces.add("layer,head,query,key,{},layer_shown,head_shown,name,query_token,key_token,sentence,source\n",
             value == CellValue::weight ? "weight" : cell_value(value).array);
  if (block.layer_count() == 0) return;
  const auto [first, last] = selection.rows_of(block);
  const std::vector<std::string> queries = csv_fields(block.tokens), keys = csv_fields(block.key_tokens);
  // Repeated on every line it would be most of the file.
  std::string origin = csv_field(selection.sentence) + "," + csv_field(selection.source);
  for (int layer = layers.begin; layer < layers.end; ++layer)
    for (int head = 0; head < block.heads_of(layer); ++head) {
      const auto named = selection.head_names.find({layer, head});
      const std::string shown =
          fmt::format("{},{},{}", layer + 1, head + 1,
                      named == selection.head_names.end() ? "" : csv_field(named->second));
      for_rows(block.shown_maps(), layer, head, first, last, [&](Index query, const float* row) {
        check_stop(selection.stop);
        const std::string& token = queries[query];
        for (Index key = 0; key < block.n_k(); ++key) {
          pieces.add("{},{},{},{},{:.9g},{},{},{},{}\n", layer, head, query, key, row[key], shown, token,
                     keys[key], origin);
          origin = ",";
        }
      });
    }
}

void write_json(std::ostream& out, const TraceArrays& arrays, const std::string& name,
                const std::string& metadata) {
  Pieces pieces(out);
  const char* before = "{\n";
  if (!metadata.empty()) {
    pieces.add("{}\"{}\": {}", before, name, metadata);
    before = ",\n";
  }
  for (const TraceArray& array : arrays.arrays) {
    pieces.add("{}\"{}\": ", before, array.name);
    before = ",\n";
    if (array.type == TraceArray::Type::text) {
      pieces.add("{}", array.parts[0]);
      continue;
    }
    if (array.type == TraceArray::Type::i64) {
      ArrayNumbers<std::int64_t> numbers(array);
      add_nested(pieces, array.shape, 0, numbers);
    } else {
      ArrayNumbers<float> numbers(array);
      add_nested(pieces, array.shape, 0, numbers);
    }
  }
  pieces.add("\n}}\n");
}

}  // namespace headscope
