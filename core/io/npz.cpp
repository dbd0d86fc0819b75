#include <new>

#include "core/base/error.h"
#include "core/io/arrays.h"
#include "core/io/file.h"
#include "core/io/zip_archive.h"

namespace headscope {
namespace {

/// Calls `use(name, reader)` for every array.
template <typename Use>
void for_each_array(const std::string& path, const Use& use) {
  const std::size_t file_size = readable_size(path);
  const ZipArchive archive = open_zip(path);
  Budget budget(path, file_size);
  for_each_zipped_array(
      archive.get(), path, file_size, budget,
      [&](const std::string& name, zip_uint64_t, ZipEntryReader& reader) { use(name, reader); });
}

}  // namespace

std::map<std::string, NamedArray> read_npz(const std::string& path) try {
  std::map<std::string, NamedArray> arrays;
  for_each_array(path, [&](const std::string& name, ZipEntryReader& reader) {
    const NpyHeader header = reader.header();
    check_size(header.array, reader.left(), reader.where());
    arrays[name] = decode_array(header.array, reader.read(reader.left()), reader.where());
  });
  return arrays;
} catch (const std::bad_alloc&) {
  throw unable_error("{}: does not fit into memory", path);
}

std::vector<ArrayInfo> list_npz(const std::string& path) {
  std::vector<ArrayInfo> result;
  for_each_array(path, [&](const std::string& name, ZipEntryReader& reader) {
    const NpyHeader header = reader.header();
    result.push_back({name, header.array.dtype, header.array.shape});
  });
  return result;
}

}  // namespace headscope
