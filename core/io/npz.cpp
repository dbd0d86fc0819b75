#include <zip.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>

#include "core/base/budget.h"
#include "core/base/error.h"
#include "core/io/arrays.h"
#include "core/io/file.h"
#include "core/io/npy.h"

namespace headscope {
namespace {

struct CloseArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseEntry {
  void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};
using Archive = std::unique_ptr<zip_t, CloseArchive>;
using Entry = std::unique_ptr<zip_file_t, CloseEntry>;

Archive open_archive(const std::string& path) {
  int code = 0;
  Archive archive(zip_open(path.c_str(), ZIP_RDONLY, &code));
  if (archive) return archive;
  throw input_error("{}: not an .npz archive, or damaged", path);
}

/// What the archive claims about an entry, held against the size of the file and what deflate can do (1032 to
/// 1).
zip_stat_t checked_stat(zip_t* archive, zip_uint64_t index, std::size_t file_size, const std::string& where) {
  zip_stat_t stat;
  constexpr zip_uint64_t needed = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_NAME;
  if (zip_stat_index(archive, index, 0, &stat) != 0 || (stat.valid & needed) != needed)
    throw input_error("{}: damaged", where);
  const bool stored = stat.comp_method == ZIP_CM_STORE;
  if (!stored && stat.comp_method != ZIP_CM_DEFLATE)
    throw input_error("{}: compressed with method {}; expected none or deflate", where, stat.comp_method);
  if (stat.comp_size > file_size ||
      (stored ? stat.size != stat.comp_size : stat.size / 1033 > stat.comp_size))
    throw input_error("{}: damaged", where);
  return stat;
}

/// Reads one entry from its start on.
class EntryReader {
 public:
  EntryReader(zip_t* archive, zip_uint64_t index, std::size_t file_size, std::string where, Budget& budget)
      : where_(std::move(where)),
        budget_(budget),
        left_(checked_stat(archive, index, file_size, where_).size),
        entry_(zip_fopen_index(archive, index, 0)) {
    if (!entry_) throw input_error("{}: {}", where_, zip_strerror(archive));
  }

  std::string read(std::size_t bytes) {
    if (bytes > left_) throw input_error("{}: ends before its numbers do; the file may be cut short", where_);
    std::string result(bytes, '\0');
    const zip_int64_t got = zip_fread(entry_.get(), result.data(), bytes);
    if (got < 0 || static_cast<std::size_t>(got) != bytes) throw input_error("{}: damaged", where_);
    left_ -= bytes;
    return result;
  }
  std::size_t left() const { return left_; }
  const std::string& where() const { return where_; }

  NpyHeader header() {
    std::string start = read(std::min<std::size_t>(12, left_));
    const std::size_t size = npy_header_size(start, where_);
    budget_.charge(1, size);
    if (size > start.size()) start += read(size - start.size());
    return parse_npy_header(start, where_);
  }

 private:
  std::string where_;
  Budget& budget_;
  std::size_t left_;
  Entry entry_;
};

// What libzip takes to open an entry, besides its header: entries of one archive may share their bytes.
constexpr std::size_t entry_bytes = std::size_t{1} << 12;

/// Calls `use(name, reader)` for every array.
template <typename Use>
void for_each_array(const std::string& path, const Use& use) {
  const std::size_t file_size = readable_size(path);
  const Archive archive = open_archive(path);
  Budget budget(path, file_size);
  const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<zip_uint64_t>(i);
    const char* entry = zip_get_name(archive.get(), index, 0);
    const std::string name = entry == nullptr ? "" : entry;
    if (!name.ends_with(".npy")) continue;
    const std::string array = name.substr(0, name.size() - 4);
    budget.charge(1, entry_bytes);
    EntryReader reader(archive.get(), index, file_size, path + ": " + array, budget);
    use(array, reader);
  }
}

}  // namespace

std::map<std::string, NamedArray> read_npz(const std::string& path) try {
  std::map<std::string, NamedArray> arrays;
  for_each_array(path, [&](const std::string& name, EntryReader& reader) {
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
  for_each_array(path, [&](const std::string& name, EntryReader& reader) {
    const NpyHeader header = reader.header();
    result.push_back({name, header.array.dtype, header.array.shape});
  });
  return result;
}

}  // namespace headscope
