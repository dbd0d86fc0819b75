#include "core/source/write/write_arrays.h"

#include <zip.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/base/enum_table.h"
#include "core/base/error.h"
#include "core/inputs/names.h"
#include "core/io/formats.h"
#include "core/io/npy.h"
#include "core/source/write/trace_arrays.h"
#include "core/source/write/write_text.h"

namespace headscope {

struct WrittenFile {
  const std::string& path;
  std::function<TraceArrays()> arrays;
  std::function<void(std::ostream&)> table;  ///< for a format that has lines instead
  std::function<void()> check;               ///< throws if numbers could not be read
  const char* metadata_name;
  const std::string& metadata;
};

namespace {

/// Names of a type in the formats, in the order of TraceArray::Type.
struct TypeName {
  const char* npy;
  const char* safetensors;
};
const TypeName& type_of(const TraceArray& array) {
  static constexpr TypeName names[] = {{"<i8", "I64"}, {"<f4", "F32"}, {"|u1", "U8"}};
  return of_kind(names, array.type);
}

/// A table lists one block: the requested one, otherwise the first.
const BlockTrace& block_to_list(const Trace& trace, const ArraySelection& selection) {
  if (!selection.block) return trace.blocks.front();
  const auto found = std::ranges::find(trace.blocks, *selection.block,
                                       [](const BlockTrace& block) { return block.shape.kind; });
  if (found == trace.blocks.end()) throw input_error("there is no {} attention", to_name(*selection.block));
  return *found;
}

/// A table has one number per line.
void expect_cells_alone(const ArraySelection& selection, const BlockTrace& block) {
  const std::string only = cell_value(block.cells.value).array;
  for (const std::string& name : selection.names)
    if (name != only && !name.ends_with("_" + only))
      throw input_error("--arrays is {}; expected {}, which is all that a .csv holds", name, only);
}

/// Checks for files truncated meanwhile, before the written numbers are trusted.
void check_read(const Trace& trace) {
  if (const auto error = error_of(trace)) throw Error(*error);
}

Error cannot_zip(const std::string& path, zip_error_t* error) {
  return unable_error("{}: cannot be written: {}", path, zip_error_strerror(error));
}

/// Adds an array without copying its numbers; `header` and the parts must live until the archive is closed.
void add_array(zip_t* archive, const TraceArray& array, std::string& header, const std::string& path) {
  header = npy_header(type_of(array).npy, array.shape);
  std::vector<zip_buffer_fragment_t> fragments;
  const auto add = [&](const char* bytes, std::size_t size) {
    // libzip only reads, but takes a pointer to writable bytes.
    auto* data = reinterpret_cast<zip_uint8_t*>(const_cast<char*>(bytes));
    if (size > 0) fragments.push_back({data, size});
  };
  add(header.data(), header.size());
  for (const std::string_view part : array.parts) add(part.data(), part.size());
  zip_source_t* source = zip_source_buffer_fragment(archive, fragments.data(), fragments.size(), 0);
  if (source == nullptr) throw cannot_zip(path, zip_get_error(archive));
  const zip_int64_t index = zip_file_add(archive, (array.name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    throw cannot_zip(path, zip_get_error(archive));
  }
  // Numbers hardly compress; without a date the same inputs give the same bytes.
  zip_set_file_compression(archive, index, ZIP_CM_STORE, 0);
  constexpr zip_uint16_t first_of_january_1980 = 0x21;
  zip_file_set_dostime(archive, index, 0, first_of_january_1980, 0);
}

void write_npz_at(const std::string& beside, const WrittenFile& file) {
  const std::string &path = file.path, &session = file.metadata;
  const TraceArrays arrays = file.arrays();
  file.check();
  int code = 0;
  std::unique_ptr<zip_t, void (*)(zip_t*)> archive(zip_open(beside.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code),
                                                   zip_discard);
  if (!archive) throw unable_error("{}: cannot be written: {}", path, "zip_open");
  std::vector<std::string> headers(arrays.arrays.size());
  for (std::size_t i = 0; i < headers.size(); ++i)
    add_array(archive.get(), arrays.arrays[i], headers[i], path);
  constexpr std::size_t longest_comment = 65535;
  if (session.size() <= longest_comment)
    zip_set_archive_comment(archive.get(), session.c_str(), static_cast<zip_uint16_t>(session.size()));
  if (zip_close(archive.get()) != 0) {
    const zip_error_t* error = zip_get_error(archive.get());
    if (zip_error_system_type(error) == ZIP_ET_SYS) throw cannot_write(path, zip_error_code_system(error));
    throw cannot_zip(path, zip_get_error(archive.get()));
  }
  static_cast<void>(archive.release());
}

void write_npz(const WrittenFile& file) {
  write_file_at(file.path, [&](const std::string& beside) { write_npz_at(beside, file); });
}

void write_safetensors(std::ostream& out, const WrittenFile& file) {
  TraceArrays arrays = file.arrays();
  nlohmann::ordered_json header;
  if (!file.metadata.empty()) header["__metadata__"] = {{"headscope", file.metadata}};
  std::size_t offset = 0;
  // The widest come first, so that every one is aligned without a gap, which the format forbids.
  std::ranges::stable_sort(arrays.arrays, {}, &TraceArray::type);
  for (const TraceArray& array : arrays.arrays) {
    const std::size_t end = offset + array.bytes();
    header[array.name] = {
        {"dtype", type_of(array).safetensors}, {"shape", array.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  for (std::size_t i = 0; i < 8; ++i) out.put(static_cast<char>(text.size() >> (8 * i) & 0xFF));
  out << text;
  for (const TraceArray& array : arrays.arrays)
    for (const std::string_view part : array.parts) out.write(part.data(), part.size());
}

template <auto write>
void write_stream(const WrittenFile& file) {
  write_file(file.path, [&](std::ostream& out) {
    write(out, file);
    file.check();
  });
}

constexpr ArrayWriter writers[] = {
    {".npz", write_npz},
    {".safetensors", write_stream<write_safetensors>},
    {".csv", write_stream<[](std::ostream& out, const WrittenFile& file) { file.table(out); }>},
    {".json", write_stream<[](std::ostream& out, const WrittenFile& file) {
       write_json(out, file.arrays(), file.metadata_name, file.metadata);
     }>},
};

}  // namespace

std::span<const ArrayWriter> array_writers() {
  return writers;
}

void write_arrays(const std::string& path, const Trace& trace, const ArraySelection& selection,
                  const std::string& session) {
  const auto table = [&](std::ostream& out) {
    const BlockTrace& block = block_to_list(trace, selection);
    expect_cells_alone(selection, block);
    write_csv(out, block, selection);
  };
  expect_format(array_writers(), path)
      .write({path, [&] { return trace_arrays(trace, selection); }, table, [&] { check_read(trace); },
              "session", session});
}

void write_arrays(const std::string& path, const TraceArrays& arrays,
                  const std::function<void(std::ostream&)>& table, const std::string& metadata) {
  expect_format(array_writers(), path).write({path, [&] { return arrays; }, table, [] {}, "about", metadata});
}

}  // namespace headscope
